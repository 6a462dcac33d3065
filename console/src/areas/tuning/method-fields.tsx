// What is learned and how: the objective, the columns that it reads, the method, and its parameters, most of which are folded away.

import { MOST_WORKERS } from '@gantry/contract/fields/task.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import type { ReactNode } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTableColumns } from '../../parts/use-table-columns.ts';
import { ColumnField } from '../../parts/workload/column-field.tsx';
import { FormFold } from '../../parts/workload/form-fold.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { OptionCard } from '../../parts/workload/option-card.tsx';
import { METHODS, OBJECTIVES } from './choices.ts';
import { columnNames, EMPTY_TUNE, FIRST_COLUMN, type TuneValues } from './tuning-values.ts';
import { useTuningWords } from './use-tuning-words.ts';

const Field = fieldsOf<TuneValues>();
const MOST_STEPS = 10_000_000;
const MOST_BATCH = 1024;

const Grid = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>{children}</Box>
);

export function ObjectiveFields() {
  const t = useTuningWords();
  const { getValues, setValue } = useFormContext<TuneValues>();
  return (
    <FormSection title={t('form.objective')}>
      <Cards
        name="objective"
        label={t('form.objective')}
        options={OBJECTIVES.map((value) => ({
          value,
          title: t(`objectives.${value}`),
          hint: t(`objectiveHints.${value}`),
        }))}
        onChosen={(objective) => {
          // What was typed by hand stays.
          if (Object.values(FIRST_COLUMN).includes(getValues('columns.prompt')))
            setValue('columns.prompt', FIRST_COLUMN[objective as keyof typeof FIRST_COLUMN]);
        }}
      />
      <ColumnFields />
    </FormSection>
  );
}

function ColumnFields() {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const [objective, rows] = useWatch({ control, name: ['objective', 'rows'] });
  const known = useTableColumns(useWatch({ control, name: 'datasets.0' }));
  return (
    <>
      {objective === 'SFT' && (
        <Field.Select
          name="rows"
          label={t('form.rows')}
          help={t(`form.rowHints.${rows}`)}
          options={(['Pairs', 'Messages'] as const).map((value) => ({ value, label: t(`form.rowKinds.${value}`) }))}
        />
      )}
      <Grid>
        {columnNames({ objective, rows }).map((name) => (
          <ColumnField
            key={name}
            name={`columns.${name}`}
            label={t(`columns.${name}`)}
            known={known}
            {...(name === 'system' ? { help: t('columns.systemHint') } : { isRequired: true })}
          />
        ))}
      </Grid>
    </>
  );
}

export function MethodFields() {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const [method, until, gpu, epochs, steps] = useWatch({
    control,
    name: ['method', 'until', 'gpu.model', 'parameters.epochs', 'parameters.maxSteps'],
  });
  const length = until === 'Epochs' ? epochs : steps;
  return (
    <FormSection
      title={t('form.method')}
      summary={`${t(`methods.${method}`)} · ${t(`form.untils.${until}`)}: ${length ?? '–'}`}
    >
      <Cards
        name="method"
        label={t('form.method')}
        options={METHODS.map((value) => ({
          value,
          title: t(`methods.${value}`),
          hint: value === 'QLoRA' && gpu === '' ? t('form.quantizedNeedsGpu') : t(`methodHints.${value}`),
          isDisabled: value === 'QLoRA' && gpu === '' && method !== 'QLoRA',
        }))}
      />
      <Grid>
        <Field.Select
          name="until"
          label={t('form.until')}
          options={(['Epochs', 'Steps'] as const).map((value) => ({ value, label: t(`form.untils.${value}`) }))}
        />
        {until === 'Epochs' ? (
          <Field.Number
            name="parameters.epochs"
            label={t('form.epochs')}
            help={t('form.epochsHint')}
            range={[0.01, 1000]}
            step="any"
            isRequired
          />
        ) : (
          <Field.Number
            name="parameters.maxSteps"
            label={t('form.maxSteps')}
            help={t('form.maxStepsHint')}
            range={[1, MOST_STEPS]}
            isRequired
          />
        )}
      </Grid>
      <ParameterFields />
      <CheckpointFields />
    </FormSection>
  );
}

const FOLDED = [
  ...(['batch', 'accumulate', 'maxLength', 'learningRate', 'schedule', 'warmup'] as const),
  ...(['rank', 'alpha', 'dropout', 'beta', 'seed'] as const),
].map((name) => `parameters.${name}` as const);

