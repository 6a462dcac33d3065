// The limits of one API token: requests and tokens a minute, tokens and money a day and a month. Minutes are counted in this process, days
// and months in SQL, a few seconds behind where several gateways serve one token. Requests that are under way when a budget ends are
// answered in full.

import type { TokenLimits } from '@gantry/contract/areas/identity/token-limits.ts';
import { type Micros, micros, moneyText, parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Refusal } from './refusals.ts';

/** In UTC days and months. */
export interface Spent {
  day: Sum;
  month: Sum;
}
export interface Sum {
  tokens: number;
  money: Micros;
}

/** The most that a request may come to, which counts for budgets; `usual`: the tokens that are likely, which count for a minute. */
export interface Wanted extends Sum {
  usual: number;
}

/** The part of a token's limits that a request has taken while it is under way. */
export interface Taken {
  readonly tokens: number;
  /** It never began. */
  giveBack(): void;
}

export interface KeyLimitsParts {
  /** The recorded use of a token in the day and month of this moment. */
  readSpent: (tokenId: string, now: number) => Promise<Spent>;
  currencyOf: (organizationId: string) => string;
}

const SECONDS = 60;
const FRESH_MS = 5_000;
/** Tokens that were not used for so long are forgotten. */
const FORGET_MS = 600_000;
const MOST_KEYS = 20_000;
const NOTHING_TAKEN: Taken = { tokens: 0, giveBack() {} };

interface Key {
  minute: Minute;
  /** Requests under way: the most that they may come to, and what is likely. */
  inFlight: Wanted;
  /** As SQL had it, when it was read. */
  spent: Spent | undefined;
  readAt: number;
  reading: Promise<void> | undefined;
  /** Used, and not written yet. */
  pending: Sum;
  usedAt: number;
}

export class KeyLimits {
  readonly #parts: KeyLimitsParts;
  readonly #keys = new Map<string, Key>();

  constructor(parts: KeyLimitsParts) {
    this.#parts = parts;
  }

  /** Throws a Refusal where a limit is reached. */
  async take(
    { session, organization }: Caller,
    { now, tokens, money, usual }: { now: number } & Wanted,
  ): Promise<Taken> {
    const { limits, id } = session;
    if (!limits) return NOTHING_TAKEN;
    const key = this.#keyOf(id, now);
    if (hasBudget(limits)) await this.#refresh(id, key, now);
    key.minute.turn(now);
    const { requests_per_minute: requests, tokens_per_minute: most } = limits;
    if (requests !== null && key.minute.requests >= requests)
      throw tooMany(requests, 'requests', key.minute.secondsUntil('requests', now));
    if (most !== null && key.minute.tokens + key.inFlight.usual >= most)
      throw tooMany(most, 'tokens', key.minute.secondsUntil('tokens', now));
    demandBudget(limits, key, () => this.#parts.currencyOf(organization.id));
    key.minute.add(now, 1, 0);
    key.inFlight.tokens += tokens;
    key.inFlight.usual += usual;
    key.inFlight.money = micros(key.inFlight.money + money);
    let isBack = false;
    return {
      tokens,
      giveBack: () => {
        if (isBack) return;
        isBack = true;
        key.inFlight.tokens -= tokens;
        key.inFlight.usual -= usual;
        key.inFlight.money = micros(key.inFlight.money - money);
      },
    };
  }

  /** The request has ended, with so much. */
  used({ session }: Caller, taken: Taken, { now, tokens, money }: { now: number } & Sum): void {
    taken.giveBack();
    if (!session.limits) return;
    const key = this.#keyOf(session.id, now);
    key.minute.add(now, 0, tokens);
    key.pending.tokens += tokens;
    key.pending.money = micros(key.pending.money + money);
  }

  /** The rest of a minute, as OpenAI's headers state it. Empty for a key without such limits. */
  headers({ session }: Caller, now: number): Record<string, string> {
    const { limits, id } = session;
    const key = limits && this.#keys.get(id);
    if (!key) return {};
    key.minute.turn(now);
    const { requests_per_minute: requests, tokens_per_minute: tokens } = limits;
    return {
      ...headersOf('requests', requests, key.minute.requests, key.minute.secondsUntilNone('requests', now)),
      ...headersOf(
        'tokens',
        tokens,
        key.minute.tokens + key.inFlight.usual,
        key.minute.secondsUntilNone('tokens', now),
      ),
    };
  }

  /** From now on SQL has it. */
  written(rows: readonly { tokenId: string | null; prompt: number; completion: number; net: Micros }[]): void {
    for (const { tokenId, prompt, completion, net } of rows) {
      const key = tokenId === null ? undefined : this.#keys.get(tokenId);
      if (!key) continue;
      const tokens = prompt + completion;
      key.pending.tokens = Math.max(0, key.pending.tokens - tokens);
      key.pending.money = key.pending.money > net ? micros(key.pending.money - net) : ZERO;
      if (!key.spent) continue;
      for (const sum of [key.spent.day, key.spent.month]) {
        sum.tokens += tokens;
        sum.money = micros(sum.money + net);
      }
    }
  }

  #keyOf(id: string, now: number): Key {
    let key = this.#keys.get(id);
    if (!key) {
      if (this.#keys.size >= MOST_KEYS) this.#forgetOld(now);
      key = {
        minute: new Minute(),
        inFlight: { tokens: 0, money: ZERO, usual: 0 },
        spent: undefined,
        readAt: Number.NEGATIVE_INFINITY,
        reading: undefined,
        pending: { tokens: 0, money: ZERO },
        usedAt: now,
      };
      this.#keys.set(id, key);
    }
    key.usedAt = now;
    return key;
  }

  #forgetOld(now: number): void {
    for (const [id, { usedAt, inFlight, pending }] of this.#keys)
      if (usedAt < now - FORGET_MS && inFlight.tokens === 0 && pending.tokens === 0) this.#keys.delete(id);
  }

  /** The first request waits for it, later ones only where a day has begun since. */
  async #refresh(id: string, key: Key, now: number): Promise<void> {
    const isOfToday = key.spent !== undefined && dayOf(key.readAt) === dayOf(now);
    if (isOfToday && now - key.readAt < FRESH_MS) return;
    key.reading ??= this.#parts
      .readSpent(id, now)
      .then((spent) => {
        key.spent = spent;
        key.readAt = now;
      })
      .finally(() => {
        key.reading = undefined;
      });
    if (isOfToday) key.reading.catch(() => {});
    else await key.reading;
  }
}

