// Plays a browser's part in the puzzle before a code: tries numbers until the derived key has the required prefix.
import { pbkdf2Sync } from 'node:crypto';

interface Puzzle {
  readonly parameters: {
    readonly algorithm: string;
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength?: number;
    readonly keyPrefix: string;
  };
}

/** Gives what a client sends back: base64 of the puzzle and its solution. */
export function solvePuzzle(challenge: object): string {
  const { nonce, salt, cost, keyLength = 32, keyPrefix } = (challenge as Puzzle).parameters;
  for (let counter = 0; ; counter++) {
    const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);
    password.writeUInt32BE(counter, password.length - 4);
    const derivedKey = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex');
    if (!derivedKey.startsWith(keyPrefix.toLowerCase())) continue;
    return Buffer.from(JSON.stringify({ challenge, solution: { counter, derivedKey, time: 0 } })).toString('base64');
  }
}
