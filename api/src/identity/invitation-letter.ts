// What is written to somebody who is invited and has no account: where they make one, and until when that makes them a member.
import type { Channel } from './mail-queue.ts';
import { INVITED_FOR_MS, type Invitation } from './members.ts';

const DAY_MS = 24 * 3_600_000;

/** The arguments of the letter `invited`. */
export function invitationArgs(
  { email, organization, actor }: Invitation,
  { publicUrl, registerType }: { publicUrl: string; registerType: Channel },
): Record<string, string> {
  // After the `#` it is read by the page alone: no log of a server has the address.
  const registering = `/register#email=${encodeURIComponent(email)}`;
  return {
    organization,
    actor,
    days: `${INVITED_FOR_MS / DAY_MS}`,
    // Where accounts are made with a phone number, an address is proven by a provider of logins.
    url: `${publicUrl}${registerType === 'email' ? registering : '/login'}`,
  };
}
