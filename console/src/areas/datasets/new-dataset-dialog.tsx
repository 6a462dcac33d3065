// A new dataset: its type for good, and what people write about it. Its first version follows on its page.
import { DATASET_TYPES, type DatasetType } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { DescribeDialog, NOTHING_SAID } from '../../parts/files/describe-dialog.tsx';
import { Terms } from './terms.tsx';
import { useDatasetWords } from './use-dataset-words.ts';

export function NewDatasetDialog({ onClose }: { onClose(): void }) {
  const t = useDatasetWords();
  const ui = useUiWords();
  const navigate = useNavigate();
  const [type, setType] = useState<DatasetType>('file');
  const create = useCommand(CALLS.createDataset, {
    isQuiet: true,
    invalidates: [CALLS.listDatasets],
    onSuccess: ({ id }) => void navigate(`/data/space/${id}`),
  });
  return (
    <DescribeDialog
      title={t('new')}
      lead={
        <>
          {t('newLead')} <Terms />
        </>
      }
      submitLabel={ui('actions.create')}
      of={NOTHING_SAID}
      onSend={(wish) => create.mutateAsync({ body: { ...wish, type } })}
      onClose={onClose}
    >
      <TextField
        select
        label={t('fields.type')}
        helperText={t(`typeHints.${type}`)}
        value={type}
        onChange={({ target }) => setType(target.value as DatasetType)}
      >
        {DATASET_TYPES.map((each) => (
          <MenuItem key={each} value={each}>
            {t(`types.${each}`)}
          </MenuItem>
        ))}
      </TextField>
    </DescribeDialog>
  );
}
