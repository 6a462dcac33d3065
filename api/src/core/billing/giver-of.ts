// The common part of staff's calls that give value: who gives and why, and the answer if a second person has to approve it.

import type { Caller } from '../../platform/http/caller.ts';
import type { Call } from '../../platform/http/serve.ts';
import type { Giver } from './giving/gifts.ts';

export const giverOf = (
  { caller, idempotencyKey }: Pick<Call, 'idempotencyKey'> & { caller: Pick<Caller, 'account'> },
  reason: string,
): Giver => ({ id: caller.account.id, reason, key: idempotencyKey });

/** Nothing is given yet: the entry is about the request. */
export function noteAsked(audit: Call['audit'], approvalId: string): void {
  Object.assign(audit, { object: `Approval/${approvalId}`, reason: `asked for ${audit.object}, ${audit.reason}` });
}

/** The answer of a call whose row does not exist before it is approved. */
export function asked(audit: Call['audit'], approvalId: string): { approval_id: string } {
  noteAsked(audit, approvalId);
  return { approval_id: approvalId };
}
