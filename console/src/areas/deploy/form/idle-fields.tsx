// What happens if its GPUs do nothing and nobody uses it: as the organisation has it, or its own.
import { FormNumber, FormSelect } from '@gantry/ui/form/fields.tsx';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { IDLE_DEEDS, type ProgramValues } from './program-values.ts';

const LEAST_MINUTES = 5;
const MOST_MINUTES = 43_200;

export function IdleFields({ acts }: { acts: string }) {
  const t = useDeployWords();
  const { control } = useFormContext<ProgramValues>();
  const does = useWatch({ control, name: 'idle.does' });
  const labels = { Nothing: t('idle.nothing'), Warn: t('idle.warn'), Act: acts };
  return (
    <FormSection title={t('idle.title')} hint={t('idle.hint')}>
      <FormSelect
        control={control}
        name="idle.does"
        label={t('idle.does')}
        options={[
          { value: '', label: t('idle.inherit') },
          ...IDLE_DEEDS.map((deed) => ({ value: deed, label: labels[deed] })),
        ]}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      />
      {(does === 'Warn' || does === 'Act') && (
        <FormNumber
          control={control}
          name="idle.afterMinutes"
          label={t('idle.after')}
          unit={t('units.minutes')}
          min={LEAST_MINUTES}
          max={MOST_MINUTES}
          step={1}
          sx={{ maxWidth: '16rem' }}
        />
      )}
    </FormSection>
  );
}
