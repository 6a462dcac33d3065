// What is evaluated: up to eight deployments, adapters that they serve, or versions of models; and the one that the others are compared with.
import { MOST_SUBJECTS } from '@gantry/contract/kinds/evaluation-schema.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useModelOptions, useVersionNames } from '../../parts/use-model-options.ts';
import { type Option, withChosen } from '../../parts/use-names.ts';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { baselineWithout, EMPTY_SUBJECT, type EvaluationValues, type SubjectValues } from './evaluation-values.ts';
import { useDeployments, useSubjectName } from './use-deployments.ts';
import { useEvaluationWords } from './use-evaluation-words.ts';

const Field = fieldsOf<EvaluationValues>();
const EMPTY_SHOWN = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;
const CHANGED = { shouldDirty: true, shouldValidate: true } as const;

export function SubjectFields() {
  const t = useEvaluationWords();
  const { control, getValues, setValue } = useFormContext<EvaluationValues>();
  const rows = useFieldArray({ control, name: 'subjects' });
  const remove = (at: number) => {
    rows.remove(at);
    setValue('baseline', baselineWithout(getValues('baseline'), at), CHANGED);
  };
  return (
    <FormSection title={t('fields.subjects')}>
      <FormRows
        title={t('fields.subjects')}
        isAlone
        hint={t('form.subjectsHint')}
        rows={{ ...rows, remove }}
        add={t('form.addSubject')}
        most={MOST_SUBJECTS}
        canRemove={rows.fields.length > 1}
        blank={EMPTY_SUBJECT}
        columns={{ xs: '1fr', sm: 'minmax(0, 2fr) minmax(0, 3fr) minmax(0, 2fr)' }}
        cells={(at) => <SubjectCells at={at} />}
      />
      <BaselineField />
    </FormSection>
  );
}

/** Those that make text, with their state where they do not answer now. */
export function deploymentOptions(deployments: readonly ModelDeploymentView[], chosen: string): readonly Option[] {
  const options = deployments
    .filter(({ task, served_for: servedFor }) => task === 'Generate' && servedFor === null)
    .map(({ id, name, phase, phase_label: state }) => ({
      value: id,
      label: phase === 'active' ? name : `${name} (${state})`,
    }));
  return withChosen(options, chosen);
}

function SubjectCells({ at }: { at: number }) {
  const t = useEvaluationWords();
  const { control } = useFormContext<EvaluationValues>();
  const source = useWatch({ control, name: `subjects.${at}.source` });
  return (
    <>
      <Field.Select
        name={`subjects.${at}.source`}
        label={t('fields.source')}
        options={(['deployment', 'version'] as const).map((value) => ({ value, label: t(`sources.${value}`) }))}
      />
      {source === 'version' ? <VersionCells at={at} /> : <DeploymentCells at={at} />}
    </>
  );
}

function VersionCells({ at }: { at: number }) {
  const t = useEvaluationWords();
  const { control, setValue } = useFormContext<EvaluationValues>();
  const { model = '', version = '' } = useWatch({ control, name: `subjects.${at}` }) ?? EMPTY_SUBJECT;
  const names = useVersionNames(model, version);
  return (
    <>
      <Field.Select
        name={`subjects.${at}.model`}
        label={t('fields.model')}
        help={t('form.versionHint')}
        options={useModelOptions(model)}
        // A version is one of its model.
        onChosen={() => setValue(`subjects.${at}.version`, '')}
        isRequired
      />
      <Field.Select
        name={`subjects.${at}.version`}
        label={t('fields.versionLabel')}
        options={withChosen(
          names.map((name) => ({ value: name, label: name })),
          version,
        )}
        disabled={model === ''}
        isRequired
      />
    </>
  );
}

function DeploymentCells({ at }: { at: number }) {
  const t = useEvaluationWords();
  const { control, setValue } = useFormContext<EvaluationValues>();
  const { deployment = '', adapter = '' } = useWatch({ control, name: `subjects.${at}` }) ?? EMPTY_SUBJECT;
  const deployments = useDeployments();
  const adapters = deployments.find(({ id }) => id === deployment)?.adapters ?? [];
  return (
    <>
      <Field.Select
        name={`subjects.${at}.deployment`}
        label={t('fields.deployment')}
        options={deploymentOptions(deployments, deployment)}
        // An adapter is one of its deployment.
        onChosen={() => setValue(`subjects.${at}.adapter`, '')}
        isRequired
      />
      <Field.Select
        name={`subjects.${at}.adapter`}
        label={t('fields.adapter')}
        options={[
          { value: '', label: t('form.noAdapter') },
          ...withChosen(
            adapters.map(({ name }) => ({ value: name, label: name })),
            adapter,
          ),
        ]}
        slotProps={EMPTY_SHOWN}
        disabled={deployment === ''}
      />
    </>
  );
}

function BaselineField() {
  const t = useEvaluationWords();
  const { control } = useFormContext<EvaluationValues>();
  const subjects = useWatch({ control, name: 'subjects' });
  const models = useModelOptions('');
  const nameOf = useSubjectName();
  const called = (one: SubjectValues) => {
    if (one.source === 'deployment') return one.deployment === '' ? undefined : nameOf(one);
    const { model: id, version } = one;
    return id === '' ? undefined : `${models.find(({ value }) => value === id)?.label ?? id} ${version}`;
  };
  return (
    <Field.Select
      name="baseline"
      label={t('fields.baseline')}
      help={t('form.baselineHint')}
      options={[
        { value: '', label: t('form.noBaseline') },
        ...subjects.map((subject, at) => ({
          value: `${at}`,
          label: `${at + 1}. ${called(subject) ?? t('form.notChosen')}`,
        })),
      ]}
      slotProps={EMPTY_SHOWN}
    />
  );
}
