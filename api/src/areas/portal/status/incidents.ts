// Incidents, which staff write: each has words with states, one after the other, and nothing of them is changed afterwards.
import type { IncidentState, StatusComponent } from '@gantry/contract/areas/portal/incident-facts.ts';
import { DAYS_OF_STATUS, MOST_UPDATES, type StatusView } from '@gantry/contract/areas/portal/status.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { desc, eq, gte, inArray, isNull, or } from 'drizzle-orm';
import type { Texts } from '../../../core/settings/run-time-state.ts';
import { type ListedTable, type Page, pageOfIds } from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { incidents } from '../../../platform/db/schema/portal.ts';
import { idOf } from '../../../platform/ids.ts';

type Row = AdminRow<'incidents'>;
type Stored = typeof incidents.$inferSelect;

const LISTED: ListedTable = {
  table: incidents,
  columns: {
    id: incidents.id,
    state: incidents.state,
    started_at: incidents.startedAt,
    resolved_at: incidents.resolvedAt,
  },
  searched: [],
};
const DAY_MS = 86_400_000;
const MOST_SHOWN = 100;

export interface NewIncident {
  title: Texts;
  text: Texts;
  components: StatusComponent[];
  state: IncidentState;
  startedAt: Date | undefined;
}

export interface IncidentUpdate {
  state: IncidentState;
  text: Texts;
  title: Texts | undefined;
  components: StatusComponent[] | undefined;
}

export class Incidents {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const { items, ...counted } = await pageOfIds(this.#db.sql, LISTED, query);
    if (items.length === 0) return { items: [], ...counted };
    const ids = items.map(String);
    const rows = await this.#db.sql.select().from(incidents).where(inArray(incidents.id, ids));
    const byId = new Map(rows.map((row) => [row.id, rowOf(row)]));
    return { items: ids.flatMap((id) => byId.get(id) ?? []), ...counted };
  }

  /** Returns its id, which is the same under the same key. Throws incident_start. */
  async create({ title, text, components, state, startedAt }: NewIncident, by: string, key?: string): Promise<string> {
    const id = idOf('inc', key);
    const now = new Date(this.#clock.now());
    if (startedAt && startedAt > now) throw problem('incident_start', {}, { field: 'started_at' });
    await this.#db.sql
      .insert(incidents)
      .values({
        ...{ id, title, state, components: [...new Set(components)], createdBy: by },
        startedAt: startedAt ?? now,
        resolvedAt: state === 'resolved' ? now : null,
        updates: [{ at: now.toISOString(), state, text, by }],
      })
      .onConflictDoNothing();
    return id;
  }

  /** Throws not_found, incident_full. */
  async update(id: string, { state, text, title, components }: IncidentUpdate, by: string): Promise<void> {
    const now = new Date(this.#clock.now());
    await this.#db.transaction(async (tx) => {
      const [found] = await tx.select().from(incidents).where(eq(incidents.id, id)).for('update');
      if (!found) throw problem('not_found', { what: id });
      if (found.updates.length >= MOST_UPDATES) throw problem('incident_full', { most: MOST_UPDATES });
      await tx
        .update(incidents)
        .set({
          state,
          resolvedAt: state === 'resolved' ? now : null,
          updates: [...found.updates, { at: now.toISOString(), state, text, by }],
          title: title ?? found.title,
          components: components ? [...new Set(components)] : found.components,
        })
        .where(eq(incidents.id, id));
    });
  }

  /** As visitors read them, the newest first. */
  async shown(language: Language): Promise<StatusView['incidents']> {
    const since = new Date(this.#clock.now() - DAYS_OF_STATUS * DAY_MS);
    const rows = await this.#db.sql
      .select()
      .from(incidents)
      .where(or(isNull(incidents.resolvedAt), gte(incidents.resolvedAt, since)))
      .orderBy(desc(incidents.startedAt), desc(incidents.id))
      .limit(MOST_SHOWN);
    return rows.map((stored) => {
      const { title, updates, created_by: _, ...row } = rowOf(stored);
      return {
        ...row,
        title: title[language],
        updates: updates.map(({ at, state, text }) => ({ at, state, text: text[language] })),
      };
    });
  }
}

const rowOf = (row: Stored): Row => ({
  id: row.id,
  title: row.title,
  state: row.state,
  components: row.components as StatusComponent[],
  started_at: row.startedAt.toISOString(),
  resolved_at: row.resolvedAt?.toISOString() ?? null,
  updates: row.updates,
  created_by: row.createdBy,
});
