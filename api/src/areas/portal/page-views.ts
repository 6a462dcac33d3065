// How often each page was looked at, by day and language: numbers, while staff have turned that on. Neither an address, a cookie nor a
// browser's name is looked at, so nobody can tell one visitor from another, or a crawler from a person.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { inArray, lt, sql } from 'drizzle-orm';
import { type ListedTable, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { pageViews } from '../../platform/db/schema/portal.ts';
import { dayOf, firstDayOf } from './counted-days.ts';

type Row = AdminRow<'page-views'>;
type Stored = typeof pageViews.$inferSelect;

const LISTED: ListedTable = {
  table: pageViews,
  columns: {
    id: pageViews.id,
    day: pageViews.day,
    page: pageViews.page,
    language: pageViews.language,
    views: pageViews.views,
  },
  searched: [pageViews.page],
};

const WRITE_MS = 10_000;
/** More pages than an installation has: whatever is beyond is not counted. */
const MOST_WAITING = 5_000;
const AT_ONCE = 500;
const DAYS = 400;

interface Parts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  /** Whether staff have it on. */
  isOn(): boolean;
}

export class PageViews {
  readonly #parts: Parts;
  #waiting = new Map<string, Stored>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `page` is a path without its language. */
  count(page: string, language: Language): void {
    const { clock, isOn } = this.#parts;
    if (!isOn()) return;
    const day = dayOf(clock.now());
    const id = `${day} ${language} ${page}`;
    const known = this.#waiting.get(id);
    if (known) known.views++;
    else if (this.#waiting.size < MOST_WAITING) this.#waiting.set(id, { id, day, page, language, views: 1 });
  }

  /** Until the signal, and what is left after it. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    const onFault = (error: unknown) => log.warn({ err: error }, 'page views were not counted');
    await repeatedly({ clock, ms: WRITE_MS, signal }, () => this.write(), onFault);
    await this.write().catch(onFault);
  }

  /** What could not be written is lost: a number that is too small says less than one that was counted twice. */
  async write(): Promise<void> {
    const { db, clock } = this.#parts;
    const rows = [...this.#waiting.values()];
    if (rows.length === 0) return;
    this.#waiting = new Map();
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await db.sql
        .insert(pageViews)
        .values(rows.slice(at, at + AT_ONCE))
        .onConflictDoUpdate({ target: pageViews.id, set: { views: sql`${pageViews.views} + excluded.views` } });
    await db.sql.delete(pageViews).where(lt(pageViews.day, firstDayOf(clock.now(), DAYS)));
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const { db } = this.#parts;
    const { items, ...counted } = await pageOfIds(db.sql, LISTED, query);
    if (items.length === 0) return { items: [], ...counted };
    const ids = items.map(String);
    const byId = new Map(
      (await db.sql.select().from(pageViews).where(inArray(pageViews.id, ids))).map((row) => [row.id, row]),
    );
    return { items: ids.flatMap((id) => (byId.get(id) as Row | undefined) ?? []), ...counted };
  }
}
