// The chat as people use it: ask, read, ask again, delete.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { handToChat } from '../../parts/handed-to-chat.ts';
import { ChatPage } from './chat-page.tsx';
import { words as chat } from './words/en.ts';

playLayout();
const { answer, bodies, calls } = playAnswers();
const CHATS = 'GET /api/model/v1/chat';
const NODES = 'GET /api/iam/v1/oauth/front?console=tenant';

/** Prompts sent to /v1, which is answered through `fetch` itself, because it is no route of ours. */
let prompts: { messages: { role: string; content: unknown }[]; model: string; temperature?: number; tools?: unknown }[];
/** In place of an answer in words. */
let says: string | undefined;
/** In place of a whole answer: one that goes on until it is stopped. */
let playAsk: ((signal: AbortSignal) => ReadableStream) | undefined;
let names: string[];
/** By id. */
let called: Record<string, string>;
beforeEach(() => {
  prompts = [];
  says = undefined;
  playAsk = undefined;
  names = ['acme/tiny', 'acme/large'];
  called = {};
  const played = globalThis.fetch;
  const headers = { get: (name: string) => (name === 'X-Request-Id' ? 'req-1' : null) };
  globalThis.fetch = jest.fn(async (url: unknown, init: { body?: string; signal?: AbortSignal } = {}) => {
    if (url === '/v1/models')
      return { ok: true, json: async () => ({ data: names.map((id) => ({ id, name: called[id] })) }) };
    if (url !== '/v1/chat/completions') return played(url as string, init);
    prompts.push(JSON.parse(init.body ?? ''));
    const piece = says ?? `{"choices":[{"delta":{"content":"Answer ${prompts.length}"}}]}`;
    const text = `data: ${piece}\n\ndata: {"choices":[],"usage":{"completion_tokens":12}}\n\ndata: [DONE]\n\n`;
    const body =
      playAsk?.(init.signal as AbortSignal) ??
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
    return { ok: true, status: 200, headers, body };
  }) as never;
  answer(
    CHATS,
    playedResult({
      chats: [
        {
          id: 'cht-1',
          title: 'Before',
          model: 'acme/tiny',
          create_time: '2026-11-26T10:00:00Z',
          update_time: '2026-11-26T10:00:00Z',
        },
      ],
    }),
  );
  answer(NODES, { body: { code: 0, message: 'ok', data: [{ pname: 'createChat', peltype: 'element' }] } });
  answer('POST /api/model/v1/chat', playedResult({ id: 'cht-2' }));
  answer('PUT /api/model/v1/chat/cht-2', playedResult({ id: 'cht-2' }));
  answer('GET /api/model/v1/request/req-1', playedResult({ amount: '0.000123', currency: 'USD' }));
});

function open() {
  render(<ChatPage />, { wrapper: appAround({ chat }) });
  return userEvent.setup();
}

test('a message is answered, with its speed and cost, and kept', async () => {
  const user = open();
  await user.type(await screen.findByLabelText(chat.system), 'Be short.');
  await user.type(screen.getByLabelText(chat.temperature), '0.5');
  await user.type(screen.getByLabelText(chat.message), 'Hello{Enter}');
  expect(await screen.findByText('Answer 1')).toBeTruthy();
  expect(await screen.findByText(/12 tokens · .* · Cost: \$0\.000123/)).toBeTruthy();
  expect(prompts).toMatchObject([
    {
      model: 'acme/tiny',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hello' },
      ],
      temperature: 0.5,
    },
  ]);
  await waitFor(() =>
    expect(bodies('POST /api/model/v1/chat')).toMatchObject([{ title: 'Hello', system: 'Be short.' }]),
  );
});

test('an answer that is stopped leaves its request, which stops the engine, and keeps what was said', async () => {
  let left = false;
  playAsk = (signal) =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Half an"}}]}\n\n'));
        signal.addEventListener('abort', () => {
          left = true;
          controller.error(signal.reason);
        });
      },
    });
  const user = open();
  await user.type(await screen.findByLabelText(chat.message), 'Hello{Enter}');
  await screen.findByText('Half an');
  await user.click(screen.getByRole('button', { name: chat.stop }));
  expect(left).toBe(true);
  expect(await screen.findByText(chat.stopped)).toBeTruthy();
  await waitFor(() =>
    expect(bodies('POST /api/model/v1/chat')).toMatchObject([{ messages: [{}, { content: 'Half an' }] }]),
  );
});

test('an answer is made again from what was asked', async () => {
  const user = open();
  await user.type(await screen.findByLabelText(chat.message), 'Hello{Enter}');
  await screen.findByText('Answer 1');
  await user.click(await screen.findByRole('button', { name: chat.regenerate }));
  await screen.findByText('Answer 2');
  expect(screen.queryByText('Answer 1')).toBeNull();
  expect(prompts[1]?.messages).toEqual([{ role: 'user', content: 'Hello' }]);
});

