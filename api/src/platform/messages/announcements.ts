// Announcements of the platform's staff to everybody, from a start to an end. Readers get their row when they look or listen
// while it is shown, not when it is written: a million accounts cost nothing until they come.
import type { Words } from '@gantry/contract/define-kind.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, count, desc, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type Listed, type Page, pageOfRows, placeOf } from '../db/list-pages.ts';
import type { Database } from '../db/open.ts';
import { notices } from '../db/schema/messages.ts';
import { idOf } from '../ids.ts';

export interface AnnouncementText {
  title: Words;
  content: Words;
  startsAt: Date;
  /** Later than the start. */
  endsAt: Date;
}

export interface Announcement extends AnnouncementText {
  id: string;
  createdAt: Date;
  createdBy: string | null;
  /** Still to come, shown, or ended. */
  state: 'later' | 'holds' | 'over';
}

const COLUMNS = {
  id: notices.id,
  title: notices.title,
  content: notices.content,
  startsAt: notices.startsAt,
  endsAt: notices.endsAt,
  createdAt: notices.createdAt,
  createdBy: notices.createdBy,
};

const IN_STATE: Record<Announcement['state'], (now: Date) => SQL | undefined> = {
  later: (now) => gt(notices.startsAt, now),
  holds: (now) => and(lte(notices.startsAt, now), gt(notices.endsAt, now)),
  over: (now) => lte(notices.endsAt, now),
};

/** At once to everybody. */
const MOST_HOLDING = 20;

export class Announcements {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();

  constructor(parts: { db: Database; clock: Clock }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
  }

  /** Calls back when one was written or deleted here. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** `by` is the account that writes it. Under the same key it is the same one. */
  async create(text: AnnouncementText, by: string, key?: string): Promise<Announcement> {
    const id = idOf('ann', key);
    const known = await this.get(id);
    if (known) return known;
    const [made] = await this.#db.sql
      .insert(notices)
      .values({ ...text, id, key: id, kind: 'announcement', createdAt: new Date(this.#clock.now()), createdBy: by })
      .returning(COLUMNS);
    this.#changed();
    return this.#seen(made);
  }

  async get(id: string): Promise<Announcement | undefined> {
    const [found] = await this.#db.sql
      .select(COLUMNS)
      .from(notices)
      .where(isAnnouncement(eq(notices.id, id)));
    return found && this.#seen(found);
  }

  async list(query: AdminQuery): Promise<Page<Announcement>> {
    const { items, ...page } = await pageOfRows(
      placeOf(this.#listed(), query),
      query,
      (key) =>
        this.#db.sql
          .select({ ...COLUMNS, key })
          .from(notices)
          .$dynamic(),
      this.#db.sql.select({ total: count() }).from(notices).$dynamic(),
    );
    return { ...page, items: items.map(({ key: _, ...item }) => this.#seen(item)) };
  }

  /** Readers who have it see the new words; it stays read for those who read it. Undefined: there is none. */
  async update(id: string, text: Partial<AnnouncementText>): Promise<Announcement | undefined> {
    const [changed] = await this.#db.sql
      .update(notices)
      .set(text)
      .where(isAnnouncement(eq(notices.id, id)))
      .returning(COLUMNS);
    this.#changed();
    return changed && this.#seen(changed);
  }

  /** Takes it from every reader. Says whether there was one. */
  async delete(id: string): Promise<boolean> {
    const gone = await this.#db.sql
      .delete(notices)
      .where(isAnnouncement(eq(notices.id, id)))
      .returning({ id: notices.id });
    if (gone.length > 0) this.#changed();
    return gone.length > 0;
  }

  /** Those that are shown now, the newest first. */
  async holding(): Promise<Announcement[]> {
    const rows = await this.#db.sql
      .select(COLUMNS)
      .from(notices)
      .where(isAnnouncement(IN_STATE.holds(new Date(this.#clock.now()))))
      .orderBy(desc(notices.startsAt), desc(notices.id))
      .limit(MOST_HOLDING);
    return rows.map((row) => this.#seen(row));
  }

  /** The ids of those that are shown now. */
  async shown(): Promise<string[]> {
    const now = new Date(this.#clock.now());
    const found = await this.#db.sql
      .select({ id: notices.id })
      .from(notices)
      .where(isAnnouncement(and(lte(notices.startsAt, now), gt(notices.endsAt, now))));
    return found.map(({ id }) => id);
  }

  #listed(): Listed {
    const now = new Date(this.#clock.now());
    const { id, startsAt: starts_at, endsAt: ends_at, createdAt: created_at } = COLUMNS;
    return {
      columns: { id, starts_at, ends_at, created_at },
      searched: [],
      clauses: {
        state: (wanted: Announcement['state'] | Announcement['state'][]) =>
          sql`(${or(...[wanted].flat().map((state) => IN_STATE[state](now)), sql`false`)})`,
      },
      only: eq(notices.kind, 'announcement'),
    };
  }

  #seen(row: unknown): Announcement {
    const stored = row as Omit<Announcement, 'state'>;
    const now = this.#clock.now();
    const state = stored.endsAt.getTime() <= now ? 'over' : stored.startsAt.getTime() > now ? 'later' : 'holds';
    return { ...stored, state };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

const isAnnouncement = (more?: SQL): SQL | undefined => and(eq(notices.kind, 'announcement'), more);
