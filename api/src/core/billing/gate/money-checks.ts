// Checks money before a request is made: what it would cost, and whether that may be spent. The gate makes the actual hold and
// asks the same question: here the refusal comes at once, with its numbers and in the caller's language.

import type { EstimateView, WalletView } from '@gantry/contract/areas/billing/wallet.ts';
import { hostCapOf, namingPlan } from '@gantry/contract/billing/plans.ts';
import { amountOf, isResource, RESOURCES, skuOf, type Use } from '@gantry/contract/billing/resources.ts';
import type { CostFacts, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { leftText, type Micros, micros, moneyText, neededText, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { burnOf } from '../prices/price-of.ts';
import { ratePerHour, ratePerMonth, rentalPrice, type Tariff } from '../prices/rate.ts';
import { aheadText, wantsToRun } from './decide.ts';
import { leftUnder, refusalOf, type SpendableBalance } from './may-spend.ts';
import type { GateParts } from './parts.ts';
import { hostsBefore } from './rental.ts';
import { type MonthlyCharge, runwayMs } from './runway.ts';
import { readSpent, spendableBalanceOf } from './spendable-balance.ts';

const HOUR_MS = 3_600_000;

interface Requester {
  organizationId: string;
  accountId: string;
}

interface CostRequest {
  facts: KindFacts & { cost: CostFacts };
  object: KubeObject;
  /** As it is before; absent for a new one. */
  before?: KubeObject | undefined;
  /** The region whose prices apply; by default our own. */
  region?: string;
}

export class MoneyChecks {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Throws not_enough_credit, spend_cap_reached, no_price, plan_limit. Nothing is held. */
  async mustBeAffordable(requester: Requester, request: CostRequest): Promise<void> {
    const { organizationId, accountId } = requester;
    const { facts, object, before } = request;
    const now = this.#parts.clock.now();
    const tariff = this.#tariffOf(organizationId, request);
    const cost = neededFor(request, tariff, this.#parts.settings.holdAheadMs, now);
    if (cost.unpriced.length > 0) throw problem('no_price', { what: cost.unpriced.join(', ') });
    if (facts.cost.source === 'host_rent' && (!before || orderOf(request, tariff, now)?.net))
      await this.#mustHaveRoomInPlan(organizationId, before && (object as GpuHost));
    if (cost.amount <= 0n) return;
    const subject = identityOf(object) || undefined;
    const spendable = await this.#spendableBalance(organizationId, { accountId, subject });
    const refusal = refusalOf(cost.amount, spendable);
    if (!refusal) return;
    const args = { wanted: neededText(refusal.wanted), currency: refusal.currency, what: cost.what };
    if (refusal.reason === 'OutOfCredit')
      throw problem('not_enough_credit', { ...args, available: leftText(refusal.available) });
    const { cap } = refusal;
    throw problem(cap.whose === 'member' ? 'member_cap_reached' : 'spend_cap_reached', {
      ...args,
      cap: leftText(cap.cap),
      spent: neededText(cap.spent),
      left: leftText(leftUnder(cap) > 0n ? leftUnder(cap) : ZERO),
    });
  }

  #tariffOf(organizationId: string, { region }: CostRequest): Tariff {
    const tariff = this.#parts.tariffs.of(organizationId);
    return region === undefined ? tariff : { ...tariff, region };
  }

  /** The cost of an object, and the balance that would be left: answers even if it may not be created. */
  async estimate(requester: Requester, request: CostRequest): Promise<EstimateView> {
    const { organizationId, accountId } = requester;
    const { facts, object } = request;
    const { clock, meter, settings, wallets } = this.#parts;
    const now = clock.now();
    const tariff = this.#tariffOf(organizationId, request);
    const { balance, overdraft } = await wallets.balances(organizationId);
    const { net: accrued } = await meter.accrual({ organizationId }, now);
    const left = balance + overdraft - accrued - (orderOf(request, tariff, now)?.net ?? 0n);
    const range = facts.cost.range?.(object);
    const desired = facts.cost.desired(object);
    // A schedule uses nothing itself: its runs are shown.
    const uses = desired.length === 0 && range ? range.most : desired;
    const rateOf = (some: readonly Use[]) => ratePerHour(some, facts.cost.source, tariff, now).net;
    const most = rateOf(range?.most ?? uses);
    const hour = ratePerHour(uses, facts.cost.source, tariff, now);
    const month = ratePerMonth(uses, facts.cost.source, tariff, now);
    const order = orderOf(request, tariff, now);
    const needed = neededFor(request, tariff, settings.holdAheadMs, now);
    const spendable = await this.#spendableBalance(organizationId, { accountId });
    const refusal = refusalOf(needed.amount, spendable);
    const refused = await this.mustBeAffordable(requester, request).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Problem) return error.problem;
        throw error;
      },
    );
    return {
      currency: tariff.currency,
      lines: uses.map((use) => lineOf(use, facts.cost, tariff, now)),
      per_hour: moneyText(hour.net),
      per_month: moneyText(month.net),
      list_per_hour: moneyText(hour.list),
      least_per_hour: moneyText(rateOf(range?.least ?? uses)),
      most_per_hour: moneyText(most),
      most_in_all: range?.minutes === undefined ? null : moneyText(micros((most * BigInt(range.minutes) + 59n) / 60n)),
      order: order && moneyText(order.net),
      needed: moneyText(needed.amount),
      available: moneyText(spendable.available),
      balance_after: moneyText(micros(spendable.available - needed.amount)),
      hours_left: await this.#hoursLeft(
        organizationId,
        left,
        sumOf([burnOf(this.#parts, organizationId, now), hour.net]),
      ),
      unpriced: needed.unpriced,
      affordable: refusal === undefined && refused === undefined,
      refusal: refused ?? null,
    };
  }

  async walletOf(organizationId: string): Promise<WalletView> {
    const { wallets, clock, meter, cluster } = this.#parts;
    const now = clock.now();
    const balances = await wallets.balances(organizationId);
    const { net: accrued } = await meter.accrual({ organizationId }, now);
    const perHour = burnOf(this.#parts, organizationId, now);
    const condition = cluster.inCredit(organizationId);
    return {
      currency: balances.currency,
      balance: moneyText(balances.balance),
      cash: moneyText(balances.cash),
      credits: moneyText(balances.credits),
      debt: moneyText(balances.debt),
      held: moneyText(balances.held),
      overdraft: moneyText(balances.overdraft),
      available: moneyText(balances.available),
      accrued: moneyText(accrued),
      per_hour: moneyText(perHour),
      hours_left: await this.#hoursLeft(organizationId, balances.balance + balances.overdraft - accrued, perHour),
      in_credit: condition?.status !== 'False',
      reason: condition?.reason ?? null,
    };
  }

  /** Rounded down to a tenth; null if nothing is charged. */
  async #hoursLeft(organizationId: string, left: bigint, perHour: Micros): Promise<number | null> {
    const now = this.#parts.clock.now();
    const plan = await this.#parts.planCharge(organizationId);
    const monthly = [...(plan ? [plan] : []), ...renewalsOf(this.#parts, organizationId, now)];
    const lasts = runwayMs({ left, perHour, monthly }, now);
    return lasts === undefined ? null : Math.floor(lasts / (HOUR_MS / 10)) / 10;
  }

  /** An amount posted between the reads moves from held to spent: in this order it counts twice instead of not at all. */
  async #spendableBalance(
    organizationId: string,
    who: { accountId?: string; subject?: string | undefined },
  ): Promise<SpendableBalance> {
    const { db, wallets, clock } = this.#parts;
    const money = await wallets.look(organizationId, who.subject === undefined ? [] : [who.subject]);
    return spendableBalanceOf(money, await readSpent(db.sql, organizationId, clock.now()), who);
  }

  /** For one more; or for more months of one that is there. */
  async #mustHaveRoomInPlan(organizationId: string, renewed?: GpuHost): Promise<void> {
    const plan = await this.#parts.planOf(organizationId);
    if (plan === undefined) return;
    const held = this.#parts.cluster
      .ofOrganization(organizationId)
      .filter(
        ({ facts, object }) => facts.cost.source === 'host_rent' && object.metadata.deletionTimestamp === undefined,
      );
    const cap = hostCapOf(plan);
    const hosts = held.map(({ object }) => object as unknown as GpuHost);
    const before = renewed ? hostsBefore(hosts, renewed) : held.length;
    if (before >= cap) throw problem('plan_limit', { ...namingPlan(plan), cap, held: held.length });
  }
}

interface Needed {
  amount: Micros;
  /** The word for `what` in `not_enough_credit`. */
  what: string;
  unpriced: string[];
}

/** The money needed: the next hour of a running or new object, or the ordered months. */
function neededFor(request: CostRequest, tariff: Tariff, holdAheadMs: number, now: number): Needed {
  const { facts, object, before } = request;
  const uses = facts.cost.desired(object);
  const order = orderOf(request, tariff, now);
  const rate = ratePerHour(uses, facts.cost.source, tariff, now);
  // A request that only stops or renames needs no price.
  const had = before ? facts.cost.desired(before) : [];
  const monthsOf = (one: KubeObject) => (one as GpuHost).spec.months;
  const more = uses.filter(
    (use) =>
      (isRental(use) && before && monthsOf(object) > monthsOf(before)) ||
      !had.some((one) => skuOf(one) === skuOf(use) && amountOf(one) >= amountOf(use)),
  );
  const unpriced = [
    ...ratePerHour(more, facts.cost.source, tariff, now).unpriced,
    ...more.filter((use) => isRental(use) && !order).map((use) => skuOf(use) ?? ''),
  ];
  const was = before ? ratePerHour(facts.cost.desired(before), facts.cost.source, tariff, now).net : ZERO;
  const asksToRun = (one: KubeObject) => wantsToRun({ facts, object: one } as Parameters<typeof wantsToRun>[0]);
  // A new or larger run is checked for the whole time ahead; everything else for its growth.
  const isNewRun = asksToRun(object) && !(before && asksToRun(before) && rate.net <= was);
  const perHour = isNewRun ? rate.net : micros(rate.net - was);
  const ahead = micros((perHour * BigInt(Math.round(holdAheadMs))) / BigInt(HOUR_MS));
  const amount = sumOf([perHour > 0n ? ahead : ZERO, order?.net ?? ZERO]);
  return { amount, what: order ? '' : aheadText(holdAheadMs).message, unpriced };
}

const isRental = ({ resource }: Use): boolean => isResource(resource) && RESOURCES[resource].per === 'rental';

/** Months and nodes that are new in it. */
function orderOf({ facts, object, before }: CostRequest, tariff: Tariff, now: number) {
  const use = facts.cost.desired(object).find(isRental);
  if (!use) return null;
  const { months, nodes } = (object as GpuHost).spec;
  const old = (before as GpuHost | undefined)?.spec;
  // The rest of the current month costs less than this: the check covers the whole month.
  const nodeMonths = months * nodes - (old ? old.months * old.nodes : 0);
  const price = rentalPrice({ ...use, quantity: 1 }, 1, tariff, now);
  if (!price) return null;
  const count = BigInt(Math.max(0, nodeMonths));
  return { list: micros(price.list * count), net: micros(price.net * count) };
}

function lineOf(use: Use, { source }: CostFacts, tariff: Tariff, now: number): EstimateView['lines'][number] {
  const sku = skuOf(use);
  const price = sku === undefined ? undefined : tariff.prices.at(sku, tariff, now);
  const facts = isResource(use.resource) ? RESOURCES[use.resource] : undefined;
  const hour = ratePerHour([use], source, tariff, now);
  const month = ratePerMonth([use], source, tariff, now);
  const rent = rentalPrice(use, 1, tariff, now);
  return {
    resource: use.resource,
    model: use.model ?? null,
    quantity: amountOf(use),
    unit: facts?.unit ?? '',
    per: facts === undefined || sku === undefined ? 'included' : facts.per,
    unit_price: price ? moneyText(price.amount) : null,
    per_hour: moneyText(hour.net),
    per_month: moneyText(rent?.net ?? month.net),
  };
}

/** Hosts that renew themselves: their next months, each on the day on which the host's time began. */
function renewalsOf(
  { cluster, tariffs }: Pick<GateParts, 'cluster' | 'tariffs'>,
  organizationId: string,
  now: number,
): MonthlyCharge[] {
  return cluster.ofOrganization(organizationId).flatMap(({ facts, object, region }) => {
    const use = facts.cost.source === 'host_rent' ? facts.cost.desired(object).find(isRental) : undefined;
    const { spec, status, metadata } = object as unknown as GpuHost;
    if (!use || !spec.autoRenew || status?.startedAt === undefined) return [];
    if (metadata.deletionTimestamp !== undefined || status.returnedAt !== undefined) return [];
    const price = rentalPrice(use, 1, { ...tariffs.of(organizationId), region }, now);
    const month = (status.countedMonths ?? 1) + (status.renewedMonths ?? 0);
    return price ? [{ start: Date.parse(status.startedAt), month, amount: price.net }] : [];
  });
}
