// The cost of keeping models, and its postings: one line for each organisation and day.
import { MODEL_STORAGE_SKU } from '@gantry/contract/billing/model-storage.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { Sql } from '../../../platform/db/open.ts';
import type { Wallets } from '../ledger/wallets.ts';
import { shareLeft } from '../prices/price-table.ts';
import type { Tariff } from '../prices/rate.ts';

const SOURCE = 'container_rent';

/** The price of a GiB for a month. Undefined if staff have set none: it is free. */
export function storagePrice(tariff: Tariff, at: number): { amount: Micros; left: bigint } | undefined {
  const price = tariff.prices.at(MODEL_STORAGE_SKU, tariff, at);
  if (!price) return undefined;
  const { organizationId } = tariff;
  const discount = tariff.discounts.at({ organizationId, source: SOURCE, sku: MODEL_STORAGE_SKU }, at);
  return { amount: price.amount, left: shareLeft(discount?.basisPoints ?? 0) };
}

/** An hour of one organisation's models. */
interface StorageCost {
  readonly key: string;
  readonly organizationId: string;
  readonly at: Date;
  readonly list: Micros;
  readonly net: Micros;
}

/** Each once, by its key; `also` runs in the same transaction. */
export const chargeStorage = (
  wallets: Pick<Wallets, 'charge'>,
  costs: readonly StorageCost[],
  also: (tx: Sql) => Promise<void>,
): Promise<Set<string>> =>
  wallets.charge(
    costs.map((cost) => ({
      ...cost,
      bill: {
        id: `model-storage/${cost.organizationId}/${cost.at.toISOString().slice(0, 10)}`,
        type: 'consumption',
        source: SOURCE,
        reference: 'Models',
        detail: MODEL_STORAGE_SKU,
      },
    })),
    also,
  );
