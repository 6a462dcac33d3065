// The routes' answers about prices and plans: the price list from memory, plans from SQL and the cluster's caches.

import type { BillingConfigView, BillingType, OwnPlanView, PriceRow } from '@gantry/contract/areas/billing/prices.ts';
import type { PlanId } from '@gantry/contract/billing/plans.ts';
import { storageSku } from '@gantry/contract/billing/storage.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { MOST_DISK_GI } from '@gantry/contract/fields/size.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { PlanState } from './plan-state.ts';
import { capOf, type HostCaps, type Plans } from './plans.ts';
import { ownPlanView, planRows, priceRows } from './price-views.ts';
import { HOURS_OF_A_MONTH } from './rate.ts';
import type { Tariffs } from './tariffs.ts';
import { NOBODY } from './view-prices.ts';

export interface ShownPricesParts {
  clock: Clock;
  tariffs: Pick<Tariffs, 'of'>;
  plans: Pick<Plans, 'of' | 'change'>;
  hosts: HostCaps;
}

/** The bills of each type. */
const OF_TYPE: Readonly<Record<BillingType, readonly string[]>> = {
  container_rent: ['gpu', 'cpu', 'memory', 'disk', 'snapshot'],
  host_rent: ['host'],
  disk: ['disk'],
  plan: ['plan'],
};

export class ShownPrices {
  readonly #parts: ShownPricesParts;

  constructor(parts: ShownPricesParts) {
    this.#parts = parts;
  }

  /** In the currency of an organisation, or in that of the installation. */
  config(type: BillingType | undefined, language: Language, organizationId = NOBODY): BillingConfigView {
    const { clock, tariffs } = this.#parts;
    const [tariff, now] = [tariffs.of(organizationId), clock.now()];
    const rate = (sku: string) => {
      const price = tariff.prices.at(sku, tariff, now);
      return price ? moneyText(price.amount) : null;
    };
    return {
      currency: tariff.currency,
      region: tariff.region,
      rental_period: 'month',
      hours_of_a_month: HOURS_OF_A_MONTH,
      disk: { amount: rate('disk'), most_gi: MOST_DISK_GI },
      snapshot: rate('snapshot'),
      stored: {
        model: rate(storageSku('model')),
        dataset: rate(storageSku('dataset')),
        task: rate(storageSku('task')),
      },
      prices: priceRows(tariff, now).filter(({ resource }) => !type || OF_TYPE[type].includes(resource)),
      plans: planRows(tariff, now, language),
    };
  }

  list(wanted: { resource?: string | undefined; model?: string | undefined }, organizationId = NOBODY): PriceRow[] {
    const { clock, tariffs } = this.#parts;
    return priceRows(tariffs.of(organizationId), clock.now()).filter(
      ({ resource, model }) =>
        (wanted.resource ?? resource) === resource && (wanted.model === undefined || wanted.model === model),
    );
  }

  async plan(organizationId: string, language: Language): Promise<OwnPlanView> {
    return this.#view(organizationId, await this.#parts.plans.of(organizationId), language);
  }

  async changePlan(organizationId: string, plan: PlanId, by: string, language: Language): Promise<OwnPlanView> {
    return this.#view(organizationId, await this.#parts.plans.change({ organizationId, plan, by }), language);
  }

  #view(organizationId: string, state: PlanState, language: Language): OwnPlanView {
    const { clock, tariffs, hosts } = this.#parts;
    const held = { held: hosts.held(organizationId), cap: capOf(hosts, organizationId, state.plan) };
    return ownPlanView(state, held, tariffs.of(organizationId), clock.now(), language);
  }
}
