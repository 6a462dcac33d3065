// Which hosts the list shows; it is in the address.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import type { Filters } from '@gantry/ui/table/use-filters.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { SearchField } from '../../parts/search-field.tsx';
import { useHostWords } from './use-host-words.ts';

export type HostFilter = 'search' | 'status' | 'tag' | 'source';

export function HostFilters({ filters }: { filters: Filters<HostFilter> }) {
  const t = useHostWords();
  const ui = useUiWords();
  const { data: tags = [] } = useCall(CALLS.listHostTags, {});
  const { values } = filters;
  const choices = [
    {
      name: 'status',
      label: ui('fields.status'),
      options: (['active', 'inactive'] as const).map((value) => [value, t(`status.${value}`)] as const),
    },
    {
      name: 'source',
      label: t('columns.source'),
      options: (['rented', 'owned'] as const).map((value) => [value, t(`source.${value}`)] as const),
    },
    {
      name: 'tag',
      label: t('columns.tags'),
      options: tags.map((tag) => [tag, tag] as const),
    },
  ] as const;
  return (
    <Box
      role="search"
      sx={{
        display: 'grid',
        gap: 1.5,
        mb: 2,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'minmax(10rem, 20rem) repeat(3, 10rem) auto' },
      }}
    >
      <SearchField
        label={ui('actions.search')}
        value={values.search}
        onSearch={(search) => filters.set('search', search)}
      />
      {choices.map(({ name, label, options }) => (
        <FilterChoice
          key={name}
          label={label}
          any={t('any')}
          value={values[name]}
          options={options}
          onChange={(value) => filters.set(name, value)}
        />
      ))}
      {filters.isFiltered && (
        <Button onClick={filters.clear} sx={{ justifySelf: 'start' }}>
          {ui('states.clearFilter')}
        </Button>
      )}
    </Box>
  );
}
