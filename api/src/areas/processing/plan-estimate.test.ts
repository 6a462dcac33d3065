// What a task would take: lines of money that add up, and a time that says what it comes from.
import { micros, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import { planEstimate } from './plan-estimate.ts';
import type { PreviewPrices } from './processing-parts.ts';

const prices = (over: Partial<PreviewPrices> = {}): PreviewPrices => ({
  currency: 'EUR',
  perHour: micros(360_000),
  // 2.00 and 6.00 a million.
  tokensCost: ({ prompt, completion }) => micros(2 * prompt + 6 * completion),
  ...over,
});
const tokens = {
  ...{ inputTokens: 500_000, outputTokens: 100_000 },
  arithmetic: { requests: 1000, answerTokensEach: 100, sampledUnits: 10, scaledBy: 100 },
};
const asking = { units: 1000, tokens };

test('tokens are priced as /v1 bills them, the worker by the hour, and the lines add up to the total', () => {
  const found = planEstimate('QaPairs', asking, prices());
  // 1 s + 100 tokens / 30 a second, 16 at once: 0.27 s for each of 1,000.
  expect(found.time).toEqual({
    seconds: 290,
    start_seconds: 20,
    steps: 1000,
    seconds_each: 0.27,
    timed_requests: null,
  });
  expect(found.lines).toEqual([
    { what: 'inputTokens', quantity: 500_000, price: '2.00', amount: '1.00' },
    { what: 'outputTokens', quantity: 100_000, price: '6.00', amount: '0.60' },
    { what: 'worker', quantity: 290, price: '0.36', amount: '0.029' },
  ]);
  expect(found.total).toBe('1.629');
  expect(parseMoney(`${found.total}`)).toBe(sumOf(found.lines.map(({ amount }) => parseMoney(`${amount}`))));
});

test('the tokens of an own deployment without a price cost nothing', () => {
  const { lines, total } = planEstimate('QaPairs', asking, prices({ tokensCost: () => micros(0) }));
  expect(lines.map(({ amount }) => amount)).toEqual(['0.00', '0.00', '0.029']);
  expect(total).toBe('0.029');
});

test('what nobody has a price for leaves the total open', () => {
  const unknown = planEstimate('QaPairs', asking, prices({ tokensCost: () => undefined }));
  expect(unknown).toMatchObject({
    lines: [{ price: null, amount: null }, { amount: null }, { amount: '0.029' }],
    total: null,
  });
  expect(planEstimate('Clean', { units: 9, tokens: undefined }, prices({ perHour: undefined }))).toMatchObject({
    ...{ lines: [{ what: 'worker', price: null, amount: null }], total: null },
  });
});

test.each([
  ['QaPairs', { requests: 20, ms: 40_000, prompt: 1, completion: 2000 }, 0.13, 20],
  ['QaPairs', { requests: 19, ms: 40_000, prompt: 1, completion: 2000 }, 0.27, null],
  ['QaPairs', { requests: 20, ms: 40_000, prompt: 1, completion: 0 }, 0.27, null],
] as const)(
  'the pace of a model is that of its last hour, if that has enough requests: %s %j',
  (type, pace, each, timed) => {
    const { time } = planEstimate(type, asking, prices(), pace);
    expect(time).toMatchObject({ seconds_each: each, timed_requests: timed });
  },
);

test('chunks are timed by the tokens that a model reads', () => {
  const arithmetic = { chunks: 400, textTokens: 40_000, answerTokensEach: 0 };
  const base = { units: 10, tokens: { inputTokens: 40_000, outputTokens: 0, arithmetic } };
  expect(planEstimate('KnowledgeBase', base, prices()).time).toMatchObject({
    steps: 400,
    seconds_each: 0.04,
    seconds: 36,
  });
  const pace = { requests: 50, ms: 16_000, prompt: 1000, completion: 0 };
  expect(planEstimate('KnowledgeBase', base, prices(), pace).time).toMatchObject({
    seconds_each: 0.1,
    timed_requests: 50,
  });
});

test('without a model, rows take the time that the worker was measured with', () => {
  const { time, tokens: none } = planEstimate('Clean', { units: 1_000_000, tokens: undefined }, prices());
  expect(none).toBeNull();
  expect(time).toMatchObject({ seconds: 420, steps: 1_000_000, seconds_each: 0.0004, timed_requests: null });
});

test.each([
  [1e300, 1e300],
  [0, 1e308],
  [1e308, 1e308],
])('numbers that are no task’s come to an end: %d requests of %d tokens', (requests, answerTokensEach) => {
  const strange = { ...tokens, arithmetic: { requests, answerTokensEach } };
  const { time, total } = planEstimate('QaPairs', { units: 1, tokens: strange }, prices());
  expect(time.seconds).toBeLessThan(400_000_000);
  expect(Number.isFinite(time.seconds_each)).toBe(true);
  expect(total).toMatch(/^\d{1,13}\.\d\d/);
});
