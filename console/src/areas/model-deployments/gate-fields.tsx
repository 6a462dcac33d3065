// Which evaluation has to show that another version is good enough before it is served.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { METRICS } from '@gantry/contract/kinds/evaluation-schema.ts';
import { METRIC_WORDS } from '@gantry/contract/kinds/evaluation-words.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import { useFormContext, useWatch } from 'react-hook-form';
import { useModelOptions } from '../../parts/use-model-options.ts';
import { withChosen } from '../../parts/use-names.ts';
import { FormSection } from '../../parts/workload/form-section.tsx';
import type { DeploymentValues } from './deployment-values.ts';
import { useDeploymentWords } from './use-deployment-words.ts';
import { VersionField } from './version-field.tsx';

const Field = fieldsOf<DeploymentValues>();
const ALL = { size: 1000 } as const;
const SHOWS_EMPTY = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;
const PAIR = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;

export function GateFields() {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const ui = useUiWords();
  const isGated = useWatch({ control, name: 'isGated' });
  return (
    <FormSection title={t('gate.title')} summary={isGated ? ui('states.set') : ''}>
      <Field.Checkbox name="isGated" label={t('gate.isOn')} help={t('gate.isOnHint')} />
      {isGated && (
        <Box sx={PAIR}>
          <Fields />
        </Box>
      )}
    </FormSection>
  );
}

function Fields() {
  const t = useDeploymentWords();
  const language = useLanguage();
  const { control, setValue } = useFormContext<DeploymentValues>();
  const [chosen, metric, task, model] = useWatch({
    control,
    name: ['gate.evaluation', 'gate.metric', 'gate.task', 'gate.notWorseThan.model'],
  });
  const { items, isLoading } = useList(CALLS.listEvaluations, {}, ALL);
  // What compares nothing opens no gate.
  const comparing = items.filter(({ baseline }) => baseline !== null);
  const tasks = (items.find(({ id }) => id === chosen)?.tasks ?? [])
    .map((one, at) => ({ ...one, value: `${at}` }))
    .filter((one) => one.metric === metric)
    .map(({ name, value }) => ({ value, label: name }));
  return (
    <>
      <Field.Select
        name="gate.evaluation"
        label={t('gate.evaluation')}
        help={t(comparing.length === 0 && !isLoading ? 'gate.none' : 'gate.evaluationHint')}
        options={withChosen(
          comparing.map(({ id, name }) => ({ value: id, label: name })),
          chosen,
        )}
        // A task is one of its evaluation.
        onChosen={() => setValue('gate.task', '')}
        isRequired
      />
      <Field.Select
        name="gate.metric"
        label={t('gate.metric')}
        options={METRICS.map((value) => ({ value, label: METRIC_WORDS[value][language] }))}
        onChosen={() => setValue('gate.task', '')}
      />
      <Field.Select
        name="gate.task"
        label={t('gate.task')}
        options={[{ value: '', label: t('gate.anyTask') }, ...withChosen(tasks, task)]}
        slotProps={SHOWS_EMPTY}
      />
      <Field.Number
        name="gate.margin"
        label={t('gate.margin')}
        help={t('gate.marginHint')}
        range={[0, 1]}
        step="any"
        isRequired
      />
      <Field.Select
        name="gate.notWorseThan.model"
        label={t('gate.baseline')}
        help={t('gate.baselineHint')}
        options={[{ value: '', label: t('gate.anyBaseline') }, ...useModelOptions(model)]}
        onChosen={() => setValue('gate.notWorseThan.version', '')}
        slotProps={SHOWS_EMPTY}
      />
      {model !== '' && <VersionField name="gate.notWorseThan.version" model={model} isRequired />}
    </>
  );
}
