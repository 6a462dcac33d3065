// CPU and memory.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { FormSection } from './form-section.tsx';
import { useWorkloadWords } from './use-workload-words.ts';
import type { WorkloadValues } from './workload-values.ts';

const Field = fieldsOf<WorkloadValues>();

export function SizeFields() {
  const t = useWorkloadWords();
  return (
    <FormSection title={t('form.size')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <Field.Number
          name="cores"
          label={t('form.cores')}
          unit={t('form.coresUnit')}
          range={[0.1]}
          step="any"
          isRequired
        />
        <Field.Number name="memoryGi" label={t('form.memory')} unit="GiB" range={[0.0625]} step="any" isRequired />
      </Box>
    </FormSection>
  );
}
