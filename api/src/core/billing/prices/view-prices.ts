// Money in views: an object's current price for its current spec, with its owner's list price and discount.

import {
  RESOURCES,
  type Resource,
  type SourceType,
  sizeUse,
  skuOf,
  type Use,
} from '@gantry/contract/billing/resources.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { dividedRounded, type Micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { PriceView } from '@gantry/contract/kind-api.ts';
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { ratePerHour, ratePerMonth, rentalPrice, type Tariff } from './rate.ts';
import type { Tariffs } from './tariffs.ts';

export class ViewPrices {
  readonly #tariffs: Pick<Tariffs, 'of' | 'on'>;
  readonly #clock: { now(): number };
  #version = 0;

  constructor({ tariffs, clock }: { tariffs: Pick<Tariffs, 'of' | 'on'>; clock: { now(): number } }) {
    this.#tariffs = tariffs;
    this.#clock = clock;
    tariffs.on(() => {
      this.#version += 1;
    });
  }

  version(): number {
    return this.#version;
  }

  of(facts: PricedKind, object: KubeObject, region?: string): PriceView | null {
    return this.#priceOf(object, wishOf(facts, object), region);
  }

  /** A rent is paid ahead, whatever happens to the host. */
  shown(facts: PricedKind, object: KubeObject, region?: string): PriceView | null {
    const { phases, phaseInView, cost } = facts;
    const isFailed = phases[phaseInView(object)]?.tone === 'bad';
    if (!isFailed || cost?.source !== 'container_rent') return this.of(facts, object, region);
    const { status } = object as Metered;
    const open = (status?.intervals ?? []).filter(({ to }) => to === undefined);
    return this.#priceOf(object, { uses: open.flatMap(({ uses }) => uses), source: cost.source }, region);
  }

  #priceOf(object: KubeObject, wish: ReturnType<typeof wishOf>, region?: string): PriceView | null {
    const organizationId = organizationOf(object.metadata.namespace ?? '');
    if (organizationId === undefined || !wish) return null;
    return priceOf(wish.uses, wish.source, this.#tariffIn(region, organizationId), this.#clock.now());
  }

  /** The same organisation pays the prices of the region in which an object is. */
  #tariffIn(region: string | undefined, organizationId: string): Tariff {
    const tariff = this.#tariffs.of(organizationId);
    return region === undefined ? tariff : { ...tariff, region };
  }

  /** What uses cost a new customer, by the hour and by the month of 730 hours; null where any of them has no price. */
  offer(uses: readonly Use[], source: SourceType, region?: string): Record<PriceView['per'], PriceView | null> {
    const [tariff, now] = [this.#tariffIn(region, NOBODY), this.#clock.now()];
    return { hour: priceBy('hour', uses, source, tariff, now), month: priceBy('month', uses, source, tariff, now) };
  }

  gpu(model: string, region?: string): { card: PriceView | null; host: PriceView | null } {
    const [tariff, now] = [this.#tariffIn(region, NOBODY), this.#clock.now()];
    return {
      card: priceOf([{ resource: 'gpu', model, quantity: 1 }], 'container_rent', tariff, now),
      host: priceOf([{ resource: 'host', model, quantity: 1 }], 'host_rent', tariff, now),
    };
  }
}

type PricedKind = Pick<KindFacts, 'kind' | 'cost' | 'phases' | 'phaseInView'>;
type Metered = KubeObject & { status?: { intervals?: readonly Interval[] } };

/** Has no discount, and this installation's currency. */
export const NOBODY = '';

function wishOf(
  { kind, cost }: PricedKind,
  object: KubeObject,
): { uses: readonly Use[]; source: SourceType } | undefined {
  if (cost) return { uses: cost.desired(object), source: cost.source };
  // Its instance pays for it: this says what of that is this save's. A copy is an image's, and logs cost nothing.
  const { spec, status } = object as Snapshot;
  if (kind !== snapshot.kind || spec.of === 'Copy' || spec.of === 'Log') return undefined;
  const uses: Use[] = [sizeUse('snapshot', status?.sizeBytes ?? 0)];
  return { uses, source: 'container_rent' };
}

/** By the month if everything is; rents are for whole months. Null if nothing costs, or something has no price. */
function priceOf(uses: readonly Use[], source: SourceType, tariff: Tariff, at: number): PriceView | null {
  const costing = uses.filter((use) => skuOf(use) !== undefined);
  const perOf = ({ resource }: Use) => RESOURCES[resource as Resource].per;
  if (costing.length === 0) return null;
  const [rented, ...others] = costing.filter((use) => perOf(use) === 'rental');
  if (rented) {
    const price = others.length === 0 ? rentalPrice(rented, 1, tariff, at) : undefined;
    return price ? shown('month', price, [rented], source, tariff, at) : null;
  }
  return priceBy(costing.every((use) => perOf(use) === 'month') ? 'month' : 'hour', costing, source, tariff, at);
}

/** Null if something has no price. */
function priceBy(
  per: PriceView['per'],
  uses: readonly Use[],
  source: SourceType,
  tariff: Tariff,
  at: number,
): PriceView | null {
  const rated = (per === 'month' ? ratePerMonth : ratePerHour)(uses, source, tariff, at);
  return rated.unpriced.length > 0 ? null : shown(per, rated, uses, source, tariff, at);
}

const shown = (
  per: PriceView['per'],
  { list, net }: { list: Micros; net: Micros },
  uses: readonly Use[],
  source: SourceType,
  tariff: Tariff,
  at: number,
): PriceView => ({
  per,
  amount: moneyText(net),
  list: moneyText(list),
  discount_percent: percentOff(
    uses.flatMap((use) => skuOf(use) ?? []),
    source,
    tariff,
    at,
    list,
    net,
  ),
  currency: tariff.currency,
});

/** In hundredths of a percent. Parts of an object may have different discounts: then it is the share of the whole. */
function percentOff(
  skus: readonly string[],
  source: SourceType,
  tariff: Tariff,
  at: number,
  list: Micros,
  net: Micros,
) {
  const { discounts, organizationId } = tariff;
  const points = new Set(skus.map((sku) => discounts.at({ organizationId, source, sku }, at)?.basisPoints ?? 0));
  const [only] = points;
  if (points.size === 1 && only !== undefined) return only / 100;
  return list === 0n ? 0 : Number(dividedRounded((list - net) * 10_000n, list)) / 100;
}
