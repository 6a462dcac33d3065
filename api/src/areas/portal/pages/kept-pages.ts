// Rendered pages by their address, bounded by their bytes. A page is as new as its data: young ones are given at once, older ones
// while they are checked in the background, and those that are too old only once they have been checked. Checking reads the data, and
// renders again only where they differ.
import type { Clock } from '@gantry/kube/clock.ts';

/** What the data are that a page shows, and how it is made of them. */
export interface Source<Page> {
  /** The same for the same data. */
  readonly digest: string;
  make(): Promise<Page>;
}

interface Kept<Page> {
  readonly page: Page;
  readonly digest: string;
  readonly bytes: number;
  readonly checkedAt: number;
}

interface Options<Page> {
  readonly clock: Clock;
  readonly bytesOf: (page: Page) => number;
  readonly mostBytes?: number;
  readonly onFault: (key: string, error: unknown) => void;
}

const FRESH_MS = 1_500;
/** What staff change is live within five seconds. */
const STALE_MS = 4_000;
const MOST_BYTES = 64 * 1024 * 1024;

export class KeptPages<Page> {
  readonly #options: Options<Page>;
  /** The least recently used come first. */
  readonly #kept = new Map<string, Kept<Page>>();
  readonly #checks = new Map<string, Promise<Page>>();
  #bytes = 0;

  constructor(options: Options<Page>) {
    this.#options = options;
  }

  /** Rejects where there is no page yet and none can be made; a page that can no longer be checked is given as it was. */
  async page(key: string, read: () => Promise<Source<Page>>): Promise<Page> {
    const kept = this.#kept.get(key);
    if (!kept) return this.#check(key, read);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const age = this.#options.clock.now() - kept.checkedAt;
    if (age < FRESH_MS) return kept.page;
    const check = this.#check(key, read).catch((error: unknown) => {
      this.#options.onFault(key, error);
      return kept.page;
    });
    return age < STALE_MS ? kept.page : check;
  }

  /** One at a time for each key. */
  #check(key: string, read: () => Promise<Source<Page>>): Promise<Page> {
    const running = this.#checks.get(key);
    if (running !== undefined) return running;
    const check = this.#checked(key, read).finally(() => this.#checks.delete(key));
    this.#checks.set(key, check);
    return check;
  }

  async #checked(key: string, read: () => Promise<Source<Page>>): Promise<Page> {
    const checkedAt = this.#options.clock.now();
    const { digest, make } = await read();
    const before = this.#kept.get(key);
    const page = before?.digest === digest ? before.page : await make();
    this.#keep(key, { page, digest, checkedAt, bytes: this.#options.bytesOf(page) + key.length });
    return page;
  }

  #keep(key: string, kept: Kept<Page>): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
    const { mostBytes = MOST_BYTES } = this.#options;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
