// Which hourly price is shown beside an object.
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { HourlyPrice } from '../../core/billing/prices/price-of.ts';

/** Undefined for what is not paid for by the hour, such as a rented host, and where something has no price. */
export const hourlyPriceShown = ({ net, unpriced }: HourlyPrice): Micros | undefined =>
  net > 0n && unpriced.length === 0 ? net : undefined;
