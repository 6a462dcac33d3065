// What is too long to be kept is told before anything of it is copied or written.
import { expect, test } from '@jest/globals';
import { type Endpoint, readAsked } from './asked.ts';
import { KeptAnswer, recordOf } from './kept-answer.ts';

const ABOUT = { id: 'req-1', time: '2026-11-27T00:00:00Z', deployment: 'chat', model: 'tiny' };
const record = (endpoint: Endpoint, prompt: object, ...answers: Record<string, unknown>[]) => {
  const answer = new KeptAnswer();
  for (const one of answers) answer.take(one);
  return recordOf(readAsked(endpoint, JSON.stringify({ model: 'tiny', ...prompt })), answer, ABOUT);
};
const said = (text: string) => [{ type: 'message', content: [{ type: 'output_text', text }] }];

test('a response whose output is too long is let go at once', () => {
  const answer = new KeptAnswer();
  answer.take({ output: said('x'.repeat(70_000)) });
  expect(answer.isTooLong).toBe(true);
  expect(JSON.stringify(answer.output)).not.toContain('xx');
});

test('what streamed past and its whole at the end are one answer', () => {
  const text = 'x'.repeat(40_000);
  const streamed = { type: 'response.output_text.delta', delta: text };
  expect(record('/v1/responses', { input: 'hi' }, streamed, { output: said(text) })).toMatchObject({
    ...{ input: 'hi', output: said(text), endpoint: 'responses' },
  });
});

test.each<[string, Endpoint, object]>([
  ['40,000 token ids', '/v1/completions', { prompt: Array.from({ length: 40_000 }, (_, id) => id) }],
  ['lists that are empty', '/v1/completions', { prompt: Array.from({ length: 40_000 }, () => []) }],
  ['pieces without a word', '/v1/chat/completions', { messages: Array.from({ length: 40_000 }, () => null) }],
  ['one long name', '/v1/responses', { input: [{ ['x'.repeat(70_000)]: 1 }] }],
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

test('an output as deep as it likes is measured without failing', () => {
  const output = JSON.parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`) as unknown[];
  const answer = new KeptAnswer();
  answer.take({ output });
  expect(answer.isTooLong).toBe(true);
});