const hasBudget = (limits: TokenLimits): boolean => BUDGETS.some(({ of }) => limits[of] !== null);

const BUDGETS = [
  { of: 'tokens_per_day', over: 'day', what: 'tokens', again: 'tomorrow (UTC)' },
  { of: 'tokens_per_month', over: 'month', what: 'tokens', again: 'next month (UTC)' },
  { of: 'money_per_day', over: 'day', what: 'money', again: 'tomorrow (UTC)' },
  { of: 'money_per_month', over: 'month', what: 'money', again: 'next month (UTC)' },
] as const;

/**
 * A budget that is used up stays so until its day or month ends; one reserved for requests under way is mostly free again once they end.
 */
function demandBudget(limits: TokenLimits, key: Key, currencyOf: () => string): void {
  const { spent, inFlight } = key;
  if (!spent) return;
  const used = reachedBudget(limits, key);
  const reached = used ?? reachedBudget(limits, key, inFlight);
  if (!reached) return;
  const { of, over, what, again } = reached;
  const most = what === 'tokens' ? `${limits[of]}` : moneyText(parseMoney(`${limits[of]}`));
  const args = { most, what: `${what === 'tokens' ? 'tokens' : currencyOf()} a ${over}` };
  throw used ? new Refusal('budget_exceeded', { ...args, again }) : new Refusal('budget_in_use', args);
}

const NONE: Sum = { tokens: 0, money: ZERO };
const reachedBudget = (limits: TokenLimits, { spent, pending }: Key, underWay: Sum = NONE) =>
  BUDGETS.find(({ of, over, what }) => {
    const limit = limits[of];
    if (limit === null || !spent) return false;
    return what === 'tokens'
      ? spent[over].tokens + pending.tokens + underWay.tokens >= Number(limit)
      : spent[over].money + pending.money + underWay.money >= parseMoney(`${limit}`);
  });

const headersOf = (what: 'requests' | 'tokens', most: number | null, used: number, seconds: number) =>
  most === null
    ? {}
    : {
        [`x-ratelimit-limit-${what}`]: `${most}`,
        [`x-ratelimit-remaining-${what}`]: `${Math.max(0, most - used)}`,
        [`x-ratelimit-reset-${what}`]: `${seconds}s`,
      };

const tooMany = (most: number, what: string, seconds: number) =>
  new Refusal('rate_limit_exceeded', { most: `${most}`, what }, { retryAfterSeconds: seconds });

const dayOf = (now: number): string => (Number.isFinite(now) ? new Date(now).toISOString().slice(0, 10) : '');

/** The last sixty seconds, one by one. */
class Minute {
  readonly #requests = new Float64Array(SECONDS);
  readonly #tokens = new Float64Array(SECONDS);
  #second = 0;
  requests = 0;
  tokens = 0;

  add(now: number, requests: number, tokens: number): void {
    this.turn(now);
    const at = this.#second % SECONDS;
    this.#requests[at] = (this.#requests[at] ?? 0) + requests;
    this.#tokens[at] = (this.#tokens[at] ?? 0) + tokens;
    this.requests += requests;
    this.tokens += tokens;
  }

  turn(now: number): void {
    const second = Math.floor(now / 1000);
    // A clock that was set back goes on in the newest second.
    const steps = Math.min(second - this.#second, SECONDS);
    for (let more = 1; more <= steps; more++) {
      const at = (second - steps + more) % SECONDS;
      this.requests -= this.#requests[at] ?? 0;
      this.tokens -= this.#tokens[at] ?? 0;
      this.#requests[at] = 0;
      this.#tokens[at] = 0;
    }
    if (second > this.#second) this.#second = second;
  }

  /** Until the newest of them is out of the minute, too. */
  secondsUntilNone(what: 'requests' | 'tokens', now: number): number {
    const counts = what === 'requests' ? this.#requests : this.#tokens;
    const second = Math.floor(now / 1000);
    for (let back = 0; back < SECONDS; back++)
      if ((counts[(second - back + SECONDS) % SECONDS] ?? 0) > 0) return SECONDS - back;
    return 0;
  }

  /** Until the oldest of them is out of the minute. */
  secondsUntil(what: 'requests' | 'tokens', now: number): number {
    const counts = what === 'requests' ? this.#requests : this.#tokens;
    const second = Math.floor(now / 1000);
    for (let back = SECONDS - 1; back > 0; back--)
      if ((counts[(second - back + SECONDS) % SECONDS] ?? 0) > 0) return SECONDS - back;
    return SECONDS;
  }
}
