// Answers that are shared: one question of one organisation is asked once, however many look, and what it cost is counted.
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';

/** Questions of one organisation under way; the others wait. */
const AT_ONCE = 4;
/** Milliseconds that Prometheus may work for one organisation in a minute. */
const BUDGET_MS = 30_000;
const WINDOW_MS = 60_000;
const MOST_KEPT = 500;
/** The most bytes of all kept answers; those that nobody has looked at for the longest go first. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

interface Kept {
  answer: Promise<unknown>;
  until: number;
  /** 0 until the answer is there. */
  bytes: number;
}

interface Spending {
  underWay: number;
  waiting: (() => void)[];
  /** The budget left at `at`; it fills up evenly. */
  leftMs: number;
  at: number;
}

export class Answers {
  readonly #clock: Clock;
  /** The one that was looked at last is the last. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;
  readonly #spendings = new Map<string, Spending>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `key` says everything the answer depends on. Throws too_many_requests. */
  async of<T>(organization: string, key: string, keepMs: number, ask: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic();
    const whole = `${organization} ${key}`;
    const known = this.#kept.get(whole);
    if (known) this.#drop(whole, known);
    if (known && known.until > now) {
      this.#keep(whole, known);
      return known.answer as Promise<T>;
    }
    const answer = this.#spend(organization, ask);
    const kept: Kept = { answer, until: now + keepMs, bytes: 0 };
    this.#keep(whole, kept);
    answer.then(
      (value) => {
        if (!this.#drop(whole, kept)) return;
        kept.bytes = bytesOf(value);
        this.#keep(whole, kept);
      },
      // A failure is for those who wait for it alone.
      () => this.#drop(whole, kept),
    );
    return answer;
  }

  #keep(whole: string, kept: Kept): void {
    this.#kept.set(whole, kept);
    this.#keptBytes += kept.bytes;
    for (const [oldest, one] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && this.#keptBytes <= MOST_KEPT_BYTES) break;
      this.#drop(oldest, one);
    }
  }

  /** False where another is kept by now, or none. */
  #drop(whole: string, kept: Kept): boolean {
    if (this.#kept.get(whole) !== kept) return false;
    this.#keptBytes -= kept.bytes;
    return this.#kept.delete(whole);
  }

  async #spend<T>(organization: string, ask: () => Promise<T>): Promise<T> {
    const spending = this.#spendings.get(organization) ?? {
      underWay: 0,
      waiting: [],
      leftMs: BUDGET_MS,
      at: this.#clock.monotonic(),
    };
    this.#spendings.set(organization, spending);
    if (spending.underWay >= AT_ONCE) await new Promise<void>((resolve) => spending.waiting.push(resolve));
    else spending.underWay++;
    const began = this.#clock.monotonic();
    try {
      this.#refill(spending);
      if (spending.leftMs <= 0) throw waitFor(-spending.leftMs);
      return await ask();
    } finally {
      this.#refill(spending);
      spending.leftMs -= this.#clock.monotonic() - began;
      const next = spending.waiting.shift();
      if (next) next();
      else spending.underWay--;
      if (spending.underWay === 0 && spending.leftMs >= BUDGET_MS) this.#spendings.delete(organization);
    }
  }

  #refill(spending: Spending): void {
    const now = this.#clock.monotonic();
    spending.leftMs = Math.min(BUDGET_MS, spending.leftMs + ((now - spending.at) * BUDGET_MS) / WINDOW_MS);
    spending.at = now;
  }
}

/** An upper estimate of an answer's size in memory. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return TEXT_BYTES + value.length * LETTER_BYTES;
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES;
  let bytes = TEXT_BYTES;
  for (const one of Array.isArray(value) ? value : Object.values(value)) bytes += bytesOf(one);
  return bytes;
}

const TEXT_BYTES = 32;
const LETTER_BYTES = 2;
/** A number that is kept beside null is an object of its own. */
const NUMBER_BYTES = 24;

function waitFor(overspentMs: number): Problem {
  const seconds = Math.ceil((overspentMs * WINDOW_MS) / BUDGET_MS / 1_000) + 1;
  return problem('too_many_requests', { seconds }, { retryAfterSeconds: seconds });
}
