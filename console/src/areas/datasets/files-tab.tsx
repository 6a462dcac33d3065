// The files of a version, with their digests: to be saved one by one, or all as one archive.
import type { DatasetDetailView, DatasetFileView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useList } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { chunksOf } from '../../parts/files/save-download.ts';
import { useSaving } from '../../parts/files/use-saving.ts';
import { OfVersion, useReadyVersions } from './shown-version.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function FilesTab({ dataset }: { dataset: DatasetDetailView }) {
  return (
    <OfVersion dataset={dataset} actions={(version) => <SaveAll dataset={dataset} version={version} />}>
      {(version) => <Files key={version} id={dataset.id} version={version} />}
    </OfVersion>
  );
}

function Files({ id, version }: { id: string; version: number }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const params = useMemo(() => ({ id, version: `${version}` }), [id, version]);
  const list = useList(CALLS.listDatasetFiles, { params });
  const columns = useMemo(
    (): readonly Column<DatasetFileView>[] => [
      {
        id: 'path',
        label: t('fields.path'),
        width: 'minmax(12rem, 3fr)',
        cell: ({ path }) => <span title={path}>{path}</span>,
      },
      {
        id: 'size',
        label: ui('fields.size'),
        width: '7rem',
        align: 'end',
        cell: ({ size_bytes: size }) => bytesText(size),
      },
      {
        id: 'digest',
        label: t('fields.digest'),
        width: '12rem',
        cell: ({ sha256 }) => (sha256 === null ? ui('states.unknown') : <Digest digest={sha256} />),
        isWideOnly: true,
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '6rem',
        cell: ({ path, size_bytes: size }) => (
          <DownloadButton
            call={CALLS.downloadDatasetFile}
            input={{ params, query: { path } }}
            path={path}
            size={size}
          />
        ),
      },
    ],
    [t, ui, params],
  );
  return (
    <DataTable
      label={t('tabs.files')}
      columns={columns}
      list={list}
      idOf={({ path }) => path}
      nameOf={({ path }) => path}
    />
  );
}

/** Enough of it to tell two apart. */
const SHORT = 12;
export function Digest({ digest }: { digest: string }) {
  const t = useDatasetWords();
  return (
    <Box component="code" title={digest} sx={{ fontFamily: MONO }}>
      {digest.slice(0, SHORT)}… <CopyButton text={digest} label={t('fields.digest')} />
    </Box>
  );
}

function SaveAll({ dataset: { id, name }, version }: { dataset: DatasetDetailView; version: number }) {
  const t = useDatasetWords();
  const api = useApi();
  const { isSaving, save } = useSaving();
  // Without what the archive adds to its files.
  const size = useReadyVersions(id).find((each) => each.version === version)?.size_bytes;
  return (
    <Button
      loading={isSaving}
      onClick={() =>
        void save({ name: `${name}-${version}.tar`, size }, () =>
          chunksOf(api, CALLS.downloadDatasetVersion, { params: { id, version: `${version}` } }),
        )
      }
    >
      {t('downloadAll')} {size !== undefined && `(${bytesText(size)})`}
    </Button>
  );
}
