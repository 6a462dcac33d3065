// The policies whose status may have changed since the last look. Of ten thousand policies few do within two seconds, and to find out of
// one costs more than to know that nothing has happened to it.
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import type { Facts } from './policy-status.ts';

interface Look {
  /** Another object: somebody has written the policy, or its status. */
  policy: AlertPolicy;
  /** When time alone may change its status, in ms. */
  againAt: number;
  /** A later evaluation than this has to be written. */
  staleAfter: number;
  /** How often objects had come and gone. */
  moves: number;
}

export class DueStatuses {
  /** By the policy's UID: those that were as they should be when they were looked at, and of which nothing was heard since. */
  readonly #looks = new Map<string, Look>();
  /** By namespace: how often an object has come or gone. Those of none concern everybody. */
  readonly #moves = new Map<string | undefined, number>();

  isDue(policy: AlertPolicy, { evaluatedAt = 0 }: Pick<Facts, 'evaluatedAt'>, now: number): boolean {
    const look = this.#looks.get(uidOf(policy));
    if (look === undefined || look.policy !== policy || look.againAt <= now) return true;
    return evaluatedAt > look.staleAfter || look.moves !== this.#movesOf(policy);
  }

  /** Its status says what there is to say. */
  isRight(policy: AlertPolicy, now: number, stale: number): void {
    const staleAfter = (instantOf(policy.status?.evaluatedAt) ?? 0) + stale;
    const look = { policy, againAt: againAt(policy, now), staleAfter, moves: this.#movesOf(policy) };
    this.#looks.set(uidOf(policy), look);
  }

  /** The known facts of the policy have changed: it is looked at again. */
  heard(uid: string): void {
    this.#looks.delete(uid);
  }

  /** An object has come or gone: names may be missing. */
  moved(namespace: string | undefined): void {
    this.#moves.set(namespace, (this.#moves.get(namespace) ?? 0) + 1);
  }

  forget(exists: (uid: string) => boolean): void {
    for (const uid of this.#looks.keys()) if (!exists(uid)) this.#looks.delete(uid);
  }

  #movesOf({ metadata }: AlertPolicy): number {
    return (this.#moves.get(metadata.namespace) ?? 0) + (this.#moves.get(undefined) ?? 0);
  }
}

const uidOf = ({ metadata }: AlertPolicy): string => metadata.uid ?? '';

/** Whoever keeps silent by a schedule is looked at each time. */
function againAt({ spec }: AlertPolicy, now: number): number {
  if (spec.silences && spec.silences.length > 0) return now;
  const ends = [instantOf(spec.mutedUntil), instantOf(spec.validUntil)].filter((end) => end !== undefined && end > now);
  return Math.min(...(ends as number[]));
}
