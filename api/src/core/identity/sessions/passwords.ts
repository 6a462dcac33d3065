// Argon2id, a few at a time: each takes 19 MiB and a core for tens of milliseconds, so that a flood of logins must wait or
// be refused instead of taking the machine.
import { randomBytes } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { hash, verify } from '@node-rs/argon2';

const AT_ONCE = 2;
const MOST_WAITING = 64;

// OWASP's first choice for Argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export class Passwords {
  #busy = 0;
  readonly #waiting: (() => void)[] = [];
  #stranger: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, COST));
  }

  /** Takes as long for an account that does not exist, or has no password, as for a wrong password. */
  async verify(kept: string | null | undefined, typed: string): Promise<boolean> {
    this.#stranger ??= this.hash(randomBytes(16).toString('hex')).catch((error: unknown) => {
      // The next call tries again.
      this.#stranger = undefined;
      throw error;
    });
    const stranger = await this.#stranger;
    const right = await this.#inTurn(() => verify(kept ?? stranger, typed));
    return right && kept !== null && kept !== undefined;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING) throw problem('unavailable', { seconds: 2 }, { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#busy++;
    try {
      return await work();
    } finally {
      // The longest-waiting call takes over the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy--;
    }
  }
}
