// What keeping files costs, and its postings: one line for each organisation, kind of owner and day.
import { type FileOwner, storageSku } from '@gantry/contract/billing/storage.ts';
import type { Micros } from '@gantry/contract/fields/money.ts';
import type { Sql } from '../../../platform/db/open.ts';
import type { Wallets } from '../ledger/wallets.ts';
import { shareLeft } from '../prices/price-table.ts';
import type { Tariff } from '../prices/rate.ts';

const SOURCE = 'container_rent';

/** Of a GiB for a month. Undefined where staff have set none: it is free. */
export function storagePrice(
  tariff: Tariff,
  ownerKind: FileOwner,
  at: number,
): { amount: Micros; left: bigint } | undefined {
  const sku = storageSku(ownerKind);
  const price = tariff.prices.at(sku, tariff, at);
  if (!price) return undefined;
  const { organizationId } = tariff;
  const discount = tariff.discounts.at({ organizationId, source: SOURCE, sku }, at);
  return { amount: price.amount, left: shareLeft(discount?.basisPoints ?? 0) };
}

const REFERENCES: Readonly<Record<FileOwner, string>> = { model: 'Models', dataset: 'Datasets', task: 'Checkpoints' };

/** An hour of one organisation's files. */
interface StorageCost {
  readonly key: string;
  readonly organizationId: string;
  readonly ownerKind: FileOwner;
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
    costs.map(({ ownerKind, ...cost }) => ({
      ...cost,
      bill: {
        id: `${storageSku(ownerKind)}/${cost.organizationId}/${cost.at.toISOString().slice(0, 10)}`,
        type: 'consumption',
        source: SOURCE,
        reference: REFERENCES[ownerKind],
        detail: storageSku(ownerKind),
      },
    })),
    also,
  );
