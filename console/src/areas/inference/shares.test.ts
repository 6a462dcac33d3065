import { expect, test } from '@jest/globals';
import { sharesOf } from './shares.ts';

const of = (...weights: number[]) => weights.map((weight, at) => ({ deployment: `d${at}`, weight }));

test.each([
  [
    'a canary gets its share',
    of(1, 9),
    [
      ['d1', 90],
      ['d0', 10],
    ],
  ],
  [
    'one without weight gets nothing',
    of(5, 0),
    [
      ['d0', 100],
      ['d1', 0],
    ],
  ],
  [
    'without any weight, the first one is asked first',
    of(0, 0),
    [
      ['d0', 100],
      ['d1', 0],
    ],
  ],
  [
    'the smallest share is not shown as none',
    of(1000, 1),
    [
      ['d0', 100],
      ['d1', 1],
    ],
  ],
  ['nothing has no shares', [], []],
])('%s', (_what, targets, shares) => {
  expect(sharesOf(targets).map(({ deployment, percent }) => [deployment, percent])).toEqual(shares);
});
