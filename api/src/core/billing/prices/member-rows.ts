// The organisations that have a discount by plan or by code, in memory. Rows are only added, so that each look reads only those added since
// the last one.
import { count, gt, gte } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { plansHeld, redemptions } from '../../../platform/db/schema/prices.ts';
import type { DiscountMembers } from './price-table.ts';

type Held = typeof plansHeld.$inferSelect;
type Redeemed = typeof redemptions.$inferSelect;

/** Redemptions have no number: those are read again that are younger than the last known one, or older by less than this. */
const OVERLAP_MS = 60_000;
const EVER = new Date(0);

export class MemberRows {
  readonly #noticeMs: number;
  readonly #held = new Map<string, Held>();
  readonly #redeemed = new Map<string, Redeemed>();
  readonly #rowsHeld = new Map<string, Held[]>();
  readonly #plans = new Map<string, readonly { plan: string; validFrom: number }[]>();
  readonly #codes = new Map<string, readonly { code: string; validFrom: number }[]>();

  constructor(noticeMs: number) {
    this.#noticeMs = noticeMs;
  }

  /** A copy, which later rows leave as it is. */
  get members(): DiscountMembers {
    return { plans: new Map(this.#plans), codes: new Map(this.#codes) };
  }

  /** Reads what is new, and returns the organisations concerned; what no discount asks about is left out. */
  async read(db: Database, asked: { plans: boolean; codes: boolean }): Promise<ReadonlySet<string>> {
    if (!asked.plans && !asked.codes) return new Set();
    const fresh = await db.transaction(
      async (tx) => ({
        held: asked.plans ? await this.#newHeld(tx) : [],
        redeemed: asked.codes ? await this.#newRedeemed(tx) : [],
      }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
    for (const row of fresh.held) this.#held.set(`${row.id}`, row);
    for (const row of fresh.redeemed) this.#redeemed.set(keyOf(row), row);
    for (const [id, rows] of Map.groupBy(fresh.held, ({ organizationId }) => organizationId)) {
      const known = this.#rowsHeld.get(id) ?? [];
      this.#rowsHeld.set(id, [...known, ...rows]);
      this.#plans.set(id, plansInTime([...known, ...rows], this.#noticeMs));
    }
    for (const [id, rows] of Map.groupBy(fresh.redeemed, ({ organizationId }) => organizationId)) {
      const codes = rows.map(({ code, validFrom }) => ({ code, validFrom: validFrom.getTime() }));
      this.#codes.set(id, [...(this.#codes.get(id) ?? []), ...codes]);
    }
    return new Set([...fresh.held, ...fresh.redeemed].map(({ organizationId }) => organizationId));
  }

  /** In one snapshot with the count: a row whose number was taken earlier and that was committed later is missed by its number. */
  async #newHeld(tx: Sql): Promise<Held[]> {
    const unknown = (rows: Held[]) => rows.filter(({ id }) => !this.#held.has(`${id}`));
    const last = [...this.#held.values()].reduce((most, { id }) => (id > most ? id : most), 0n);
    const newer = unknown(await tx.select().from(plansHeld).where(gt(plansHeld.id, last)));
    const [all] = await tx.select({ rows: count() }).from(plansHeld);
    return this.#held.size + newer.length === all?.rows ? newer : unknown(await tx.select().from(plansHeld));
  }

  async #newRedeemed(tx: Sql): Promise<Redeemed[]> {
    const unknown = (rows: Redeemed[]) => rows.filter((row) => !this.#redeemed.has(keyOf(row)));
    const last = [...this.#redeemed.values()].reduce(
      (most, { createdAt }) => (createdAt > most ? createdAt : most),
      EVER,
    );
    const since = new Date(last.getTime() - OVERLAP_MS);
    const newer = unknown(await tx.select().from(redemptions).where(gte(redemptions.createdAt, since)));
    const [all] = await tx.select({ rows: count() }).from(redemptions);
    return this.#redeemed.size + newer.length === all?.rows ? newer : unknown(await tx.select().from(redemptions));
  }
}

const keyOf = ({ code, organizationId }: Redeemed): string => `${organizationId} ${code}`;

/**
 * A plan may begin at once, and a price may not: a plan's discount follows it by the notice, so that every gateway knows it when it
 * begins.
 */
function plansInTime(held: readonly Held[], noticeMs: number) {
  let before = Number.NEGATIVE_INFINITY;
  return [...held]
    .sort((a, b) => a.validFrom.getTime() - b.validFrom.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ plan, validFrom, createdAt }) => {
      before = Math.max(before, validFrom.getTime(), createdAt.getTime() + noticeMs);
      return { plan, validFrom: before };
    });
}
