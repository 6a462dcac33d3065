// Alarms in SQL. What a cycle changes of a series, the alarm's row, its flow and the notifications that follow are one transaction:
// after a kill either all of it is there or nothing, and the cycle is counted again. Whoever knows an older version of a row writes
// nothing.
import type { AlertLevel, AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lt, max, sql } from 'drizzle-orm';
import type { Database, Sql } from '../db/open.ts';
import { alarmFlow, alarms, alertCycles, alertNotices, alertSeries } from '../db/schema/alerts.ts';
import { newId } from '../ids.ts';
import { channelKey, hears } from './channels.ts';
import { close, type SeriesState, type Transition } from './step.ts';

/** A series as the evaluator remembers it. */
export interface KnownSeries {
  object: string | undefined;
  labels: Readonly<Record<string, string>>;
  state: SeriesState;
  alarmId: string | undefined;
  /** Undefined: SQL has no row of it yet. */
  version: number | undefined;
}

export interface Change extends KnownSeries {
  key: string;
  transitions: readonly Transition[];
  value: number | undefined;
}

/** The policy that the changes are of, and whose it is. */
export interface PolicyOf {
  organizationId: string;
  policy: AlertPolicy;
}

/** How long an alarm that is over is shown. */
const KEPT_MS = 180 * 86_400_000;
const OVER = { resolved: 'resolved', gone: 'resolved', closed: 'closed' } as const;

