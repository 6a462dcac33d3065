// One dataset: what it is, its files, its versions, and where it came from.
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { DescribeDialog } from '../../parts/files/describe-dialog.tsx';
import { IdWithCopy } from '../../parts/id-with-copy.tsx';
import { LineageTab } from '../../parts/lineage/lineage-tab.tsx';
import { PageTabs, tabAt } from '../../parts/page-tabs.tsx';
import { isGone, UntilShown } from '../../parts/until-shown.tsx';
import { DatasetChip } from './dataset-chip.tsx';
import { FilesTab } from './files-tab.tsx';
import { AskTab } from './knowledge/ask-tab.tsx';
import { NewVersionDialog } from './new-version-dialog.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { canBeProcessed, ProcessButton, TuneButton } from './process-button.tsx';
import { useShownVersion } from './shown-version.tsx';
import { QueryTab } from './table/query-tab.tsx';
import { RejectedTab } from './table/rejected-tab.tsx';
import { RowsTab } from './table/rows-tab.tsx';
import { SearchTab } from './table/search-tab.tsx';
import { StatisticsTab } from './table/statistics-tab.tsx';
import { useDatasetWords } from './use-dataset-words.ts';
import { VersionsTab } from './versions-tab.tsx';

const LIST = '/data/space';
const TABS = (
  ['overview', 'ask', 'rows', 'statistics', 'search', 'query', 'rejected', 'files', 'versions', 'lineage'] as const
).map((name) => ({ name }));
/** While a version is on its way. */
const LOOK_MS = 2000;
/** What they say of it is out of date once it has arrived, or its table is there. */
const OUTDATED = [CALLS.listDatasetVersions, CALLS.getDatasetVersion, CALLS.listDatasets];
type Asked = 'version' | 'edit' | 'delete';

export function DatasetPage() {
  const { id = '' } = useParams();
  const [isMoving, setMoving] = useState(false);
  const { data, error, refetch } = useCall(
    CALLS.getDataset,
    { params: { id } },
    isMoving ? { everyMs: LOOK_MS } : undefined,
  );
  const client = useQueryClient();
  useEffect(() => {
    if (!isMoving) return undefined;
    return () => {
      for (const call of OUTDATED) void client.invalidateQueries({ queryKey: [call.id] });
    };
  }, [isMoving, client]);
  const moves = data !== undefined && isOnItsWay(data);
  if (moves !== isMoving) setMoving(moves);
  if (data && !isGone(error)) return <LoadedDataset key={id} dataset={data} />;
  return <UntilShown id={id} error={error} list={LIST} onRetry={() => void refetch()} />;
}

/** A version arrives, or the newest one's table is being read. */
const isOnItsWay = ({ state, latest }: DatasetDetailView): boolean =>
  state === 'processing' || latest?.profile?.state === 'waiting' || latest?.profile?.state === 'running';

function LoadedDataset({ dataset }: { dataset: DatasetDetailView }) {
  const t = useDatasetWords();
  const [asked, setAsked] = useState<Asked>();
  const { id, name, state, latest } = dataset;
  const version = useShownVersion(dataset);
  const shown = tabAt(TABS, useParams().tab)?.name;
  const path = `${LIST}/${id}`;
  const close = () => setAsked(undefined);
  if (!shown) return <Navigate to={path} replace />;
  const isOfUse = (tab: string) => {
    if (tab === shown) return true;
    if (tab === 'ask') return dataset.type === 'rag' || (latest?.knowledge ?? null) !== null;
    // Rejected rows are usually none.
    return tab !== 'rejected' || (latest?.profile?.rejected ?? 0) > 0;
  };
  return (
    <>
      <PageHeader
        title={name}
        beside={
          <span aria-live="polite">
            <DatasetChip state={state} />
          </span>
        }
        lead={<IdWithCopy id={id} />}
      >
        {version !== undefined && latest && canBeProcessed(latest) && (
          <>
            <TuneButton id={id} version={version} />
            <ProcessButton id={id} version={version} />
          </>
        )}
        {dataset.is_own && <Commands onAsk={setAsked} />}
      </PageHeader>
      {dataset.managers_only && (
        <Alert severity="info" sx={{ mb: 2 }}>
          {t('managersOnly')}
        </Alert>
      )}
      <PageTabs
        label={name}
        path={path}
        tabs={TABS.filter((tab) => isOfUse(tab.name))}
        shown={shown}
        labelOf={(tab) => t(`tabs.${tab}`)}
      >
        {shown === 'overview' && <OverviewTab dataset={dataset} onUpload={() => setAsked('version')} />}
        {shown === 'ask' && <AskTab dataset={dataset} />}
        {shown === 'rows' && <RowsTab dataset={dataset} />}
        {shown === 'statistics' && <StatisticsTab dataset={dataset} />}
        {shown === 'search' && <SearchTab dataset={dataset} />}
        {shown === 'query' && <QueryTab dataset={dataset} />}
        {shown === 'rejected' && <RejectedTab dataset={dataset} />}
        {shown === 'files' && <FilesTab dataset={dataset} />}
        {shown === 'versions' && <VersionsTab dataset={dataset} onUpload={() => setAsked('version')} />}
        {shown === 'lineage' && <LineageTab kind="dataset" id={id} />}
      </PageTabs>
      {asked === 'version' && <NewVersionDialog dataset={dataset} onClose={close} />}
      {asked === 'edit' && <EditDataset dataset={dataset} onClose={close} />}
      {asked === 'delete' && <DeleteDataset dataset={dataset} onClose={close} />}
    </>
  );
}

function Commands({ onAsk }: { onAsk(what: Asked): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  return (
    <>
      <Guarded node="createDatasetVersion">
        <Button variant="contained" onClick={() => onAsk('version')}>
          {t('newVersion')}
        </Button>
      </Guarded>
      <Guarded node="editDataset">
        <Button onClick={() => onAsk('edit')}>{ui('actions.edit')}</Button>
      </Guarded>
      <Guarded node="deleteDataset">
        <Button color="error" onClick={() => onAsk('delete')}>
          {ui('actions.delete')}
        </Button>
      </Guarded>
    </>
  );
}

function EditDataset({ dataset, onClose }: { dataset: DatasetDetailView; onClose(): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const { id, name } = dataset;
  const edit = useCommand(CALLS.editDataset, {
    isQuiet: true,
    invalidates: [CALLS.getDataset, CALLS.listDatasets],
    onSuccess: onClose,
  });
  return (
    <DescribeDialog
      title={t('edit', { name })}
      submitLabel={ui('actions.save')}
      of={dataset}
      onSend={(body) => edit.mutateAsync({ params: { id }, body })}
      onClose={onClose}
    />
  );
}

function DeleteDataset({ dataset: { id, name }, onClose }: { dataset: DatasetDetailView; onClose(): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const navigate = useNavigate();
  const remove = useCommand(CALLS.deleteDataset, {
    isQuiet: true,
    invalidates: [CALLS.listDatasets],
    onSuccess: () => void navigate(LIST),
  });
  return (
    <ConfirmDialog
      title={t('deleteDataset', { name })}
      lost={[t('lostAll')]}
      typed={name}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    />
  );
}
