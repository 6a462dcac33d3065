// CPU and memory.
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';
import type { WorkloadValues } from './workload-values.ts';

export function SizeFields() {
  const t = useWorkloadWords();
  const { control } = useFormContext<WorkloadValues>();
  return (
    <FormSection title={t('form.size')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <FormNumber
          control={control}
          name="cores"
          label={t('form.cores')}
          unit={t('form.coresUnit')}
          min={0.1}
          step="any"
          isRequired
        />
        <FormNumber
          control={control}
          name="memoryGi"
          label={t('form.memory')}
          unit="GiB"
          min={0.0625}
          step="any"
          isRequired
        />
      </Box>
    </FormSection>
  );
}
