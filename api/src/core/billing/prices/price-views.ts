// The price list and the plans as they are shown: pure, over what is in memory.

import type { OwnPlanView, PlanFactsView, PriceRow } from '@gantry/contract/areas/billing/prices.ts';
import { hostCapOf, PLAN_FEATURES, PLAN_IDS, PLANS, type PlanId, planSku } from '@gantry/contract/billing/plans.ts';
import { isResource, RESOURCES } from '@gantry/contract/billing/resources.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import type { PlanState } from './plan-state.ts';
import type { Price } from './price-table.ts';
import type { Tariff } from './rate.ts';

/** The current prices in the tariff's region and currency, by name, with the next ones. */
export function priceRows({ prices, ...place }: Tariff, now: number): PriceRow[] {
  return prices
    .holding(place, now)
    .map((price) => ({ price, facts: factsOf(price.sku) }))
    .flatMap(({ price, facts }) => (facts ? [{ ...facts, ...dated(price), next: nextOf(price) }] : []))
    .sort((a, b) => (a.sku < b.sku ? -1 : 1));
  function nextOf({ sku, id }: Price): PriceRow['next'] {
    const [moment] = prices.changes(sku, place, now, Number.POSITIVE_INFINITY);
    const next = moment === undefined ? undefined : prices.at(sku, place, moment);
    return next && next.id !== id ? { amount: moneyText(next.amount), valid_from: iso(next.validFrom) } : null;
  }
}

const dated = ({ sku, amount, currency, validFrom }: Price) => ({
  sku,
  amount: moneyText(amount),
  currency,
  valid_from: iso(validFrom),
});

/** Undefined for a SKU of nothing that there is. */
export function factsOf(sku: string): Pick<PriceRow, 'resource' | 'model' | 'unit' | 'per'> | undefined {
  const slash = sku.indexOf('/');
  const [resource, model] = slash < 0 ? [sku, null] : [sku.slice(0, slash), sku.slice(slash + 1)];
  if (resource === 'plan')
    return model !== null && isChargedPlan(model) ? { resource, model, unit: 'plan', per: 'month' } : undefined;
  if (!isResource(resource)) return undefined;
  const facts: { unit: PriceRow['unit']; per: string; byModel?: true; included?: true } = RESOURCES[resource];
  if (facts.included || (facts.byModel === true) !== (model !== null) || (model !== null && !MODEL.test(model)))
    return undefined;
  return { resource, model, unit: facts.unit, per: facts.per === 'hour' ? 'hour' : 'month' };
}

const MODEL = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const isChargedPlan = (id: string): boolean => PLAN_IDS.some((one) => one === id && PLANS[one].price === 'list');
const iso = (moment: number): string => new Date(moment).toISOString();

export function planRows(tariff: Tariff, now: number, language: Language): PlanFactsView[] {
  return PLAN_IDS.map((plan) => {
    const facts = PLANS[plan];
    const price = facts.price === 'list' ? tariff.prices.at(planSku(plan), tariff, now)?.amount : undefined;
    return {
      plan,
      name: facts[language],
      hosts: facts.hosts ?? null,
      features: facts.features.map((feature) => ({ feature, label: PLAN_FEATURES[feature][language] })),
      price: facts.price === 'none' ? '0.00' : price === undefined ? null : moneyText(price),
      by_staff: facts.byStaff === true,
    };
  });
}

export function ownPlanView(
  { plan, since, paidTo, next }: PlanState,
  hosts: { held: number; cap: number },
  tariff: Tariff,
  now: number,
  language: Language,
): OwnPlanView {
  const name = (id: PlanId) => PLANS[id][language];
  return {
    plan,
    name: name(plan),
    since: since === undefined ? null : iso(since),
    paid_to: paidTo === undefined ? null : iso(paidTo),
    next: next ? { plan: next.plan, name: name(next.plan), at: iso(next.at) } : null,
    hosts_held: hosts.held,
    hosts_cap: capShown(hosts.cap),
    currency: tariff.currency,
    plans: planRows(tariff, now, language),
  };
}

export const capShown = (cap: number): number | null => (cap >= hostCapOf('enterprise') ? null : cap);
