// The collected requests of a deployment as a version of a dataset: of a new one, or of one that is there.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { FormSelect, FormText } from '@gantry/ui/form/fields.tsx';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

const ALL = { size: 1000 } as const;
/** No id of a dataset is empty. */
const NEW = '';

interface MakeDatasetProps {
  /** Its id. */
  deployment: string;
  /** What people call it. */
  name: string;
  onClose(): void;
}

export function MakeDatasetDialog({ deployment, name: ofDeployment, onClose }: MakeDatasetProps) {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const api = useApi();
  const navigate = useNavigate();
  const { items } = useList(CALLS.listDatasets, {}, ALL);
  const { form, error, submit } = useServerForm({ defaultValues: { dataset: NEW, name: ofDeployment, message: '' } });
  const { control, watch, formState } = form;
  const begin = useCommand(CALLS.importDatasetFromCollected, {
    isQuiet: true,
    invalidates: [CALLS.listDatasets, CALLS.getDataset, CALLS.listDatasetVersions],
  });
  /** A second try after its version was refused makes no second dataset. */
  const made = useRef<string>(undefined);
  const send = submit(async ({ dataset, name, message }) => {
    if (dataset === NEW) made.current ??= (await api.call(CALLS.createDataset, { body: { name: name.trim() } })).id;
    const id = dataset === NEW ? (made.current as string) : dataset;
    await begin.mutateAsync({ params: { id }, body: { deployment, message } });
    void navigate(`/data/space/${id}/versions`);
  });
  return (
    <FormDialog
      title={t('collected.makeDataset')}
      lead={t('collected.makeLead', { name: ofDeployment })}
      submitLabel={ui('actions.create')}
      isBusy={formState.isSubmitting}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormSelect
        control={control}
        name="dataset"
        label={t('collected.dataset')}
        options={[
          { value: NEW, label: t('collected.newDataset') },
          // One that everybody is shown takes no collected requests.
          ...items.map(({ id, name, shelved }) => ({ value: id, label: name, isDisabled: shelved })),
        ]}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      />
      {watch('dataset') === NEW && (
        <FormText control={control} name="name" label={ui('fields.name')} isRequired autoComplete="off" />
      )}
      <FormText control={control} name="message" label={t('collected.message')} multiline minRows={2} />
      <Alert severity="warning">{t('collected.managersOnly')}</Alert>
    </FormDialog>
  );
}
