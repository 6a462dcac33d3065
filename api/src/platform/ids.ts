// Names that the gateway makes: a prefix that says the kind, and eight characters by chance.
import { newTextCode } from '@gantry/contract/fields/codes.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABET = `0123456789${LETTERS}`;
const LENGTH = 8;
const INVITATION_LENGTH = 12;

/**
 * 36^8 = 2.8e12 names per prefix: the chance of a collision among a million is one in five; on a collision the caller tries
 * again.
 */
export const newId = (prefix: string): string => `${prefix}-${text(ALPHABET, LENGTH)}`;

/** Also names a namespace `org-<id>`; begins with a letter, so that YAML never reads it as a number. */
export const newOrganizationId = (): string => text(LETTERS, 1) + text(ALPHABET, LENGTH - 1);

/** The code of an invitation, which its letter's link has: 62^12 = 3e21 of them. */
export const newInvitationCode = (): string =>
  newTextCode(INVITATION_LENGTH, (count) => crypto.getRandomValues(new Uint8Array(count)));

function text(alphabet: string, length: number): string {
  // 252 is the largest multiple of 36 in a byte; higher values would favour the first characters.
  const fair = 256 - (256 % alphabet.length);
  let made = '';
  while (made.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length)))
      if (byte < fair && made.length < length) made += alphabet[byte % alphabet.length];
  return made;
}
