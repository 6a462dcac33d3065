// A new version: files of this computer, of which those that the organisation has stored are not sent again; or what the platform fetches
// by itself from the hub, a disk or a bucket.

import { MOST_DATASET_FILES } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Control } from 'react-hook-form';
import { Link as RouterLink, useNavigate } from 'react-router';
import { type Chosen, PickFiles } from '../../parts/files/pick-files.tsx';
import {
  DiskFields,
  diskIn,
  HubFields,
  hubIn,
  IncludeField,
  includeIn,
  NO_SOURCE,
  type SourceValues,
  useSourceOptions,
} from '../../parts/files/source-fields.tsx';
import { useFilesWords } from '../../parts/files/use-files-words.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { keysIn, NEW_KEYS, NO_S3, S3Fields, type S3Values, s3FieldOf, s3In } from './s3-fields.tsx';
import { Terms } from './terms.tsx';
import { useDatasetUploads } from './upload/dataset-uploads.ts';
import { useDatasetWords } from './use-dataset-words.ts';

interface NewVersionDialogProps {
  dataset: Pick<DatasetDetailView, 'id' | 'name'>;
  onClose(): void;
}

interface Values extends SourceValues, S3Values {
  source: 'upload' | 'hub' | 'disk' | 's3' | 'collected';
  message: string;
}

const OUTDATED: ReadonlySet<unknown> = new Set(
  [CALLS.getDataset, CALLS.listDatasetVersions, CALLS.listDatasets, CALLS.listS3Credentials].map(({ id }) => id),
);

export function NewVersionDialog({ dataset: { id, name }, onClose }: NewVersionDialogProps) {
  const t = useDatasetWords();
  const files = useFilesWords();
  const api = useApi();
  const client = useQueryClient();
  const countText = numberText;
  const navigate = useNavigate();
  const uploads = useDatasetUploads();
  const options = useSourceOptions();
  const [chosen, setChosen] = useState<Chosen>();
  const { form, error, submit } = useServerForm<Values>({
    defaultValues: { ...NO_SOURCE, ...NO_S3, source: 'upload', message: '' },
    fieldOf: s3FieldOf,
  });
  const { control, watch, formState } = form;
  const source = watch('source');
  const params = { id };
  const begin: Readonly<Record<Values['source'], (values: Values) => Promise<unknown>>> = {
    async upload({ message }) {
      const { files: picked = [] } = chosen ?? {};
      if (picked.length === 0) throw new Error(t('noFiles'));
      if (picked.length > MOST_DATASET_FILES) throw new Error(t('tooMany', { most: countText(MOST_DATASET_FILES) }));
      const { version } = await api.call(CALLS.createDatasetVersion, { params, body: { message } });
      uploads.start(id, version, picked);
    },
    hub: ({ message, ...values }) =>
      api.call(CALLS.importDatasetFromHub, { params, body: { ...hubIn(values), message } }),
    disk: ({ message, ...values }) =>
      api.call(CALLS.importDatasetFromDisk, { params, body: { ...diskIn(values), message } }),
    async s3({ message, ...values }) {
      if (values.credentials === NEW_KEYS) await api.call(CALLS.setS3Credentials, { body: keysIn(values) });
      const body = { ...s3In(values), include: includeIn(values), message };
      await api.call(CALLS.importDatasetFromS3, { params, body });
    },
    collected: () => Promise.reject(new Error(t('collectedHow'))),
  };
  const send = submit(async (values) => {
    await begin[values.source](values);
    await client.invalidateQueries({ predicate: ({ queryKey: [of] }) => OUTDATED.has(of) });
    onClose();
    void navigate(`/data/space/${id}/versions`);
  });
  const hints = { repository: t('repositoryHint'), folder: t('folderHint'), include: t('includeHint') };
  return (
    <FormDialog
      title={t('newVersionOf', { name })}
      lead={
        <>
          {t('newVersionLead')} <Terms />
        </>
      }
      submitLabel={t(source === 'upload' ? 'upload' : 'fetch')}
      isBusy={formState.isSubmitting}
      isDisabled={source === 'collected'}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormSelect
        control={control}
        name="source"
        label={files('source.label')}
        options={[
          ...options,
          { value: 's3', label: t('s3.bucket') },
          { value: 'collected', label: t('sources.collected') },
        ]}
      />
      {source === 'upload' && <PickFiles chosen={chosen} onPicked={setChosen} />}
      {source === 'hub' && <HubFields control={control} hints={hints} />}
      {source === 'disk' && <DiskFields control={control} hints={hints} />}
      {source === 's3' && (
        <>
          <S3Fields control={control as unknown as Control<S3Values>} isNew={watch('credentials') === NEW_KEYS} />
          <IncludeField control={control} hint={t('includeHint')} />
        </>
      )}
      {source === 'collected' ? (
        <Alert severity="info">
          {t('collectedHow')}{' '}
          <Link component={RouterLink} to="/model/collected">
            {t('collectedLink')}
          </Link>
        </Alert>
      ) : (
        <FormText
          control={control}
          name="message"
          label={t('fields.message')}
          help={t('messageHint')}
          multiline
          minRows={2}
        />
      )}
    </FormDialog>
  );
}
