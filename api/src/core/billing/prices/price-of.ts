// The hourly price of an object of any kind: its uses, at the prices of its organisation, in its region. The only place that puts these
// together.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { type Micros, sumOf } from '@gantry/contract/fields/money.ts';
import type { BilledObject } from '../../kinds/billed-objects.ts';
import { ratePerHour } from './rate.ts';
import type { Tariffs } from './tariffs.ts';

export interface HourlyPrice {
  /** After the discount. */
  net: Micros;
  currency: string;
  /** Uses that have no price, and are not in `net`. */
  unpriced: readonly string[];
}

type Priced = Pick<BilledObject, 'facts' | 'organizationId' | 'region'> & {
  object: { status?: { intervals?: readonly Interval[] } };
};

/** Stretches of use that go on. */
export const openIntervals = ({ object }: Pick<Priced, 'object'>): readonly Interval[] =>
  (object.status?.intervals ?? []).filter(({ to }) => to === undefined);

/** All that is in use now. */
export const usesNow = (one: Pick<Priced, 'object'>): Interval['uses'] =>
  openIntervals(one).flatMap(({ uses }) => uses);

/** The price of its present uses, or of other uses that it is to have. */
export function priceOf(
  tariffs: Pick<Tariffs, 'of'>,
  one: Priced,
  at: number,
  uses: Parameters<typeof ratePerHour>[0] = usesNow(one),
): HourlyPrice {
  const tariff = { ...tariffs.of(one.organizationId), region: one.region };
  const { net, unpriced } = ratePerHour(uses, one.facts.cost.source, tariff, at);
  return { net, currency: tariff.currency, unpriced };
}

/** The present price by the hour of everything that an organisation uses. */
export const burnOf = (
  { cluster, tariffs }: { cluster: { ofOrganization(id: string): readonly Priced[] }; tariffs: Pick<Tariffs, 'of'> },
  organizationId: string,
  at: number,
): Micros => sumOf(cluster.ofOrganization(organizationId).map((one) => priceOf(tariffs, one, at).net));