function ParameterFields() {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const [method, objective] = useWatch({ control, name: ['method', 'objective'] });
  const rate = objective === 'DPO' ? '0.000005' : method === 'Full' ? '0.00002' : '0.0002';
  return (
    <FormFold title={t('form.parameters')} names={FOLDED} unset={EMPTY_TUNE}>
      <Grid>
        <Field.Number
          name="parameters.batch"
          label={t('parameters.batch')}
          help={t('parameters.batchHint')}
          range={[1, MOST_BATCH]}
          isRequired
        />
        <Field.Number
          name="parameters.accumulate"
          label={t('parameters.accumulate')}
          help={t('parameters.accumulateHint')}
          range={[1, MOST_BATCH]}
          isRequired
        />
        <Field.Number
          name="parameters.maxLength"
          label={t('parameters.maxLength')}
          help={t('parameters.maxLengthHint')}
          unit={t('units.tokens')}
          range={[16, 131_072]}
          isRequired
        />
        <Field.Number
          name="parameters.learningRate"
          label={t('parameters.learningRate')}
          help={t('parameters.learningRateHint', { rate })}
          range={[0.00000001, 1]}
          step="any"
        />
        <Field.Select
          name="parameters.schedule"
          label={t('parameters.schedule')}
          help={t('parameters.scheduleHint')}
          options={(['Cosine', 'Linear', 'Constant'] as const).map((value) => ({
            value,
            label: t(`parameters.schedules.${value}`),
          }))}
        />
        <Field.Number
          name="parameters.warmup"
          label={t('parameters.warmup')}
          help={t('parameters.warmupHint')}
          range={[0, 0.5]}
          step="any"
          isRequired
        />
        {method !== 'Full' && (
          <>
            <Field.Number
              name="parameters.rank"
              label={t('parameters.rank')}
              help={t('parameters.rankHint')}
              range={[1, 512]}
              isRequired
            />
            <Field.Number
              name="parameters.alpha"
              label={t('parameters.alpha')}
              help={t('parameters.alphaHint')}
              range={[1, 2048]}
              isRequired
            />
            <Field.Number
              name="parameters.dropout"
              label={t('parameters.dropout')}
              help={t('parameters.dropoutHint')}
              range={[0, 0.9]}
              step="any"
              isRequired
            />
          </>
        )}
        {objective === 'DPO' && (
          <Field.Number
            name="parameters.beta"
            label={t('parameters.beta')}
            help={t('parameters.betaHint')}
            range={[0.001, 10]}
            step="any"
            isRequired
          />
        )}
        <Field.Number
          name="parameters.seed"
          label={t('parameters.seed')}
          help={t('parameters.seedHint')}
          range={[0, 100_000_000]}
          isRequired
        />
      </Grid>
    </FormFold>
  );
}

const CHECKPOINT_NAMES = ['checkpoints.everySteps', 'checkpoints.keep'] as const;

function CheckpointFields() {
  const t = useTuningWords();
  return (
    <FormFold title={t('checkpoints.title')} names={CHECKPOINT_NAMES} unset={EMPTY_TUNE}>
      <Grid>
        <Field.Number
          name="checkpoints.everySteps"
          label={t('checkpoints.every')}
          help={t('checkpoints.everyHint')}
          unit={t('units.steps')}
          range={[1, MOST_STEPS]}
        />
        <Field.Number
          name="checkpoints.keep"
          label={t('checkpoints.keep')}
          help={t('checkpoints.keepHint')}
          range={[1, 20]}
          isRequired
        />
      </Grid>
    </FormFold>
  );
}

export function WorkerField() {
  const t = useTuningWords();
  return (
    <Field.Number
      name="workers"
      label={t('fields.workers')}
      help={t('form.workersHint')}
      range={[1, MOST_WORKERS]}
      isRequired
      sx={{ maxWidth: '16rem' }}
    />
  );
}

interface CardsProps {
  name: 'objective' | 'method';
  label: string;
  options: readonly { value: string; title: string; hint: string; isDisabled?: boolean }[];
  onChosen?: (value: string) => void;
}

function Cards({ name, label, options, onChosen }: CardsProps) {
  const { control } = useFormContext<TuneValues>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, onChange, ...field }, fieldState: { error } }) => (
        <div>
          <RadioGroup
            {...field}
            aria-label={label}
            onChange={(_, value) => {
              onChange(value);
              onChosen?.(value);
            }}
            sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 13rem), 1fr))', gap: 1 }}
          >
            {options.map(({ value, title, hint, isDisabled = false }, at) => (
              <OptionCard
                key={value}
                control={
                  <Radio value={value} disabled={isDisabled} {...(at === 0 && { slotProps: { input: { ref } } })} />
                }
                title={title}
                lines={[hint]}
                isChosen={field.value === value}
              />
            ))}
          </RadioGroup>
          {error && <FormHelperText error>{error.message}</FormHelperText>}
        </div>
      )}
    />
  );
}
