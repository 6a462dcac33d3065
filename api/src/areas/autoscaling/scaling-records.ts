// How many replicas services and deployments were to have, and who wanted that: autoscaling or the idle policy, or somebody by hand.
// Seen in the objects themselves, so that it does not matter by which way they were changed. One gateway at a time records.
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { ChangeNotes } from '../../core/kinds/kind-writes.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { idleEpisodes } from '../../platform/db/schema/idle.ts';
import { accounts } from '../../platform/db/schema/people.ts';
import { scalingRecords } from '../../platform/db/schema/traffic.ts';
import { ScalingWishes, wishOf } from './scaling-wishes.ts';
import { type WantedOf, wantedOf } from './wanted-replicas.ts';

export interface ScalingRecord {
  at: Date;
  /** Undefined: it is the first that is known. */
  before: number | undefined;
  replicas: number;
  /** As `status.scaling.because`; null: by hand, or nobody knows, as it is the first. */
  because: string | null;
  /** The measured value of that metric, over all replicas. */
  value: number | null;
  /** The person who changed it by hand; null: the system, or unknown. */
  accountName: string | null;
}

export interface ScalingRecordsParts {
  db: Pick<Database, 'sql'>;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
  list(): readonly WantedOf[];
}

const LOOK_MS = 1_000;
const SWEEP_MS = 3_600_000;
const KEPT_MS = 90 * 86_400_000;
const MOST_SHOWN = 200;

interface Last {
  replicas: number;
  /** The time of the newest decision seen: a newer one has made the change. */
  decidedAt: number;
  /** The account that started it last; undefined: nobody has looked yet. */
  startedBy?: string;
}

export class ScalingRecords {
  readonly #parts: ScalingRecordsParts;
  readonly #wishes: ScalingWishes;
  #last = new Map<string, Last>();

  constructor(parts: ScalingRecordsParts) {
    this.#parts = parts;
    this.#wishes = new ScalingWishes(parts.db);
  }

  /** A change through the API, of an object that has replicas or of any other. */
  async noteChange({ before, after, account }: Parameters<ChangeNotes['note']>[0]): Promise<void> {
    const [was, is] = [wantedOf(before), wantedOf(after)];
    if (was && is) await this.note(is, was, account);
  }

