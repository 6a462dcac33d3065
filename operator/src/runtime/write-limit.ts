// Slows down owners that are written again and again: a plan that does not converge, or somebody who keeps it from converging.
// The write is what costs etcd and every watcher, so writes are counted, per object.

const WINDOW_MS = 60_000;
/** Far more than the busiest life needs. */
const MOST_WRITES = 120;
export const SLOW_MS = 10_000;
/** With no more than this in a minute it is quiet again. */
const QUIET_WRITES = 3;

interface Count {
  since: number;
  /** By object: the owner itself and each of its children. */
  writes: Map<string, number>;
  isSlow: boolean;
  notBefore: number;
}

export class WriteLimit {
  readonly #counts = new Map<string, Count>();

  /** How many keys are slowed down now. */
  get slowed(): number {
    return [...this.#counts.values()].filter(({ isSlow }) => isSlow).length;
  }

  isSlow(key: string): boolean {
    return this.#counts.get(key)?.isSlow ?? false;
  }

  /** A write for this key has changed this object. */
  note(key: string, object: string, now: number): void {
    const count = this.#current(key, now) ?? { since: now, writes: new Map(), isSlow: false, notBefore: 0 };
    this.#counts.set(key, count);
    const writes = (count.writes.get(object) ?? 0) + 1;
    count.writes.set(object, writes);
    count.isSlow ||= writes > MOST_WRITES;
    if (count.isSlow) count.notBefore = now + SLOW_MS;
  }

  /** For how long nothing may be written for this key. */
  pauseMs(key: string, now: number): number {
    return Math.max(0, (this.#current(key, now)?.notBefore ?? 0) - now);
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }

  /** A minute that is over decides whether the next one is slow. */
  #current(key: string, now: number): Count | undefined {
    const count = this.#counts.get(key);
    if (!count || now - count.since < WINDOW_MS) return count;
    const isQuiet = Math.max(0, ...count.writes.values()) <= QUIET_WRITES;
    if (!count.isSlow || isQuiet) {
      this.#counts.delete(key);
      return undefined;
    }
    Object.assign(count, { since: now, writes: new Map() });
    return count;
  }
}
