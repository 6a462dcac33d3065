import { REAL_AUTH_STATES, type RealAuthState } from '@gantry/contract/areas/identity/real-auth.ts';
import { expect, test } from '@jest/globals';
import { nextState, orderRefusal, type RealAuthStep, summaryOf } from './real-auth-states.ts';

type From = RealAuthState | 'none';
const FROM: From[] = ['none', ...REAL_AUTH_STATES];
const STEPS: RealAuthStep[] = ['submit', 'resubmit', 'approve', 'reject', 'take'];

const ALLOWED: Record<string, RealAuthState> = {
  'none submit': 'pending',
  'pending approve': 'approved',
  'pending reject': 'rejected',
  'pending take': 'manualReview',
  'manualReview approve': 'approved',
  'manualReview reject': 'rejected',
  'rejected resubmit': 'pending',
};

test.each(FROM.flatMap((from) => STEPS.map((step) => [from, step] as const)))('%s, %s', (from, step) =>
  expect(nextState(from, step)).toBe(ALLOWED[`${from} ${step}`]),
);

test.each<[From, From, 1 | 2 | null, number]>([
  ['none', 'none', null, 0],
  ['pending', 'none', 1, 3],
  ['manualReview', 'none', 1, 3],
  ['rejected', 'none', 1, 2],
  ['approved', 'none', 1, 1],
  ['approved', 'pending', 2, 3],
  ['approved', 'manualReview', 2, 3],
  ['approved', 'approved', 2, 1],
  ['approved', 'rejected', 1, 1],
])('person %s and enterprise %s count as type %j with status %i', (personal, enterprise, type, status) =>
  expect(summaryOf(personal, enterprise)).toEqual({ type, status }),
);

test.each<[1 | 2, From, From, string | undefined]>([
  [1, 'none', 'none', undefined],
  [1, 'rejected', 'none', undefined],
  [1, 'approved', 'approved', 'real_auth_state'],
  [1, 'approved', 'rejected', 'real_auth_state'],
  [2, 'none', 'none', 'personal_first'],
  [2, 'pending', 'none', 'personal_first'],
  [2, 'rejected', 'none', 'personal_first'],
  [2, 'approved', 'none', undefined],
  [2, 'approved', 'rejected', undefined],
])('a submission of type %i, person %s, enterprise %s: %j', (type, personal, enterprise, refusal) =>
  expect(orderRefusal(type, personal, enterprise)).toBe(refusal),
);
