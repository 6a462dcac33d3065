// Plans of organisations: upgrades apply at once and are paid a month in advance, downgrades apply at the end of the paid month.
// This file decides who may change what, how many hosts a plan allows, and the monthly renewal; money moves only through the
// wallets.
import {
  hostCapOf,
  isPlan,
  namingPlan,
  PLAN_IDS,
  PLANS,
  type PlanId,
  planSku,
} from '@gantry/contract/billing/plans.ts';
import { leftText, type Micros, neededText } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type OrgRole, PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { eq, inArray, isNull } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { orders } from '../../../platform/db/schema/payments.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { plansHeld } from '../../../platform/db/schema/prices.ts';
import { NotCovered, type Wallets } from '../ledger/wallets.ts';
import { endedNotice, type PlanNotice, unpaidNotice } from './plan-notices.ts';
import { monthFrom, type PaidMonth, PLAN_GRACE_MS, type PlanState, planState, renewalDue } from './plan-state.ts';
import type { Price } from './price-table.ts';
import type { Tariffs } from './tariffs.ts';

/** The Organization's hosts on the cluster. */
export interface HostCaps {
  held(organizationId: string): number;
  /** How many hosts it may have at once; undefined while the cluster does not know it. */
  cap(organizationId: string): number | undefined;
  set(organizationId: string, hosts: number): Promise<void>;
}

/** The cluster's limit; before it knows the organisation, the plan's. */
export const capOf = (hosts: HostCaps, organizationId: string, plan: PlanId): number =>
  hosts.cap(organizationId) ?? hostCapOf(plan);

export interface PlansParts {
  db: Database;
  clock: Clock;
  tariffs: Pick<Tariffs, 'of'>;
  wallets: Pick<Wallets, 'buy'>;
  hosts: HostCaps;
  /** Tells those of an organisation's members who have one of the roles, each key once. */
  tell(notice: PlanNotice, audience: { organization: string; roles: readonly OrgRole[] }): Promise<unknown>;
  log?: { warn(facts: object, text: string): void };
}

export interface PlanChange {
  organizationId: string;
  plan: PlanId;
  by: string;
  /** Platform staff: grants any plan at once, whatever is paid or held. */
  isStaff?: boolean;
}

interface Wanted {
  organizationId: string;
  plan: PlanId;
  price: Price;
  month: PaidMonth;
  by: string;
}

const ORDER = 'plan/';

export class Plans {
  readonly #parts: PlansParts;

  constructor(parts: PlansParts) {
    this.#parts = parts;
  }

  async of(organizationId: string): Promise<PlanState> {
    const { state } = await this.#read(organizationId);
    return state;
  }

  async ofMany(organizationIds: readonly string[]): Promise<Map<string, PlanState>> {
    const found = await this.#readMany(organizationIds, this.#parts.clock.now());
    return new Map([...found].map(([id, { state }]) => [id, state]));
  }

  /** The next month that is charged, counted from the moment that it begins; undefined where none is, or it has no price. */
  async nextCharge(organizationId: string): Promise<{ start: number; month: number; amount: Micros } | undefined> {
    const now = this.#parts.clock.now();
    const { plan, next, paidTo = now, since = now } = await this.of(organizationId);
    const coming = next?.plan ?? plan;
    if (PLANS[coming].price !== 'list') return undefined;
    const start = next?.at ?? Math.max(paidTo, since);
    const tariff = this.#parts.tariffs.of(organizationId);
    const price = tariff.prices.at(planSku(coming), tariff, Math.max(start, now));
    return price && { start, month: 0, amount: price.amount };
  }

  /**
   * Returns the new state. A charged plan begins with its first paid month; a lower one waits for the end of the paid month, and
   * choosing the current one again cancels it.
   */
  async change(change: PlanChange): Promise<PlanState> {
    const { organizationId, plan, by, isStaff = false } = change;
    const now = this.#parts.clock.now();
    const { state, paid } = await this.#read(organizationId);
    const today = PLANS[state.plan];
    if (!isStaff && (PLANS[plan].byStaff || today.byStaff))
      throw problem('plan_by_staff', namingPlan(PLANS[plan].byStaff ? plan : state.plan));
    const row = { organizationId, by, now };
    if (plan === state.plan) {
      if (state.next) await this.#add(this.#parts.db.sql, { ...row, plan, at: state.next.at });
      return this.of(organizationId);
    }
    const isUpgrade = PLANS[plan].rank > today.rank;
    if (!isUpgrade && !isStaff) this.#mustFit(organizationId, plan);
    const isPaid = !isStaff && isUpgrade && PLANS[plan].price === 'list';
    const waitsTo = !isStaff && !isUpgrade && state.paidTo !== undefined ? Math.max(state.paidTo, now) : now;
    if (isPaid) await this.#buy(organizationId, plan, paid, by, now);
    else await this.#add(this.#parts.db.sql, { ...row, plan, at: waitsTo });
    if (isStaff && state.next) await this.#add(this.#parts.db.sql, { ...row, plan, at: state.next.at });
    if (waitsTo <= now) await this.#setCap(organizationId, hostCapOf(plan));
    return this.of(organizationId);
  }

