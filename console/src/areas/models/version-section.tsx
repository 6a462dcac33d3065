// A version: how it is, where it comes from, its files with their digests; on its way how far it is, and how an upload goes on.

import type { ModelDetailView, ModelFileView, ModelVersionView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded, useMay } from '@gantry/ui/session/permission.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { canBeTuned } from '../../parts/can-be-tuned.ts';
import { DownloadButton } from '../../parts/files/download-button.tsx';
import { type Chosen, PickFiles } from '../../parts/files/pick-files.tsx';
import { useRunningUpload } from '../../parts/files/running-uploads.ts';
import type { FileToSend } from '../../parts/files/send-pieces.ts';
import { UploadProgress } from '../../parts/files/upload-progress.tsx';
import { useFilesWords } from '../../parts/files/use-files-words.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { VersionChip } from './model-chip.tsx';
import { uploadKey, useVersionUploads } from './upload/version-uploads.ts';
import { useModelWords } from './use-model-words.ts';

interface VersionProps {
  model: Pick<ModelDetailView, 'id' | 'is_own'>;
  version: ModelVersionView;
}

export function VersionSection({ model, version }: VersionProps) {
  const t = useModelWords();
  const ui = useUiWords();
  const words = useFilesWords();
  const [isAsked, setAsked] = useState(false);
  const { name, state, source, repository, revision, problem, files, size_bytes: size, create_time: time } = version;
  const { cached_on: cached } = version;
  const cache = cached === null ? [] : [t('cachedOn', cached), ...(cached.copying > 0 ? [t('copyingTo', cached)] : [])];
  const from = {
    upload: t('upload'),
    hub: t('hub', { repository: repository ?? '', revision: revision?.slice(0, 12) ?? '' }),
    disk: repository === null ? words('source.disk') : t('disk', { disk: repository, folder: revision ?? '' }),
    task: t('task', { task: repository ?? '', run: revision ?? '' }),
  }[source];
  return (
    <Section
      title={name}
      beside={<VersionChip state={state} />}
      lead={[from, bytesText(size), timeText(time), ...cache].join(' · ')}
      actions={
        <>
          {canBeTuned(version) && (
            <Guarded node="createFineTune" isHidden>
              <Button
                component={Link}
                to={`/model/finetune/create?${new URLSearchParams({ model: model.id, version: name })}`}
                size="small"
              >
                {t('tune')}
              </Button>
            </Guarded>
          )}
          {model.is_own && (
            <Guarded node="deleteModelVersion">
              <Button color="error" size="small" onClick={() => setAsked(true)}>
                {ui('actions.delete')}
              </Button>
            </Guarded>
          )}
        </>
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
  const { name, size_bytes: size, received_bytes: received, state } = version;
  const running = useRunningUpload(uploadKey(id, name));
  const isWaiting = state === 'uploading' && (running === undefined || running.problem !== undefined);
  return (
    <Box sx={{ mb: 2 }}>
      <UploadProgress
        label={t(`versionStates.${state}`)}
        received={received}
        size={size}
        isOpen={state === 'checking'}
        running={running}
      />
      {isWaiting && may('putModelPiece') && <Resume id={id} version={version} />}
    </Box>
  );
}

function Resume({ id, version: { name, files } }: { id: string; version: ModelVersionView }) {
  const t = useFilesWords();
  const uploads = useVersionUploads();
  const [isNone, setNone] = useState(false);
  const pick = (picked: Chosen) => {
    const wanted = missingOf(files, picked.files);
    setNone(wanted.length === 0);
    if (wanted.length > 0) uploads.start(id, name, wanted);
  };
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
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
                  cell: ({ path, size_bytes: size }: ModelFileView) => (
                    <DownloadButton
                      call={CALLS.downloadModelFile}
                      input={{ params: { id: model.id, version: version.name }, query: { path } }}
                      path={path}
                      size={size}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </details>
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
