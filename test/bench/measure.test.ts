import { describe, expect, test } from '@jest/globals';
import { againstPeer, besidePeer, ofRounds, single, unlessBusy } from './measure.ts';
import { median } from './statistics.ts';

const spec = { row: 'X1', work: 'something', unit: 'ms', target: { atMost: 10 } };

describe('whether a promise holds', () => {
  test.each([
    ['rounds close together, below the limit', ofRounds(spec, [9, 9.5, 10]), true],
    ['rounds close together, above it', ofRounds(spec, [11, 11, 11.5]), false],
    ['rounds far apart, all of them below it', ofRounds(spec, [1, 4, 9]), true],
    ['rounds far apart, all of them above it', ofRounds(spec, [20, 50, 90]), false],
    ['rounds on both sides say nothing', ofRounds(spec, [9, 9.5, 11]), 'void'],
    ['one round has no spread', ofRounds(spec, [9]), true],
    ['a count is never void', single(spec, 11), false],
    ['a quiet machine', unlessBusy(single(spec, 11), 0.1), false],
    ['a machine that has other work', unlessBusy(single(spec, 9), 0.2), 'void'],
    ['nothing was promised', single({ row: 'X1', work: 'something', unit: 'ms' }, 11), null],
  ])('%s', (_sentence, { holds }, expected) => {
    expect(holds).toBe(expected);
  });
});

test('against a peer the ratio is held against the limit', () => {
  const pairs = [
    { ours: 10, peer: 100 },
    { ours: 11, peer: 100 },
    { ours: 11, peer: 110 },
  ];
  const found = againstPeer({ ...spec, target: { atMost: 0.2 } }, pairs);
  expect(found).toMatchObject({ ours: 11, peer: 100, ratio: 0.1, holds: true });
  expect(againstPeer({ ...spec, target: { atMost: 0.09 } }, pairs)).toMatchObject({ holds: false });
});

test('beside a peer the difference is held against the limit, and the spread is that of the ratios', () => {
  const pairs = [
    { ours: 105, peer: 100 },
    { ours: 216, peer: 210 },
    { ours: 108, peer: 100 },
  ];
  expect(besidePeer(spec, pairs, median)).toMatchObject({ ours: 6, peer: 100, ratio: 1.05, holds: true });
});