  /**
   * Charges every month that has begun, ends plans that nobody paid for within the grace, and lets the cluster allow as many hosts
   * as each plan does. All of it may be done again, and by several at once.
   */
  async renewDue(now: number): Promise<void> {
    for (const organizationId of await this.#organizations()) {
      try {
        await this.#renew(organizationId, now);
      } catch (error) {
        this.#parts.log?.warn({ organization: organizationId, err: error }, 'a plan was not renewed');
      }
    }
  }

  async #renew(organizationId: string, now: number): Promise<void> {
    // A gateway that was away for long owes several.
    for (;;) {
      const { state, paid } = await this.#read(organizationId, now);
      const due = renewalDue(state, now);
      if (due === undefined) return this.#keepCap(organizationId, state.plan);
      const month = monthFrom(paid, state.plan, due);
      const key = `${subjectOf(organizationId)}/${month.number}`;
      const wanted = this.#wanted(organizationId, state.plan, month, 'renewal', due);
      if (!wanted) {
        // Nothing is owed, and nothing ends: staff set a price.
        this.#parts.log?.warn({ organization: organizationId, plan: state.plan }, 'a plan has no price');
        return;
      }
      if (await this.#isPaid(wanted, due)) continue;
      if (due + PLAN_GRACE_MS > now) {
        await this.#tell(organizationId, unpaidNotice(key, state.plan, wanted.price, due + PLAN_GRACE_MS));
        return;
      }
      await this.#add(this.#parts.db.sql, { organizationId, plan: 'free', by: 'renewal', at: now, now });
      await this.#tell(organizationId, endedNotice(key, state.plan, hostCapOf('free')));
    }
  }

