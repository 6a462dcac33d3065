// Follows what has a GPU on a node with a fatal GPU error: its people are told once, and the lost minutes are credited once.
import { type Micros, micros, neededText } from '@gantry/contract/fields/money.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database, Sql } from '../db/open.ts';
import { gpuFaultLosses, gpuFaultNodes } from '../db/schema/gpu-faults.ts';
import type { NOTICES } from './notices.ts';

/** The operator takes a job away within seconds: it must have been seen there. */
const LOOK_MS = 2_000;
const HOUR_MS = 3_600_000;
/** Nobody gains by leaving it there. */
const MOST_LOST_MS = 24 * HOUR_MS;

/** A node that reports a fatal error. */
export interface FaultyNode {
  readonly node: string;
  /** When it first said so, in ms. */
  readonly since: number;
  readonly detail: string;
}

/** Something that runs with a GPU on such a node. */
export interface Affected extends FaultyNode {
  readonly uid: string;
  readonly organizationId: string;
  readonly kind: string;
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  readonly creator: string | undefined;
  readonly perHour: Micros;
  readonly currency: string;
}

export interface FaultNotice {
  readonly organizationId: string;
  readonly creator: string | undefined;
  readonly key: string;
  readonly what: keyof typeof NOTICES;
  readonly args: Readonly<Record<string, string>>;
  readonly kind: string;
  readonly name: string;
}

export interface FaultWatchParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: { warn(facts: object, text: string): void };
  affected(now: number): readonly Affected[];
  /** All of them, whether something runs there or not. */
  faulty(): readonly FaultyNode[];
  /** Takes a node out of service, as the policy says; absent: the policy leaves that to staff. */
  takeOut?: ((node: FaultyNode) => Promise<void>) | undefined;
  /** Credits are given, once per key. */
  grant(grant: {
    key: string;
    organizationId: string;
    amount: Micros;
    at: Date;
    bill: { id: string; reference: string; detail: string };
  }): Promise<void>;
  /** Within the transaction: the message and the mail. Its last statement. */
  tell(tx: Sql, notice: FaultNotice): Promise<void>;
}

type Loss = typeof gpuFaultLosses.$inferSelect;

export class FaultWatch {
  readonly #parts: FaultWatchParts;

  constructor(parts: FaultWatchParts) {
    this.#parts = parts;
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    return repeatedly(
      { clock, ms: LOOK_MS, signal },
      () => this.step(),
      (error) => log.warn({ err: error }, 'failed GPUs are looked at again'),
    );
  }

  async step(): Promise<void> {
    const { db, clock, log } = this.#parts;
    const now = clock.now();
    // Before anything leaves: what is lost to the fault counts from its beginning.
    const affected = this.#parts.affected(now);
    const open = await db.sql.select().from(gpuFaultLosses).where(isNull(gpuFaultLosses.creditedAt));
    const known = new Set(open.map(keyOfLoss));
    for (const one of affected) if (!known.has(keyOf(one))) await this.#begin(one, now);
    for (const one of this.#parts.faulty())
      await this.#takeOut(one, now).catch((error: unknown) =>
        log.warn({ err: error, node: one.node }, 'a node with a failed GPU is taken out of service later'),
      );
    const still = new Set(affected.map(keyOf));
    for (const loss of open) {
      const isLong = now - loss.beganAt.getTime() >= MOST_LOST_MS;
      if (still.has(keyOfLoss(loss)) && !isLong) continue;
      await this.#end(loss, now).catch((error: unknown) =>
        log.warn({ err: error, kind: loss.kind, name: loss.name }, 'lost minutes are credited later'),
      );
    }
  }

  async #begin(one: Affected, now: number): Promise<void> {
    const { db } = this.#parts;
    const { node, detail, uid, organizationId, kind, name, title, creator, perHour, currency } = one;
    await db.transaction(async (tx) => {
      const [made] = await tx
        .insert(gpuFaultLosses)
        .values({
          ...{ node, uid, organizationId, kind, name, title, perHour, currency },
          since: new Date(one.since),
          beganAt: new Date(now),
          creator: creator ?? null,
        })
        .onConflictDoNothing()
        .returning({ uid: gpuFaultLosses.uid });
      const args = { name: title, node, detail };
      const notice = {
        organizationId,
        creator,
        kind,
        name,
        key: `${keyOf(one)}/failed`,
        what: 'failed',
        args,
      } as const;
      if (made) await this.#parts.tell(tx, notice);
    });
  }

  /** Once for each fault: staff who put the node back meanwhile know why. */
  async #takeOut(one: FaultyNode, now: number): Promise<void> {
    const { db, takeOut } = this.#parts;
    if (!takeOut) return;
    const row = { node: one.node, since: new Date(one.since) };
    const of = and(eq(gpuFaultNodes.node, row.node), eq(gpuFaultNodes.since, row.since));
    const [known] = await db.sql.select().from(gpuFaultNodes).where(of);
    if (known) return;
    // Doing it twice changes nothing: a kill in between only repeats it.
    await takeOut(one);
    await db.sql
      .insert(gpuFaultNodes)
      .values({ ...row, takenOutAt: new Date(now) })
      .onConflictDoNothing();
  }

  /** The end is written down first, so that a later try grants the same. */
  async #end(loss: Loss, now: number): Promise<void> {
    const { db, grant, tell } = this.#parts;
    const own = and(
      eq(gpuFaultLosses.node, loss.node),
      eq(gpuFaultLosses.since, loss.since),
      eq(gpuFaultLosses.uid, loss.uid),
    );
    const endedAt = loss.endedAt ?? new Date(Math.min(now, loss.beganAt.getTime() + MOST_LOST_MS));
    if (!loss.endedAt) await db.sql.update(gpuFaultLosses).set({ endedAt }).where(own);
    const lostMs = endedAt.getTime() - loss.beganAt.getTime();
    const amount = micros((loss.perHour * BigInt(lostMs)) / BigInt(HOUR_MS));
    const { organizationId, kind, name, title, node, creator, currency } = loss;
    const key = keyOfLoss(loss);
    const minutes = `${Math.round(lostMs / 60_000)}`;
    if (amount > micros(0n)) {
      const bill = { id: key, reference: `${kind}/${name}`, detail: `GPU fault on ${node}: ${minutes} min` };
      await grant({ key, organizationId, amount, at: endedAt, bill });
    }
    await db.transaction(async (tx) => {
      const [done] = await tx
        .update(gpuFaultLosses)
        .set({ creditedAt: new Date(now) })
        .where(and(own, isNull(gpuFaultLosses.creditedAt)))
        .returning({ uid: gpuFaultLosses.uid });
      if (!done || amount <= micros(0n)) return;
      const args = { name: title, node, minutes, amount: neededText(amount), currency };
      const who = { organizationId, creator: creator ?? undefined, kind, name };
      await tell(tx, { ...who, key: `${key}/credited`, what: 'credited', args });
    });
  }
}

const keyOf = ({ node, since, uid }: Pick<Affected, 'node' | 'since' | 'uid'>): string =>
  `gpu-fault/${node}/${since}/${uid}`;
const keyOfLoss = (loss: Loss): string => keyOf({ ...loss, since: loss.since.getTime() });
