// A preview asks the organisation's data server, and prices what it estimates; it asks no model.
import { previewBody } from '@gantry/contract/areas/processing/processing.ts';
import { micros, ZERO } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import type { Caller } from '../../platform/http/caller.ts';
import { previewOf } from './preview.ts';

const caller = { organization: { id: 'acme' } } as Caller;
const input = {
  ...{ dataset: 'dst-1', name: 'one', version: 3, managersOnly: false, kind: 'documents' as const },
  parts: [{ sha256: 'a'.repeat(64), bytes: 9 }],
};
const answer = {
  ...{ columns: [{ name: 'text', type: 'VARCHAR' }], rows: '[["a"]]', cut: [], units: { count: 70, isExact: false } },
  estimate: { inputTokens: 900, outputTokens: 240, arithmetic: { sampledUnits: 7, scaledBy: 10 } },
  prompts: [{ label: 'a.pdf p. 1', inputTokens: 90, body: '{"model":"tiny"}' }],
};
const unpriced = {
  models: { costs: () => undefined, pace: async () => undefined },
  workerPrice: () => ({ perHour: ZERO, currency: 'USD' }),
};
const never = new AbortController().signal;
const wish = previewBody.parse({
  ...{ type: 'QaPairs', model: 'tiny', qa: { rules: 'Model', pairsPerChunk: 2 }, input: { dataset: 'dst-1' } },
});

test('it is done with the recipe of the task, and its estimate has a price', async () => {
  const asked: unknown[] = [];
  const found = await previewOf(
    {
      datasets: { input: async () => input },
      data: {
        async preview(...[id, parts, recipe]) {
          asked.push(id, parts, recipe);
          return answer;
        },
      },
      models: {
        costs: (organization, model, { prompt, completion }) =>
          micros(organization === 'acme' && model === 'tiny' ? prompt + 2 * completion : 0),
        pace: async () => ({ requests: 30, ms: 3000, prompt: 0, completion: 300 }),
      },
      workerPrice: (organization, { cores, memoryGi }) => ({
        perHour: micros(organization === 'acme' ? 1000 * (cores + memoryGi) : 0),
        currency: 'USD',
      }),
    },
    caller,
    wish,
    never,
  );
  expect(asked).toEqual([
    'acme',
    input.parts,
    expect.objectContaining({
      ...{ type: 'QaPairs', model: 'tiny', parameters: { rules: 'Model', pairsPerChunk: 2 }, tokensSpent: 0 },
      input: { kind: 'documents', columns: [], parts: [] },
    }),
  ]);
  expect(found).toMatchObject({
    ...{ rows: '[["a"]]', units: { count: 70, is_exact: false } },
    estimate: {
      tokens: { input: 900, output: 240, arithmetic: { scaledBy: 10 } },
      time: { timed_requests: 30 },
      lines: [
        { what: 'inputTokens', price: '1.00', amount: '0.0009' },
        { what: 'outputTokens', price: '2.00', amount: '0.00048' },
        { what: 'worker', price: '0.003' },
      ],
      currency: 'USD',
    },
    prompts: [{ label: 'a.pdf p. 1', input_tokens: 90, body: '{"model":"tiny"}' }],
  });
});

test('a model that nobody knows has no price, and a task without a model no tokens', async () => {
  const preview = (told: typeof answer | Omit<typeof answer, 'estimate'>) =>
    previewOf(
      { ...unpriced, datasets: { input: async () => input }, data: { preview: async () => told } },
      caller,
      wish,
      never,
    );
  expect((await preview(answer)).estimate).toMatchObject({
    lines: [
      { price: null, amount: null },
      { price: null, amount: null },
      { what: 'worker', amount: '0.00' },
    ],
    total: null,
  });
  const { estimate: _, ...without } = answer;
  expect((await preview(without)).estimate).toMatchObject({ tokens: null, lines: [{ what: 'worker' }], total: '0.00' });
});

test('a dataset that is gone is not found, one that arrives is waited for, and one without a table, or without a data server, says so', async () => {
  const of = (reason: 'InputsGone' | 'InputsArriving' | 'InputsUnreadable', data: boolean) =>
    previewOf(
      {
        datasets: { input: async () => (data ? { reason, args: {} } : input) },
        ...{ ...unpriced, data: undefined },
      },
      caller,
      wish,
      never,
    );
  await expect(of('InputsGone', true)).rejects.toMatchObject({ problem: 'not_found' });
  await expect(of('InputsArriving', true)).rejects.toMatchObject({
    problem: 'dataset_preparing',
    args: { percent: 0 },
  });
  await expect(of('InputsUnreadable', true)).rejects.toMatchObject({ problem: 'dataset_no_table' });
  await expect(of('InputsGone', false)).rejects.toMatchObject({ problem: 'dataset_no_table' });
});
