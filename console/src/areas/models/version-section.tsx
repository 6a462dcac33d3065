// A version: how it is, where it comes from, its files with their digests; on its way how far it is, and how an upload goes on.

import type { ModelDetailView, ModelFileView, ModelVersionView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCommand } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded, useMay } from '@gantry/ui/session/permission.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Download from '@mui/icons-material/Download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { PlainTable } from '../../parts/plain-table.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Section } from '../../parts/section.tsx';
import { VersionChip } from './model-chip.tsx';
import { PickFiles } from './upload/pick-files.tsx';
import type { FileToSend } from './upload/send-version.ts';
import { useRunningUpload, useVersionUploads } from './upload/version-uploads.ts';
import { useModelWords } from './use-model-words.ts';

/** A browser keeps a download in memory before it saves it. */
const MOST_SAVED_BYTES = 256 * 1024 * 1024;

interface VersionProps {
  model: Pick<ModelDetailView, 'id' | 'is_own'>;
  version: ModelVersionView;
}

export function VersionSection({ model, version }: VersionProps) {
  const t = useModelWords();
  const ui = useUiWords();
  const [isAsked, setAsked] = useState(false);
  const { name, state, source, repository, revision, problem, files, size_bytes: size, create_time: time } = version;
  const { cached_on: cached } = version;
  const cache = cached === null ? [] : [t('cachedOn', cached), ...(cached.copying > 0 ? [t('copyingTo', cached)] : [])];
  const from = {
    upload: t('upload'),
    hub: t('hub', { repository: repository ?? '', revision: revision?.slice(0, 12) ?? '' }),
    disk: repository === null ? t('form.fromDisk') : t('disk', { disk: repository, folder: revision ?? '' }),
  }[source];
  return (
    <Section
      title={name}
      beside={<VersionChip state={state} />}
      lead={[from, bytesText(size), timeText(time), ...cache].join(' · ')}
      actions={
        model.is_own && (
          <Guarded node="deleteModelVersion">
            <Button color="error" size="small" onClick={() => setAsked(true)}>
              {ui('actions.delete')}
            </Button>
          </Guarded>
        )
      }
    >
      {problem && <Alert severity="error">{problem.message}</Alert>}
      {state !== 'ready' && state !== 'failed' && <OnItsWay model={model} version={version} />}
      {files.length > 0 && <Files model={model} version={version} />}
      {isAsked && <DeleteVersion model={model} version={version} onClose={() => setAsked(false)} />}
    </Section>
  );
}

function OnItsWay({ model: { id }, version }: VersionProps) {
  const t = useModelWords();
  const may = useMay();
  const running = useRunningUpload(id, version.name);
  const { size_bytes: size, received_bytes: received, state } = version;
  const sent = Math.max(received, running?.sent ?? 0);
  const isWaiting = state === 'uploading' && (running === undefined || running.problem !== undefined);
  return (
    <Box sx={{ mb: 2 }}>
      <LinearProgress
        variant={size === 0 || state === 'checking' ? 'indeterminate' : 'determinate'}
        value={size === 0 ? 0 : (100 * sent) / size}
        aria-label={t(`versionStates.${state}`)}
      />
      <Typography variant="body2" color="text.secondary" sx={{ my: 1 }} role="status">
        {t('progress', { sent: bytesText(sent), size: bytesText(size) })}
        {running?.isAway && ` · ${t('away')}`}
      </Typography>
      {running?.problem !== undefined && <Alert severity="error">{running.problem}</Alert>}
      {isWaiting && may('putModelPiece') && <Resume id={id} version={version} />}
    </Box>
  );
}

function Resume({ id, version: { name, files } }: { id: string; version: ModelVersionView }) {
  const t = useModelWords();
  const uploads = useVersionUploads();
  const [isNone, setNone] = useState(false);
  const pick = (picked: readonly FileToSend[]) => {
    const wanted = missingOf(files, picked);
    setNone(wanted.length === 0);
    if (wanted.length > 0) uploads.start(id, name, wanted);
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <Typography variant="body2">{t('resume')}</Typography>
      <PickFiles onPicked={pick} />
      {isNone && <Alert severity="warning">{t('resumeNone')}</Alert>}
    </Box>
  );
}

/** Those of the picked files that are still missing: by path, or by name where one was picked without its folder. */
export const missingOf = (files: readonly ModelFileView[], picked: readonly FileToSend[]): FileToSend[] =>
  files.flatMap(({ path, size_bytes: size, received_bytes: received }) => {
    if (received >= size) return [];
    const found = picked.find(
      (each) => each.file.size === size && (each.path === path || path.endsWith(`/${each.path}`)),
    );
    return found ? [{ path, file: found.file }] : [];
  });

function Files({ model, version }: VersionProps) {
  const t = useModelWords();
  const ui = useUiWords();
  const isReady = version.state === 'ready';
  return (
    <details>
      <Typography component="summary" sx={{ cursor: 'pointer', py: 1 }}>
        {t('files', { smart_count: version.files.length })}
      </Typography>
      <PlainTable<ModelFileView>
        label={t('files', { smart_count: version.files.length })}
        rows={version.files}
        keyOf={({ path }) => path}
        columns={[
          { label: t('fields.path'), cell: ({ path }) => path },
          { label: ui('fields.size'), isEnd: true, cell: ({ size_bytes: size }) => bytesText(size) },
          {
            label: t('fields.digest'),
            cell: ({ sha256: digest }) =>
              digest === null ? (
                ui('states.unknown')
              ) : (
                <Box component="code" title={digest} sx={{ fontFamily: MONO }}>
                  {digest.slice(0, 12)}… <CopyButton text={digest} label={t('fields.digest')} />
                </Box>
              ),
          },
          ...(isReady
            ? [
                {
                  label: ui('fields.actions'),
                  cell: (file: ModelFileView) => <Save model={model} version={version} file={file} />,
                },
              ]
            : []),
        ]}
      />
    </details>
  );
}

function Save({ model, version, file }: VersionProps & { file: ModelFileView }) {
  const t = useModelWords();
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const isTooLarge = file.size_bytes > MOST_SAVED_BYTES;
  const label = t('download', { path: file.path });
  const save = async () => {
    setBusy(true);
    try {
      const input = { params: { id: model.id, version: version.name }, query: { path: file.path } };
      const response = await api.send(CALLS.downloadModelFile, input);
      saveFile(await response.blob(), file.path.split('/').at(-1) ?? file.path);
    } catch (error) {
      toast.error(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <span title={isTooLarge ? t('tooLarge') : label}>
      <IconButton size="small" aria-label={label} disabled={isTooLarge} loading={isBusy} onClick={() => void save()}>
        <Download fontSize="small" />
      </IconButton>
    </span>
  );
}

function DeleteVersion({ model: { id }, version, onClose }: VersionProps & { onClose(): void }) {
  const t = useModelWords();
  const ui = useUiWords();
  const uploads = useVersionUploads();
  const { name, state } = version;
  const remove = useCommand(CALLS.deleteModelVersion, {
    isQuiet: true,
    invalidates: [CALLS.getModel, CALLS.listModelSpace],
    onSuccess: () => {
      uploads.stop(id, name);
      onClose();
    },
  });
  const isMoving = state !== 'ready' && state !== 'failed';
  return (
    <ConfirmDialog
      title={t(isMoving ? 'giveUp' : 'deleteVersion', { name })}
      lost={[t('lost')]}
      confirmLabel={ui('actions.delete')}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id, version: name } })}
      onClose={onClose}
    />
  );
}
