// The mail to an invited person: where they answer, after creating an account if they have none.

import type { Channel } from '../../../platform/mail/mail-queue.ts';
import { INVITED_FOR_MS, type Letter } from './invitations.ts';

const DAY_MS = 24 * 3_600_000;

/** The arguments of the letters `invited` and `invitedAccount`. */
export function invitationArgs(
  { code, email, organization, actor, hasAccount }: Letter,
  { publicUrl, registerType }: { publicUrl: string; registerType: Channel },
): Record<string, string> {
  const answer = `/invitations?code=${code}`;
  // After the `#` it is read by the page alone: no log of a server has the address.
  const registering = `/register?next=${encodeURIComponent(answer)}#email=${encodeURIComponent(email)}`;
  const signingIn = `/login?next=${encodeURIComponent(answer)}`;
  return {
    organization,
    actor,
    days: `${INVITED_FOR_MS / DAY_MS}`,
    // With registration by phone, an address is proven by a provider of logins.
    url: `${publicUrl}${hasAccount ? answer : registerType === 'email' ? registering : signingIn}`,
  };
}
