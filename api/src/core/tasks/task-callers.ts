// Whom a task asks models as: the person who began its run, by a token that lives as long as one call and is known to this process alone.
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../platform/http/caller.ts';

type Authenticate = (token: string) => Promise<Caller | undefined>;

const CALL_MS = 3_600_000;

export class TaskCallers {
  readonly #callers = new Map<string, Caller>();

  /** Runs `call` with a token that `authenticate` takes until it has ended. */
  async as<Found>(
    caller: Caller,
    { task, now }: { task: string; now: number },
    call: (token: string) => Promise<Found>,
  ): Promise<Found> {
    const token = randomBytes(32).toString('base64url');
    const session = { id: `task-${task}`, kind: 'session', scopes: [], expiresAt: now + CALL_MS, task } as const;
    this.#callers.set(token, { ...caller, session });
    try {
      return await call(token);
    } finally {
      this.#callers.delete(token);
    }
  }

  /** For /v1 alone: nothing else takes a task's token. */
  authenticate(others: Authenticate): Authenticate {
    return async (token) => this.#callers.get(token) ?? others(token);
  }
}
