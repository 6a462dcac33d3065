// Staff's gifts of every kind: made at once, or when a second person has approved them (`second-person.ts`). Gifts of a person to an
// organisation within a day count together, so that an amount cannot be split. Nobody decides about their own request, nor for an
// organisation that they belong to.
import { createHash } from 'node:crypto';
import type { BillingRow } from '@gantry/contract/areas/billing/admin-billing.ts';
import type { GiftCause, GiftKind } from '@gantry/contract/billing/gifts.ts';
import { type Micros, micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { aliasedTable, and, asc, count, eq, isNull, lte, sql } from 'drizzle-orm';
import { type Listed, type Page, pageOfRows, placeOf } from '../../../platform/db/list-pages.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { approvals } from '../../../platform/db/schema/approvals.ts';
import { accounts, organizations } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { instant } from '../documents/charged.ts';
import { belongsTo, organizationsOf } from './belongs.ts';
import type { Carrying, Gifts, Giver, Way, Ways } from './gifts.ts';
import { causeBefore, type GiftFacts, isAbove, type Limits } from './second-person.ts';

type Approval = typeof approvals.$inferSelect;
type Wish = Gifts[GiftKind]['wish'];

/** A gift that waits has the id of its request; nothing is given yet. */
export type Given<Kind extends GiftKind> =
  | { approvalId: string; made?: undefined }
  | { approvalId: null; made: Gifts[Kind]['made'] };

export interface ApprovalsParts {
  db: Database;
  clock: Clock;
  ways: Ways;
  /** By currency; in others nothing needs a second person for its amount. */
  above: Limits;
  log?: { error(facts: object, text: string): void };
}

const DAY_MS = 86_400_000;
/** Kept where nobody can say what a gift comes to: above zero, which the version before refuses of `credits`. */
const UNKNOWN = micros(1);
/** The key of the advisory locks. */
const GIVING_LOCK = 7_115_051;
const MOST_AT_ONCE = 100;
/** An approval that has no transfer after this long was left by a gateway that ended: it is carried out again. */
const LATE_MS = 10_000;

const LISTED: Listed = {
  columns: {
    id: approvals.id,
    organization_id: approvals.organizationId,
    kind: approvals.kind,
    cause: approvals.cause,
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

  /** A call repeated under its key gets what the first one got. Throws what the way of giving refuses. */
  async give<Kind extends GiftKind>(kind: Kind, wish: Gifts[Kind]['wish'], giver: Giver): Promise<Given<Kind>> {
    const { above } = this.#parts;
    const way: Way<Kind> = this.#parts.ways[kind];
    const facts = await way.facts(wish);
    if (!facts)
      return { approvalId: null, made: await way.carryOut(wish, { ...giver, mayAlone: async () => undefined }) };
    const id = giver.key === undefined ? newId('apr') : idOf(`${giver.id}/${kind}/${giver.key}`);
    const cause = causeBefore(facts, { isOwn: await this.#isOwn(facts, giver.id), above });
    if (cause) return this.#ask(id, kind, cause, { facts, wish, giver });
    try {
      const mayAlone = (tx: Sql, key = '') => this.#demandAlone(tx, { id, key, facts, giver });
      return { approvalId: null, made: await way.carryOut(wish, { ...giver, mayAlone }) };
    } catch (error) {
      if (!(error instanceof NeedsApproval)) throw error;
      return this.#ask(id, kind, 'above', { facts, wish, giver });
    }
  }

  async #ask(
    id: string,
    kind: GiftKind,
    cause: GiftCause,
    { facts, wish, giver }: { facts: GiftFacts; wish: Wish; giver: Giver },
  ): Promise<{ approvalId: string }> {
    const { db, clock } = this.#parts;
    const { organizationId, worth, detail } = facts;
    await db.sql
      .insert(approvals)
      .values({
        ...{ id, kind, cause, organizationId, detail },
        of: 'of' in wish ? wish.of : 'credits',
        currency: worth?.currency ?? '',
        amount: worth?.amount ?? UNKNOWN,
        wish: { ...wish },
        reason: giver.reason,
        state: 'pending',
        requestedBy: giver.id,
        requestedAt: new Date(clock.now()),
      })
      // The same call, repeated.
      .onConflictDoNothing();
    return { approvalId: id };
  }

  /**
   * Carries it out. Throws approval_own, approval_own_organization, approval_decided, and what it is refused with now, as wallet_short:
   * it waits on then.
   */
  async approve(id: string, by: string, reason: string): Promise<Approval> {
    await this.#demandNoGain(id, by);
    return this.#postOrWait(await this.#decide(id, 'approved', by, reason));
  }

  async reject(id: string, by: string, reason: string): Promise<Approval> {
    return this.#decide(id, 'rejected', by, reason);
  }

  /** Carries out gifts that were approved when a gateway ended; one that is refused waits again. Never rejects for one of them. */
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
        log?.error({ err: error, approval: approval.id }, 'what was approved was not carried out'),
      );
  }

  async rows(query: AdminQuery): Promise<Page<BillingRow<'approvals'>>> {
    const { sql: connection } = this.#parts.db;
    const [asker, decider] = [aliasedTable(accounts, 'asker'), aliasedTable(accounts, 'decider')];
    const named = { organization: organizations.name, asker: asker.name, decider: decider.name };
    const { items: found, ...page } = await pageOfRows(
      placeOf(LISTED, query),
      query,
      (key) =>
        connection
          .select({ id: approvals.id, key, approval: approvals, ...named })
          .from(approvals)
          .leftJoin(organizations, eq(organizations.id, approvals.organizationId))
          .leftJoin(asker, eq(asker.id, approvals.requestedBy))
          .leftJoin(decider, eq(decider.id, approvals.decidedBy))
          .$dynamic(),
      connection
        .select({ total: count() })
        .from(approvals)
        .leftJoin(organizations, eq(organizations.id, approvals.organizationId))
        .$dynamic(),
    );
    const items = found.map(({ approval, organization, asker: asked, decider: decided }) => ({
      id: approval.id,
      organization_id: approval.organizationId === '' ? null : approval.organizationId,
      organization_name: organization ?? '',
      kind: approval.kind,
      cause: approval.cause,
      of: isTransfer(approval) ? approval.of : null,
      detail: approval.detail,
      currency: approval.currency || null,
      amount: approval.currency === '' ? null : moneyText(approval.amount),
      state: approval.state,
      reason: approval.reason,
      requested_by: approval.requestedBy,
      requested_by_name: asked ?? approval.requestedBy,
      requested_at: approval.requestedAt.toISOString(),
      decided_by: approval.decidedBy,
      decided_by_name: decided ?? approval.decidedBy,
      decided_at: approval.decidedAt?.toISOString() ?? null,
      decision_reason: approval.decisionReason,
      transaction_id: approval.postedAt && isTransfer(approval) ? `staff/${approval.id}` : null,
    }));
    return { ...page, items };
  }

  /** A discount by plan or code is for no organisation by name, and the one who approves may belong to one that gains. */
  async #demandNoGain(id: string, by: string): Promise<void> {
    const [found] = await this.#parts.db.sql.select().from(approvals).where(eq(approvals.id, id));
    if (found?.state !== 'pending' || found.requestedBy === by) return;
    const facts = await this.#factsOf(found.kind, wishOf(found));
    if (facts && (await this.#isOwn(facts, by))) throw problem('approval_own_organization');
  }

  #factsOf<Kind extends GiftKind>(kind: Kind, wish: Wish): Promise<GiftFacts | undefined> {
    const way: Way<Kind> = this.#parts.ways[kind];
    return way.facts(wish as Gifts[Kind]['wish']);
  }

  #decide(id: string, state: 'approved' | 'rejected', by: string, reason: string): Promise<Approval> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const [found] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('update');
      if (!found) throw problem('not_found', { what: id });
      if (found.requestedBy === by) throw problem('approval_own');
      if (await belongsTo(tx, found.organizationId, by, clock.now())) throw problem('approval_own_organization');
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
    const { db, clock } = this.#parts;
    const { id, kind, requestedBy, reason, decidedBy, decisionReason } = approval;
    const approved = { approval: id, approvedBy: decidedBy ?? '', approvalReason: decisionReason ?? '' };
    await this.#carryOut(kind, wishOf(approval), {
      ...{ id: requestedBy, reason, key: id, approved },
      mayAlone: async () => undefined,
    });
    const [posted] = await db.sql
      .update(approvals)
      .set({ postedAt: new Date(clock.now()) })
      .where(eq(approvals.id, id))
      .returning();
    return posted as Approval;
  }

  #carryOut<Kind extends GiftKind>(kind: Kind, wish: Wish, carrying: Carrying): Promise<unknown> {
    const way: Way<Kind> = this.#parts.ways[kind];
    return way.carryOut(wish as Gifts[Kind]['wish'], carrying);
  }

  async #isOwn({ organizationId, alsoGain }: GiftFacts, accountId: string): Promise<boolean> {
    const { db, clock } = this.#parts;
    const own = await organizationsOf(db.sql, accountId, clock.now());
    return own.includes(organizationId) || ((await alsoGain?.(own)) ?? []).length > 0;
  }

  /** Two gifts of one person for one organisation are decided about one after the other, whichever ways they go. */
  async #demandAlone(
    tx: Sql,
    { id, key, facts, giver }: { id: string; key: string; facts: GiftFacts; giver: Giver },
  ): Promise<void> {
    const { above } = this.#parts;
    const [asked] = await tx.select({ id: approvals.id }).from(approvals).where(eq(approvals.id, id));
    if (asked) throw new NeedsApproval();
    if (above.size === 0) return;
    const which = `${giver.id} ${facts.organizationId}`;
    await tx.execute(sql`select pg_advisory_xact_lock(${GIVING_LOCK}, hashtext(${which}))`);
    if (isAbove(facts, { above, given: await this.#givenToday(tx, facts, giver, key) })) throw new NeedsApproval();
  }

  /**
   * The amount that this person gave this organisation within a day without anybody's approval, in either direction, other than by `key`.
   */
  async #givenToday(tx: Sql, { organizationId: org }: GiftFacts, { id: by }: Giver, key: string): Promise<bigint> {
    const since = instant(this.#parts.clock.now() - DAY_MS);
    const [found] = await rowsOf<{ given: string }>(
      tx,
      sql`select coalesce(sum(amount), 0)::text as given from (
        select p.amount from transfers t join postings p on p.transfer_id = t.id
          where t.org_id = ${org} and t.type in ('grant', 'adjust') and t.memo ->> 'by' = ${by}
            and t.key <> ${key} and t.memo ->> 'approval' is null and t.at > ${since}
        union all select paid from payments
          where org_id = ${org} and confirmed_by = ${by} and approval is null and paid_at > ${since}
        union all select amount from refunds
          where org_id = ${org} and by = ${by} and approval is null and state <> 'failed' and created_at > ${since}
      ) as gifts`,
    );
    return BigInt(found?.given ?? 0);
  }
}

const isTransfer = ({ kind }: Approval): boolean => kind === 'grant' || kind === 'adjust';

/** The version before kept no wish: they were transfers. */
const wishOf = ({ wish, organizationId, amount, of }: Approval): Wish =>
  (wish ?? { organizationId, amount: moneyText(amount), of }) as unknown as Wish;

const idOf = (key: string): string => `apr-${createHash('sha256').update(key).digest('hex').slice(0, 20)}`;
