// A puzzle that a browser works on for a second or so: codes are sent to nobody who did not solve one. Each counts once.
import { createChallenge, type Payload, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Sql } from '../../../platform/db/open.ts';
import { usedPuzzles } from '../../../platform/db/schema/identity.ts';
import type { Secrets } from '../../../platform/secrets.ts';

const LIFE_MS = 10 * 60_000;
const COST = 2_000;
/** The answer is a number between half of it and it: some five hundred derivations, about a second in a browser. */
const MOST_STEPS = 600;

export type Puzzle = Awaited<ReturnType<typeof createChallenge>>;

/** `steps` only for tests: the most that solving takes. */
export class Captcha {
  readonly #secret: string;
  readonly #keySecret: string;
  readonly #steps: number;

  constructor(secrets: Secrets, steps = MOST_STEPS) {
    this.#secret = secrets.keyFor('captcha').toString('hex');
    this.#keySecret = secrets.keyFor('captcha answer').toString('hex');
    this.#steps = steps;
  }

  puzzle(now: number): Promise<Puzzle> {
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: COST,
      counter: randomInt(Math.floor(this.#steps / 2), this.#steps),
      deriveKey,
      expiresAt: Math.floor((now + LIFE_MS) / 1_000),
      hmacSignatureSecret: this.#secret,
      hmacKeySignatureSecret: this.#keySecret,
    });
  }

  /** Takes what the widget sends: base64 of the puzzle and its solution. Says whether it was right, for the first time. */
  async solved(db: Sql, payload: string, now: number): Promise<boolean> {
    const solution = payloadOf(payload);
    const expiresAt = solution?.challenge.parameters.expiresAt;
    const signature: unknown = solution?.challenge.signature;
    if (!solution || typeof signature !== 'string' || typeof expiresAt !== 'number' || expiresAt * 1_000 <= now)
      return false;
    const { verified } = await verifySolution({
      ...solution,
      deriveKey,
      hmacSignatureSecret: this.#secret,
      hmacKeySignatureSecret: this.#keySecret,
    });
    if (!verified) return false;
    const first = await db
      .insert(usedPuzzles)
      .values({ signature, expiresAt: new Date(expiresAt * 1_000) })
      .onConflictDoNothing()
      .returning();
    return first.length > 0;
  }
}

function payloadOf(text: string): Payload | undefined {
  try {
    const parsed = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Payload;
    const { challenge, solution } = parsed;
    return challenge.parameters !== null && typeof challenge.parameters === 'object' && typeof solution === 'object'
      ? { challenge, solution }
      : undefined;
  } catch {
    return undefined;
  }
}
