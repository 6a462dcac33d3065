import { expect, test } from '@jest/globals';
import type { AlertPolicy } from '../kinds/alert-policy.ts';
import { isEvaluated } from './is-evaluated.ts';

const NOW = Date.parse('2026-11-10T01:00:00Z');
const policy = (spec: object = {}, metadata: object = {}) =>
  ({ metadata: { namespace: 'org-acme', ...metadata }, spec: { state: 'Enabled', ...spec } }) as AlertPolicy;

test.each([
  ['An enabled policy is evaluated.', policy(), true],
  ['A policy is evaluated until it ends.', policy({ validUntil: '2026-11-10T01:00:00.001Z' }), true],
  ['A policy is not evaluated from its end on.', policy({ validUntil: '2026-11-10T01:00:00Z' }), false],
  ['A date that no calendar has ends no policy.', policy({ validUntil: '2026-11-10T01:00:00+24:00' }), true],
  ['A disabled policy is not evaluated.', policy({ state: 'Disabled' }), false],
  [
    'A policy that is being deleted is not evaluated.',
    policy({}, { deletionTimestamp: '2026-11-10T00:00:00Z' }),
    false,
  ],
  ['A policy outside the namespaces of organisations is not evaluated.', policy({}, { namespace: 'default' }), false],
])('%s', (_, of, wanted) => {
  expect(isEvaluated(of, NOW)).toBe(wanted);
});