test('conversations are deleted, one or all', async () => {
  const user = open();
  answer('DELETE /api/model/v1/chat/cht-1', playedResult('ok'));
  answer('DELETE /api/model/v1/chat', playedResult('ok'));
  await user.click(await screen.findByRole('button', { name: 'Delete “Before”' }));
  await waitFor(() => expect(calls('DELETE /api/model/v1/chat/cht-1')).toBe(1));
  await user.click(screen.getByRole('button', { name: chat.removeAll }));
  await screen.findByRole('dialog', { name: chat.removeAllTitle });
  await user.click(screen.getAllByRole('button', { name: chat.removeAll }).at(-1) as HTMLElement);
  await waitFor(() => expect(calls('DELETE /api/model/v1/chat')).toBe(1));
});

test('models are called by their name, with the name of requests beneath', async () => {
  called = { 'acme/tiny': 'House model', 'acme/large': 'Large one' };
  const user = open();
  const choice = await screen.findByRole('combobox', { name: chat.model });
  expect(choice.textContent).toBe('House model');
  expect(screen.getByText('acme/tiny')).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: chat.compare }));
  await user.click(await screen.findByRole('option', { name: 'Large one acme/large' }));
  expect(screen.getByRole('log', { name: 'Large one' })).toBeTruthy();
  await user.type(screen.getByLabelText(chat.message), 'Hello{Enter}');
  await waitFor(() => expect(prompts.map(({ model }) => model)).toEqual(['acme/tiny', 'acme/large']));
});

test('without a model there is nothing to talk to', async () => {
  names = [];
  open();
  expect(await screen.findByText(chat.noModel)).toBeTruthy();
});

test('two models answer side by side, with the same words and pictures', async () => {
  const user = open();
  await user.click(await screen.findByRole('combobox', { name: chat.compare }));
  await user.click(await screen.findByRole('option', { name: 'acme/large' }));
  const file = new File(['x'], 'sea.png', { type: 'image/png' });
  await user.upload(document.querySelector('input[type=file]') as HTMLInputElement, file);
  await screen.findByAltText('Picture 1');
  await user.type(screen.getByLabelText(chat.message), 'What is it?{Enter}');
  for (const name of ['acme/tiny', 'acme/large'])
    expect(await within(screen.getByRole('log', { name })).findByText(/^Answer \d$/)).toBeTruthy();
  const content = [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,eA==' } },
  ];
  expect(prompts.map(({ model, messages }) => [model, messages])).toEqual([
    ['acme/tiny', [{ role: 'user', content }]],
    ['acme/large', [{ role: 'user', content }]],
  ]);
  await waitFor(() => expect(bodies('POST /api/model/v1/chat')).toHaveLength(2));
  // Small ones are kept as they are.
  expect(bodies('POST /api/model/v1/chat')).toMatchObject(
    Array.from({ length: 2 }, () => ({ messages: [{ images: [`data:image/png;base64,${btoa('x')}`] }, {}] })),
  );
});

test('tools go with the request, and what a model wants to call is shown', async () => {
  says = '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather","arguments":"{}"}}]}}]}';
  const user = open();
  await user.click(await screen.findByLabelText(chat.tools));
  await user.paste('[{"type":"function"');
  expect(screen.getByText(chat.toolsRule)).toBeTruthy();
  await user.paste('}]');
  await user.type(screen.getByLabelText(chat.message), 'Rain?{Enter}');
  expect(await screen.findByText(/"call": "weather"/)).toBeTruthy();
  expect(prompts[0]?.tools).toEqual([{ type: 'function' }]);
});

test('an answer with characters that nothing keeps is kept without them', async () => {
  says = '{"choices":[{"delta":{"content":"a\\u0000b\\u202ec"}}]}';
  const user = open();
  await user.type(await screen.findByLabelText(chat.message), 'Hello{Enter}');
  await waitFor(() => expect(bodies('POST /api/model/v1/chat')).toHaveLength(1));
  expect(bodies('POST /api/model/v1/chat')[0]).toMatchObject({ messages: [{}, { content: 'a\ufffdb\ufffdc' }] });
});

test('whoever may only look is told so, and asks for nothing', async () => {
  answer(NODES, { body: { code: 0, message: 'ok', data: [] } });
  open();
  expect(await screen.findByText('No permission')).toBeTruthy();
  expect([calls(CHATS), prompts]).toEqual([0, []]);
});

test('what another page hands over is its system prompt, once', async () => {
  handToChat('Answer from the passages.');
  open();
  expect((await screen.findByLabelText<HTMLInputElement>(chat.system)).value).toBe('Answer from the passages.');
  cleanup();
  open();
  expect((await screen.findByLabelText<HTMLInputElement>(chat.system)).value).toBe('');
});
