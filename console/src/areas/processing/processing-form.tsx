// The form of a task: what it makes, of what, into what, and by which rules; beside it the price by the hour, below it a preview with an
// estimate of the whole.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { RunFields } from '../../parts/task/run-fields.tsx';
import { CostPanel } from '../../parts/workload/cost-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../parts/workload/form-frame.tsx';
import { FormFolds, FormSection } from '../../parts/workload/form-section.tsx';
import { OptionCard } from '../../parts/workload/option-card.tsx';
import { HostSection } from '../../parts/workload/place-fields.tsx';
import { SizeFields } from '../../parts/workload/size-fields.tsx';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { DatasetFields } from './dataset-fields.tsx';
import { ModelFields } from './model-fields.tsx';
import { ParameterFields } from './parameter-fields.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { TYPES } from './process-types.ts';
import { type ProcessValues, processSize } from './processing-values.ts';
import { useProcessingWords } from './use-processing-words.ts';

const Field = fieldsOf<ProcessValues>();
const SIZED = ['cores', 'memoryGi', 'host'] as const;
const HUNDRED = 100;

export function ProcessingForm(props: WorkloadFormProps<ProcessValues>) {
  const t = useProcessingWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Price}>
      <TypeField />
      <DatasetFields />
      <ParameterFields />
      <ModelFields />
      <SizeFields />
      <FormFolds>
        <LimitFields />
        <HostSection />
        <RunFields />
      </FormFolds>
      <PreviewPanel />
    </WorkloadFrame>
  );
}

function LimitFields() {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const percent = useWatch({ control, name: 'maxRejectedPercent' });
  return (
    <FormSection title={t('form.limits')} summary={`${t('form.maxRejected')}: ${percent ?? '–'}%`}>
      <Field.Number
        name="maxRejectedPercent"
        label={t('form.maxRejected')}
        help={t('form.maxRejectedHint')}
        unit="%"
        range={[0, HUNDRED]}
        step="any"
        isRequired
      />
    </FormSection>
  );
}

function TypeField() {
  const t = useProcessingWords();
  const { control } = useFormContext<ProcessValues>();
  const chosen = useWatch({ control, name: 'type' });
  return (
    <FormSection title={t('form.what')}>
      <Controller
        control={control}
        name="type"
        render={({ field: { ref, ...field } }) => (
          <RadioGroup
            {...field}
            aria-label={t('form.what')}
            sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 1 }}
          >
            {TYPES.map((type, at) => (
              <OptionCard
                key={type}
                control={<Radio value={type} {...(at === 0 && { slotProps: { input: { ref } } })} />}
                title={t(`types.${type}`)}
                lines={[t(`typeHints.${type}`)]}
                isChosen={chosen === type}
              />
            ))}
          </RadioGroup>
        )}
      />
    </FormSection>
  );
}

/** The worker costs the same whatever it does; the API estimates whole specs. */
const ANY_WORK = {
  ...{ type: 'Convert', convert: { format: 'Csv' } },
  ...{ input: { dataset: 'dst-any' }, output: { name: 'any' } },
};

function Price({ isNew, onRecharge }: Beside) {
  const { control } = useFormContext<ProcessValues>();
  const size = processSize(useWatched(control, SIZED));
  return <CostPanel kind="DataProcess" spec={size && { ...ANY_WORK, ...size }} isNew={isNew} onRecharge={onRecharge} />;
}
