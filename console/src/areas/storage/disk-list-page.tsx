// The organisation's disks, page by page, with usage, mounts and prices.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Add from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { KindListPage } from '../../parts/kind-list-page.tsx';
import { lazyPart } from '../../parts/lazy-part.ts';
import { usePagedRows } from '../../parts/list-rows.tsx';
import { useDiskColumns } from './use-disk-columns.tsx';
import { useStorageWords } from './use-storage-words.ts';

// With the rules of the contract, which only a form needs.
const CreateDiskDialog = lazyPart(() => import('./create-disk-dialog.tsx'), 'CreateDiskDialog');

export function DiskListPage() {
  const t = useStorageWords();
  const columns = useDiskColumns();
  const [params, setParams] = useSearchParams();
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
  return (
    <>
      <KindListPage
        kind="dataDisk"
        list={CALLS.listDisks}
        useRows={usePagedRows}
        columns={columns}
        title={t('title')}
        lead={t('lead')}
        search={t('list.search')}
        single={['edit']}
        create={create}
        empty={{ title: t('list.empty'), hint: t('list.emptyHint'), actions: create }}
      />
      {params.has('create') && (
        <Suspense>
          <CreateDiskDialog onClose={() => openCreate(false)} />
        </Suspense>
      )}
    </>
  );
}
