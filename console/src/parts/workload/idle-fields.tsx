// The action taken if its GPUs do nothing and nobody uses it.
import { IDLE_DOES, LEAST_IDLE_MINUTES, MOST_IDLE_MINUTES } from '@gantry/contract/fields/idle.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import type { IdleValues } from './idle-values.ts';
import { useWorkloadWords } from './use-workload-words.ts';

const Field = fieldsOf<IdleValues>();

/** `acts`: what acting does to the kind. */
export function IdleFields({ acts }: { acts: string }) {
  const t = useWorkloadWords();
  const { control } = useFormContext<IdleValues>();
  const does = useWatch({ control, name: 'idle.does' });
  const labels = { Nothing: t('idle.nothing'), Warn: t('idle.warn'), Act: acts };
  return (
    <FormSection title={t('idle.title')} hint={t('idle.hint')} summary={does ? labels[does] : t('idle.inherit')}>
      <Field.Select
        name="idle.does"
        label={t('idle.does')}
        options={[
          { value: '', label: t('idle.inherit') },
          ...IDLE_DOES.map((deed) => ({ value: deed, label: labels[deed] })),
        ]}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      />
      {(does === 'Warn' || does === 'Act') && (
        <Field.Number
          name="idle.afterMinutes"
          label={t('idle.after')}
          unit={t('idle.minutes')}
          range={[LEAST_IDLE_MINUTES, MOST_IDLE_MINUTES]}
          sx={{ maxWidth: '16rem' }}
        />
      )}
    </FormSection>
  );
}
