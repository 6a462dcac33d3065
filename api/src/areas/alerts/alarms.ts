// Alarms as their organisation reads them, and what people do with them.
import type { AlarmStatus } from '@gantry/contract/areas/alerts/alerts.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { AlertLevel } from '@gantry/contract/kinds/alert-policy.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, gt, inArray, isNull, lte, notInArray, or, type SQL } from 'drizzle-orm';
import { type CursorPage, type CursorRows, cursorPage } from '../../platform/db/key-pages.ts';
import type { Database } from '../../platform/db/open.ts';
import { alarmFlow, alarms } from '../../platform/db/schema/alerts.ts';
import { closeAlarm, note } from './alarm-store.ts';

export type AlarmRow = typeof alarms.$inferSelect;
export type FlowRow = Pick<typeof alarmFlow.$inferSelect, 'at' | 'type' | 'what' | 'args'>;

export interface AlarmsAsked extends CursorPage {
  status?: AlarmStatus | undefined;
  level?: AlertLevel | undefined;
  policy?: string | undefined;
  object?: string | undefined;
}

const MOST_FLOW = 500;
const COLUMNS = { id: alarms.id, firstAbnormalAt: alarms.firstAbnormalAt };

export class Alarms {
  readonly #db: Database;
  readonly #clock: Pick<Clock, 'now'>;
  /** Uids of an organisation's policies that are muted now. */
  readonly #muted: (organizationId: string) => readonly string[];

  constructor(parts: { db: Database; clock: Pick<Clock, 'now'>; muted(organizationId: string): readonly string[] }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#muted = parts.muted;
  }

  /** Newest first. */
  async list(organizationId: string, asked: AlarmsAsked): Promise<CursorRows<AlarmRow>> {
    const { status, level, policy, object } = asked;
    const own = eq(alarms.organizationId, organizationId);
    const where = and(
      own,
      ...(status ? [this.#hasStatus(organizationId, status)] : []),
      ...(level ? [eq(alarms.level, level)] : []),
      ...(policy !== undefined ? [eq(alarms.policy, policy)] : []),
      ...(object !== undefined ? [eq(alarms.object, object)] : []),
    );
    const db = this.#db.sql;
    return cursorPage(
      db,
      { table: alarms, columns: COLUMNS, own, where, sort: ['firstAbnormalAt', 'DESC'] },
      asked,
      db.select().from(alarms).$dynamic(),
      ({ id }) => id,
    );
  }

  /** Throws not_found. */
  async get(organizationId: string, id: string): Promise<{ row: AlarmRow; flow: FlowRow[] }> {
    const [row] = await this.#db.sql
      .select()
      .from(alarms)
      .where(and(eq(alarms.id, id), eq(alarms.organizationId, organizationId)));
    if (!row) throw problem('not_found', { what: id });
    const flow = await this.#db.sql
      .select({ at: alarmFlow.at, type: alarmFlow.type, what: alarmFlow.what, args: alarmFlow.args })
      .from(alarmFlow)
      .where(eq(alarmFlow.alarmId, id))
      .orderBy(asc(alarmFlow.seq))
      .limit(MOST_FLOW);
    return { row, flow };
  }

  statusOf({ status, shieldedUntil, policyUid, organizationId }: AlarmRow): AlarmStatus {
    if (status !== 'firing') return status;
    const isShielded = (shieldedUntil?.getTime() ?? 0) > this.#clock.now();
    return isShielded || this.#muted(organizationId).includes(policyUid) ? 'shielded' : 'firing';
  }

  /** Throws not_found, alarm_over. */
  async operate(
    { organizationId, account }: { organizationId: string; account: string },
    id: string,
    operation: 'close' | 'shield' | 'unshield',
    minutes: number,
  ): Promise<void> {
    await this.get(organizationId, id);
    const now = this.#clock.now();
    const isDone = await this.#db.transaction(async (tx) => {
      if (operation === 'close') return closeAlarm(tx, id, account, new Date(now));
      const until = operation === 'shield' ? new Date(now + minutes * 60_000) : null;
      const [changed] = await tx
        .update(alarms)
        .set({ shieldedUntil: until })
        .where(and(eq(alarms.id, id), eq(alarms.status, 'firing')))
        .returning({ id: alarms.id });
      if (!changed) return false;
      const args = { account, ...(until && { until: until.toISOString() }) };
      await note(tx, id, new Date(now), 'manual', operation === 'shield' ? 'shielded' : 'unshielded', args);
      return true;
    });
    if (!isDone) throw problem('alarm_over');
  }

  #hasStatus(organizationId: string, status: AlarmStatus): SQL | undefined {
    if (status !== 'firing' && status !== 'shielded') return eq(alarms.status, status);
    const muted = [...this.#muted(organizationId)];
    const now = new Date(this.#clock.now());
    const isShielded = or(
      gt(alarms.shieldedUntil, now),
      ...(muted.length > 0 ? [inArray(alarms.policyUid, muted)] : []),
    );
    const isLoud = and(
      or(isNull(alarms.shieldedUntil), lte(alarms.shieldedUntil, now)),
      ...(muted.length > 0 ? [notInArray(alarms.policyUid, muted)] : []),
    );
    return and(eq(alarms.status, 'firing'), status === 'shielded' ? isShielded : isLoud);
  }
}
