// Answers that are shared: one question of one organisation is asked once, however many look, and what it cost is counted.
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';

/** Questions of one organisation under way; the others wait. */
const AT_ONCE = 4;
/** Milliseconds that Prometheus may work for one organisation in a minute. */
const BUDGET_MS = 30_000;
const WINDOW_MS = 60_000;
const MOST_KEPT = 500;

interface Kept {
  answer: Promise<unknown>;
  until: number;
}

interface Spending {
  underWay: number;
  waiting: (() => void)[];
  /** What is left at `at`; it fills up evenly. */
  leftMs: number;
  at: number;
}

export class Answers {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #spendings = new Map<string, Spending>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `key` says everything the answer depends on. Throws too_many_requests. */
  async of<T>(organization: string, key: string, keepMs: number, ask: () => Promise<T>): Promise<T> {
    const now = this.#clock.monotonic();
    const whole = `${organization} ${key}`;
    const known = this.#kept.get(whole);
    if (known && known.until > now) return known.answer as Promise<T>;
    const answer = this.#spend(organization, ask);
    this.#kept.delete(whole);
    this.#kept.set(whole, { answer, until: now + keepMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    // A failure is for those who wait for it alone.
    answer.catch(() => {
      if (this.#kept.get(whole)?.answer === answer) this.#kept.delete(whole);
    });
    return answer;
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

function waitFor(overspentMs: number): Problem {
  const seconds = Math.ceil((overspentMs * WINDOW_MS) / BUDGET_MS / 1_000) + 1;
  return problem('too_many_requests', { seconds }, { retryAfterSeconds: seconds });
}
