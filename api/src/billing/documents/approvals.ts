// Staff's transfers above an amount that the installation sets: they wait until a second person approves them. What a person moved
// for an organisation within a day counts together, so that an amount cannot be split. Nobody decides about their own request.
import { createHash } from 'node:crypto';
import { type Micros, micros, moneyText, parseMoney, ZERO } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { BillingRow } from '@gantry/contract/http/admin-billing.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { aliasedTable, and, asc, count, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../db/open.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { approvals } from '../../db/schema/approvals.ts';
import { accounts, organizations } from '../../db/schema/people.ts';
import { newId } from '../../ids.ts';
import { type Listed, orderOf, type Page, sizeOf, whereOf } from '../listed.ts';
import { instant } from './charged.ts';
import { requireTransferRule, type StaffTransfer, type Transfers } from './transfers.ts';

type Approval = typeof approvals.$inferSelect;

export interface ApprovalsParts {
  db: Database;
  clock: Clock;
  transfers: Pick<Transfers, 'make'>;
  /** By currency; in others nothing needs a second person. */
  above: ReadonlyMap<string, Micros>;
  log?: { error(facts: object, text: string): void };
}

const DAY_MS = 86_400_000;
const MOST_AT_ONCE = 100;
/** An approval that has no transfer after this long was left by a gateway that ended: it is carried out again. */
const LATE_MS = 10_000;

const LISTED: Listed = {
  columns: {
    id: approvals.id,
    organization_id: approvals.organizationId,
    kind: approvals.kind,
    state: approvals.state,
    amount: approvals.amount,
    requested_by: approvals.requestedBy,
    requested_at: approvals.requestedAt,
    decided_at: approvals.decidedAt,
  },
  searched: [approvals.id, approvals.organizationId, approvals.reason, organizations.name],
};

/** `USD:1000`, one currency each. Throws a RangeError for anything else. */
export function approvalAmounts(rows: readonly string[]): ReadonlyMap<string, Micros> {
  return new Map(
    rows.map((row) => {
      const [, currency, amount] = /^([A-Z]{3}):(\d{1,9}(?:\.\d{1,2})?)$/.exec(row) ?? [];
      if (currency === undefined || amount === undefined) throw new RangeError(`"${row}" is no amount`);
      return [currency, parseMoney(amount)];
    }),
  );
}

/** Nothing was posted: a second person has to approve it. */
class NeedsApproval extends Error {
  override readonly name = 'NeedsApproval';
}

