// A new model with its first version, or a further version of one: files of this computer, a repository of the hub, or a folder of a
// disk.

import type { ModelDetailView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Chosen, PickFiles } from '../../parts/files/pick-files.tsx';
import {
  DiskFields,
  diskIn,
  HubFields,
  hubIn,
  NO_SOURCE,
  type SourceValues,
  useSourceOptions,
} from '../../parts/files/source-fields.tsx';
import { useFilesWords } from '../../parts/files/use-files-words.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useVersionUploads } from './upload/version-uploads.ts';
import { useModelWords } from './use-model-words.ts';

interface Values extends SourceValues {
  name: string;
  version: string;
  source: 'upload' | 'hub' | 'disk';
}
const EMPTY: Values = { ...NO_SOURCE, name: '', version: '1.0', source: 'upload' };

interface AddVersionDialogProps {
  /** Absent: a new one. */
  model?: Pick<ModelDetailView, 'id' | 'name'>;
  onClose(): void;
}

export function AddVersionDialog({ model, onClose }: AddVersionDialogProps) {
  const t = useModelWords();
  const ui = useUiWords();
  const files = useFilesWords();
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const uploads = useVersionUploads();
  const options = useSourceOptions();
  const [chosen, setChosen] = useState<Chosen>();
  const { form, error, submit } = useServerForm<Values>({ defaultValues: model ? { ...EMPTY, version: '' } : EMPTY });
  /** A second try after its version was refused makes no second model. */
  const made = useRef(model?.id);
  const { control, watch, formState } = form;
  const source = watch('source');
  const hints = {
    repository: t('form.repositoryHint'),
    folder: t('form.folderHint'),
    include: t('form.includeHint'),
  };
  const send = submit(async ({ name, version, source: from, ...values }) => {
    const { files: picked = [] } = chosen ?? {};
    if (from === 'upload' && picked.length === 0) throw new Error(t('form.noFiles'));
    made.current ??= (await api.call(CALLS.createModel, { body: { name: name.trim() } })).id;
    const params = { id: made.current };
    if (from === 'upload') {
      const listed = picked.map(({ path, file }) => ({ path, size_bytes: file.size }));
      await api.call(CALLS.uploadModelVersion, { params, body: { version, files: listed } });
      uploads.start(params.id, version, picked);
    } else if (from === 'disk')
      await api.call(CALLS.importModelFromDisk, { params, body: { version, ...diskIn(values) } });
    else await api.call(CALLS.importModelVersion, { params, body: { version, ...hubIn(values) } });
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
      <FormSelect control={control} name="source" label={files('source.label')} options={options} />
      {source === 'upload' && <PickFiles chosen={chosen} onPicked={setChosen} />}
      {source === 'disk' && <DiskFields control={control} hints={hints} />}
      {source === 'hub' && <HubFields control={control} hints={hints} />}
    </FormDialog>
  );
}

const OUTDATED: ReadonlySet<unknown> = new Set([CALLS.getModel.id, CALLS.listModelSpace.id]);
