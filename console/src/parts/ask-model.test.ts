// An answer as it comes, cut wherever the network cuts it.
import { afterEach, expect, jest, test } from '@jest/globals';
import { askModel } from './ask-model.ts';

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

function play(text: string, cuts: number, { status = 200 } = {}): void {
  const bytes = new TextEncoder().encode(text);
  const parts = Array.from({ length: cuts }, (_, at) =>
    bytes.slice(Math.floor((at * bytes.length) / cuts), Math.floor(((at + 1) * bytes.length) / cuts)),
  );
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = parts.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
  const headers = { get: (name: string) => (name === 'X-Request-Id' ? 'req-1' : null) };
  const json = async () => JSON.parse(text);
  globalThis.fetch = jest.fn(async () => ({ ok: status < 300, status, headers, body, json })) as never;
}

const asked = { model: 'acme/tiny', messages: [] };
const options = () => ({ headers: {}, signal: new AbortController().signal });
const chunk = (delta: object, usage?: object) => `data: ${JSON.stringify({ choices: [{ delta }], usage })}\n\n`;

test.each([1, 2, 3, 7, 50])('what a model says comes whole, in %i pieces', async (cuts) => {
  const end = 'data: {"choices":[],"usage":{"completion_tokens":2}}\n\ndata: [DONE]\n\n';
  play(`: the model is starting\n\n${chunk({ content: '海は' })}${chunk({ content: ' wide' })}${end}`, cuts);
  let text = '';
  let waits = 0;
  const answered = await askModel(asked, options(), { said: (more) => (text += more), waits: () => waits++ });
  expect([text, waits]).toEqual(['海は wide', 1]);
  expect(answered).toEqual({ requestId: 'req-1', toolCalls: [], completionTokens: 2, failure: null });
});

test('an answer that breaks off says so', async () => {
  play(`${chunk({ content: 'The' })}data: {"error":{"message":"It died."}}\n\n`, 2);
  const answered = await askModel(asked, options(), { said: () => {}, waits: () => {} });
  expect(answered).toMatchObject({ completionTokens: null, failure: 'It died.' });
});

test('a refusal is said in the gateway’s words', async () => {
  play('{"error":{"message":"There is not enough credit."}}', 1, { status: 402 });
  const answered = await askModel(asked, options(), { said: () => {}, waits: () => {} });
  expect(answered.failure).toBe('There is not enough credit.');
});

test('calls of tools are put together from their pieces, and nonsense is none', async () => {
  const calls = (...some: object[]) => chunk({ tool_calls: some });
  play(
    calls({ index: 0, function: { name: 'weather', arguments: '' } }) +
      calls({ index: 0, function: { arguments: '{"city":' } }, { index: 1, function: { name: 'time' } }) +
      calls({ index: 0, function: { arguments: '"Lagos"}' } }, { index: 9e9 }, { index: -1 }, { index: 'x' }),
    5,
  );
  const answered = await askModel(asked, options(), { said: () => {}, waits: () => {} });
  expect(answered.toolCalls).toEqual([
    { name: 'weather', arguments: '{"city":"Lagos"}' },
    { name: 'time', arguments: '' },
  ]);
});
