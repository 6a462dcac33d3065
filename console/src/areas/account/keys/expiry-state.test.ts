import { expect, test } from '@jest/globals';
import { type ExpiryState, expiryState } from './expiry-state.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

const rows: [string, string | null, ExpiryState][] = [
  ['no expiry is permanent', null, { kind: 'permanent' }],
  ['what has passed is expired', '2026-11-22T11:59:59Z', { kind: 'expired' }],
  ['this very moment is expired', '2026-11-22T12:00:00Z', { kind: 'expired' }],
  ['the last second counts down', '2026-11-22T12:00:01Z', { kind: 'soon', leftMs: 1000 }],
  ['a second less than a day counts down', '2026-11-23T11:59:59Z', { kind: 'soon', leftMs: 86_399_000 }],
  ['a day is a date', '2026-11-23T12:00:00Z', { kind: 'date', at: now + 86_400_000 }],
  ['an expiry of another zone is the same moment', '2026-11-22T13:00:01+01:00', { kind: 'soon', leftMs: 1000 }],
];

test.each(rows)('%s', (_, expiresAt, state) => {
  expect(expiryState(expiresAt, now)).toEqual(state);
});
