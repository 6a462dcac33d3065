// Idempotency: calls that a client sends again under one Idempotency-Key. The key's row is the lock, so it works across gateways: the one that
// inserts it does the work, all others wait for its answer. A holder renews its lease while it works; if it dies, another takes
// over and does the work again: what is made has an id from the name that the work gets, so that it is the same thing.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, eq, isNull, lt } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { idempotencyKeys as table } from '../db/schema/idempotency.ts';
import type { Caller } from './caller.ts';

const KEPT_MS = 24 * 3_600_000;
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Between looks at a call that another gateway works on. */
const LOOK_AGAIN_MS = 100;

interface Asked {
  route: string;
  key: string;
  caller: Pick<Caller, 'account' | 'organization'>;
  input: unknown;
}
interface KeptAnswer {
  text: string;
  version: string | undefined;
}
type Work = (idempotencyKey: string) => Promise<KeptAnswer>;

/** The result of looking at the row: ours to do, somebody's answer, or somebody is working. */
type Found = { holder: string; name: string } | { answer: KeptAnswer } | 'busy';

export class Idempotency {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #key: string;
  /** This process's calls, so that fifty concurrent ones do not take turns at the database. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  /** `key` is the platform's for this purpose: inputs may hold passwords, and their hashes are stored. */
  constructor(parts: { db: Database; clock: Clock; key: string }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#key = parts.key;
  }

  /** Does the work once, as `OnceOnly` in http/idempotency-key.ts has it. Rejects with the signal's reason when that aborts. */
  async once(asked: Asked, signal: AbortSignal, work: Work): Promise<KeptAnswer & { isReplay: boolean }> {
    const place = placeOf(asked);
    for (;;) {
      if (this.#underWay.has(place)) {
        await this.#underWay.get(place);
        continue;
      }
      const attempt = this.#attempt(asked, work);
      this.#underWay.set(
        place,
        attempt.catch(() => undefined),
      );
      let found: Awaited<typeof attempt>;
      try {
        found = await attempt;
      } finally {
        this.#underWay.delete(place);
      }
      if (found !== 'busy') return found;
      await pause(this.#clock, LOOK_AGAIN_MS, signal);
      signal.throwIfAborted();
    }
  }

  /** Deletes rows older than a day. Returns how many there were. */
  async sweep(): Promise<number> {
    const old = new Date(this.#clock.now() - KEPT_MS);
    const gone = await this.#db.sql.delete(table).where(lt(table.createdAt, old)).returning({ key: table.key });
    return gone.length;
  }

  async #attempt(asked: Asked, work: Work): Promise<(KeptAnswer & { isReplay: boolean }) | 'busy'> {
    const found = await this.#claim(asked);
    if (found === 'busy') return found;
    if ('answer' in found) return { ...found.answer, isReplay: true };
    const row = and(rowOf(asked), eq(table.holder, found.holder));
    const stopRenewing = this.#renewing(row);
    try {
      const answer = await work(found.name);
      stopRenewing();
      await this.#db.sql
        .update(table)
        .set({ holder: null, answer: answer.text, version: answer.version ?? null })
        .where(row);
      return { ...answer, isReplay: false };
    } catch (error) {
      stopRenewing();
      // The row stays: what failed may have made something, which the next call finds under the same name. If this fails too, the lease
      // lapses, which has the same effect.
      await this.#db.sql
        .update(table)
        .set({ holder: null })
        .where(row)
        .catch(() => undefined);
      throw error;
    }
  }

  /** Throws idempotency_mismatch. */
  async #claim(asked: Asked): Promise<Found> {
    const { account, organization } = asked.caller;
    const inputHash = createHmac('sha256', this.#key).update(canonical(asked.input)).digest('hex');
    const now = this.#clock.now();
    const held = { holder: randomUUID(), heldUntil: new Date(now + LEASE_MS), inputHash, route: asked.route };
    const holding = (createdAt: Date): Found => ({ holder: held.holder, name: nameOf(asked, inputHash, createdAt) });
    const createdAt = new Date(now);
    const [inserted] = await this.#db.sql
      .insert(table)
      .values({
        ...held,
        accountId: account.id,
        organizationId: organization.id,
        key: asked.key,
        createdAt,
      })
      .onConflictDoNothing()
      .returning({ key: table.key });
    if (inserted) return holding(createdAt);
    const [row] = await this.#db.sql.select().from(table).where(rowOf(asked));
    // Swept between the two statements.
    if (!row) return 'busy';
    if (row.createdAt.getTime() <= now - KEPT_MS) {
      await this.#db.sql.delete(table).where(and(rowOf(asked), eq(table.createdAt, row.createdAt)));
      return 'busy';
    }
    const hasFailed = row.holder === null && row.answer === null;
    if (!hasFailed && (row.inputHash !== inputHash || row.route !== asked.route))
      throw problem('idempotency_mismatch', {}, { field: 'Idempotency-Key' });
    if (row.answer !== null) return { answer: { text: row.answer, version: row.version ?? undefined } };
    if (!hasFailed && row.heldUntil.getTime() > now) return 'busy';
    const isStill = row.holder === null ? isNull(table.holder) : eq(table.holder, row.holder);
    const [taken] = await this.#db.sql
      .update(table)
      .set(held)
      .where(and(rowOf(asked), isStill, isNull(table.answer)))
      .returning({ key: table.key });
    return taken ? holding(row.createdAt) : 'busy';
  }

  #renewing(row: ReturnType<typeof and>): () => void {
    let isOver = false;
    let cancel = (): void => undefined;
    const again = (): void => {
      if (isOver) return;
      cancel = this.#clock.after(RENEW_MS, () => {
        const heldUntil = new Date(this.#clock.now() + LEASE_MS);
        // A lease that cannot be renewed may lapse: then another does the work as well, and creates the same object.
        void this.#db.sql.update(table).set({ heldUntil }).where(row).then(again, again);
      });
    };
    again();
    return () => {
      isOver = true;
      cancel();
    };
  }
}

const rowOf = ({ caller, key }: Asked) =>
  and(eq(table.accountId, caller.account.id), eq(table.organizationId, caller.organization.id), eq(table.key, key));

const placeOf = ({ caller, key }: Asked): string => JSON.stringify([caller.organization.id, caller.account.id, key]);

/**
 * The same for a call that is repeated, and another for other input, or once the key was free again. Does not reveal the key: it goes
 * into the names and annotations of created objects.
 */
const nameOf = ({ caller, key, route }: Asked, inputHash: string, createdAt: Date): string =>
  sha256(JSON.stringify([caller.organization.id, caller.account.id, route, key, inputHash, createdAt.getTime()]));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** JSON with members in the order of their names: a client may write them in another one each time. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? '';
