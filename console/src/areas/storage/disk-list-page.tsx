// The disks of the organisation, page by page, with what they hold, who has them and what they cost.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Add from '@mui/icons-material/Add';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { SearchField } from '../../parts/search-field.tsx';
import { SelectionBar } from '../../parts/selection-bar.tsx';
import { DiskDialogs, type DiskQuestion } from './disk-dialogs.tsx';
import { ListPager, usePaging } from './list-pager.tsx';
import { useDiskColumns } from './use-disk-columns.tsx';
import { useStorageWords } from './use-storage-words.ts';

// With the rules of the contract, which only a form needs.
const CreateDiskDialog = lazy(() =>
  import('./create-disk-dialog.tsx').then(({ CreateDiskDialog: Dialog }) => ({ default: Dialog })),
);

const NONE: ReadonlySet<string> = new Set();

export function DiskListPage() {
  const t = useStorageWords();
  const [params, setParams] = useSearchParams();
  const filters = useFilters(['search'], { by: 'create_time', type: 'desc' });
  const paging = usePaging();
  const [selected, select] = useState(NONE);
  const [question, ask] = useState<DiskQuestion>();
  const { search } = filters.values;
  const { by, type } = filters.sorting;
  const found = useCall(
    CALLS.listDisks,
    {
      query: {
        page: paging.page,
        size: paging.size,
        ...(search !== '' && { search }),
        order_by: by as 'name',
        order_type: type,
      },
    },
    { keepsPrevious: true },
  );
  const disks = found.data?.items ?? [];
  const columns = useDiskColumns(ask);
  const openCreate = (isOpen: boolean) =>
    setParams(
      (former) => {
        const next = new URLSearchParams(former);
        if (isOpen) next.set('create', '1');
        else next.delete('create');
        return next;
      },
      { replace: true },
    );
  const create = (
    <Guarded node="createDisk">
      <Button variant="contained" startIcon={<Add />} onClick={() => openCreate(true)}>
        {t('create.button')}
      </Button>
    </Guarded>
  );
  const chosen = disks.filter(({ id }) => selected.has(id));
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {create}
      </PageHeader>
      <Box sx={{ display: 'flex', gap: 1, mb: 2 }}>
        <SearchField label={t('list.search')} value={search} onSearch={(text) => filters.set('search', text)} />
      </Box>
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={() => select(NONE)}>
          <Guarded node="dataDisk.release">
            <Button
              size="small"
              variant="outlined"
              color="error"
              onClick={() => ask({ what: 'delete', disks: chosen })}
            >
              {t('actions.deleteCount', { count: chosen.length })}
            </Button>
          </Guarded>
        </SelectionBar>
      )}
      <DataTable
        label={t('list.label')}
        columns={columns}
        list={{
          items: disks,
          total: found.data?.items.length,
          isLoading: found.isPending,
          isLoadingMore: false,
          hasMore: false,
          error: found.error,
          more: () => {},
          again: () => void found.refetch(),
        }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={filters.sorting}
        onSort={filters.sort}
        selected={selected}
        onSelect={select}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState title={t('list.empty')} hint={t('list.emptyHint')}>
              {create}
            </EmptyState>
          )
        }
      />
      {found.data && <ListPager paging={paging} total={found.data.total} totalPages={found.data.totalPages} />}
      {params.has('create') && (
        <Suspense>
          <CreateDiskDialog onClose={() => openCreate(false)} />
        </Suspense>
      )}
      {question && <DiskDialogs question={question} onClose={() => ask(undefined)} onDeleted={() => select(NONE)} />}
    </>
  );
}