export class AlarmStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By policy, then by series. */
  async load(): Promise<Map<string, Map<string, KnownSeries>>> {
    const all = new Map<string, Map<string, KnownSeries>>();
    for (const row of await this.#db.sql.select().from(alertSeries)) {
      const of = all.get(row.policyUid) ?? new Map<string, KnownSeries>();
      all.set(row.policyUid, of.set(row.key, knownOf(row)));
    }
    return all;
  }

  /** Those of one policy, after another evaluator has written them. */
  async loadPolicy(policyUid: string): Promise<Map<string, KnownSeries>> {
    const rows = await this.#db.sql.select().from(alertSeries).where(eq(alertSeries.policyUid, policyUid));
    return new Map(rows.map((row) => [row.key, knownOf(row)]));
  }

  /** False where somebody else has changed one of these series: then nothing is written. */
  write(of: PolicyOf, changes: readonly Change[]): Promise<boolean> {
    return this.#db
      .transaction(async (tx) => {
        for (const change of changes) await this.#write(tx, of, change);
        return true;
      })
      .catch((error: unknown) => {
        if (error === LATE) return false;
        throw error;
      });
  }

  async #write(tx: Sql, { organizationId, policy }: PolicyOf, change: Change): Promise<void> {
    const { key, object, labels, state, transitions } = change;
    const policyUid = policy.metadata.uid ?? '';
    const alarmId = state.phase === 'normal' ? null : (change.alarmId ?? newId('alm'));
    const set = { state: { ...state }, at: state.at, alarmId, version: (change.version ?? 0) + 1 };
    const row = { policyUid, key, organizationId, object: object ?? null, labels: { ...labels } };
    const written = await tx
      .insert(alertSeries)
      .values({ ...row, ...set })
      .onConflictDoUpdate({
        target: [alertSeries.policyUid, alertSeries.key],
        set,
        setWhere: change.version === undefined ? sql`false` : eq(alertSeries.version, change.version),
      })
      .returning({ key: alertSeries.key });
    if (written.length === 0) throw LATE;
    for (const transition of transitions)
      await this.#follow(tx, { organizationId, policy }, change, transition, alarmId ?? change.alarmId);
  }

  async #follow(tx: Sql, of: PolicyOf, change: Change, transition: Transition, id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const { state, value, alarmId: before } = change;
    const level = state.level ?? 'Info';
    if (transition === 'dropped') {
      await tx.delete(alarms).where(and(eq(alarms.id, id), eq(alarms.status, 'inactive')));
      return;
    }
    if (before === undefined) await tx.insert(alarms).values(newAlarm(of, change, id, transition === 'fired'));
    else if (transition === 'fired' || transition === 'raised')
      await tx.update(alarms).set(risen(change, transition)).where(eq(alarms.id, id));
    if (transition === 'began') return;
    const at = new Date(state.at);
    await note(tx, id, at, 'system', transition, transition === 'raised' ? { level } : { value: shown(value) });
    if (transition === 'fired') await this.#notify(tx, of, id, transition, level, state.at);
    else if (transition === 'raised') await this.#notify(tx, of, id, `raised/${level}`, level, state.at);
    else await endAlarm(tx, id, transition, at);
  }

  async #notify(
    tx: Sql,
    { organizationId, policy: { spec, metadata } }: PolicyOf,
    alarmId: string,
    transition: string,
    level: AlertLevel,
    at: number,
  ): Promise<void> {
    const { waitSeconds } = spec.convergence;
    const rows = spec.channels
      .filter((channel) => hears(channel, level))
      .map((channel) => ({
        ...{ id: newId('aln'), alarmId, organizationId, policyUid: metadata.uid ?? '', transition },
        channel: channelKey(channel),
        dueAt: new Date(at + waitSeconds * 1000 + channel.afterMinutes * 60_000),
      }));
    // A channel that is named twice hears once.
    if (rows.length > 0) await tx.insert(alertNotices).values(rows).onConflictDoNothing();
  }

  /** Series of policies that there are no more; their open alarms end. */
  async forget(policyUids: readonly string[], now: number): Promise<void> {
    if (policyUids.length === 0) return;
    await this.#db.transaction(async (tx) => {
      const rows = await tx
        .delete(alertSeries)
        .where(inArray(alertSeries.policyUid, [...policyUids]))
        .returning({ alarmId: alertSeries.alarmId, state: alertSeries.state });
      for (const { alarmId, state } of rows) {
        if (alarmId === null || (state as unknown as SeriesState).phase === 'closed') continue;
        await tx.delete(alarms).where(and(eq(alarms.id, alarmId), eq(alarms.status, 'inactive')));
        const [open] = await tx
          .select({ id: alarms.id })
          .from(alarms)
          .where(and(eq(alarms.id, alarmId), isNull(alarms.endedAt)));
        if (!open) continue;
        await note(tx, alarmId, new Date(now), 'system', 'gone', {});
        await endAlarm(tx, alarmId, 'gone', new Date(now));
      }
    });
  }

  /** Policies of which people have changed alarms after that line of the flow, and its newest line. */
  async changedByHand(after: number): Promise<{ seq: number; policyUids: string[] }> {
    const [row] = await this.#db.sql.select({ newest: max(alarmFlow.seq) }).from(alarmFlow);
    const seq = row?.newest ?? 0;
    if (seq <= after) return { seq, policyUids: [] };
    const rows = await this.#db.sql
      .selectDistinct({ policyUid: alarms.policyUid })
      .from(alarmFlow)
      .innerJoin(alarms, eq(alarms.id, alarmFlow.alarmId))
      .where(and(gt(alarmFlow.seq, after), eq(alarmFlow.type, 'manual')));
    return { seq, policyUids: rows.map(({ policyUid }) => policyUid) };
  }

  /** Deletes alarms that ended long ago, with their flow and notifications. Returns how many there were. */
  async sweep(now: number): Promise<number> {
    const old = new Date(now - KEPT_MS);
    const gone = await this.#db.sql.delete(alarms).where(lt(alarms.endedAt, old)).returning({ id: alarms.id });
    return gone.length;
  }

  /** The cycle up to which policies of a period were evaluated. */
  async cycles(): Promise<Map<number, number>> {
    const rows = await this.#db.sql.select().from(alertCycles);
    return new Map(rows.map(({ periodSeconds, at }) => [periodSeconds, at]));
  }

  async noteCycle(periodSeconds: number, at: number): Promise<void> {
    await this.#db.sql
      .insert(alertCycles)
      .values({ periodSeconds, at })
      .onConflictDoUpdate({ target: alertCycles.periodSeconds, set: { at }, setWhere: lt(alertCycles.at, at) });
  }
}

