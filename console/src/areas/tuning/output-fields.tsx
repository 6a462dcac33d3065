// Where the result goes, and in which form.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext } from 'react-hook-form';
import { optionsOf, useOwnModels } from '../../parts/use-names.ts';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { isMerged } from './choices.ts';
import type { TuneValues } from './tuning-values.ts';
import { useTuningWords } from './use-tuning-words.ts';

const Field = fieldsOf<TuneValues>();
/** No id of a model is empty. */
const NEW = '';
const EMPTY_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;

export function OutputFields() {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const { output, method } = useWatched(control, ['output', 'method']);
  const own = useOwnModels();
  return (
    <FormSection title={t('form.output')} hint={t('form.outputHint')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <Field.Select
          name="output.model"
          label={t('fields.model')}
          options={[{ value: NEW, label: t('form.newModel') }, ...optionsOf(own, output.model)]}
          slotProps={EMPTY_SHOWN}
        />
        {output.model === NEW && (
          <Field.Text name="output.name" label={t('form.outputName')} isRequired autoComplete="off" />
        )}
        {method !== 'Full' && (
          <Field.Select
            name="output.form"
            label={t('fields.form')}
            help={t(isMerged({ output, method }) ? 'forms.MergedHint' : 'forms.AdapterHint')}
            options={[
              { value: '', label: t('forms.Adapter') },
              { value: 'Merged', label: t('forms.Merged') },
            ]}
            slotProps={EMPTY_SHOWN}
          />
        )}
      </Box>
      {isMerged({ output, method }) && (
        <Field.Checkbox name="output.gguf" label={t('form.gguf')} help={t('form.ggufHint')} />
      )}
    </FormSection>
  );
}
