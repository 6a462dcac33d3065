// The expected cost of an interval, from the public price list and the clock alone.

import { PRICE_COMMANDS } from '@gantry/contract/areas/billing/admin-prices.ts';
import { PRICE_ROUTES } from '@gantry/contract/areas/billing/prices.ts';
import { anyModel, countOf, partsOf, skuOf, type Use } from '@gantry/contract/billing/resources.ts';
import { dividedRounded, type Micros, micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';

const HOUR_MS = 3_600_000n;
const PERIOD_MS = { hour: HOUR_MS, month: 730n * HOUR_MS };
const PATIENCE_MS = 60_000;

/** One that has ended, of `status.intervals`. */
export interface Interval {
  readonly seq: number;
  readonly from: string;
  readonly to?: string;
  readonly uses: readonly Use[];
}

/** For each use by its SKU, rounded once. */
export async function listPricesOf(
  client: HttpClient,
  { from, to = '', uses }: Interval,
): Promise<Map<string, Micros>> {
  const prices = await client.must(PRICE_ROUTES.list);
  const ms = BigInt(Date.parse(to) - Date.parse(from));
  return new Map(
    uses.map((use) => {
      const wanted = skuOf(use) ?? use.resource;
      const rowOf = (name: string) => prices.find(({ sku }) => sku === name);
      const row = rowOf(wanted) ?? rowOf(anyModel(wanted));
      if (!row) throw new Error(`${wanted} has no price`);
      const cost = countOf(use) * ms * parseMoney(row.amount);
      return [wanted, micros(dividedRounded(cost, partsOf(use) * PERIOD_MS[row.per]))];
    }),
  );
}

/** As staff. Holds when it resolves. */
export async function setPrice(staff: HttpClient, sku: string, amount: string): Promise<void> {
  const { valid_from } = await staff.must(PRICE_COMMANDS.adminSetPrice, {
    body: { sku, amount, reason: 'as the story wants it' },
  });
  if (valid_from === undefined) throw new Error('the price waits for a second person');
  await eventually('the price holds', () => Date.parse(valid_from) <= Date.now(), PATIENCE_MS);
}
