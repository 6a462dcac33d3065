import { expect, test } from '@jest/globals';
import { readAsked } from './asked.ts';
import { Refusal } from './refusals.ts';

const asked = (prompts: number, n: number) =>
  readAsked('/v1/completions', JSON.stringify({ model: 'm', prompt: Array(prompts).fill('x'), n }));

test('a request has as many answers as its prompts times n', () => expect(asked(32, 128).choices).toBe(4_096));

test('a request for more answers than are kept track of is refused', () => {
  expect(() => asked(33, 128)).toThrow(Refusal);
});

test('of texts that are embedded there may be more', () => {
  const body = { model: 'm', input: Array(5_000).fill('x') };
  expect(readAsked('/v1/embeddings', JSON.stringify(body)).choices).toBe(5_000);
});

test('what a tool’s schema calls a file is text, and a part of a message is none', () => {
  const parameters = { type: 'file', description: 'x'.repeat(1_000) };
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'x'.repeat(5_000)}` } }];
  const body = {
    model: 'm',
    messages: [{ role: 'user', content }],
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
  };
  const { prompt } = readAsked('/v1/chat/completions', JSON.stringify(body));
  expect(prompt.media).toBe(1);
  expect(prompt.bytes).toBeGreaterThan(1_000);
  expect(prompt.bytes).toBeLessThan(5_000);
});
