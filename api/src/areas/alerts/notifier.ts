// Sends what the outbox holds. What goes into our own tables (bell, mail, text) is one transaction with the note that it was sent;
// a receiver outside may hear twice after a kill in between, with the same id. A slow one holds up its own notices alone.

import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { isWithin } from '@gantry/contract/fields/schedule.ts';
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, max, type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { alarms, alertNotices } from '../../platform/db/schema/alerts.ts';
import { newId } from '../../platform/ids.ts';
import { note } from './alarm-store.ts';
import { channelOf } from './channels.ts';
import type { ToldAlarm, What } from './message.ts';
import { whatOf } from './message.ts';

/** Why a notification did not get through: a row of `alertWords.failures`, and what it is about. */
export class NotDelivered extends Error {
  readonly reason: string;
  readonly args: Readonly<Record<string, string>>;
  /** Trying again changes nothing. */
  readonly isFinal: boolean;

  constructor(reason: string, args: Record<string, string> = {}, isFinal = false) {
    super(reason);
    this.reason = reason;
    this.args = args;
    this.isFinal = isFinal;
  }
}

export interface Delivery {
  /** The same for every try. */
  id: string;
  organizationId: string;
  policy: AlertPolicy;
  type: ReturnType<typeof channelOf>['type'];
  to: string | undefined;
  what: What;
  alarms: readonly ToldAlarm[];
  /** How many notices to this channel the hourly limit kept back until their alarms were over. */
  leftOut: number;
}

/** A row of `alertWords.failures`, and what it is about. */
export interface DeliveryFailure {
  reason: string;
  args: Readonly<Record<string, string>>;
}

export interface NotifierParts {
  db: Database;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  policyOf(policyUid: string): AlertPolicy | undefined;
  /** For channels in our own tables, within the transaction; its last statement but one. Rejects with NotDelivered. */
  put(tx: Sql, delivery: Delivery): Promise<void>;
  /** For receivers outside. Rejects with NotDelivered. */
  post(delivery: Delivery): Promise<void>;
  /** After the commit of what was put. */
  wake(): void;
  /** For the policy's status. */
  delivered(policy: AlertPolicy, channel: string, failure?: DeliveryFailure): void;
}

const LOOK_MS = 1_000;
const MOST_AT_ONCE = 200;
/** The most notices of one organisation. */
const MOST_OF_ONE = 50;
/** Alarms that one notice tells of. */
const MOST_IN_ONE = 1_000;
const FIRST_RETRY_MS = 5_000;
const MOST_RETRY_MS = 10 * 60_000;
const MOST_TRIES = 10;
/** How long a notice that is muted waits until that is looked at again. */
const MUTED_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The reason of a notice that the hourly limit keeps back. */
const LIMITED = { reason: 'limited', args: {} };
/** The reason of a notice that was never sent, once another has counted it. */
const COUNTED = { reason: 'leftOut', args: {} };
const OUTSIDE: readonly string[] = ['Webhook', 'Slack', 'DingTalk'];

/** The alarms that one notice may tell of. */
interface Group {
  policyUid: string;
  channel: string;
  what: What;
}
type Row = { notice: typeof alertNotices.$inferSelect; alarm: typeof alarms.$inferSelect };

