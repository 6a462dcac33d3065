// Times come from clocks of several machines, and some are missing: bars stay within their run.
import { expect, test } from '@jest/globals';
import { barsOf } from './bars-of.ts';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
type Run = Parameters<typeof barsOf>[0];
const worker = (rank: number, start: number | null, end: number | null) =>
  ({
    rank,
    start_time: start === null ? null : at(start),
    end_time: end === null ? null : at(end),
  }) as Run['workers'][number];
const run = (more: Partial<Run>): Run => ({
  ...{ number: 1, cause: 'first', cause_label: 'First run', queue_time: null, admit_time: null, start_time: null },
  ...{ end_time: null, exit: null, exit_label: null, exit_code: null, workers: [] },
  ...more,
});
const NOW = 100 * 60_000;
const shown = (bars: ReturnType<typeof barsOf>) => bars?.run.map(({ state, left, width }) => [state, left, width]);

test('a run is queued, starts, and runs until now', () => {
  const bars = barsOf(
    run({ queue_time: at(0), admit_time: at(50), start_time: at(75), workers: [worker(0, 60, 80)] }),
    NOW,
  );
  expect(shown(bars)).toEqual([
    ['queued', 0, 50],
    ['starting', 50, 25],
    ['running', 75, 25],
  ]);
  expect(bars?.workers[0]?.bars.map(({ left, width }) => [left, width])).toEqual([[60, 20]]);
});

test('without the time of its admission, it was queued until it ran', () => {
  const bars = barsOf(run({ queue_time: at(0), start_time: at(10), end_time: at(20) }), NOW);
  expect(shown(bars)).toEqual([
    ['queued', 0, 50],
    ['running', 50, 50],
  ]);
});

test('one that waits is queued until now', () => {
  expect(shown(barsOf(run({ queue_time: at(50) }), NOW))).toEqual([['queued', 0, 100]]);
});

test('no bar leaves its run, whatever the clocks say', () => {
  const odd = run({
    queue_time: at(10),
    start_time: at(5),
    end_time: at(8),
    workers: [worker(0, 0, 90), worker(1, 9, 2)],
  });
  const bars = barsOf(odd, NOW);
  for (const { left, width } of [...(bars?.run ?? []), ...(bars?.workers ?? []).flatMap((each) => each.bars)]) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left + width).toBeLessThanOrEqual(100);
  }
});

test('a run of which no time is known has no bars, nor does one with times that are none', () => {
  expect(barsOf(run({}), NOW)).toBeUndefined();
  expect(barsOf(run({ queue_time: 'soon' }), NOW)).toBeUndefined();
});