  /** A change through the API, which has led to `object`. Without it, a record is one of nobody. */
  async note({ object, replicas }: WantedOf, before: WantedOf, accountId: string | undefined): Promise<void> {
    const { uid: objectUid = '', generation } = object.metadata;
    if (replicas === undefined || generation === undefined || replicas === before.replicas) return;
    const at = new Date(this.#parts.clock.now());
    await this.#wishes.write({ objectUid, generation, replicas, accountId: accountId ?? null, at });
  }

  /** Until the signal. What changed while nobody looked is recorded as one change. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let sweptAt = Number.NEGATIVE_INFINITY;
    let isOpen = false;
    while (!signal.aborted) {
      try {
        if (!isOpen) await this.open();
        isOpen = true;
        await this.look();
      } catch (error) {
        log.warn({ err: error }, 'changes of replicas are recorded later');
      }
      if (clock.monotonic() - sweptAt > SWEEP_MS) {
        sweptAt = clock.monotonic();
        await this.sweep().catch((error: unknown) =>
          log.warn({ err: error }, 'old records of replicas were not swept'),
        );
      }
      await pause(clock, LOOK_MS, signal);
    }
  }

  async open(): Promise<void> {
    const rows = await rowsOf<{ uid: string; replicas: number; at: string }>(
      this.#parts.db.sql,
      sql`select distinct on (object_uid) object_uid as uid, replicas, (extract(epoch from at) * 1000)::text as at
          from ${scalingRecords} order by object_uid, seq desc`,
    );
    this.#last = new Map(rows.map(({ uid, replicas, at }) => [uid, { replicas, decidedAt: Number(at) }]));
  }

  /** Writes what has changed. What could not be written is a change still the next time. */
  async look(): Promise<void> {
    const { db, clock, list } = this.#parts;
    const there = new Set<string>();
    for (const { object, replicas } of list()) {
      const { uid = '' } = object.metadata;
      there.add(uid);
      if (replicas === undefined) continue;
      const last = this.#last.get(uid);
      const decidedAt = Date.parse(object.status?.scaling?.at ?? '') || 0;
      const startedBy = object.spec?.startedBy ?? '';
      if (last?.replicas !== replicas)
        await db.sql.insert(scalingRecords).values({
          ...(decidedRow(uid, object, replicas, last?.decidedAt ?? 0) ?? {
            ...{ objectUid: uid, replicas, at: new Date(clock.now()), value: null },
            because: last && replicas === 0 && (await this.#isIdle(uid)) ? 'Idle' : null,
            accountId: last && starterOf(last, { replicas, startedBy }),
          }),
          generation: object.metadata.generation ?? null,
        });
      this.#last.set(uid, { replicas, decidedAt: Math.max(decidedAt, last?.decidedAt ?? 0), startedBy });
    }
    for (const uid of this.#last.keys()) if (!there.has(uid)) this.#last.delete(uid);
  }

  /** Newest first, the last two hundred. */
  async of(uid: string): Promise<ScalingRecord[]> {
    const rows = await this.#parts.db.sql
      .select({ record: scalingRecords, starter: accounts.name })
      .from(scalingRecords)
      .leftJoin(accounts, eq(accounts.id, scalingRecords.accountId))
      .where(eq(scalingRecords.objectUid, uid))
      .orderBy(desc(scalingRecords.seq))
      .limit(MOST_SHOWN + 1);
    const wishes = await this.#wishes.of(uid, MOST_SHOWN + 1);
    return rows
      .map(({ record: { at, replicas, because, value, generation }, starter }, place) => {
        const before = rows[place + 1]?.record;
        const wish = wishOf(wishes, { replicas, before: before?.generation ?? null, seen: generation });
        const accountName = because === null ? (wish ?? { accountName: starter }).accountName : null;
        return { at, replicas, because, value, before: before?.replicas, accountName };
      })
      .slice(0, MOST_SHOWN);
  }

  async sweep(): Promise<void> {
    const { db, clock, list } = this.#parts;
    const old = new Date(clock.now() - KEPT_MS);
    const uids = JSON.stringify(list().map(({ object }) => object.metadata.uid ?? ''));
    // The last one of what is there stays: what comes next is a change against it.
    await db.sql.delete(scalingRecords).where(
      sql`${lt(scalingRecords.at, old)} and (${scalingRecords.objectUid} not in (select jsonb_array_elements_text(${uids}::jsonb))
          or ${scalingRecords.seq} < (select max(newer.seq) from ${scalingRecords} as newer
          where newer.object_uid = ${scalingRecords.objectUid}))`,
    );
    // One more than is shown says what the oldest of these was a change against.
    await db.sql.delete(scalingRecords).where(
      sql`${scalingRecords.seq} in (select seq from (select seq, row_number() over (partition by object_uid order by seq desc) as place
          from ${scalingRecords}) as placed where place > ${MOST_SHOWN + 1})`,
    );
    await this.#wishes.sweep(old, MOST_SHOWN + 1);
  }

  /** The idle policy says that it stops something before it does; nothing was recorded since. */
  async #isIdle(uid: string): Promise<boolean> {
    const { sql: connection } = this.#parts.db;
    const newest = sql`(select max(${scalingRecords.at}) from ${scalingRecords} where ${eq(scalingRecords.objectUid, uid)})`;
    const rows = await connection
      .select({ uid: idleEpisodes.uid })
      .from(idleEpisodes)
      .where(and(eq(idleEpisodes.uid, uid), isNull(idleEpisodes.endedAt), gt(idleEpisodes.actedAt, newest)));
    return rows.length > 0;
  }
}

/** By the system: a decision is newer than the last one, and has that number. */
function decidedRow(
  objectUid: string,
  { status }: WantedOf['object'],
  replicas: number,
  decidedBefore: number,
): typeof scalingRecords.$inferInsert | undefined {
  const { scaling } = status ?? {};
  const decidedAt = Date.parse(scaling?.at ?? '') || 0;
  return scaling?.replicas === replicas && decidedAt > decidedBefore
    ? { objectUid, replicas, at: new Date(decidedAt), because: scaling.because, value: scaling.value ?? null }
    : undefined;
}

/**
 * A policy lets nobody but a member's own account stand in `spec.startedBy` as they start replicas, whatever program they use. Null where
 * it was that account before: then somebody whom the policy does not ask may have changed the number.
 */
const starterOf = (last: Last, { replicas, startedBy }: { replicas: number; startedBy: string }): string | null =>
  replicas > last.replicas && last.startedBy !== undefined && startedBy !== last.startedBy ? startedBy : null;
