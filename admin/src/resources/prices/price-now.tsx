// The price that holds now for what is proposed, and what it is for.
import type { PriceItem } from '@gantry/contract/areas/billing/admin-prices.ts';
import { MoneyText } from '../../parts/field-value.tsx';
import { presentPrice } from '../../parts/price-item-choice.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';

export const perOf = ({ unit, per }: Pick<PriceItem, 'unit' | 'per'>) =>
  `price.per.${unit}_${per}` as 'price.per.card_hour';

/** `region` empty: in every region. */
export function PriceNow({
  items,
  row,
}: {
  items: readonly PriceItem[];
  row: { sku: string; region: string; currency: string };
}) {
  const t = useBillingWords();
  const found = presentPrice(items, row.sku, row.region, row.currency);
  return found ? <MoneyText amount={found.amount} currency={row.currency} isExact /> : t('price.noPrice');
}
