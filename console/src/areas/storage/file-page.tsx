// File systems: each is a disk seen from within. `?disk=…&path=…` leads into a folder.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { bytesText, gibibytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { DiskChip } from './disk-chip.tsx';
import { diskPath, filesPath } from './disk-path.ts';
import { FileBrowser } from './files/file-browser.tsx';
import { tidyPath } from './files/file-path.ts';
import { UploadPanel } from './upload/upload-panel.tsx';
import { useStorageWords } from './use-storage-words.ts';

export function FilePage() {
  const [params] = useSearchParams();
  const disk = params.get('disk');
  return disk === null ? <FileSystems /> : <FileSystem key={disk} id={disk} />;
}

function FileSystem({ id }: { id: string }) {
  const t = useStorageWords();
  const [params, setParams] = useSearchParams();
  const { data: disk, error, refetch } = useCall(CALLS.getDisk, { params: { id } });
  const path = tidyPath(params.get('path') ?? '/');
  const open = (to: string) => setParams({ disk: id, ...(to !== '/' && { path: to }) });
  return (
    <>
      <PageHeader title={disk?.name ?? t('systems.title')} lead={t('systems.content')}>
        {disk && (
          <Button component={RouterLink} to={diskPath(disk)}>
            {t('systems.disk')}
          </Button>
        )}
        <Button component={RouterLink} to="/develop/file">
          {t('systems.all')}
        </Button>
      </PageHeader>
      {error && !disk && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !disk && <LoadingRows />}
      {disk && <FileBrowser disk={disk} path={path} onOpen={open} />}
    </>
  );
}

function FileSystems() {
  const t = useStorageWords();
  const ui = useUiWords();
  const list = useList(CALLS.listDisks);
  const columns = useMemo(
    (): readonly Column<DiskView>[] => [
      {
        id: 'name',
        label: t('systems.name'),
        width: 'minmax(10rem, 2fr)',
        cell: ({ id, name }) => (
          <Link component={RouterLink} to={filesPath(id)} sx={{ fontWeight: 600 }}>
            {name}
          </Link>
        ),
      },
      {
        id: 'disk',
        label: t('systems.disk'),
        cell: (disk) => (
          <Link component={RouterLink} to={diskPath(disk)}>
            {disk.id}
          </Link>
        ),
      },
      {
        id: 'status',
        label: ui('fields.status'),
        cell: (disk) => <DiskChip disk={disk} />,
      },
      { id: 'used', label: t('systems.used'), cell: ({ used_bytes }) => bytesText(used_bytes) },
      { id: 'total', label: t('systems.total'), cell: ({ size_gi }) => gibibytesText(size_gi) },
    ],
    [t, ui],
  );
  return (
    <>
      <PageHeader title={t('systems.title')} lead={t('systems.lead')} />
      <UploadPanel />
      <DataTable
        label={t('systems.label')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title={t('systems.empty')} hint={t('systems.emptyHint')}>
            <Button component={RouterLink} to="/gpu/storage?create=1" variant="contained">
              {t('create.button')}
            </Button>
          </EmptyState>
        }
      />
    </>
  );
}
