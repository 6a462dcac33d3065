// Alarms in SQL. What a cycle changes of a series, the alarm's row, its flow and the notifications that follow are one transaction:
// after a kill either all of it is there or nothing, and the cycle is counted again. Whoever knows an older version of a row writes
// nothing. Many policies are written by as few statements as one.
import type { AlertLevel, AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lt, max, sql } from 'drizzle-orm';
import { insertRows } from '../../platform/db/insert-rows.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { alarmFlow, alarms, alertCycles, alertNotices, alertSeries } from '../../platform/db/schema/alerts.ts';
import { newId } from '../../platform/ids.ts';
import { channelKey, hears } from './channels.ts';
import { close, type SeriesState, type Transition } from './step.ts';
import { storedValue, valueText } from './value-text.ts';

/** A series as the evaluator remembers it. */
export interface KnownSeries {
  object: string | undefined;
  labels: Readonly<Record<string, string>>;
  state: SeriesState;
  alarmId: string | undefined;
  /** Undefined: SQL has no row of it yet. */
  version: number | undefined;
}

/** The change that a cycle makes to a series, and its consequences. */
export interface Change {
  key: string;
  before: KnownSeries;
  after: KnownSeries;
  transition: Transition | undefined;
  value: number | undefined;
  /** Nothing is left to know of it. */
  isForgotten?: true;
}

/** The policy that changes are of, and whose it is. */
export interface PolicyOf {
  organizationId: string;
  policy: AlertPolicy;
}

export interface PolicyChanges {
  of: PolicyOf;
  changes: readonly Change[];
}

/** A series once it is written: an episode has an alarm as long as it lasts. */
export const nextOf = (before: KnownSeries, state: SeriesState): KnownSeries => ({
  ...before,
  state,
  alarmId: state.phase === 'normal' ? undefined : (before.alarmId ?? newId('alm')),
  version: (before.version ?? 0) + 1,
});

