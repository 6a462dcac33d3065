// Follows what has a GPU on a node with a fatal GPU error: its people are told once, and each lost minute is credited once.
import { type Micros, micros, neededText } from '@gantry/contract/fields/money.ts';
import { type Clock, repeatedly } from '@gantry/kube/clock.ts';
import { and, eq, gt, isNotNull, isNull, max } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { gpuFaultLosses, gpuFaultNodes } from '../../platform/db/schema/gpu-faults.ts';
import type { NOTICES } from './notices.ts';

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
  /** The Pods that it affects; absent: whatever has a GPU there. */
  readonly holders?: readonly string[];
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
  /** Since when it has run with that fault, in ms. */
  readonly from: number;
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
  /** When what ran at an instant stopped, both in ms; infinite while it runs, and where nobody knows. */
  ranUntil(loss: { uid: string; kind: string; organizationId: string; name: string }, from: number): number;
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
type Ended = Loss & { endedAt: Date };

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
    const affected = oneOfEach(this.#parts.affected(now));
    const open = await db.sql.select().from(gpuFaultLosses).where(isNull(gpuFaultLosses.creditedAt));
    const still = new Set(affected.map(keyOf));
    const over = open.filter(
      (loss) => loss.endedAt !== null || !still.has(keyOfLoss(loss)) || now >= latestEndOf(loss),
    );
    // The end is written down before anything else begins, which counts from there, and before the credit, so that a later try
    // grants the same.
    const ended: Ended[] = [];
    for (const loss of over) ended.push({ ...loss, endedAt: loss.endedAt ?? (await this.#end(loss, now)) });
    const known = new Set(open.map(keyOfLoss));
    for (const one of affected) if (!known.has(keyOf(one))) await this.#begin(one, now);
    for (const one of this.#parts.faulty())
      await this.#takeOut(one, now).catch((error: unknown) =>
        log.warn({ err: error, node: one.node }, 'a node with a failed GPU is taken out of service later'),
      );
    for (const loss of ended)
      await this.#credit(loss, now).catch((error: unknown) =>
        log.warn({ err: error, kind: loss.kind, name: loss.name }, 'lost minutes are credited later'),
      );
  }

  async #begin(one: Affected, now: number): Promise<void> {
    const { db } = this.#parts;
    const { node, detail, uid, organizationId, kind, name, title, creator, perHour, currency } = one;
    const since = new Date(one.since);
    await db.transaction(async (tx) => {
      const [before] = await tx
        .select({ end: max(gpuFaultLosses.endedAt) })
        .from(gpuFaultLosses)
        .where(eq(gpuFaultLosses.uid, uid));
      const from = new Date(Math.min(now, Math.max(one.from, before?.end?.getTime() ?? 0)));
      const [made] = await tx
        .insert(gpuFaultLosses)
        .values({
          ...{ node, since, uid, organizationId, kind, name, title, perHour, currency },
          beganAt: from,
          creator: creator ?? null,
        })
        .onConflictDoNothing()
        .returning({ uid: gpuFaultLosses.uid });
      if (!made) {
        const isRecent = gt(gpuFaultLosses.beganAt, new Date(now - MOST_LOST_MS));
        await tx
          .update(gpuFaultLosses)
          .set({ perHour, resumedAt: from, endedAt: null, creditedAt: null })
          .where(and(rowOf({ node, since, uid }), isNotNull(gpuFaultLosses.creditedAt), isRecent));
        return;
      }
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
      await this.#parts.tell(tx, notice);
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

  async #end(loss: Loss, now: number): Promise<Date> {
    const start = startOf(loss);
    // It is seen to have left some moments after the last that it pays for.
    const until = this.#parts.ranUntil(loss, start);
    const endedAt = new Date(Math.max(start, Math.min(now, latestEndOf(loss), until)));
    await this.#parts.db.sql.update(gpuFaultLosses).set({ endedAt }).where(rowOf(loss));
    return endedAt;
  }

  async #credit(loss: Ended, now: number): Promise<void> {
    const { db, grant, tell } = this.#parts;
    const { organizationId, kind, name, title, node, creator, currency, endedAt, resumedAt } = loss;
    const lostMs = endedAt.getTime() - startOf(loss);
    const amount = micros((loss.perHour * BigInt(lostMs)) / BigInt(HOUR_MS));
    // Each return is another credit.
    const key = resumedAt ? `${keyOfLoss(loss)}/${resumedAt.getTime()}` : keyOfLoss(loss);
    const lost = Math.round(lostMs / 60_000);
    const minutes = `${lost}`;
    if (amount > micros(0n)) {
      const bill = { id: key, reference: `${kind}/${name}`, detail: `GPU fault on ${node}: ${minutes} min` };
      await grant({ key, organizationId, amount, at: endedAt, bill });
    }
    // An object that crashes and comes back again and again is on the bill alone.
    const isTold = amount > micros(0n) && (!resumedAt || lost > 0);
    await db.transaction(async (tx) => {
      const [done] = await tx
        .update(gpuFaultLosses)
        .set({ creditedAt: new Date(now) })
        .where(and(rowOf(loss), isNull(gpuFaultLosses.creditedAt)))
        .returning({ uid: gpuFaultLosses.uid });
      if (!done || !isTold) return;
      const args = { name: title, node, minutes, amount: neededText(amount), currency };
      const who = { organizationId, creator: creator ?? undefined, kind, name };
      await tell(tx, { ...who, key: `${key}/credited`, what: 'credited', args });
    });
  }
}

/** An object on several such nodes loses its minutes once: to the oldest fault. */
function oneOfEach(affected: readonly Affected[]): Affected[] {
  const oldest = new Map<string, Affected>();
  for (const one of affected)
    if (one.since < (oldest.get(one.uid)?.since ?? Number.POSITIVE_INFINITY)) oldest.set(one.uid, one);
  return [...oldest.values()];
}

const startOf = ({ beganAt, resumedAt }: Loss): number => (resumedAt ?? beganAt).getTime();
const latestEndOf = ({ beganAt }: Loss): number => beganAt.getTime() + MOST_LOST_MS;
const rowOf = ({ node, since, uid }: Pick<Loss, 'node' | 'since' | 'uid'>) =>
  and(eq(gpuFaultLosses.node, node), eq(gpuFaultLosses.since, since), eq(gpuFaultLosses.uid, uid));
const keyOf = ({ node, since, uid }: Pick<Affected, 'node' | 'since' | 'uid'>): string =>
  `gpu-fault/${node}/${since}/${uid}`;
const keyOfLoss = (loss: Loss): string => keyOf({ ...loss, since: loss.since.getTime() });
