// The things that store files, of the organisation or of the library: searched, narrowed, sorted, with what of the quota they take.
import type { Call } from '@gantry/contract/http/call.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import type { Filters } from '@gantry/ui/table/use-filters.ts';
import { NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { ListFacts } from '../list-rows.tsx';
import { SearchField } from '../search-field.tsx';
import { useFilesWords } from './use-files-words.ts';

interface SpaceListProps<Row, Name extends string> {
  label: string;
  call: Call<ListFacts<Row>>;
  columns: readonly Column<Row>[];
  filters: Filters<Name | 'search'>;
  searchLabel: string;
  /** What it is narrowed by, beside a search. */
  choices(extra: Readonly<Record<string, unknown>>): ReactNode;
  /** Shown where there is nothing at all. */
  empty: ReactNode;
}

export function SpaceList<Row extends { id: string; name: string }, Name extends string>({
  label,
  call,
  columns,
  filters,
  searchLabel,
  choices,
  empty,
}: SpaceListProps<Row, Name>) {
  const t = useFilesWords();
  const ui = useUiWords();
  const { values, sorting } = filters;
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const list = useList(call, { query: { ...query, order_by: sorting.by, order_type: sorting.type } });
  const extra = list.extra ?? {};
  const { used_bytes: used, quota_bytes: quota } = extra as { used_bytes?: number; quota_bytes?: number | null };
  return (
    <>
      <Box
        role="search"
        sx={{
          display: 'grid',
          gap: 1.5,
          mb: 2,
          gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(auto-fill, minmax(11rem, 1fr))' },
        }}
      >
        <SearchField label={searchLabel} value={values.search} onSearch={(text) => filters.set('search', text)} />
        {choices(extra)}
        {filters.isFiltered && (
          <Button onClick={filters.clear} sx={{ justifySelf: 'start' }}>
            {ui('states.clearFilter')}
          </Button>
        )}
      </Box>
      {used !== undefined && (
        <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
          {t('used', { used: bytesText(used), quota: bytesText(quota) })}
        </Typography>
      )}
      <DataTable
        label={label}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={filters.sort}
        empty={filters.isFiltered ? <NoMatch onClear={filters.clear} /> : empty}
      />
    </>
  );
}
