// What this process knows to stand in the books: beginning, subject and uses of an interval never change there, nor does its end,
// so that the same report says nothing ever again and needs no asking.
import { isSameInterval, SKEW_MS } from './intake.ts';
import type { Seen } from './seen.ts';

/** Some ten megabytes. What is forgotten is asked for once more. */
const MOST = 50_000;

export class Repeats {
  readonly #known = new Map<string, Seen>();

  /** What the clock does not believe, once it was set back, is none. */
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