function newAlarm({ organizationId, policy }: PolicyOf, change: Change, id: string, isFiring: boolean) {
  const { object, labels, state, value } = change;
  const { spec, metadata } = policy;
  return {
    ...{ id, organizationId, level: state.level ?? 'Info', value: finite(value), labels: { ...labels } },
    object: object ?? null,
    policyUid: metadata.uid ?? '',
    policy: metadata.name,
    title: spec.displayName ?? metadata.name,
    kind: spec.objects.kind,
    metric: spec.metric ?? 'PromQL',
    status: isFiring ? 'firing' : 'inactive',
    firstAbnormalAt: new Date(state.since ?? state.at),
    ...(isFiring && { firedAt: new Date(state.at) }),
  } satisfies typeof alarms.$inferInsert;
}

const risen = ({ state, value }: Change, transition: 'fired' | 'raised') => ({
  level: state.level ?? 'Info',
  value: finite(value),
  ...(transition === 'fired' && { status: 'firing' as const, firedAt: new Date(state.at) }),
});

const LATE = new Error('somebody else has changed this series');

/** Null: JSON and the page know no other numbers. */
const finite = (value: number | undefined): number | null => (Number.isFinite(value) ? (value as number) : null);
const shown = (value: number | null | undefined): string =>
  Number.isFinite(value) ? String(Math.round((value as number) * 1000) / 1000) : '–';

const knownOf = ({ object, labels, state, at, alarmId, version }: typeof alertSeries.$inferSelect): KnownSeries => ({
  object: object ?? undefined,
  labels,
  state: { ...(state as unknown as SeriesState), at },
  alarmId: alarmId ?? undefined,
  version,
});

/** Closes an alarm by hand: false if it is over already. The next episode needs the end of this one. */
export async function closeAlarm(tx: Sql, id: string, account: string, at: Date): Promise<boolean> {
  const [series] = await tx.select().from(alertSeries).where(eq(alertSeries.alarmId, id)).for('update');
  const [open] = await tx
    .select({ id: alarms.id })
    .from(alarms)
    .where(and(eq(alarms.id, id), eq(alarms.status, 'firing')))
    .for('update');
  if (!open) return false;
  if (series) {
    const state = { ...close(series.state as unknown as SeriesState) };
    await tx
      .update(alertSeries)
      .set({ state, version: series.version + 1 })
      .where(and(eq(alertSeries.policyUid, series.policyUid), eq(alertSeries.key, series.key)));
  }
  await note(tx, id, at, 'manual', 'closed', { account });
  await endAlarm(tx, id, 'closed', at);
  return true;
}

/** A line of its flow. */
export async function note(
  tx: Sql,
  alarmId: string,
  at: Date,
  type: 'system' | 'manual',
  what: string,
  args: Record<string, string>,
): Promise<void> {
  await tx.insert(alarmFlow).values({ alarmId, at, type, what, args });
}

/** Whoever was notified of it hears that it is over; what is still waiting is not sent any more. */
async function endAlarm(tx: Sql, id: string, how: keyof typeof OVER, at: Date): Promise<void> {
  await tx.update(alarms).set({ status: OVER[how], endedAt: at }).where(eq(alarms.id, id));
  const sent = await tx
    .selectDistinct({
      channel: alertNotices.channel,
      organizationId: alertNotices.organizationId,
      policyUid: alertNotices.policyUid,
    })
    .from(alertNotices)
    .where(and(eq(alertNotices.alarmId, id), isNotNull(alertNotices.sentAt)));
  await tx
    .update(alertNotices)
    .set({ endedAt: at })
    .where(and(eq(alertNotices.alarmId, id), isNull(alertNotices.sentAt), isNull(alertNotices.endedAt)));
  if (sent.length > 0)
    await tx
      .insert(alertNotices)
      .values(sent.map((row) => ({ ...row, id: newId('aln'), alarmId: id, transition: OVER[how], dueAt: at })))
      .onConflictDoNothing();
}
