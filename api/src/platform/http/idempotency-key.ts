// Idempotency-Key: which calls may carry it, and what the frame needs of the store of answers.
import { type RouteFacts, takesIdempotencyKey } from '@gantry/contract/http/define-route.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Caller } from './caller.ts';

export interface Asked {
  route: string;
  key: string;
  caller: Caller;
  /** The rest of the request; the same key with different input is refused. */
  input: unknown;
}

/** The text of a body, and the version that a later read may ask for. */
export interface KeptAnswer {
  text: string;
  version: string | undefined;
}

export interface OnceOnly {
  /**
   * Does the work for the first call under a key, and gives its answer to all others, whichever gateway they reach. The next call does
   * failed work again, under the same `idempotencyKey` where its input is the same. Throws idempotency_mismatch.
   */
  once(
    asked: Asked,
    signal: AbortSignal,
    work: (idempotencyKey: string) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer & { isReplay: boolean }>;
}

const KEY = /^[\w.:-]{1,255}$/;

/** Undefined where the call carries none. Throws idempotency_key_rule, not_repeatable. */
export function keyOf(route: RouteFacts, said: string | string[] | undefined): string | undefined {
  if (said === undefined || route.method !== 'POST') return undefined;
  const field = 'Idempotency-Key';
  if (!takesIdempotencyKey(route)) throw problem('not_repeatable', {}, { field });
  if (typeof said !== 'string' || !KEY.test(said)) throw problem('idempotency_key_rule', {}, { field });
  return said;
}