/** How long an alarm that is over is shown. */
const KEPT_MS = 180 * 86_400_000;
const OVER = { resolved: 'resolved', gone: 'resolved', vanished: 'resolved', closed: 'closed' } as const;
/** How the system ends an alarm. */
const ENDS = ['resolved', 'gone', 'vanished'] as const;

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

  /** False where somebody else has changed one of these series: then nothing is written. Each policy is there once. */
  write(all: readonly PolicyChanges[]): Promise<boolean> {
    return this.#db
      .transaction(async (tx) => {
        const changes = all.flatMap(({ of, changes }) => changes.map((change) => ({ ...change, of })));
        await writeSeries(tx, changes);
        await follow(tx, changes);
        return true;
      })
      .catch((error: unknown) => {
        if (error === LATE) return false;
        throw error;
      });
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
        await endAlarms(tx, [alarmId], 'gone', new Date(now));
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

type OneChange = Change & { of: PolicyOf };

async function writeSeries(tx: Sql, changes: readonly OneChange[]): Promise<void> {
  const forgotten = changes
    .filter(({ isForgotten }) => isForgotten)
    .map(({ of: { policy }, key, before: { version } }) => ({ uid: policy.metadata.uid ?? '', key, version }));
  const kept = changes.filter(({ isForgotten }) => !isForgotten);
  const isNew = ({ before }: OneChange) => before.version === undefined;
  const added = kept.filter(isNew).map(({ of: { organizationId, policy }, key, after }) => ({
    ...{ policyUid: policy.metadata.uid ?? '', key, organizationId, object: after.object ?? null },
    ...{ labels: { ...after.labels }, state: { ...after.state }, at: after.state.at },
    ...{ alarmId: after.alarmId ?? null, version: after.version ?? 1 },
  }));
  const known = kept
    .filter((change) => !isNew(change))
    .map(({ of: { policy }, key, after: { state, alarmId = null, version } }) => ({
      ...{ uid: policy.metadata.uid ?? '', key, state, at: state.at, alarm: alarmId, version },
    }));
  const written = [
    ...(added.length > 0
      ? await rowsOf(tx, sql`${insertRows(alertSeries, added)} on conflict do nothing returning 1 as one`)
      : []),
    ...(known.length > 0
      ? await rowsOf(
          tx,
          sql`update ${alertSeries} set state = next.state, at = next.at, alarm_id = next.alarm, version = next.version
            from jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
              as next(uid text, key text, state jsonb, at bigint, alarm text, version integer)
            where ${alertSeries.policyUid} = next.uid and ${alertSeries.key} = next.key
              and ${alertSeries.version} = next.version - 1 returning 1 as one`,
        )
      : []),
    ...(forgotten.length > 0
      ? await rowsOf(
          tx,
          sql`delete from ${alertSeries} using jsonb_to_recordset(${JSON.stringify(forgotten)}::jsonb)
              as over(uid text, key text, version integer)
            where ${alertSeries.policyUid} = over.uid and ${alertSeries.key} = over.key
              and ${alertSeries.version} = over.version returning 1 as one`,
        )
      : []),
  ];
  if (written.length < changes.length) throw LATE;
}

/** The alarms, their flow, and the notifications. */
async function follow(tx: Sql, changes: readonly OneChange[]): Promise<void> {
  const of = (...transitions: Transition[]) =>
    changes.filter(({ transition }) => transition !== undefined && transitions.includes(transition));
  const dropped = of('dropped').flatMap(({ before }) => before.alarmId ?? []);
  if (dropped.length > 0)
    await tx.execute(sql`delete from ${alarms} where ${alarms.status} = 'inactive'
      and ${alarms.id} = ${anyOf(dropped)}`);

  const worse = of('fired', 'raised');
  const begun = of('began', 'fired').filter(({ before }) => before.alarmId === undefined);
  if (begun.length > 0) await tx.execute(insertRows(alarms, begun.map(newAlarm)));
  const risen = worse.filter(({ before }) => before.alarmId !== undefined);
  if (risen.length > 0) await rise(tx, risen);

  const over = of(...ENDS).filter(({ before }) => before.alarmId !== undefined);
  const flow = [...worse, ...over].map(flowOf);
  if (flow.length > 0) await tx.execute(insertRows(alarmFlow, flow));
  const notices = worse.flatMap(noticesOf);
  // A channel that is named twice hears once.
  if (notices.length > 0) await tx.execute(sql`${insertRows(alertNotices, notices)} on conflict do nothing`);

  const ends = Map.groupBy(over, ({ transition, after }) => `${transition} ${after.state.at}`);
  for (const some of ends.values()) {
    const [{ transition, after }] = some as [OneChange];
    const ids = some.flatMap(({ before }) => before.alarmId ?? []);
    await endAlarms(tx, ids, transition as (typeof ENDS)[number], new Date(after.state.at));
  }
}

function newAlarm(change: OneChange) {
  const {
    of: { organizationId, policy },
    after,
    transition,
    value,
  } = change;
  const { object, labels, state } = after;
  const { spec, metadata } = policy;
  const isFiring = transition === 'fired';
  return {
    ...{ id: after.alarmId ?? '', organizationId, level: levelOf(change) },
    ...{ value: storedValue(value), labels: { ...labels }, object: object ?? null },
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

async function rise(tx: Sql, changes: readonly OneChange[]): Promise<void> {
  const rows = changes.map((change) => ({
    ...{ id: idOf(change), level: levelOf(change), value: storedValue(change.value) },
    ...(change.transition === 'fired' && { status: 'firing', fired: new Date(change.after.state.at) }),
  }));
  await tx.execute(sql`
    update ${alarms} set level = risen.level, value = risen.value, status = coalesce(risen.status, ${alarms.status}),
      fired_at = coalesce(risen.fired, ${alarms.firedAt})
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as risen(id text, level text, value double precision, status text, fired timestamptz)
    where ${alarms.id} = risen.id`);
}

const idOf = ({ before, after }: OneChange): string => after.alarmId ?? before.alarmId ?? '';

const flowOf = (change: OneChange): typeof alarmFlow.$inferInsert => ({
  ...{ alarmId: idOf(change), at: new Date(change.after.state.at), type: 'system', what: change.transition ?? '' },
  args: change.transition === 'raised' ? { level: levelOf(change) } : { value: valueText(change.value) },
});

const levelOf = ({ after: { state } }: OneChange): AlertLevel => state.level ?? 'Info';

function noticesOf(change: OneChange): (typeof alertNotices.$inferInsert)[] {
  const { organizationId, policy } = change.of;
  const { spec, metadata } = policy;
  const level = levelOf(change);
  return spec.channels
    .filter((channel) => hears(channel, level))
    .map((channel) => ({
      ...{ id: newId('aln'), alarmId: idOf(change), organizationId, policyUid: metadata.uid ?? '' },
      transition: change.transition === 'raised' ? `raised/${level}` : 'fired',
      channel: channelKey(channel),
      dueAt: new Date(
        change.after.state.at + spec.convergence.waitSeconds * 1000 + (channel.afterMinutes ?? 0) * 60_000,
      ),
    }));
}

const LATE = new Error('somebody else has changed this series');

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
  await endAlarms(tx, [id], 'closed', at);
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

/** Any number of ids as one parameter. An array, so that rows are found by their index: as a list it would be joined with all of them. */
const anyOf = (ids: readonly string[]) =>
  sql`any(array(select id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as given(id)))`;

/** Whoever was notified of one hears that it is over; what is still waiting is not sent any more. */
async function endAlarms(tx: Sql, ids: readonly string[], how: keyof typeof OVER, at: Date): Promise<void> {
  const these = anyOf(ids);
  const ofThese = sql`${alertNotices.alarmId} = ${these}`;
  await tx.update(alarms).set({ status: OVER[how], endedAt: at, ended: how }).where(sql`${alarms.id} = ${these}`);
  const sent = await tx
    .selectDistinct({
      alarmId: alertNotices.alarmId,
      channel: alertNotices.channel,
      organizationId: alertNotices.organizationId,
      policyUid: alertNotices.policyUid,
    })
    .from(alertNotices)
    .where(and(ofThese, isNotNull(alertNotices.sentAt)));
  await tx
    .update(alertNotices)
    .set({ endedAt: at })
    .where(and(ofThese, isNull(alertNotices.sentAt), isNull(alertNotices.endedAt)));
  const rows = sent.map((row) => ({ ...row, id: newId('aln'), transition: OVER[how], dueAt: at }));
  if (rows.length > 0) await tx.execute(sql`${insertRows(alertNotices, rows)} on conflict do nothing`);
}
