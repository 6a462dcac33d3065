// Where a real-name authentication stands and what may follow: tables. A person and an enterprise are two submissions; what the
// account counts as is read from both.
import {
  REAL_AUTH_STATUS,
  REAL_AUTH_TYPE,
  type RealAuthState,
  type RealAuthType,
} from '@gantry/contract/http/real-auth.ts';

export type RealAuthStep = 'submit' | 'resubmit' | 'approve' | 'reject' | 'take';

/** `none` is no submission yet. A cell that is absent refuses; an approval is for ever. */
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

type Status = (typeof REAL_AUTH_STATUS)[keyof typeof REAL_AUTH_STATUS];

export const STATUS_OF: Record<RealAuthState | 'none', Status> = {
  none: REAL_AUTH_STATUS.unauthenticated,
  pending: REAL_AUTH_STATUS.pendingReview,
  manualReview: REAL_AUTH_STATUS.pendingReview,
  approved: REAL_AUTH_STATUS.certified,
  rejected: REAL_AUTH_STATUS.failed,
};

export interface Standing {
  type: RealAuthType | null;
  status: Status;
}

/** What the account counts as. A rejected enterprise falls back to the certified person that it had to be before. */
export function standingOf(personal: RealAuthState | 'none', enterprise: RealAuthState | 'none'): Standing {
  if (enterprise !== 'none' && enterprise !== 'rejected')
    return { type: REAL_AUTH_TYPE.enterprise, status: STATUS_OF[enterprise] };
  return { type: personal === 'none' ? null : REAL_AUTH_TYPE.personal, status: STATUS_OF[personal] };
}

/** Why a submission is not taken: the person comes first, and whoever is an enterprise stays one. */
export function orderRefusal(
  type: RealAuthType,
  personal: RealAuthState | 'none',
  enterprise: RealAuthState | 'none',
): 'personal_first' | 'real_auth_state' | undefined {
  if (type === REAL_AUTH_TYPE.enterprise) return personal === 'approved' ? undefined : 'personal_first';
  return enterprise === 'none' ? undefined : 'real_auth_state';
}
