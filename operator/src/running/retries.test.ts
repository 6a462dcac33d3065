import { describe, expect, test } from '@jest/globals';
import { at, START } from '../kinds/job/testing/fixtures.ts';
import type { Run } from './facts.ts';
import { backOffMs, nextAfter, verdictOf, withExcluded } from './retries.ts';

test.each([
  ['exit code 0', 'succeeded'],
  ['exit code 1', 'program'],
  ['OOMKilled', 'program'],
  ['RootFull', 'program'],
  ['NodeGone', 'node'],
  ['Evicted', 'node'],
  ['Lost', 'node'],
  ['GpuFault', 'node'],
  ['UnexpectedAdmissionError', 'node'],
  ['Deleted', 'platform'],
  ['Displaced', 'platform'],
  ['TookTooLong', 'tooLong'],
  ['NotAllStarted', 'notStarted'],
  ['ImageNotFound', 'notStarted'],
  ['NotAllPlaced', 'unplaced'],
  ['Stopped', 'stopped'],
])('a run that ended by %s is judged as %s', (exit, verdict) => expect(verdictOf({ exit })).toBe(verdict));

test.each([
  [1, 10],
  [2, 20],
  [5, 160],
  [6, 300],
  [1_000_000, 300],
])('after %d failures the next try waits %d s', (times, seconds) => expect(backOffMs(times)).toBe(seconds * 1000));

const ended = (more: Partial<Run>): Run => ({
  seq: 1,
  cause: 'first',
  runCount: 0,
  startedAt: at(5),
  endedAt: at(60),
  ...more,
});

describe('What follows a run', () => {
  test.each<[string, Partial<Run>, retries: number, Partial<Run> | undefined]>([
    ['nothing, if it succeeded', { exit: 'exit code 0' }, 3, undefined],
    ['nothing, if it took too long', { exit: 'TookTooLong' }, 3, undefined],
    ['nothing, if no try is left', { exit: 'exit code 1', failures: 3 }, 3, undefined],
    [
      'another try, later',
      { exit: 'exit code 1', failures: 2 },
      3,
      { cause: 'retry', failures: 3, notBefore: at(100) },
    ],
    ['at once, after a node', { exit: 'NodeGone', failures: 3 }, 3, { cause: 'node', failures: 3, nodeFailures: 1 }],
    ['later, after a node that never started it', { exit: 'NodeGone', startedAt: undefined }, 0, { notBefore: at(70) }],
    ['nothing, after five nodes', { exit: 'NodeGone', nodeFailures: 4 }, 3, undefined],
    [
      'a program that failed in between begins the count of nodes anew',
      { exit: 'exit code 1', nodeFailures: 4 },
      1,
      { failures: 1 },
    ],
    ['nothing, if not all started and no try is left', { exit: 'NotAllStarted' }, 0, undefined],
    ['nothing, if its image cannot be pulled', { exit: 'ImageNotFound', startedAt: undefined }, 0, undefined],
    ['another, if a try is left', { exit: 'NotAllStarted' }, 1, { cause: 'retry', failures: 1, notBefore: at(70) }],
    [
      'another, if not all found a place: that costs no try',
      { exit: 'NotAllPlaced', startedAt: undefined, failures: 1 },
      1,
      { cause: 'retry', failures: 1, unplaced: 1, notBefore: at(70) },
    ],
    [
      'later and later, if that comes again',
      { exit: 'NotAllPlaced', startedAt: undefined, unplaced: 2 },
      0,
      { unplaced: 3, notBefore: at(100) },
    ],
  ])('%s', (_, run, retries, next) => {
    const found = nextAfter(ended(run), { retries, now: START + 60_000 });
    if (next === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ seq: 2, ...next });
    if (next && !next.notBefore) expect(found?.notBefore).toBe(next.cause === 'node' ? undefined : at(70));
  });
});

test('the newest sixteen nodes are excluded, each once', () => {
  const many = Array.from({ length: 16 }, (_, index) => `node-${index}`);
  expect(withExcluded(many, 'node-3')).toEqual(['node-3', ...many.filter((one) => one !== 'node-3')]);
  expect(withExcluded(many, 'other')).toEqual(['other', ...many.slice(0, 15)]);
  expect(withExcluded(many, undefined)).toBe(many);
});
