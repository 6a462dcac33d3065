// How a task is run: which goes first, for how long at most, and how often again.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from '../workload/form-section.tsx';
import { useWorkloadWords } from '../workload/use-workload-words.ts';
import { PRIORITIES, type RunSettings } from './run-settings.ts';
import { useTaskWords } from './use-task-words.ts';

const Field = fieldsOf<RunSettings>();

const MOST_RETRIES = 10;
const MOST_MINUTES = 129_600;

export function RunFields() {
  const t = useTaskWords();
  const workload = useWorkloadWords();
  const { control } = useFormContext<RunSettings>();
  const [priority, minutes, retries] = useWatch({ control, name: ['priority', 'maxRunMinutes', 'retries'] });
  const summary = [
    t(`priorities.${priority ?? 'Normal'}`),
    minutes === undefined ? t('run.noLimit') : t('run.limit', { smart_count: minutes }),
    t('run.tries', { smart_count: retries ?? 0 }),
  ].join(' · ');
  return (
    <FormSection title={t('run.title')} summary={summary}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <Field.Select
          name="priority"
          label={t('run.priority')}
          help={t('run.priorityHint')}
          options={PRIORITIES.map((value) => ({ value, label: t(`priorities.${value}`) }))}
        />
        <Field.Number
          name="maxRunMinutes"
          label={t('run.maxMinutes')}
          help={t('run.maxMinutesHint')}
          unit={workload('units.minutes')}
          range={[1, MOST_MINUTES]}
        />
        <Field.Number name="retries" label={t('run.retries')} help={t('run.retriesHint')} range={[0, MOST_RETRIES]} />
      </Box>
    </FormSection>
  );
}
