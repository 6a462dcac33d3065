// A version: how it is, what is new in it, where it comes from; on its way how far it is, and how its upload goes on.

import type { DatasetDetailView, DatasetVersionView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded, useMay } from '@gantry/ui/session/permission.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type Chosen, PickFiles } from '../../parts/files/pick-files.tsx';
import { useRunningUpload } from '../../parts/files/running-uploads.ts';
import { UploadProgress } from '../../parts/files/upload-progress.tsx';
import { useFilesWords } from '../../parts/files/use-files-words.ts';
import { Section } from '../../parts/section.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { VersionChip } from './dataset-chip.tsx';
import { Digest } from './files-tab.tsx';
import { canBeProcessed, ProcessButton } from './process-button.tsx';
import { uploadKey, useDatasetUploads } from './upload/dataset-uploads.ts';
import { isBegunWith } from './upload/is-begun-with.ts';
import { useDatasetWords } from './use-dataset-words.ts';

/** While it is on its way. */
const LOOK_MS = 2000;

interface VersionProps {
  dataset: Pick<DatasetDetailView, 'id' | 'is_own' | 'latest_version'>;
  version: DatasetVersionView;
}

export function VersionSection({ dataset, version: listed }: VersionProps) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const personOf = usePeople();
  const countText = numberText;
  const [isAsked, setAsked] = useState(false);
  const version = useMovingVersion(dataset.id, listed);
  const { version: number, state, source, rows, file_count: files, size_bytes: size } = version;
  const facts = [
    t(`sources.${source}`),
    ...(version.source_ref === null ? [] : [version.source_ref]),
    ...(version.format === null ? [] : [t(`formats.${version.format}`)]),
    t('files', { smart_count: files, count: countText(files) }),
    bytesText(size),
    ...(rows === null ? [] : [t('rows', { smart_count: rows, count: countText(rows) })]),
    timeText(version.create_time),
    ...(version.creator === null ? [] : [personOf(version.creator)]),
  ];
  return (
    <Section
      title={t('version', { version: number })}
      beside={<VersionChip version={version} />}
      lead={facts.join(' · ')}
      actions={
        <>
          {canBeProcessed(version) && <ProcessButton id={dataset.id} version={number} size="small" />}
          {state === 'ready' && (
            <Button component={Link} size="small" to={`/data/space/${dataset.id}/files?version=${number}`}>
              {t('tabs.files')}
            </Button>
          )}
          {dataset.is_own && (
            <Guarded node="deleteDatasetVersion">
              <Button color="error" size="small" onClick={() => setAsked(true)}>
                {ui(state === 'processing' ? 'actions.cancel' : 'actions.delete')}
              </Button>
            </Guarded>
          )}
        </>
      }
    >
      {version.message !== '' && (
        <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{version.message}</Typography>
      )}
      {version.problem && <Alert severity="error">{version.problem.message}</Alert>}
      {state === 'processing' && <OnItsWay id={dataset.id} version={version} />}
      {version.digest !== null && (
        <Typography variant="body2" color="text.secondary" component="div">
          {t('fields.digest')}: <Digest digest={version.digest} />
        </Typography>
      )}
      {isAsked && <DeleteVersion id={dataset.id} version={version} onClose={() => setAsked(false)} />}
    </Section>
  );
}

/** The newest that is known of it: a version on its way is looked at again and again. */
function useMovingVersion(id: string, listed: DatasetVersionView): DatasetVersionView {
  const client = useQueryClient();
  const isListedMoving = listed.state === 'processing';
  const { data } = useCall(
    CALLS.getDatasetVersion,
    { params: { id, version: `${listed.version}` } },
    { enabled: isListedMoving, everyMs: LOOK_MS },
  );
  const isOver = isListedMoving && data !== undefined && data.state !== 'processing';
  useEffect(() => {
    if (!isOver) return;
    for (const call of [CALLS.listDatasetVersions, CALLS.getDataset, CALLS.listDatasets])
      void client.invalidateQueries({ queryKey: [call.id] });
  }, [isOver, client]);
  return isListedMoving ? (data ?? listed) : listed;
}

function OnItsWay({ id, version }: { id: string; version: DatasetVersionView }) {
  const t = useDatasetWords();
  const files = useFilesWords();
  const may = useMay();
  const { version: number, step, size_bytes: size, received_bytes: received } = version;
  const running = useRunningUpload(uploadKey(id, number));
  const isSent = running !== undefined && running.problem === undefined;
  return (
    <Box sx={{ my: 1 }}>
      <UploadProgress
        label={t(`steps.${step ?? 'checking'}`)}
        received={received}
        size={size}
        isOpen={step === 'checking'}
        running={running}
      />
      {isSent && (
        <Typography variant="body2" color="text.secondary">
          {files('stays')}
        </Typography>
      )}
      {step === 'uploading' && !isSent && may('putDatasetPiece') && <Resume id={id} version={number} />}
    </Box>
  );
}

function Resume({ id, version }: { id: string; version: number }) {
  const t = useFilesWords();
  const api = useApi();
  const toast = useToast();
  const uploads = useDatasetUploads();
  const [isNone, setNone] = useState(false);
  const pick = async ({ files }: Chosen) => {
    const isOfVersion = files.length > 0 && (await isBegunWith(api, { id, version: `${version}` }, files));
    setNone(!isOfVersion);
    if (isOfVersion) uploads.start(id, version, files);
  };
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Typography variant="body2">{t('resume')}</Typography>
      <PickFiles onPicked={(chosen) => void pick(chosen).catch((error) => toast.error(sentenceOf(error)))} />
      {isNone && <Alert severity="warning">{t('resumeNone')}</Alert>}
    </Box>
  );
}

interface DeleteVersionProps {
  id: string;
  version: DatasetVersionView;
  onClose(): void;
}

function DeleteVersion({ id, version: { version, state }, onClose }: DeleteVersionProps) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const uploads = useDatasetUploads();
  const remove = useCommand(CALLS.deleteDatasetVersion, {
    isQuiet: true,
    invalidates: [CALLS.getDataset, CALLS.listDatasetVersions, CALLS.listDatasets],
    onSuccess: () => {
      uploads.stop(id, version);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t(state === 'processing' ? 'giveUp' : 'deleteVersion', { version })}
      lost={[t('lost')]}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id, version: `${version}` } })}
      onClose={onClose}
    />
  );
}
