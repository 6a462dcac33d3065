// A new version of files from this computer. What the organisation has stored already is not sent again.
import { MOST_DATASET_FILES } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import type { DatasetDetailView } from '@gantry/contract/areas/datasets/datasets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Chosen, PickFiles } from '../../parts/files/pick-files.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDatasetUploads } from './upload/dataset-uploads.ts';
import { useCountText } from './use-count-text.ts';
import { useDatasetWords } from './use-dataset-words.ts';

interface NewVersionDialogProps {
  dataset: Pick<DatasetDetailView, 'id' | 'name'>;
  onClose(): void;
}

export function NewVersionDialog({ dataset: { id, name }, onClose }: NewVersionDialogProps) {
  const t = useDatasetWords();
  const countText = useCountText();
  const navigate = useNavigate();
  const uploads = useDatasetUploads();
  const [chosen, setChosen] = useState<Chosen>();
  const { form, error, submit } = useServerForm({ defaultValues: { message: '' } });
  const begin = useCommand(CALLS.createDatasetVersion, {
    ...{ isQuiet: true, success: false },
    invalidates: [CALLS.getDataset, CALLS.listDatasetVersions, CALLS.listDatasets],
  });
  const send = submit(async ({ message }) => {
    const { files = [] } = chosen ?? {};
    if (files.length === 0) throw new Error(t('noFiles'));
    if (files.length > MOST_DATASET_FILES) throw new Error(t('tooMany', { most: countText(MOST_DATASET_FILES) }));
    const { version } = await begin.mutateAsync({ params: { id }, body: { message } });
    uploads.start(id, version, files);
    onClose();
    void navigate(`/data/space/${id}/versions`);
  });
  return (
    <FormDialog
      title={t('newVersionOf', { name })}
      lead={t('newVersionLead')}
      submitLabel={t('upload')}
      isBusy={form.formState.isSubmitting}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <PickFiles chosen={chosen} onPicked={setChosen} />
      <FormText
        control={form.control}
        name="message"
        label={t('fields.message')}
        help={t('messageHint')}
        multiline
        minRows={2}
      />
    </FormDialog>
  );
}
