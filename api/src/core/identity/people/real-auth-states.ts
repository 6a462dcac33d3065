// States of a real-name verification and their transitions: tables. A person and an enterprise are two submissions; the account's
// summary is derived from both.
import {
  REAL_AUTH_STATUS,
  REAL_AUTH_STATUS_OF,
  REAL_AUTH_TYPE,
  type RealAuthState,
  type RealAuthStatus,
  type RealAuthType,
} from '@gantry/contract/areas/identity/real-auth.ts';

export type RealAuthStep = 'submit' | 'resubmit' | 'approve' | 'reject' | 'take';

/** `none` means no submission yet. A missing cell refuses; an approval is permanent. */
const NEXT: Record<RealAuthState | 'none', Partial<Record<RealAuthStep, RealAuthState>>> = {
  none: { submit: 'pending' },
  pending: { approve: 'approved', reject: 'rejected', take: 'manualReview' },
  manualReview: { approve: 'approved', reject: 'rejected' },
  rejected: { resubmit: 'pending' },
  approved: {},
};

/** Undefined: not from here. */
export const nextState = (from: RealAuthState | 'none', step: RealAuthStep): RealAuthState | undefined =>
  NEXT[from][step];

export interface RealAuthSummary {
  type: RealAuthType | null;
  status: RealAuthStatus;
}

const statusOf = (state: RealAuthState | 'none'): RealAuthStatus =>
  state === 'none' ? REAL_AUTH_STATUS.unauthenticated : REAL_AUTH_STATUS_OF[state];

/** The account's status. A rejected enterprise falls back to the certified person that it had to be before. */
export function summaryOf(personal: RealAuthState | 'none', enterprise: RealAuthState | 'none'): RealAuthSummary {
  if (enterprise !== 'none' && enterprise !== 'rejected')
    return { type: REAL_AUTH_TYPE.enterprise, status: statusOf(enterprise) };
  return { type: personal === 'none' ? null : REAL_AUTH_TYPE.personal, status: statusOf(personal) };
}

/** Why a submission is refused: the person comes first, and an enterprise stays one. */
export function orderRefusal(
  type: RealAuthType,
  personal: RealAuthState | 'none',
  enterprise: RealAuthState | 'none',
): 'personal_first' | 'real_auth_state' | undefined {
  if (type === REAL_AUTH_TYPE.enterprise) return personal === 'approved' ? undefined : 'personal_first';
  return enterprise === 'none' ? undefined : 'real_auth_state';
}
