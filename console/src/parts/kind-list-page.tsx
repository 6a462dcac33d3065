// A list of a kind: its title and create button, filters in the address, commands for the selection, and the table. Differences
// between kinds are data.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Call } from '@gantry/contract/http/call.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { FilterChoice } from '@gantry/ui/table/filter-choice.tsx';
import { type Filters, useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useMemo, useState } from 'react';
import type { ActedKind, ActionName, ActionTarget } from './action-calls.ts';
import { BatchActions } from './batch-actions.tsx';
import { type ListFacts, type UseRows, useGrowingRows } from './list-rows.tsx';
import { SearchField } from './search-field.tsx';

/** A filter of a few values. `name` is that of the list's query. */
export interface Choice {
  readonly name: string;
  readonly label: string;
  /** The label of the choice of all. */
  readonly any: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

type Phases = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** By the phases that the list's objects have. */
export const statusChoice = (language: Language, phases: Phases, label: string, any: string): Choice => ({
  name: 'status',
  label,
  any,
  options: Object.entries(phases).map(([phase, { [language]: name }]) => [phase, name]),
});

/** The title, the search field and the empty list, from a group of words. */
export const listTexts = (
  say: (key: 'title' | 'lead' | 'search' | 'emptyTitle' | 'emptyHint') => string,
  create: ReactNode,
) => ({
  title: say('title'),
  lead: say('lead'),
  search: say('search'),
  create,
  empty: { title: say('emptyTitle'), hint: say('emptyHint'), actions: create },
});

interface KindListPageProps<Kind extends ActedKind, Row extends ActionTarget> {
  kind: Kind;
  list: Call<ListFacts<Row>>;
  columns: readonly Column<Row>[];
  title: string;
  lead: string;
  /** The label of the search field. */
  search: string;
  choices?: readonly Choice[];
  /** The button that creates one. */
  create: ReactNode;
  empty: { title: string; hint: string; actions: ReactNode };
  /** Commands that are for one alone: they lead to a page, or need a name. */
  single?: readonly ActionName<Kind>[];
  /** All rows as one scrolls, unless told. */
  useRows?: UseRows;
}

export function KindListPage<Kind extends ActedKind, Row extends ActionTarget>(props: KindListPageProps<Kind, Row>) {
  const ui = useUiWords();
  const { title, lead, search, choices = [], create } = props;
  const filters = useFilters(['search', ...choices.map(({ name }) => name)], { by: 'create_time', type: 'desc' });
  return (
    <>
      <PageHeader title={title} lead={lead}>
        {create}
      </PageHeader>
      <Box
        role="search"
        sx={{
          display: 'grid',
          gap: 1.5,
          mb: 2,
          gridTemplateColumns: {
            xs: '1fr 1fr',
            md: `minmax(8rem, 20rem) repeat(${choices.length}, minmax(7rem, 12rem)) auto`,
          },
        }}
      >
        <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
          <SearchField
            label={search}
            value={filters.values.search ?? ''}
            onSearch={(text) => filters.set('search', text)}
          />
        </Box>
        {choices.map(({ name, label, any, options }) => (
          <FilterChoice
            key={name}
            label={label}
            any={any}
            value={filters.values[name] ?? ''}
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
      <Rows {...props} filters={filters} />
    </>
  );
}

/** A separate component: it renders with each change of an object, and the parts above do not. */
function Rows<Kind extends ActedKind, Row extends ActionTarget>({
  kind,
  list: call,
  columns,
  title,
  empty,
  single = [],
  useRows = useGrowingRows,
  filters,
}: KindListPageProps<Kind, Row> & { filters: Filters<string> }) {
  const { values, sorting } = filters;
  const { list, foot } = useRows(call, { ...values, order_by: sorting.by, order_type: sorting.type });
  const [selected, setSelected] = useState<ReadonlySet<string>>(NONE);
  // Objects that were deleted meanwhile are no longer selected.
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : list.items.filter(({ id }) => selected.has(id))),
    [list.items, selected],
  );
  return (
    <>
      {chosen.length > 0 && (
        <BatchActions kind={kind} selected={chosen} without={single} onClear={() => setSelected(NONE)} />
      )}
      <DataTable
        label={title}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={filters.sort}
        selected={selected}
        onSelect={setSelected}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState title={empty.title} hint={empty.hint}>
              {empty.actions}
            </EmptyState>
          )
        }
      />
      {foot}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();
