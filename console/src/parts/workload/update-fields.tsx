// How new replicas take the place of old ones.
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import type { ScalingValues } from './scaling-values.ts';
import { useWorkloadWords } from './use-workload-words.ts';

const FIELDS = [
  { name: 'update.maxUnavailable', word: 'unavailable', min: 0, max: 64 },
  { name: 'update.maxSurge', word: 'surge', min: 0, max: 8 },
  { name: 'update.deadlineMinutes', word: 'deadline', min: 1, max: 120 },
] as const;

export function UpdateFields() {
  const t = useWorkloadWords();
  return (
    <FormSection title={t('update.title')} hint={t('update.hint')}>
      <UpdateNumbers />
    </FormSection>
  );
}

export function UpdateNumbers() {
  const t = useWorkloadWords();
  const { control } = useFormContext<ScalingValues>();
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, 1fr)' }, gap: 2 }}>
      {FIELDS.map(({ name, word, min, max }) => (
        <FormNumber
          key={name}
          control={control}
          name={name}
          label={t(`update.${word}`)}
          help={t(`update.${word}Hint`)}
          min={min}
          max={max}
          step={1}
          {...(word === 'deadline' && { unit: t('units.minutes') })}
        />
      ))}
    </Box>
  );
}
