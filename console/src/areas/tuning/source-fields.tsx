// What is trained, and on what: the base, up to eight datasets with their weights, and what the loss is measured on.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MOST_DATASETS } from '@gantry/contract/kinds/fine-tune-schema.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { canBeTuned, isAdapter } from '../../parts/can-be-tuned.ts';
import { optionsOf, useNameOf, useReadableDatasets, useReadableModels, withChosen } from '../../parts/use-names.ts';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import type { TuneValues } from './tuning-values.ts';
import { useTuningWords } from './use-tuning-words.ts';

const Field = fieldsOf<TuneValues>();
const ALL = 1000;
const EMPTY_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;
const TWO = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;
const WEIGHT: readonly [number, number] = [0.01, 100];
const MOST_PATIENCE = 1000;

export function BaseFields() {
  const t = useTuningWords();
  const { control, setValue } = useFormContext<TuneValues>();
  const model = useWatch({ control, name: 'base.model' });
  // Of others no version is ready.
  const models = useReadableModels().filter(({ state }) => state === 'ready');
  return (
    <FormSection title={t('form.base')} hint={t('form.baseHint')}>
      <Box sx={TWO}>
        <Field.Select
          name="base.model"
          label={t('fields.model')}
          options={optionsOf(models, model)}
          // A version is one of its model.
          onChosen={() => setValue('base.version', '')}
          isRequired
        />
        <BaseVersion model={model} />
      </Box>
    </FormSection>
  );
}

function BaseVersion({ model }: { model: string }) {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const chosen = useWatch({ control, name: 'base.version' });
  const { data } = useCall(CALLS.getModel, { params: { id: model } }, { enabled: model !== '' });
  const ready = (data?.versions ?? []).filter(({ state }) => state === 'ready');
  const options = ready.map((version) => {
    const why = canBeTuned(version) ? undefined : isAdapter(version) ? t('form.isAdapter') : t('form.isNoBase');
    const { name } = version;
    return { value: name, label: why === undefined ? name : `${name} (${why})`, isDisabled: why !== undefined };
  });
  const isNone = data !== undefined && !options.some(({ isDisabled }) => !isDisabled);
  return (
    <Field.Select
      name="base.version"
      label={t('fields.versionLabel')}
      help={isNone ? t('form.noBase') : undefined}
      options={withChosen(options, chosen)}
      isRequired
    />
  );
}

export function DatasetFields() {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const rows = useFieldArray({ control, name: 'datasets' });
  return (
    <FormSection title={t('form.data')}>
      <FormRows
        title={t('form.data')}
        isAlone
        hint={t('form.dataHint')}
        rows={rows}
        add={t('form.addDataset')}
        most={MOST_DATASETS}
        canRemove={rows.fields.length > 1}
        blank={{ dataset: '', version: '', weight: 1 }}
        columns={{ xs: '1fr', sm: 'minmax(0, 2fr) minmax(0, 1.5fr) 7rem' }}
        cells={(at) => (
          <>
            <DatasetField name={`datasets.${at}`} isRequired />
            <Field.Number
              name={`datasets.${at}.weight`}
              label={t('fields.weight')}
              range={WEIGHT}
              step="any"
              isRequired
            />
          </>
        )}
      />
    </FormSection>
  );
}

interface DatasetFieldProps {
  name: `datasets.${number}` | 'evalDataset';
  isRequired?: boolean;
}

/** A dataset, and one of its versions. */
function DatasetField({ name, isRequired = false }: DatasetFieldProps) {
  const t = useTuningWords();
  const { control, setValue } = useFormContext<TuneValues>();
  const [dataset, version] = useWatch({ control, name: [`${name}.dataset`, `${name}.version`] });
  const datasets = useReadableDatasets();
  const { items: versions } = useList(
    CALLS.listDatasetVersions,
    { params: { id: dataset } },
    { size: ALL, enabled: dataset !== '' },
  );
  const ready = versions
    .filter(({ state }) => state === 'ready')
    .map((one) => ({ value: `${one.version}`, label: t('fields.version', { version: one.version }) }));
  const none = isRequired ? [] : [{ value: '', label: t('form.noEval') }];
  return (
    <>
      <Field.Select
        name={`${name}.dataset`}
        label={t('fields.dataset')}
        options={[...none, ...optionsOf(datasets, dataset)]}
        onChosen={() => setValue(`${name}.version`, '')}
        isRequired={isRequired}
        {...(!isRequired && { slotProps: EMPTY_SHOWN })}
      />
      <Field.Select
        name={`${name}.version`}
        label={t('fields.versionLabel')}
        options={[
          { value: '', label: t('fields.newestVersion') },
          ...withChosen(ready, version, t('fields.version', { version })),
        ]}
        slotProps={EMPTY_SHOWN}
        disabled={dataset === ''}
      />
    </>
  );
}

export function EvalFields() {
  const t = useTuningWords();
  const { control } = useFormContext<TuneValues>();
  const [dataset, stops] = useWatch({ control, name: ['evalDataset.dataset', 'stopsEarly'] });
  const nameOf = useNameOf(useReadableDatasets());
  return (
    <FormSection title={t('form.eval')} hint={t('form.evalHint')} summary={dataset === '' ? '' : nameOf(dataset)}>
      <Box sx={TWO}>
        <DatasetField name="evalDataset" />
      </Box>
      {dataset !== '' && (
        <>
          <Field.Checkbox name="stopsEarly" label={t('form.stopsEarly')} help={t('form.stopsEarlyHint')} />
          {stops && (
            <Box sx={TWO}>
              <Field.Number
                name="earlyStop.patience"
                label={t('form.patience')}
                help={t('form.patienceHint')}
                range={[1, MOST_PATIENCE]}
                isRequired
              />
              <Field.Number
                name="earlyStop.minDelta"
                label={t('form.minDelta')}
                help={t('form.minDeltaHint')}
                range={[0]}
                step="any"
                isRequired
              />
            </Box>
          )}
        </>
      )}
    </FormSection>
  );
}
