// The mail to an invited person: where they answer, after creating an account if they have none.

import type { Channel } from '../mail/mail-queue.ts';
import { INVITED_FOR_MS, type Letter } from './invitations.ts';

const DAY_MS = 24 * 3_600_000;

const ANSWER = '/invitations';

/** The arguments of the letters `invited` and `invitedAccount`. */
export function invitationArgs(
  { email, organization, actor, hasAccount }: Letter,
  { publicUrl, registerType }: { publicUrl: string; registerType: Channel },
): Record<string, string> {
  // After the `#` it is read by the page alone: no log of a server has the address.
  const registering = `/register?next=${encodeURIComponent(ANSWER)}#email=${encodeURIComponent(email)}`;
  const signingIn = `/login?next=${encodeURIComponent(ANSWER)}`;
  return {
    organization,
    actor,
    days: `${INVITED_FOR_MS / DAY_MS}`,
    // Where accounts are made with a phone number, an address is proven by a provider of logins.
    url: `${publicUrl}${hasAccount ? ANSWER : registerType === 'email' ? registering : signingIn}`,
  };
}
