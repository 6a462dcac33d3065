// Names that the gateway makes: a prefix that says the kind, and eight characters by chance.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABET = `0123456789${LETTERS}`;
const LENGTH = 8;

/** 36^8 = 2.8e12 names per prefix: two of a million collide with a chance of one in five; whoever makes one tries again. */
export const newId = (prefix: string): string => `${prefix}-${text(ALPHABET, LENGTH)}`;

/** It names a namespace `org-<id>`, too, and begins with a letter, so that YAML never takes it for a number. */
export const newOrganizationId = (): string => text(LETTERS, 1) + text(ALPHABET, LENGTH - 1);

function text(alphabet: string, length: number): string {
  // 252 is the largest multiple of 36 in a byte; what is above would favour the first characters.
  const fair = 256 - (256 % alphabet.length);
  let made = '';
  while (made.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length)))
      if (byte < fair && made.length < length) made += alphabet[byte % alphabet.length];
  return made;
}
