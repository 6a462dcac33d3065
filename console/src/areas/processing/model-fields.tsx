// The deployment or alias that is asked, and how many tokens it may use. Nothing where no model is asked.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { Controller, useFormContext } from 'react-hook-form';
import { useModelLabel, useModelNames } from '../../parts/use-model-names.ts';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { asksModel, type ProcessValues } from './processing-values.ts';
import { useProcessingWords } from './use-processing-words.ts';

const Field = fieldsOf<ProcessValues>();

export function ModelFields() {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const { type, qa } = useWatched(control, ['type', 'qa']);
  if (!asksModel({ type, qa })) return null;
  return (
    <FormSection title={t('form.model')}>
      <ModelField hint={t(type === 'KnowledgeBase' ? 'form.embeddingHint' : 'form.modelHint')} />
      <Field.Number name="maxTokens" label={t('fields.budget')} help={t('form.budgetHint')} range={[1]} />
    </FormSection>
  );
}

/** One that sleeps, or is not there yet, can be typed. */
function ModelField({ hint }: { hint: string }) {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const { data = [] } = useModelNames();
  const labelOf = useModelLabel();
  return (
    <Controller
      control={control}
      name="model"
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <Autocomplete
          freeSolo
          options={data}
          renderOption={({ key, ...props }, id) => (
            <li key={key} {...props}>
              {labelOf(id) === id ? id : `${labelOf(id)} (${id})`}
            </li>
          )}
          inputValue={value}
          onInputChange={(_, typed) => onChange(typed)}
          onBlur={onBlur}
          renderInput={(params) => (
            <TextField
              {...params}
              inputRef={ref}
              label={t('fields.model')}
              required
              error={error !== undefined}
              helperText={error?.message ?? hint}
            />
          )}
        />
      )}
    />
  );
}
