// A new model with its first version, or a further version of one: files of this computer, a repository of the hub, or a folder of a
// disk.

import type { ModelDetailView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Chosen, PickFiles } from '../../parts/files/pick-files.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { wordsIn } from '../../parts/words-in.ts';
import { useVersionUploads } from './upload/version-uploads.ts';
import { useModelWords } from './use-model-words.ts';

interface Values {
  name: string;
  version: string;
  source: 'upload' | 'hub' | 'disk';
  disk: string;
  folder: string;
  repository: string;
  revision: string;
  include: string;
}
const EMPTY: Values = {
  ...{ name: '', version: '1.0', source: 'upload', disk: '', folder: '/', repository: '' },
  ...{ revision: 'main', include: '' },
};

interface AddVersionDialogProps {
  /** Absent: a new one. */
  model?: Pick<ModelDetailView, 'id' | 'name'>;
  onClose(): void;
}

export function AddVersionDialog({ model, onClose }: AddVersionDialogProps) {
  const t = useModelWords();
  const ui = useUiWords();
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const uploads = useVersionUploads();
  const { data: token } = useCall(CALLS.getModelHubToken, {});
  const { items: disks } = useList(CALLS.listDisks, {}, ALL);
  const [chosen, setChosen] = useState<Chosen>();
  const { form, error, submit } = useServerForm<Values>({ defaultValues: model ? { ...EMPTY, version: '' } : EMPTY });
  /** A second try after its version was refused makes no second model. */
  const made = useRef(model?.id);
  const { control, watch, formState } = form;
  const source = watch('source');
  const send = submit(async ({ name, version, source: from, disk, folder, repository, revision, include }) => {
    const { files = [] } = chosen ?? {};
    if (from === 'upload' && files.length === 0) throw new Error(t('form.noFiles'));
    made.current ??= (await api.call(CALLS.createModel, { body: { name: name.trim() } })).id;
    const params = { id: made.current };
    if (from === 'upload') {
      const listed = files.map(({ path, file }) => ({ path, size_bytes: file.size }));
      await api.call(CALLS.uploadModelVersion, { params, body: { version, files: listed } });
      uploads.start(params.id, version, files);
    } else if (from === 'disk') {
      const body = { version, disk, folder: folder.trim(), include: wordsIn(include) };
      await api.call(CALLS.importModelFromDisk, { params, body });
    } else {
      const body = { version, repository: repository.trim(), revision: revision.trim(), include: wordsIn(include) };
      await api.call(CALLS.importModelVersion, { params, body });
    }
    await client.invalidateQueries({ predicate: ({ queryKey: [id] }) => OUTDATED.has(id) });
    onClose();
    void navigate(`/model/space/${params.id}`);
  });
  return (
    <FormDialog
      title={model ? t('form.versionTitle', { name: model.name }) : t('form.addTitle')}
      lead={t('form.lead')}
      submitLabel={ui('actions.add')}
      isBusy={formState.isSubmitting}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      {!model && <FormText control={control} name="name" label={ui('fields.name')} isRequired autoComplete="off" />}
      <FormText
        control={control}
        name="version"
        label={t('form.version')}
        help={t('form.versionHint')}
        isRequired
        autoComplete="off"
      />
      <FormSelect
        control={control}
        name="source"
        label={t('form.source')}
        options={[
          { value: 'upload', label: t('form.fromUpload') },
          { value: 'hub', label: t('form.fromHub'), isDisabled: token?.hub === null },
          { value: 'disk', label: t('form.fromDisk'), isDisabled: disks.length === 0 },
        ]}
      />
      {source === 'upload' ? (
        <PickFiles chosen={chosen} onPicked={setChosen} />
      ) : source === 'disk' ? (
        <>
          <FormSelect
            control={control}
            name="disk"
            label={t('form.disk')}
            options={disks.map(({ id, name }) => ({ value: id, label: name }))}
            isRequired
          />
          <FormText control={control} name="folder" label={t('form.folderOnDisk')} help={t('form.folderHint')} />
          <FormText control={control} name="include" label={t('form.include')} help={t('form.includeHint')} />
        </>
      ) : (
        <>
          <Typography variant="body2" color="text.secondary">
            {token?.hub ? t('form.hubAt', { hub: token.hub }) : t('form.noHub')}
            {token && !token.is_set && ` ${t('form.gated')}`}
          </Typography>
          <FormText
            control={control}
            name="repository"
            label={t('form.repository')}
            help={t('form.repositoryHint')}
            isRequired
            autoComplete="off"
          />
          <FormText control={control} name="revision" label={t('form.revision')} help={t('form.revisionHint')} />
          <FormText control={control} name="include" label={t('form.include')} help={t('form.includeHint')} />
        </>
      )}
    </FormDialog>
  );
}

const ALL = { size: 1000 } as const;
const OUTDATED: ReadonlySet<unknown> = new Set([CALLS.getModel.id, CALLS.listModelSpace.id]);
