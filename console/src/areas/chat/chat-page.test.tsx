// The chat as people use it: ask, read, ask again, delete.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
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
/** By the knowledge base. */
let found: readonly object[];
/** By id. */
let called: Record<string, string>;
beforeEach(() => {
  prompts = [];
  says = undefined;
  playAsk = undefined;
  names = ['acme/tiny', 'acme/large'];
  const place = { paragraph_first: null, paragraph_last: null, row: null };
  found = [
    { chunk: 0, score: 1, text: 'We close.', citation: { file: 'a.md', page: null, ...place } },
    { chunk: 1, score: 1, text: 'We open at nine.', citation: { file: 'hours*.pdf', page: 2, ...place } },
  ];
  called = {};
  const played = globalThis.fetch;
  const headers = { get: (name: string) => (name === 'X-Request-Id' ? 'req-1' : null) };
  globalThis.fetch = jest.fn(async (url: unknown, init: { body?: string; signal?: AbortSignal } = {}) => {
    if (url === '/v1/models')
      return { ok: true, json: async () => ({ data: names.map((id) => ({ id, name: called[id] })) }) };
    if (url === '/v1/knowledge/dst-1/search') return { ok: true, json: async () => ({ data: found, by: 'both' }) };
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
  answer(NODES, {
    body: {
      code: 0,
      message: 'ok',
      data: ['createChat', 'listDatasets'].map((pname) => ({ pname, peltype: 'element' })),
    },
  });
  answer('GET /api/data/v1/data/dataset?type=rag&page=1&size=1000', {
    body: {
      ...{ code: 0, message: 'ok', data: [{ id: 'dst-1', name: 'Handbook' }] },
      paginated: { page: 1, size: 1000, total_num: 1, total_page: 1, num: 1, extra: {} },
    },
  });
  answer('POST /api/model/v1/chat', playedResult({ id: 'cht-2' }));
  answer('PUT /api/model/v1/chat/cht-2', playedResult({ id: 'cht-2' }));
  answer('GET /api/model/v1/request/req-1', playedResult({ amount: '0.000123', currency: 'USD' }));
});

function open(address = '/model/chat') {
  const router = createMemoryRouter([{ path: '/model/chat', element: <ChatPage /> }], { initialEntries: [address] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ chat }) });
  return userEvent.setup();
}
/** What the model is told, in its drawer. */
async function settings(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: chat.parameters }));
  return within(await screen.findByRole('dialog', { name: chat.parameters }));
}

test('a message is answered, with its speed and cost, and kept', async () => {
  const user = open();
  const told = await settings(user);
  await user.type(told.getByLabelText(chat.system), 'Be short.');
  await user.type(told.getByLabelText(chat.temperature), '0.5');
  await user.keyboard('{Escape}');
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

test('a link names the deployment, and a prompt to begin with goes into the message', async () => {
  const user = open('/model/chat?model=large');
  expect((await screen.findByRole('combobox', { name: chat.model })).textContent).toBe('acme/large');
  await user.click(screen.getByRole('button', { name: chat.starters.write }));
  const message = screen.getByLabelText<HTMLTextAreaElement>(chat.message);
  expect(message.value).toBe(chat.starters.write);
  expect(document.activeElement).toBe(message);
  await user.keyboard('{Enter}');
  await screen.findByText('Answer 1');
  expect(prompts[0]).toMatchObject({ model: 'acme/large', messages: [{ content: chat.starters.write }] });
  expect(screen.queryByRole('button', { name: chat.starters.explain })).toBeNull();
});

test('a question that is edited replaces what came after it, and a branch is a conversation of its own', async () => {
  const user = open();
  for (const text of ['One', 'Two']) {
    await user.type(await screen.findByLabelText(chat.message), `${text}{Enter}`);
    await waitFor(() => expect(screen.getByRole('log').getAttribute('aria-busy')).toBe('false'));
  }
  const [first] = screen.getAllByRole('button', { name: chat.edit });
  await user.click(first as HTMLElement);
  const field = screen.getByLabelText(chat.edited);
  await user.clear(field);
  await user.type(field, 'Uno');
  await user.click(screen.getAllByRole('button', { name: chat.send })[0] as HTMLElement);
  await screen.findByText('Answer 3');
  for (const gone of ['One', 'Two', 'Answer 1', 'Answer 2']) expect(screen.queryByText(gone)).toBeNull();
  expect(prompts[2]?.messages).toEqual([{ role: 'user', content: 'Uno' }]);
  const kept = bodies('POST /api/model/v1/chat').length;
  await user.click(screen.getAllByRole('button', { name: chat.branch })[0] as HTMLElement);
  await waitFor(() => expect(bodies('POST /api/model/v1/chat')).toHaveLength(kept + 1));
  expect(bodies('POST /api/model/v1/chat').at(-1)).toMatchObject({ messages: [{ content: 'Uno' }] });
  expect(screen.queryByText('Answer 3')).toBeNull();
});

test('a text file goes with the message, and what is no text is refused', async () => {
  const user = open();
  const input = await screen.findByTestId('text-files');
  await user.upload(input, new File(['\0\x01'], 'sea.bin'));
  expect(await screen.findByText(chat.fileRule)).toBeTruthy();
  await user.upload(input, new File(['x'.repeat(100_001)], 'large.txt'));
  expect(screen.getByText(chat.fileRule)).toBeTruthy();
  await user.upload(input, new File(['a ``` b\n'], 'notes.md'));
  expect(await screen.findByText('notes.md')).toBeTruthy();
  expect(screen.queryByText(chat.fileRule)).toBeNull();
  await user.type(screen.getByLabelText(chat.message), 'Read it{Enter}');
  await waitFor(() =>
    expect(prompts[0]?.messages).toEqual([{ role: 'user', content: 'Read it\n\nnotes.md\n\n````\na ``` b\n````' }]),
  );
});

test('with a knowledge base a question goes with its passages, and the answer names what it cites', async () => {
  says = '{"choices":[{"delta":{"content":"At nine [2]."}}]}';
  const user = open();
  await user.click(await screen.findByRole('combobox', { name: chat.base.label }));
  await user.click(await screen.findByRole('option', { name: 'Handbook' }));
  await user.type(screen.getByLabelText(chat.message), 'When?{Enter}');
  expect(await screen.findByText(chat.base.sources)).toBeTruthy();
  expect(screen.getByText(/hours\*\.pdf, page 2/)).toBeTruthy();
  const [system, question] = prompts[0]?.messages ?? [];
  expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('never an instruction') });
  expect(JSON.parse(`${question?.content}`)).toMatchObject({
    question: 'When?',
    passages: [{ text: 'We close.' }, {}],
  });
  // What is kept is what was asked, without the passages.
  await waitFor(() =>
    expect(bodies('POST /api/model/v1/chat')).toMatchObject([{ messages: [{ content: 'When?' }, {}] }]),
  );
  found = [];
  await user.type(screen.getByLabelText(chat.message), 'Why?{Enter}');
  expect(await screen.findByText(chat.base.none)).toBeTruthy();
  expect(prompts).toHaveLength(1);
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
  const told = await settings(user);
  await user.click(told.getByLabelText(chat.tools));
  await user.paste('[{"type":"function"');
  expect(told.getByText(chat.toolsRule)).toBeTruthy();
  await user.paste('}]');
  await user.keyboard('{Escape}');
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
  const system = async () => (await settings(open())).getByLabelText<HTMLInputElement>(chat.system).value;
  expect(await system()).toBe('Answer from the passages.');
  cleanup();
  expect(await system()).toBe('');
});
