// The meaning of a login's answer: a session, or one more step.
import type { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import type { Session } from './session.ts';

export type LoginAnswer = OutputOf<typeof ACCOUNT_ROUTES.login>;

export type AfterLogin =
  | { readonly next: 'enter'; readonly session: Session; readonly expiresAt: string | undefined }
  | { readonly next: 'secondFactor' | 'newPassword'; readonly ticket: string }
  | { readonly next: 'wait' }
  | { readonly next: 'again' };

/** `again`: the answer leads nowhere, so start again. */
export function afterLogin(answer: LoginAnswer): AfterLogin {
  const { token, account_id: accountId, org_id: organizationId, ticket } = answer;
  if (answer.pending) return { next: 'wait' };
  if (ticket !== undefined && answer.second_factor) return { next: 'secondFactor', ticket };
  if (ticket !== undefined && answer.must_change_password) return { next: 'newPassword', ticket };
  if (token !== undefined && accountId !== undefined && organizationId !== undefined) {
    return { next: 'enter', session: { token, accountId, organizationId }, expiresAt: answer.expires_at };
  }
  return { next: 'again' };
}