  /** Not awaited: the plan does not depend on whether anybody can be notified. */
  async #tell(organization: string, notice: PlanNotice): Promise<void> {
    const { tell, log } = this.#parts;
    await tell(notice, { organization, roles: PAYERS }).catch((error) =>
      log?.warn({ organization, err: error }, 'nobody was told of a plan'),
    );
  }

  /** A number that no plan has was set by staff, and stays. */
  async #keepCap(organizationId: string, plan: PlanId): Promise<void> {
    const { hosts } = this.#parts;
    const cap = hosts.cap(organizationId);
    const wanted = hostCapOf(plan);
    if (cap !== undefined && cap !== wanted && PLAN_IDS.some((id) => hostCapOf(id) === cap))
      await this.#setCap(organizationId, wanted);
  }

  /** Paid stays paid while the cluster is down: the next round writes it. */
  async #setCap(organizationId: string, hosts: number): Promise<void> {
    try {
      await this.#parts.hosts.set(organizationId, hosts);
    } catch (error) {
      this.#parts.log?.warn({ organization: organizationId, err: error }, "a plan's hosts are not allowed yet");
    }
  }

  #mustFit(organizationId: string, plan: PlanId): void {
    const held = this.#parts.hosts.held(organizationId);
    const cap = hostCapOf(plan);
    if (held > cap) throw problem('plan_hosts', { ...namingPlan(plan), cap, held, over: held - cap });
  }

  async #buy(organizationId: string, plan: PlanId, paid: readonly PaidMonth[], by: string, now: number): Promise<void> {
    const wanted = this.#wanted(organizationId, plan, monthFrom(paid, plan, now), by, now);
    if (!wanted) throw problem('plan_unpriced', namingPlan(plan));
    const add = (tx: Sql) => this.#add(tx, { organizationId, plan, by, at: now, now });
    const isOurs = await this.#pay(wanted, now, add).catch((error: unknown) => {
      if (!(error instanceof NotCovered)) throw error;
      throw problem('plan_not_covered', {
        ...namingPlan(plan),
        wanted: neededText(error.wanted),
        available: leftText(error.available),
        currency: wanted.price.currency,
      });
    });
    if (!isOurs) throw problem('conflict');
  }

  #wanted(organizationId: string, plan: PlanId, month: PaidMonth, by: string, at: number): Wanted | undefined {
    const tariff = this.#parts.tariffs.of(organizationId);
    const price = tariff.prices.at(planSku(plan), tariff, at);
    return price && { organizationId, plan, price, month, by };
  }

  async #isPaid(wanted: Wanted, at: number): Promise<boolean> {
    try {
      await this.#pay(wanted, at);
      return true;
    } catch (error) {
      if (error instanceof NotCovered) return false;
      throw error;
    }
  }

  /** Once per month of an organisation: false where somebody else has paid this one already. Throws NotCovered. */
  async #pay({ organizationId, plan, price, month, by }: Wanted, at: number, also?: (tx: Sql) => Promise<void>) {
    const { db, clock, wallets } = this.#parts;
    const id = `${subjectOf(organizationId)}/${month.number}`;
    const subject = subjectOf(organizationId);
    const list: Micros = price.amount;
    const order = {
      id,
      organizationId,
      billId: id,
      subject,
      sku: planSku(plan),
      priceId: `${price.id}`,
      quantity: 1,
      from: new Date(month.from),
      to: new Date(month.to),
      list,
      net: list,
      createdAt: new Date(clock.now()),
    };
    const write = async (tx: Sql) => {
      const made = await tx.insert(orders).values(order).onConflictDoNothing().returning({ id: orders.id });
      if (made.length > 0) await also?.(tx);
      return made.length > 0;
    };
    // A plan that currently costs nothing moves no money.
    if (list === 0n) return db.transaction(write);
    let isOurs = false;
    const bill = { id, type: 'order_consumption' as const, source: 'host_rent' as const, reference: subject };
    const charge = {
      key: id,
      organizationId,
      list,
      net: list,
      at: new Date(at),
      bill: { ...bill, detail: PLANS[plan].en, ...(by !== 'renewal' && { accountId: by }) },
      subject,
    };
    await wallets.buy(charge, async (tx, posted) => {
      isOurs = posted.has(id) && (await write(tx));
    });
    return isOurs;
  }

  async #add(
    tx: Sql,
    {
      organizationId,
      plan,
      by,
      at,
      now,
    }: { organizationId: string; plan: PlanId; by: string; at: number; now: number },
  ): Promise<void> {
    await tx
      .insert(plansHeld)
      .values({ organizationId, plan, validFrom: new Date(at), createdAt: new Date(now), createdBy: by });
  }

  async #read(organizationId: string, now = this.#parts.clock.now()): Promise<Read> {
    return (await this.#readMany([organizationId], now)).get(organizationId) as Read;
  }

  async #readMany(organizationIds: readonly string[], now: number): Promise<Map<string, Read>> {
    const { sql } = this.#parts.db;
    const rows = await sql
      .select()
      .from(plansHeld)
      .where(inArray(plansHeld.organizationId, [...organizationIds]));
    const months = await sql
      .select()
      .from(orders)
      .where(inArray(orders.subject, organizationIds.map(subjectOf)));
    return new Map(
      organizationIds.map((organizationId) => {
        const held = rows.flatMap(({ id, plan, validFrom, ...row }) =>
          row.organizationId === organizationId && isPlan(plan) ? [{ id, plan, validFrom: validFrom.getTime() }] : [],
        );
        const paid = months.filter((month) => month.organizationId === organizationId).map(paidMonth);
        paid.sort((a, b) => a.number - b.number);
        return [organizationId, { state: planState(held, paid, now), paid }];
      }),
    );
  }

  /** Organisations that ever had another plan than the first; nobody is left to end a deleted one's plan, and it owes none. */
  async #organizations(): Promise<string[]> {
    const rows = await this.#parts.db.sql
      .selectDistinct({ id: plansHeld.organizationId })
      .from(plansHeld)
      .innerJoin(organizations, eq(organizations.id, plansHeld.organizationId))
      .where(isNull(organizations.deletedAt));
    return rows.map(({ id }) => id);
  }
}

interface Read {
  state: PlanState;
  paid: PaidMonth[];
}

const paidMonth = ({ id, sku, from, to }: typeof orders.$inferSelect): PaidMonth => ({
  number: Number(id.slice(id.lastIndexOf('/') + 1)),
  plan: sku.slice(ORDER.length) as PlanId,
  from: from.getTime(),
  to: to.getTime(),
});

const subjectOf = (organizationId: string): string => `${ORDER}${organizationId}`;
