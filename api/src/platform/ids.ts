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

/**
 * The same each time for a call that is repeated: of a gateway that dies between its commit and its answer, another finds what was made.
 * `key`: as the call's `idempotencyKey`, a digest. Absent: as `newId`.
 */
export const idOf = (prefix: string, key: string | undefined): string =>
  key === undefined ? newId(prefix) : `${prefix}-${textOf(key, LENGTH)}`;

/** Also names a namespace `org-<id>`; begins with a letter, so that YAML never reads it as a number. `key`: as of `idOf`. */
export const newOrganizationId = (key?: string): string =>
  key === undefined
    ? text(LETTERS, 1) + text(ALPHABET, LENGTH - 1)
    : `${LETTERS[Number.parseInt(key.slice(0, 8), 16) % LETTERS.length]}${textOf(key, LENGTH - 1)}`;

const textOf = (key: string, length: number): string => BigInt(`0x${key}`).toString(ALPHABET.length).slice(-length);

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