export class Approvals {
  readonly #parts: ApprovalsParts;

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
  }

  /**
   * Makes the transfer, or returns the id under which it waits. A call repeated under its key gets what the first one got. Throws
   * transfer_rule, not_found, and wallet_short.
   */
  async request(wish: StaffTransfer): Promise<string | undefined> {
    const { db, clock, above, transfers } = this.#parts;
    const amount = requireTransferRule(wish);
    const [organization] = await db.sql
      .select({ currency: organizations.currency })
      .from(organizations)
      .where(eq(organizations.id, wish.organizationId));
    if (!organization) throw problem('not_found', { what: wish.organizationId });
    const { currency } = organization;
    const limit = above.get(currency);
    const id = wish.key === undefined ? newId('apr') : idOf(wish.key);
    const demandWithin = async (tx: Sql, key: string) => {
      const [asked] = await tx.select({ id: approvals.id }).from(approvals).where(eq(approvals.id, id));
      if (asked) throw new NeedsApproval();
      if (limit !== undefined && sizeOfAmount(amount) + (await this.#movedToday(tx, wish, key)) > limit)
        throw new NeedsApproval();
    };
    try {
      await transfers.make(wish, demandWithin);
      return undefined;
    } catch (error) {
      if (!(error instanceof NeedsApproval)) throw error;
    }
    await db.sql
      .insert(approvals)
      .values({
        id,
        organizationId: wish.organizationId,
        kind: wish.kind,
        of: wish.kind === 'grant' ? 'credits' : wish.of,
        currency,
        amount,
        reason: wish.reason,
        state: 'pending',
        requestedBy: wish.by,
        requestedAt: new Date(clock.now()),
      })
      // The same call, repeated.
      .onConflictDoNothing();
    return id;
  }

  /**
   * Carries it out. Throws approval_own, approval_decided, and wallet_short if the wallet does not have the amount now: it waits on
   * then.
   */
  async approve(id: string, by: string, reason: string): Promise<Approval> {
    return this.#postOrWait(await this.#decide(id, 'approved', by, reason));
  }

  async reject(id: string, by: string, reason: string): Promise<Approval> {
    return this.#decide(id, 'rejected', by, reason);
  }

  /** What was approved when a gateway ended, or waits again if it is refused. Never rejects for one of them. */
  async carryOn(): Promise<void> {
    const { db, clock, log } = this.#parts;
    const late = new Date(clock.now() - LATE_MS);
    const left = await db.sql
      .select()
      .from(approvals)
      .where(and(eq(approvals.state, 'approved'), isNull(approvals.postedAt), lte(approvals.decidedAt, late)))
      .orderBy(asc(approvals.decidedAt), asc(approvals.id))
      .limit(MOST_AT_ONCE);
    for (const approval of left)
      await this.#postOrWait(approval).catch((error: unknown) =>
        log?.error({ err: error, approval: approval.id }, 'an approved transfer was not made'),
      );
  }

  async rows(query: AdminQuery): Promise<Page<BillingRow<'approvals'>>> {
    const { sql: connection } = this.#parts.db;
    const [asker, decider] = [aliasedTable(accounts, 'asker'), aliasedTable(accounts, 'decider')];
    const where = whereOf(LISTED, query);
    const found = await connection
      .select({ approval: approvals, organization: organizations.name, asker: asker.name, decider: decider.name })
      .from(approvals)
      .leftJoin(organizations, eq(organizations.id, approvals.organizationId))
      .leftJoin(asker, eq(asker.id, approvals.requestedBy))
      .leftJoin(decider, eq(decider.id, approvals.decidedBy))
      .where(where)
      .orderBy(...orderOf(LISTED, query))
      .offset(query.range[0])
      .limit(sizeOf(query));
    const [all] = await connection
      .select({ total: count() })
      .from(approvals)
      .leftJoin(organizations, eq(organizations.id, approvals.organizationId))
      .where(where);
    const items = found.map(({ approval, organization, asker: asked, decider: decided }) => ({
      id: approval.id,
      organization_id: approval.organizationId,
      organization_name: organization ?? '',
      kind: approval.kind,
      of: approval.of,
      currency: approval.currency,
      amount: moneyText(approval.amount),
      state: approval.state,
      reason: approval.reason,
      requested_by: approval.requestedBy,
      requested_by_name: asked ?? approval.requestedBy,
      requested_at: approval.requestedAt.toISOString(),
      decided_by: approval.decidedBy,
      decided_by_name: decided ?? approval.decidedBy,
      decided_at: approval.decidedAt?.toISOString() ?? null,
      decision_reason: approval.decisionReason,
      transaction_id: approval.postedAt ? `staff/${approval.id}` : null,
    }));
    return { items, total: all?.total ?? 0 };
  }

  #decide(id: string, state: 'approved' | 'rejected', by: string, reason: string): Promise<Approval> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const [found] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('update');
      if (!found) throw problem('not_found', { what: id });
      if (found.requestedBy === by) throw problem('approval_own');
      if (found.state !== 'pending') throw problem('approval_decided', { state: found.state });
      const [decided] = await tx
        .update(approvals)
        .set({ state, decidedBy: by, decidedAt: new Date(clock.now()), decisionReason: reason })
        .where(eq(approvals.id, id))
        .returning();
      return decided as Approval;
    });
  }

  /** One that is refused, as by a wallet that lacks the amount, waits for another decision. */
  async #postOrWait(approved: Approval): Promise<Approval> {
    try {
      return await this.#post(approved);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      await this.#parts.db.sql
        .update(approvals)
        .set({ state: 'pending', decidedBy: null, decidedAt: null, decisionReason: null })
        .where(and(eq(approvals.id, approved.id), isNull(approvals.postedAt)));
      throw error;
    }
  }

  /** Under the request's own key: once, whoever does it. */
  async #post(approval: Approval): Promise<Approval> {
    const { db, clock, transfers } = this.#parts;
    const { id, organizationId, kind, of, amount, requestedBy, reason, decidedBy, decisionReason } = approval;
    const approved = { approval: id, approvedBy: decidedBy ?? '', approvalReason: decisionReason ?? '' };
    const wish = { key: id, organizationId, kind, amount: moneyText(amount), of, by: requestedBy, reason };
    await transfers.make({ ...wish, approved });
    const [posted] = await db.sql
      .update(approvals)
      .set({ postedAt: new Date(clock.now()) })
      .where(eq(approvals.id, id))
      .returning();
    return posted as Approval;
  }

  /** What this person moved for this organisation within a day without anybody's approval, in either direction, but by `key`. */
  async #movedToday(tx: Sql, { organizationId, by }: StaffTransfer, key: string): Promise<bigint> {
    const { clock } = this.#parts;
    const [found] = await rowsOf<{ moved: string }>(
      tx,
      sql`select coalesce(sum(p.amount), 0)::text as moved
        from transfers t join postings p on p.transfer_id = t.id
        where t.org_id = ${organizationId} and t.type in ('grant', 'adjust') and t.memo ->> 'by' = ${by}
          and t.key <> ${key} and t.memo ->> 'approval' is null and t.at > ${instant(clock.now() - DAY_MS)}`,
    );
    return BigInt(found?.moved ?? 0);
  }
}

const sizeOfAmount = (amount: Micros): bigint => (amount < 0n ? micros(ZERO - amount) : amount);

const idOf = (key: string): string => `apr-${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
