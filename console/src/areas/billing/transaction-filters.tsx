// What transactions are filtered by. Choices are kept in the address.
import { BILL_STATUSES, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import { SOURCE_TYPES } from '@gantry/contract/billing/resources.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { TIME_RANGES } from '@gantry/ui/format/time-range.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Filters } from '@gantry/ui/table/use-filters.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';
import type { FilterName } from './transaction-query.ts';
import { useBillingWords } from './use-billing-words.ts';

interface Choice {
  name: FilterName;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}

export function TransactionFilters({ filters }: { filters: Filters<FilterName> }) {
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
      options: [['top-up', t('filters.topUp')], ['usage', t('filters.usage')], ...rows(TRANSACTION_TYPES)],
    },
    { name: 'status', label: ui('fields.status'), options: rows(BILL_STATUSES) },
    { name: 'payment_channel', label: t('transactions.channel'), options: rows(PAYMENT_CHANNELS) },
    {
      name: 'source_type',
      label: t('transactions.source'),
      options: SOURCE_TYPES.map((source) => [source, t(`sources.${source}`)] as const),
    },
  ];
  return (
    <Box
      role="search"
      aria-label={t('filters.label')}
      sx={{
        display: 'grid',
        gap: 1.5,
        mb: 1,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(3, 1fr)', lg: '1.5fr repeat(5, 1fr) auto' },
      }}
    >
      <SearchField value={filters.values.search} onChange={(text) => filters.set('search', text)} />
      {choices.map(({ name, label, options }) => (
        <TextField
          key={name}
          select
          label={label}
          value={options.some(([value]) => value === filters.values[name]) ? filters.values[name] : ''}
          onChange={({ target }) => filters.set(name, target.value)}
          slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        >
          <MenuItem value="">{t('filters.all')}</MenuItem>
          {options.map(([value, text]) => (
            <MenuItem key={value} value={value}>
              {text}
            </MenuItem>
          ))}
        </TextField>
      ))}
      <Button onClick={filters.clear} disabled={!filters.isFiltered}>
        {ui('actions.clear')}
      </Button>
    </Box>
  );
}

const AFTER_MS = 400;

/** Asked for when one stops typing. */
function SearchField({ value, onChange }: { value: string; onChange(text: string): void }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the clock anew
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      type="search"
      label={ui('actions.search')}
      placeholder={t('filters.searchHint')}
      value={text}
      onChange={({ target }) => setText(target.value)}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { maxLength: 100 } }}
      sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}
    />
  );
}
