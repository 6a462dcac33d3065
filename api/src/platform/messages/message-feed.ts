// Brings messages to the streams of this process, whichever process wrote them: it looks for new numbers, at once after our own
// messages and every second otherwise.

import type { MessagePage } from '@gantry/contract/areas/messages/messages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { Announcements } from './announcements.ts';
import { type MessageStore, pageOf, type Reader, type StoredMessage } from './message-store.ts';

export interface FeedLog {
  warn(facts: object, message: string): void;
}

/** The readers connected to this process, and how to reach them. */
export interface Listeners {
  readers(): Reader[];
  /** Everything up to number `upTo` is sent now. */
  tell(upTo: number, news: readonly ReaderNews[]): void;
  /** Something they received is no longer shown. */
  reread(): void;
}

export interface ReaderNews extends Reader {
  page(language: Language): MessagePage;
}

export interface FeedParts {
  store: MessageStore;
  announcements: Announcements;
  listeners: Listeners;
  clock: Clock;
  log: FeedLog;
}

const LOOK_EVERY_MS = 1_000;
const ANNOUNCEMENTS_EVERY_MS = 10_000;
const TRIM_EVERY_MS = 3_600_000;

export class MessageFeed {
  readonly #parts: FeedParts;
  /** One thing at a time: a reader who joins in the middle of a look would miss its results. */
  #turn: Promise<unknown> = Promise.resolve();
  #newest = 0;
  /** Something was written here since the last look. */
  #hasNews = false;
  /** When it is next asked which announcements are shown, on the monotonic clock: at once after a change. */
  #announcementsAt = 0;
  #handedOut = new Set<string>();
  #isFailing = false;
  #stir: () => void = () => {};

  constructor(parts: FeedParts) {
    this.#parts = parts;
    const look = () => {
      this.#hasNews = true;
      this.#stir();
    };
    parts.store.onSent(look);
    parts.announcements.onChange(() => {
      this.#announcementsAt = 0;
      this.#stir();
    });
  }

  /** Resolves once it knows where messages stand; brings them until the signal. */
  async start(signal: AbortSignal): Promise<void> {
    this.#newest = await this.#parts.store.newest();
    this.#parts.listeners.tell(this.#newest, []);
    void this.#follow(signal);
  }

  /** Runs `join` between two sends, after everything written here, and everything up to number `seen`, has been sent. */
  async between<T>(seen: number, join: () => T): Promise<T> {
    return this.#inTurn(async () => {
      if (this.#hasNews || seen > this.#newest) await this.#look();
      return join();
    });
  }

  /** Announcements that are shown now become messages of these accounts. */
  async handOut(accountIds: readonly string[]): Promise<void> {
    await this.#parts.store.handOutAnnouncements(accountIds);
  }

  /** Messages were read here, the newest first: the other streams of their reader hear of them. */
  async wasRead(reader: Reader, read: readonly StoredMessage[]): Promise<void> {
    await this.#inTurn(async () => {
      const readers = this.#parts.listeners.readers().filter(({ account }) => account === reader.account);
      await this.#tell(
        readers
          .map((each) => ({ ...each, found: read.filter((message) => isShownIn(message, each.organization)) }))
          .filter(({ found }) => found.length > 0),
      );
    });
  }

  /** Their streams hear the count alone: none unread, all read. */
  async wasAllRead(reader: Reader): Promise<void> {
    await this.#inTurn(async () => {
      const readers = this.#parts.listeners.readers().filter(({ account }) => account === reader.account);
      await this.#tell(readers.map((each) => ({ ...each, found: [] })));
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let trimAt = clock.monotonic() + TRIM_EVERY_MS;
    while (!signal.aborted) {
      try {
        if (this.#areAnnouncementsDue()) {
          // Before they are read: a change in the middle of reading makes them due again.
          this.#announcementsAt = clock.monotonic() + ANNOUNCEMENTS_EVERY_MS;
          await this.#handOutToAll().catch((error: unknown) => {
            this.#announcementsAt = 0;
            throw error;
          });
        }
        await this.#inTurn(() => this.#look());
        if (clock.monotonic() >= trimAt) {
          trimAt = clock.monotonic() + TRIM_EVERY_MS;
          await this.#parts.store.trim();
        }
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) log.warn({ err: error }, 'messages cannot be read: those who listen wait for theirs');
        this.#isFailing = true;
      }
      const isBusy = this.#hasNews || this.#areAnnouncementsDue();
      if (!isBusy || this.#isFailing) await this.#rest(signal);
    }
  }

  #areAnnouncementsDue(): boolean {
    return this.#parts.clock.monotonic() >= this.#announcementsAt;
  }

  /** Until the next look is due, or something was written here. */
  async #rest(signal: AbortSignal): Promise<void> {
    const early = new AbortController();
    this.#stir = () => early.abort();
    await pause(this.#parts.clock, LOOK_EVERY_MS, AbortSignal.any([signal, early.signal]));
  }

  async #look(): Promise<void> {
    const { store, listeners } = this.#parts;
    this.#hasNews = false;
    const newest = await store.newest();
    if (newest <= this.#newest) return;
    const readers = listeners.readers();
    const found = await store.since(this.#newest, newest, accountsOf(readers));
    const byAccount = Map.groupBy(found, ({ account }) => account);
    const deliveries = readers.map((reader) => ({
      ...reader,
      found: (byAccount.get(reader.account) ?? []).filter((message) => isShownIn(message, reader.organization)),
    }));
    await this.#tell(
      deliveries.filter((each) => each.found.length > 0),
      newest,
    );
  }

  /** `found` is newest first. */
  async #tell(
    deliveries: readonly (Reader & { found: readonly StoredMessage[] })[],
    upTo: number = this.#newest,
  ): Promise<void> {
    const unread = await this.#parts.store.unread(deliveries);
    this.#newest = upTo;
    this.#parts.listeners.tell(
      upTo,
      deliveries.map(({ found, ...reader }, at) => ({
        ...reader,
        page: (language) => pageOf(found, true, unread[at] ?? 0, language),
      })),
    );
  }

  /** Once per announcement that begins or ends to be shown; readers who come later get theirs then. */
  async #handOutToAll(): Promise<void> {
    const shown = await this.#parts.announcements.shown();
    const isNew = shown.some((id) => !this.#handedOut.has(id));
    if (isNew) await this.#parts.store.handOutAnnouncements(accountsOf(this.#parts.listeners.readers()));
    const isOver = [...this.#handedOut].some((id) => !shown.includes(id));
    if (isOver) await this.#inTurn(() => this.#takeBack());
    this.#handedOut = new Set(shown);
  }

  /** Sends the remaining unread ones again. */
  async #takeBack(): Promise<void> {
    const { listeners } = this.#parts;
    await this.#tell(listeners.readers().map((reader) => ({ ...reader, found: [] })));
    listeners.reread();
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

const accountsOf = (readers: readonly Reader[]): string[] => [...new Set(readers.map(({ account }) => account))];

const isShownIn = ({ organization }: Pick<StoredMessage, 'organization'>, shownIn: string): boolean =>
  organization === null || organization === shownIn;
