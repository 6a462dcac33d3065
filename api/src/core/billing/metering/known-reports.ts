// Reports that this process knows to be in the books: start, subject and uses of an interval never change there, nor does its
// end, so the same report never says anything new and needs no query.
import { isSameInterval, SKEW_MS } from './intake.ts';
import type { Seen } from './seen.ts';

/** Some ten megabytes. What is forgotten is asked for once more. */
const MOST = 50_000;

export class KnownReports {
  readonly #known = new Map<string, Seen>();

  /** After the clock was set back, a report beyond it does not count as known. */
  has(seen: Seen, now: number): boolean {
    const known = this.#known.get(keyOf(seen));
    return (
      known !== undefined &&
      isSameInterval(known, seen) &&
      (seen.to === undefined || seen.to === known.to) &&
      (seen.to ?? seen.from) <= now + SKEW_MS
    );
  }

  add(seen: Seen): void {
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(keyOf(seen), seen);
  }
}

const keyOf = ({ uid, seq }: Seen): string => `${uid}/${seq}`;
