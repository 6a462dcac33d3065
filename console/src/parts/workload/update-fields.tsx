// How new replicas take the place of old ones.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import type { ScalingValues } from './scaling-values.ts';
import { useWorkloadWords } from './use-workload-words.ts';

const Field = fieldsOf<ScalingValues>();

const FIELDS = [
  { name: 'update.maxUnavailable', word: 'unavailable', range: [0, 64] },
  { name: 'update.maxSurge', word: 'surge', range: [0, 8] },
  { name: 'update.deadlineMinutes', word: 'deadline', range: [1, 120] },
] as const;

export function UpdateFields() {
  const t = useWorkloadWords();
  const { control } = useFormContext<ScalingValues>();
  const numbers = useWatch({ control, name: FIELDS.map(({ name }) => name) });
  const summary = FIELDS.flatMap(({ word }, at) =>
    numbers[at] === undefined ? [] : [`${t(`update.${word}`)}: ${numbers[at]}`],
  );
  return (
    <FormSection title={t('update.title')} hint={t('update.hint')} summary={summary.join(' · ')}>
      <UpdateNumbers />
    </FormSection>
  );
}

export function UpdateNumbers() {
  const t = useWorkloadWords();
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, 1fr)' }, gap: 2 }}>
      {FIELDS.map(({ name, word, range }) => (
        <Field.Number
          key={name}
          name={name}
          label={t(`update.${word}`)}
          help={t(`update.${word}Hint`)}
          range={range}
          {...(word === 'deadline' && { unit: t('units.minutes') })}
        />
      ))}
    </Box>
  );
}
