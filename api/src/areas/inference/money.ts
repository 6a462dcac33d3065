// The cost of tokens, and the money that a request keeps until it has ended. The keeper of the books is passed in.
import { dividedRounded, type Micros, micros, ZERO } from '@gantry/contract/fields/money.ts';
import type { TokenPrices } from '../../core/billing/tokens/token-charges.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Tokens } from './count-tokens.ts';

/** Money that is kept for one request. */
export interface Held {
  /** The subject whose hold in the books it is part of; undefined for a request that costs nothing. */
  readonly subject: string | undefined;
  /** Nothing of it is needed. */
  release(): void;
  /** The request has ended, and has cost this; the rest is not needed. */
  spend(net: Micros): void;
  /** That is in the books. */
  posted(net: Micros): void;
}

export interface TokenMoney {
  /** Undefined: its tokens are free. */
  priceOf(organizationId: string, priced: string, now: number): TokenPrices | undefined;
  /** Throws the Refusal `credit_needed`. Nothing costs nothing, whatever is there. */
  hold(caller: Caller, amount: Micros): Promise<Held>;
}

const MILLION = 1_000_000n;
const WHOLE = 10_000n;
const PARTS = ['prompt', 'cached', 'completion'] as const;

/** Rounded once for each request, so that a bill is the sum of its requests. */
export function costOf(tokens: Tokens, price: TokenPrices | undefined): { list: Micros; net: Micros } {
  if (!price) return { list: ZERO, net: ZERO };
  const counts = { ...tokens, prompt: tokens.prompt - tokens.cached };
  let list = 0n;
  let net = 0n;
  for (const part of PARTS) {
    const { amount, left } = price[part];
    const exact = BigInt(counts[part]) * amount;
    list += exact;
    net += exact * left;
  }
  return { list: micros(dividedRounded(list, MILLION)), net: micros(dividedRounded(net, MILLION * WHOLE)) };
}

/** The dearer of two, part by part. */
export function dearer(one: TokenPrices | undefined, other: TokenPrices | undefined): TokenPrices | undefined {
  if (!one || !other) return one ?? other;
  const of = (part: (typeof PARTS)[number]) =>
    one[part].amount * one[part].left >= other[part].amount * other[part].left ? one[part] : other[part];
  return { prompt: of('prompt'), cached: of('cached'), completion: of('completion') };
}

/** The hold of a request that is free. */
export const NOTHING_HELD: Held = { subject: undefined, release() {}, spend() {}, posted() {} };
