// Which reads show a kind, and which depend on it: a change is applied to the former, and the latter are read again.
import type { Call } from '@gantry/contract/http/call.ts';
import { KIND_CALLS } from '@gantry/contract/http/calls.ts';

export interface KindReads {
  readonly kind: string;
  /** Its name in a stream's `reset`. */
  readonly plural: string;
  /** The detail, by `params.id`, and the list; their answers are the views that a change carries. Absent: nothing shows it. */
  readonly read?: Pick<Call, 'id'>;
  readonly list?: Pick<Call, 'id'>;
  /** Reads that other things decide, too: stock, mounts, money. */
  readonly touches: readonly Pick<Call, 'id'>[];
}

/** By the kind's name. */
export const KIND_READS: Readonly<Record<string, KindReads>> = Object.fromEntries(
  Object.values<KindReads>(KIND_CALLS).map((reads) => [reads.kind, reads]),
);

export const readsOfPlural = (plural: string): KindReads | undefined =>
  Object.values(KIND_READS).find((reads) => reads.plural === plural);
