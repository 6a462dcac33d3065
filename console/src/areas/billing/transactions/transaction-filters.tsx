// The filters of transactions. Choices are kept in the address.
import { BILL_STATUSES, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import { SOURCE_TYPES } from '@gantry/contract/billing/resources.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { TIME_RANGES } from '@gantry/ui/format/time-range.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import type { Filters } from '@gantry/ui/table/use-filters.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { SearchField } from '../../../parts/search-field.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import type { FilterName } from './transaction-query.ts';

const TOP_UPS = ['recharge', 'wallet_recharge'] as const;

interface Choice {
  name: FilterName;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}

/** `isTopUps`: there are no others to choose. */
export function TransactionFilters({ filters, isTopUps }: { filters: Filters<FilterName>; isTopUps: boolean }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const language = useLanguage();
  const rows = (table: Readonly<Record<string, Words>>) =>
    Object.entries(table).map(([value, words]) => [value, words[language]] as const);
  const choices: readonly Choice[] = [
    {
      name: 'range',
      label: t('filters.range'),
      options: TIME_RANGES.map((range) => [range, ui(`time.ranges.${range}`)] as const),
    },
    {
      name: 'type',
      label: t('transactions.type'),
      options: isTopUps
        ? TOP_UPS.map((type) => [type, TRANSACTION_TYPES[type][language]] as const)
        : [['top-up', t('filters.topUp')], ['usage', t('filters.usage')], ...rows(TRANSACTION_TYPES)],
    },
    { name: 'status', label: ui('fields.status'), options: rows(BILL_STATUSES) },
    { name: 'payment_channel', label: t('transactions.channel'), options: rows(PAYMENT_CHANNELS) },
    ...(isTopUps
      ? []
      : [
          {
            name: 'source_type',
            label: t('transactions.source'),
            options: SOURCE_TYPES.map((source) => [source, t(`sources.${source}`)] as const),
          } as const,
        ]),
  ];
  return (
    <Box
      role="search"
      aria-label={t('filters.label')}
      sx={{
        display: 'grid',
        gap: 1.5,
        mb: 1,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(3, 1fr)', lg: `1.5fr repeat(${choices.length}, 1fr) auto` },
      }}
    >
      <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' }, minWidth: 0 }}>
        <SearchField
          label={ui('actions.search')}
          hint={t('filters.searchHint')}
          value={filters.values.search}
          onSearch={(text) => filters.set('search', text)}
        />
      </Box>
      {choices.map(({ name, label, options }) => (
        <FilterChoice
          key={name}
          label={label}
          any={t('filters.all')}
          value={filters.values[name]}
          options={options}
          onChange={(value) => filters.set(name, value)}
        />
      ))}
      <Button onClick={filters.clear} disabled={!filters.isFiltered}>
        {ui('actions.clear')}
      </Button>
    </Box>
  );
}
