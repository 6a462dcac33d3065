// The expected cost of an interval, from the public price list and the clock alone.
import { dividedRounded, type Micros, micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { PRICE_COMMANDS } from '@gantry/contract/http/admin-prices.ts';
import { PRICE_ROUTES } from '@gantry/contract/http/prices.ts';
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
  readonly uses: readonly { readonly resource: string; readonly model?: string; readonly quantity: number }[];
}

/** For each use, rounded once. */
export async function listPricesOf(
  client: HttpClient,
  { from, to = '', uses }: Interval,
): Promise<Map<string, Micros>> {
  const prices = await client.must(PRICE_ROUTES.list);
  const ms = BigInt(Date.parse(to) - Date.parse(from));
  return new Map(
    uses.map(({ resource, quantity }) => {
      const row = prices.find(({ sku }) => sku === resource);
      if (!row) throw new Error(`${resource} has no price`);
      const milli = BigInt(Math.round(quantity * 1000));
      return [resource, micros(dividedRounded(milli * ms * parseMoney(row.amount), 1000n * PERIOD_MS[row.per]))];
    }),
  );
}

/** As staff. Holds when it resolves. */
export async function setPrice(staff: HttpClient, sku: string, amount: string): Promise<void> {
  const { valid_from } = await staff.must(PRICE_COMMANDS.adminSetPrice, {
    body: { sku, amount, reason: 'as the story wants it' },
  });
  await eventually('the price holds', () => Date.parse(valid_from) <= Date.now(), PATIENCE_MS);
}