export class Notifier {
  readonly #parts: NotifierParts;
  /** By policy and channel: what goes to one counts against one hourly limit. */
  readonly #busy = new Map<string, Promise<void>>();

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    await repeatedly(
      { clock, ms: LOOK_MS, signal },
      () => this.look(),
      (error) => log.warn({ err: error }, 'notifications are looked at again'),
    );
    await this.settle();
  }

  /** Resolves once what is being sent is sent, or noted for later. */
  async settle(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  /** Begins to send what is due. */
  async look(): Promise<void> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const { id, organizationId, policyUid, channel, transition, dueAt } = alertNotices;
    const place = sql<number>`row_number() over (partition by ${organizationId} order by ${dueAt}, ${id})`.as('place');
    const due = db.sql
      .select({ id: sql<string>`${id}`.as('due_id'), place })
      .from(alertNotices)
      .where(isDue(now))
      .as('due');
    // Each organisation's first come first: what waits for the receivers of one keeps nobody else's in line.
    const rows = await db.sql
      .select({ policyUid, channel, transition })
      .from(due)
      .innerJoin(alertNotices, eq(alertNotices.id, due.id))
      .where(lte(due.place, MOST_OF_ONE))
      .orderBy(asc(due.place), asc(dueAt), asc(id))
      .limit(MOST_AT_ONCE);
    const groups = new Map(
      rows.map((row): [string, Group] => {
        const group = { policyUid: row.policyUid, channel: row.channel, what: whatOf(row.transition) };
        return [JSON.stringify(Object.values(group)), group];
      }),
    );
    const queues = Map.groupBy(groups.values(), (group) => JSON.stringify([group.policyUid, group.channel]));
    for (const [key, queue] of queues) {
      if (this.#busy.has(key)) continue;
      const work = this.#sendEach(queue, now).finally(() => this.#busy.delete(key));
      this.#busy.set(key, work);
    }
  }

  async #sendEach(queue: readonly Group[], now: number): Promise<void> {
    for (const group of queue)
      await this.#send(group, now).catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'a notification was not sent'),
      );
  }

  /** All of it that is due, however much of it a look sees: what goes out together is one notice. */
  #dueOf({ policyUid, channel, what }: Group, now: number): Promise<Row[]> {
    const words = what === 'fired' ? ['fired', 'raised'] : [what];
    return this.#parts.db.sql
      .select({ notice: alertNotices, alarm: alarms })
      .from(alertNotices)
      .innerJoin(alarms, eq(alarms.id, alertNotices.alarmId))
      .where(
        and(
          ...[eq(alertNotices.policyUid, policyUid), eq(alertNotices.channel, channel), isDue(now)],
          inArray(sql`split_part(${alertNotices.transition}, '/', 1)`, words),
        ),
      )
      .orderBy(asc(alertNotices.dueAt), asc(alertNotices.id))
      .limit(MOST_IN_ONE);
  }

  async #send(of: Group, now: number): Promise<void> {
    const { policyUid, channel, what } = of;
    const group = await this.#dueOf(of, now);
    const [first] = group;
    if (!first) return;
    const { organizationId } = first.notice;
    const policy = this.#parts.policyOf(policyUid);
    if (policy?.spec.state !== 'Enabled') return this.#end(group, now);
    const isQuiet = (row: Row) => isMuted(policy, now) || (row.alarm.shieldedUntil?.getTime() ?? 0) > now;
    const [quiet, loud] = [group.filter(isQuiet), group.filter((row) => !isQuiet(row))];
    await this.#wait(quiet, now + MUTED_MS);
    if (loud.length === 0) return;
    const isBad = what === 'fired' || what === 'repeated';
    const freeAt = isBad ? await this.#freeAt(policy, channel, now) : now;
    if (freeAt > now) return this.#holdBack(loud, now, freeAt);
    const { type, to } = channelOf(channel);
    const leftOut = isBad ? await this.#leftOut(policyUid, channel, now) : [];
    const delivery = {
      id: first.notice.id,
      organizationId,
      policy,
      type,
      to,
      what,
      alarms: [...new Map(loud.map(({ alarm }) => [alarm.id, alarm])).values()],
      leftOut: leftOut.length,
    };
    try {
      if (OUTSIDE.includes(type)) await this.#parts.post(delivery);
      await this.#parts.db.transaction(async (tx) => {
        if (!(await this.#noteSent(tx, policy, loud, now))) return;
        if (leftOut.length > 0)
          await tx.update(alertNotices).set({ failure: COUNTED }).where(inArray(alertNotices.id, leftOut));
        // The store of messages holds a lock to the end of the transaction.
        if (!OUTSIDE.includes(type)) await this.#parts.put(tx, delivery);
      });
      this.#parts.wake();
      this.#parts.delivered(policy, channel);
    } catch (error) {
      await this.#failed(policy, channel, loud, now, error);
    }
  }

  /** False where another one has sent them meanwhile. Alarms that ended meanwhile were told of, too: that they ended is told next. */
  async #noteSent(tx: Sql, { spec }: AlertPolicy, rows: readonly Row[], now: number): Promise<boolean> {
    const at = new Date(now);
    const ids = rows.map(({ notice }) => notice.id);
    const sent = await tx
      .update(alertNotices)
      .set({ sentAt: at, batch: newId('alb'), failure: null })
      .where(and(inArray(alertNotices.id, ids), isNull(alertNotices.sentAt)))
      .returning({ id: alertNotices.id, endedAt: alertNotices.endedAt });
    if (sent.length < ids.length) {
      if (sent.length > 0) throw new Error('some of these were sent meanwhile');
      return false;
    }
    const { repeatMinutes } = spec.convergence;
    const ended = new Set(sent.flatMap(({ id, endedAt }) => (endedAt ? [id] : [])));
    for (const { notice, alarm } of rows) {
      await note(tx, alarm.id, at, 'system', 'notified', { channel: channelOf(notice.channel).type });
      const next = ended.has(notice.id)
        ? await endOf(tx, alarm.id, at)
        : repeatMinutes > 0 && alarm.status === 'firing'
          ? { transition: repeatAfter(notice.transition), dueAt: new Date(now + repeatMinutes * 60_000) }
          : undefined;
      if (!next) continue;
      const { alarmId, organizationId, policyUid, channel } = notice;
      await tx
        .insert(alertNotices)
        .values({ ...{ id: newId('aln'), alarmId, organizationId, policyUid, channel }, ...next })
        .onConflictDoNothing();
    }
    return true;
  }

  /** When the hourly limit lets the next one through: now, or an hour after the oldest that counts. */
  async #freeAt({ spec, metadata }: AlertPolicy, channel: string, now: number): Promise<number> {
    const { batch, sentAt } = alertNotices;
    const sent = await this.#parts.db.sql
      .select({ at: max(sentAt) })
      .from(alertNotices)
      .where(
        and(
          eq(alertNotices.policyUid, metadata.uid ?? ''),
          eq(alertNotices.channel, channel),
          isNotNull(batch),
          gt(sentAt, new Date(now - HOUR_MS)),
        ),
      )
      .groupBy(batch)
      .orderBy(desc(max(sentAt)))
      .limit(spec.convergence.mostPerHour);
    const oldest = sent.length < spec.convergence.mostPerHour ? undefined : sent.at(-1)?.at;
    return oldest ? oldest.getTime() + HOUR_MS : now;
  }

  /** Once it is let through, one notice tells of all that still fire. */
  async #holdBack(rows: readonly Row[], now: number, until: number): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      for (const { notice, alarm } of rows) {
        await tx
          .update(alertNotices)
          .set({ dueAt: new Date(until), failure: LIMITED })
          .where(and(eq(alertNotices.id, notice.id), isNull(alertNotices.endedAt)));
        if (notice.failure?.reason !== LIMITED.reason)
          await note(tx, alarm.id, new Date(now), 'system', 'limited', { channel: channelOf(notice.channel).type });
      }
    });
  }

  /** Those of a day that were held back until their alarms were over, and of which no notice has told yet. */
  async #leftOut(policyUid: string, channel: string, now: number): Promise<string[]> {
    const { id, failure, sentAt, endedAt } = alertNotices;
    const rows = await this.#parts.db.sql
      .select({ id })
      .from(alertNotices)
      .where(
        and(
          ...[eq(alertNotices.policyUid, policyUid), eq(alertNotices.channel, channel), isNull(sentAt)],
          ...[gt(endedAt, new Date(now - DAY_MS)), sql`${failure} ->> 'reason' = ${LIMITED.reason}`],
        ),
      );
    return rows.map((row) => row.id);
  }

  async #failed(
    policy: AlertPolicy,
    channel: string,
    rows: readonly Row[],
    now: number,
    error: unknown,
  ): Promise<void> {
    const { db, log } = this.#parts;
    if (!(error instanceof NotDelivered))
      log.warn({ err: error, channel: channelOf(channel).type }, 'a notification failed');
    const { reason, args, isFinal } = error instanceof NotDelivered ? error : new NotDelivered('unreachable');
    const failure = { reason, args: { ...args } };
    await db.transaction(async (tx) => {
      for (const { notice, alarm } of rows) {
        const tries = notice.tries + 1;
        const isOver = isFinal || tries >= MOST_TRIES;
        const dueAt = new Date(now + Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** notice.tries));
        await tx
          .update(alertNotices)
          .set({ tries, failure, dueAt, ...(isOver && { endedAt: new Date(now) }) })
          .where(and(eq(alertNotices.id, notice.id), isNull(alertNotices.endedAt)));
        if (isOver || tries === 1)
          await note(tx, alarm.id, new Date(now), 'system', 'notNotified', {
            channel: channelOf(channel).type,
            reason,
            ...args,
          });
      }
    });
    this.#parts.delivered(policy, channel, failure);
  }

  async #wait(rows: readonly Row[], until: number): Promise<void> {
    if (rows.length === 0) return;
    await this.#parts.db.sql
      .update(alertNotices)
      .set({ dueAt: new Date(until) })
      .where(
        inArray(
          alertNotices.id,
          rows.map(({ notice }) => notice.id),
        ),
      );
  }

  async #end(rows: readonly Row[], now: number): Promise<void> {
    await this.#parts.db.sql
      .update(alertNotices)
      .set({ endedAt: new Date(now) })
      .where(
        inArray(
          alertNotices.id,
          rows.map(({ notice }) => notice.id),
        ),
      );
  }
}

const repeatAfter = (transition: string): string => {
  const [, times = '0'] = transition.startsWith('repeated/') ? transition.split('/') : [];
  return `repeated/${Number(times) + 1}`;
};

/** Undefined for one that goes on: its notice ended for another reason. */
async function endOf(tx: Sql, alarmId: string, dueAt: Date): Promise<{ transition: What; dueAt: Date } | undefined> {
  const [alarm] = await tx.select({ status: alarms.status }).from(alarms).where(eq(alarms.id, alarmId));
  return alarm?.status === 'resolved' || alarm?.status === 'closed' ? { transition: alarm.status, dueAt } : undefined;
}

const isDue = (now: number): SQL | undefined => {
  const { dueAt, sentAt, endedAt } = alertNotices;
  return and(isNull(sentAt), isNull(endedAt), lte(dueAt, new Date(now)));
};

/** By hand until a moment, or by a schedule. */
export const isMuted = ({ spec }: AlertPolicy, now: number): boolean =>
  (instantOf(spec.mutedUntil) ?? 0) > now || isSilenced({ spec } as AlertPolicy, now);
export const isSilenced = ({ spec }: AlertPolicy, now: number): boolean =>
  (spec.silences ?? []).some((silence) => isWithin(silence, silence.minutes, now));
