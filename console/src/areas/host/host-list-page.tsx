// All hosts of the organisation.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link } from 'react-router';
import { BatchActions } from '../../parts/batch-actions.tsx';
import { HostFilters } from './host-filters.tsx';
import { useHostColumns } from './use-host-columns.tsx';
import { useHostWords } from './use-host-words.ts';

export function HostListPage() {
  const t = useHostWords();
  const filters = useFilters(['search', 'status', 'tag', 'source'], { by: 'create_time', type: 'desc' });
  const { values, sorting } = filters;
  const list = useList(CALLS.listHosts, { query: { ...values, order_by: sorting.by, order_type: sorting.type } });
  const columns = useHostColumns();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = list.items.filter(({ id }) => selected.has(id));
  const rent = (
    <Guarded node="createHost">
      <Button component={Link} to="/gpu/nodes/rent" variant="contained">
        {t('list.rent')}
      </Button>
    </Guarded>
  );
  return (
    <>
      <PageHeader title={t('list.title')} lead={t('list.lead')}>
        {rent}
      </PageHeader>
      <HostFilters filters={filters} />
      {chosen.length > 0 && (
        <BatchActions kind="gpuHost" selected={chosen} without={['edit']} onClear={() => setSelected(new Set())} />
      )}
      <DataTable
        label={t('list.title')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={sorting}
        onSort={filters.sort}
        selected={new Set(chosen.map(({ id }) => id))}
        onSelect={setSelected}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState title={t('list.emptyTitle')} hint={t('list.emptyHint')}>
              {rent}
            </EmptyState>
          )
        }
      />
    </>
  );
}
