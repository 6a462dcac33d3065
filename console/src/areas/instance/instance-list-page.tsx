// All instances of the organisation: what they are, how they are, and what can be done with one or with many.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { type Filters, useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { BatchActions } from '../../parts/batch-actions.tsx';
import { InstanceFilters } from './instance-filters.tsx';
import { useInstanceColumns } from './use-instance-columns.tsx';
import { useInstanceWords } from './use-instance-words.ts';

/** Commands that go to a page, or need a name. */
const SINGLE = ['login', 'edit', 'exportTemplate'];

export function InstanceListPage() {
  const t = useInstanceWords();
  const filters = useFilters(['search', 'status', 'host'], { by: 'create_time', type: 'desc' });
  return (
    <>
      <PageHeader title={t('list.title')} lead={t('list.lead')}>
        <Guarded node="createInstance">
          <Button component={Link} to="/develop/instance/create" variant="contained">
            {t('list.create')}
          </Button>
        </Guarded>
      </PageHeader>
      <InstanceFilters filters={filters} />
      <Instances filters={filters} />
    </>
  );
}

/** By itself: it is drawn with each change of an instance, and what is above it is not. */
function Instances({ filters }: { filters: Filters<'search' | 'status' | 'host'> }) {
  const t = useInstanceWords();
  const ui = useUiWords();
  const { values, sorting } = filters;
  const list = useList(CALLS.listInstances, { query: { ...values, order_by: sorting.by, order_type: sorting.type } });
  const columns = useInstanceColumns();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // What went meanwhile is no longer selected.
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : list.items.filter(({ id }) => selected.has(id))),
    [list.items, selected],
  );
  return (
    <>
      {chosen.length > 0 && (
        <BatchActions kind="gpuInstance" selected={chosen} without={SINGLE} onClear={() => setSelected(new Set())} />
      )}
      <DataTable
        label={t('list.title')}
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
            <EmptyState title={t('list.emptyTitle')} hint={t('list.emptyHint')}>
              <Guarded node="createInstance">
                <Button component={Link} to="/develop/instance/create?preset=tryIt" variant="contained">
                  {t('list.tryIt')}
                </Button>
              </Guarded>
              <Guarded node="createInstance">
                <Button component={Link} to="/develop/instance/create" variant="outlined">
                  {ui('actions.create')}
                </Button>
              </Guarded>
            </EmptyState>
          )
        }
      />
    </>
  );
}
