// Which hosts the list shows; it is in the address.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Filters } from '@gantry/ui/table/use-filters.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';
import { useHostWords } from './use-host-words.ts';

export type HostFilter = 'search' | 'status' | 'tag' | 'source';

const TYPED_MS = 300;

export function HostFilters({ filters }: { filters: Filters<HostFilter> }) {
  const t = useHostWords();
  const ui = useUiWords();
  const { data: tags = [] } = useCall(CALLS.listHostTags, {});
  const { values, set } = filters;
  const [search, setSearch] = useState(values.search);
  useEffect(() => setSearch(values.search), [values.search]);
  useEffect(() => {
    if (search === values.search) return;
    const timer = setTimeout(() => set('search', search), TYPED_MS);
    return () => clearTimeout(timer);
  }, [search, values.search, set]);
  const choices = [
    {
      name: 'status',
      label: ui('fields.status'),
      options: (['active', 'inactive'] as const).map((value) => ({ value, label: t(`status.${value}`) })),
    },
    {
      name: 'source',
      label: t('columns.source'),
      options: (['rented', 'owned'] as const).map((value) => ({ value, label: t(`source.${value}`) })),
    },
    {
      name: 'tag',
      label: t('columns.tags'),
      options: [...new Set([...tags, values.tag])]
        .filter((tag) => tag !== '')
        .map((value) => ({ value, label: value })),
    },
  ] as const;
  return (
    <Box
      role="search"
      sx={{
        display: 'grid',
        gap: 1,
        mb: 2,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'minmax(10rem, 20rem) repeat(3, 10rem) auto' },
      }}
    >
      <TextField
        type="search"
        label={ui('actions.search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {choices.map(({ name, label, options }) => (
        <TextField
          key={name}
          select
          label={label}
          value={values[name]}
          onChange={({ target }) => set(name, target.value)}
        >
          <MenuItem value="">{t('any')}</MenuItem>
          {options.map((option) => (
            <MenuItem key={option.value} value={option.value}>
              {option.label}
            </MenuItem>
          ))}
        </TextField>
      ))}
      {filters.isFiltered && (
        <Button onClick={filters.clear} sx={{ justifySelf: 'start' }}>
          {ui('states.clearFilter')}
        </Button>
      )}
    </Box>
  );
}
