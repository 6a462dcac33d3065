import { expect, test } from '@jest/globals';
import { rootRoom } from './instance-limits.ts';

test.each([
  ['the smallest instance', 0.0625, 1, 205],
  ['an eighth of a GiB', 0.125, 1, 205],
  ['just under one GiB of root', 0.2, 1, 205],
  ['a fraction of memory rounds up', 0.25, 2, 410],
  ['the default', 4, 20, 4096],
  ['where the limit ends', 40, 200, 40_960],
  ['the largest instance', 8192, 200, 40_960],
])('the root file system of %s', (_, memoryGi, limitGi, requestMi) => {
  expect(rootRoom({ memoryGi })).toEqual({ limitGi, requestMi });
});
