import { expect, test } from '@jest/globals';
import { expiryOf, isToWarn } from './expiry-of.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['nodes of its own', null, 'none', false, false],
  ['a month left', '2026-12-22T12:00:00Z', 'later', false, false],
  ['under three days left', '2026-11-25T11:59:59Z', 'soon', true, false],
  ['hours left', '2026-11-22T20:00:00Z', 'today', true, false],
  ['an end that has come', '2026-11-22T12:00:00Z', 'over', true, true],
] as const)('%s', (_, time, expiry, isWarned, isWarnedThoughRenewed) => {
  expect(expiryOf(time, now)).toBe(expiry);
  expect([isToWarn(expiry, false), isToWarn(expiry, true)]).toEqual([isWarned, isWarnedThoughRenewed]);
});
