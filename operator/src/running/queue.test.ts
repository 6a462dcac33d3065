import { describe, expect, test } from '@jest/globals';
import { at, START } from '../kinds/job/testing/fixtures.ts';
import { expected } from './durations.ts';
import { type Queue, queueOf, recountMs, rounded } from './queue.ts';

test.each([
  [1, 1],
  [10, 10],
  [11, 10],
  [47, 50],
  [100, 100],
  [149, 100],
  [951, 1000],
])('position %d is shown as %d', (position, shown) => expect(rounded(position)).toBe(shown));

test.each([
  [1, 15_000],
  [10, 15_000],
  [40, 60_000],
  [1000, 120_000],
])('a job at position %d is counted again after %d ms', (position, ms) => expect(recountMs(position)).toBe(ms));

const now = START + 1_000_000;
const since = (seconds: number, limitMs?: number) => ({ since: START + seconds * 1000, limitMs });

describe('An estimate', () => {
  test.each<[string, Parameters<typeof expected>, ReturnType<typeof expected>]>([
    ['without anything that runs there is none', [1, { running: [], meanMs: 5 }, now], { basis: 'none' }],
    [
      'the first of two to end makes room for the first that waits',
      [1, { running: [since(900, 600_000), since(500, 600_000)], meanMs: undefined }, now],
      { startsAt: START + 1_100_000, basis: 'limits' },
    ],
    [
      'the third waits for one that waits itself',
      [3, { running: [since(900, 600_000), since(500, 600_000)], meanMs: undefined }, now],
      { startsAt: START + 1_700_000, basis: 'limits' },
    ],
    [
      'one without a limit leaves only the history',
      [1, { running: [since(900, 600_000), since(950)], meanMs: 200_000 }, now],
      { startsAt: START + 1_100_000, basis: 'history' },
    ],
    ['without a history there is none', [1, { running: [since(950)], meanMs: undefined }, now], { basis: 'none' }],
    [
      'what should have ended long ago ends now',
      [1, { running: [since(0, 1000)], meanMs: undefined }, now],
      { startsAt: now, basis: 'limits' },
    ],
  ])('%s', (_, inputs, wanted) => expect(expected(...inputs)).toEqual(wanted));
});

describe('The place in the queue', () => {
  const known: Queue = { position: 3, aheadGpus: 4, basis: 'none', at: at(0) };
  test.each<[string, seconds: number, position: number, changes: boolean]>([
    ['stands for 15 s', 10, 2, false],
    ['is counted again after that', 15, 2, true],
    ['is not written while it is the same', 60, 3, false],
    ['is counted again if the clock was set back', -60, 2, true],
  ])('%s', (_, seconds, position, changes) => {
    const next = queueOf(known, { state: 'pending', position, aheadGpus: 4 }, undefined, START + seconds * 1000);
    expect(next !== known).toBe(changes);
    if (changes) expect(next?.position).toBe(position);
  });

  test('goes with the admission', () => {
    expect(queueOf(known, { state: 'admitted' }, undefined, START)).toBeUndefined();
  });

  test('costs a thousand waiting jobs few writes', () => {
    let [writes, queue] = [0, undefined as Queue | undefined];
    // One job is admitted each second, and everybody looks each second.
    for (let second = 0; second < 1000; second++) {
      const next = queueOf(
        queue,
        { state: 'pending', position: 1000 - second, aheadGpus: 8 * (999 - second) },
        undefined,
        START + second * 1000,
      );
      if (next !== queue) writes += 1;
      queue = next;
    }
    expect(writes).toBeLessThan(25);
  });
});
