// "May this be spent?": the one answer for the gate, the routes and every way back to work. Pure.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { least, leftText, type Micros, micros, neededText, ZERO } from '@gantry/contract/fields/money.ts';
import { type Said, said } from '@gantry/contract/said.ts';

export interface Cap {
  /** `nobody`: what no member answers for, where members have caps. */
  whose: 'organization' | 'member' | 'nobody';
  /** The cap for one UTC month. */
  cap: Micros;
  /** In this month: posted, used and not posted, and held for others. */
  spent: Micros;
}

export interface SpendableBalance {
  currency: string;
  /** Balance and allowed overdraft, less holds of others and usage that no hold covers. */
  available: Micros;
  caps: readonly Cap[];
}

export type Refusal =
  /** `isKept`: what is available is kept for what runs. */
  | { reason: 'OutOfCredit'; wanted: Micros; available: Micros; currency: string; isKept?: boolean }
  | { reason: 'SpendCapReached'; wanted: Micros; cap: Cap; currency: string };

/** Undefined: it may. Nothing costs nothing, whatever the balance holds. */
export function refusalOf(wanted: Micros, { available, caps, currency }: SpendableBalance): Refusal | undefined {
  if (wanted <= 0n) return undefined;
  if (wanted > available) return { reason: 'OutOfCredit', wanted, available, currency };
  const cap = caps.find((one) => wanted > leftUnder(one));
  return cap && { reason: 'SpendCapReached', wanted, cap, currency };
}

/** The most that may be spent now. */
export const roomOf = ({ available, caps }: SpendableBalance): Micros => {
  const room = least(available, ...caps.map(leftUnder));
  return room > 0n ? room : ZERO;
};

/** The balance after spending that much. */
export const less = (balance: SpendableBalance, amount: Micros): SpendableBalance => ({
  ...balance,
  available: micros(balance.available - amount),
  caps: balance.caps.map((one) => ({ ...one, spent: micros(one.spent + amount) })),
});

export const leftUnder = ({ cap, spent }: Cap): Micros => micros(cap - spent);

const UNDER_CAP = {
  organization: CREDIT_SENTENCES.needsUnderCap,
  member: CREDIT_SENTENCES.needsUnderMemberCap,
  nobody: CREDIT_SENTENCES.needsMember,
} satisfies Record<Cap['whose'], unknown>;

/** `what` it is needed for: "for the next hour". */
export function sentenceOf(refusal: Refusal, what: Said): Said {
  const { wanted, currency } = refusal;
  const needs = { wanted: neededText(wanted), currency, what };
  if (refusal.reason === 'OutOfCredit' && refusal.isKept) return said(CREDIT_SENTENCES.kept, needs);
  if (refusal.reason === 'OutOfCredit')
    return said(CREDIT_SENTENCES.needs, { ...needs, available: leftText(refusal.available) });
  const { whose, cap, spent } = refusal.cap;
  return said(UNDER_CAP[whose], { ...needs, spent: neededText(spent), cap: leftText(cap) });
}
