// Chooses what a price or a discount is for, from what the platform meters and sells: by its name, with the SKU beneath.
import type { PriceItem, PriceItems } from '@gantry/contract/areas/billing/admin-prices.ts';
import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { NamedOption } from './named-option.tsx';
import { useAsk } from './use-ask.ts';

/** What can have a price, and what it costs now. */
export const usePriceItems = () => useAsk<PriceItems>('price-items');

interface PriceItemChoiceProps {
  items: readonly PriceItem[];
  label: string;
  /** A SKU; empty: none yet. */
  sku: string;
  onChange(sku: string): void;
  size?: 'small' | 'medium';
}

const MOST_SHOWN = 100;
const found = createFilterOptions<PriceItem>({ limit: MOST_SHOWN, stringify: ({ name, sku }) => `${name} ${sku}` });

export function PriceItemChoice({ items, label, sku, onChange, size = 'medium' }: PriceItemChoiceProps) {
  return (
    <Autocomplete<PriceItem>
      options={[...items]}
      value={items.find((item) => item.sku === sku) ?? null}
      filterOptions={found}
      groupBy={({ group }) => group}
      getOptionLabel={({ name }) => name}
      getOptionKey={(item) => item.sku}
      isOptionEqualToValue={(one, other) => one.sku === other.sku}
      onChange={(_, item) => onChange(item?.sku ?? '')}
      renderOption={({ key, ...props }, item) => <NamedOption key={key} {...props} name={item.name} id={item.sku} />}
      renderInput={(params) => <TextField {...params} label={label} size={size} required helperText={sku || ' '} />}
    />
  );
}

/** The price of an item in a region (empty: in every region) and currency, or that of every other model. */
export function presentPrice(items: readonly PriceItem[], sku: string, region: string, currency: string) {
  const candidates = [sku, sku.startsWith('plan/') ? sku : sku.replace(/\/.*$/, '/any')];
  for (const candidate of new Set(candidates)) {
    const prices = items.find((item) => item.sku === candidate)?.prices.filter((price) => price.currency === currency);
    const found = prices?.find((price) => price.region === region) ?? prices?.find((price) => price.region === null);
    if (found) return found;
  }
  return undefined;
}
