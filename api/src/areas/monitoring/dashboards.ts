// Dashboards of an organisation, in SQL. Their PromQL is only a text here: it is confined when somebody asks it.
import { MOST_DASHBOARDS } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Panel } from '@gantry/contract/monitor/panels.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { dashboards } from '../../platform/db/schema/dashboards.ts';
import { idOf } from '../../platform/ids.ts';

export type DashboardRow = typeof dashboards.$inferSelect;
interface Wish {
  title: string;
  panels: Panel[];
}
interface Editor {
  organizationId: string;
  /** The name of their account. */
  editor: string;
}

export class Dashboards {
  readonly #db: Database;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ db, clock }: { db: Database; clock: Pick<Clock, 'now'> }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** By title. */
  list(organizationId: string): Promise<DashboardRow[]> {
    return this.#db.sql
      .select()
      .from(dashboards)
      .where(eq(dashboards.organizationId, organizationId))
      .orderBy(asc(dashboards.title), asc(dashboards.id));
  }

  /** Throws not_found. */
  async get(organizationId: string, id: string): Promise<DashboardRow> {
    const [row] = await this.#db.sql.select().from(dashboards).where(ofOne(organizationId, id));
    if (!row) throw problem('not_found', { what: id });
    return row;
  }

  /** Under the same key it is the same dashboard. Throws too_many_dashboards. */
  async create({ organizationId, editor }: Editor, wish: Wish, key?: string): Promise<DashboardRow> {
    const id = idOf('dsb', key);
    const [made] = await this.#db.sql.select().from(dashboards).where(ofOne(organizationId, id));
    if (made) return made;
    if ((await this.#db.sql.$count(dashboards, eq(dashboards.organizationId, organizationId))) >= MOST_DASHBOARDS)
      throw problem('too_many_dashboards', { most: MOST_DASHBOARDS });
    const row = {
      ...{ id, organizationId, editor, ...wish },
      ...{ version: 1, updatedAt: new Date(this.#clock.now()) },
    };
    await this.#db.sql.insert(dashboards).values(row);
    return row;
  }

  /** Throws not_found, conflict. */
  async edit({ organizationId, editor }: Editor, id: string, version: number, wish: Wish): Promise<DashboardRow> {
    const [row] = await this.#db.sql
      .update(dashboards)
      .set({ ...wish, editor, version: sql`${dashboards.version} + 1`, updatedAt: new Date(this.#clock.now()) })
      .where(and(ofOne(organizationId, id), eq(dashboards.version, version)))
      .returning();
    if (row) return row;
    await this.get(organizationId, id);
    throw problem('conflict');
  }

  /** Throws not_found. */
  async remove(organizationId: string, id: string): Promise<void> {
    const gone = await this.#db.sql
      .delete(dashboards)
      .where(ofOne(organizationId, id))
      .returning({ id: dashboards.id });
    if (gone.length === 0) throw problem('not_found', { what: id });
  }
}

const ofOne = (organizationId: string, id: string) =>
  and(eq(dashboards.organizationId, organizationId), eq(dashboards.id, id));
