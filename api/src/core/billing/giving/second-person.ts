// Whether staff may give something alone: the one rule for every way of giving value. Pure.
import type { GiftCause } from '@gantry/contract/billing/gifts.ts';
import { type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';

export interface GiftFacts {
  /** The organisation that gains; '' is everybody whom it applies to. */
  organizationId: string;
  /** Undefined: nobody can say what it comes to. Below zero it is taken back, which counts as much. */
  worth: { amount: Micros; currency: string } | undefined;
  /** Another amount than the one that was announced. */
  isOther?: boolean;
  /** Besides `organizationId`: those that gain as well, of which the giver may belong to one. */
  alsoGain?(organizationIds: readonly string[]): Promise<readonly string[]>;
  /** The gift, for those who decide: names and figures, no sentence. */
  detail: string;
}

/** By currency; empty where the installation sets no amount. */
export type Limits = ReadonlyMap<string, Micros>;

/** The cause that is known before any lock is held. */
export function causeBefore(
  { worth, isOther = false }: GiftFacts,
  { isOwn, above }: { isOwn: boolean; above: Limits },
): GiftCause | undefined {
  if (isOwn) return 'own';
  if (isOther) return 'differs';
  return worth === undefined && above.size > 0 ? 'unbounded' : undefined;
}

/** `given`: by the same person for the same organisation within a day, without anybody's approval. */
export function isAbove({ worth }: GiftFacts, { above, given }: { above: Limits; given: bigint }): boolean {
  const limit = worth && above.get(worth.currency);
  return limit !== undefined && sizeOf(worth?.amount ?? ZERO) + given > limit;
}

const sizeOf = (amount: Micros): bigint => (amount < 0n ? micros(-amount) : amount);
