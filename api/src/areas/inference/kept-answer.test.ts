// A record that is too long to be kept is detected before anything of it is copied or written.
import { expect, test } from '@jest/globals';
import { type Endpoint, readAsked } from './asked.ts';
import { KeptAnswer, recordOf } from './kept-answer.ts';

const ABOUT = { id: 'req-1', time: '2026-11-27T00:00:00Z', deployment: 'chat', model: 'tiny' };
const record = (endpoint: Endpoint, prompt: object, ...answers: Record<string, unknown>[]) => {
  const answer = new KeptAnswer();
  for (const one of answers) answer.take(one);
  return recordOf(readAsked(endpoint, JSON.stringify({ model: 'tiny', ...prompt })), answer, ABOUT);
};
test('a response is put out item by item, from the pieces of a chat', () => {
  const call = { index: 0, id: 'call_1', function: { name: 'tide', arguments: '{}' } };
  const pieces = [{ content: 'It ' }, { content: 'is' }, { tool_calls: [call] }].map((delta) => ({
    choices: [{ delta }],
  }));
  expect(record('/v1/responses', { input: 'hi' }, ...pieces)).toMatchObject({
    ...{ input: 'hi', endpoint: 'responses' },
    output: [
      { type: 'message', content: [{ type: 'output_text', text: 'It is' }] },
      { type: 'function_call', call_id: 'call_1', name: 'tide', arguments: '{}' },
    ],
  });
});

test.each<[string, Endpoint, object]>([
  ['40,000 token ids', '/v1/completions', { prompt: Array.from({ length: 40_000 }, (_, id) => id) }],
  [
    'lists of token ids',
    '/v1/completions',
    { prompt: [1, 2].map(() => Array.from({ length: 20_000 }, (_, id) => id)) },
  ],
  [
    'pieces without a word',
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: Array.from({ length: 40_000 }, () => ({ type: 'text', text: '' })) }] },
  ],
  ['one long name', '/v1/responses', { input: [{ role: 'user', content: 'a', ['x'.repeat(70_000)]: 1 }] }],
  ['one long text', '/v1/responses', { input: 'x'.repeat(70_000) }],
])('a prompt of %s is too long', (_, endpoint, prompt) => {
  expect(record(endpoint, prompt)).toBeUndefined();
});

test('the bytes of a picture do not count: they are left out', () => {
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(70_000)}` } };
  const prompt = { messages: [{ role: 'user', content: [picture] }] };
  expect(record('/v1/chat/completions', prompt)).toMatchObject({
    messages: [{ content: [{ type: 'image_url' }] }, {}],
  });
});
