// Settings that most deployments leave as they are, folded away: adapters, environment variables, and how replicas are replaced.
import { MOST_ADAPTERS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useModelOptions } from '../../parts/use-model-options.ts';
import { FormFold } from '../../parts/workload/form-fold.tsx';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { UpdateNumbers } from '../../parts/workload/update-fields.tsx';
import { useWorkloadWords } from '../../parts/workload/use-workload-words.ts';
import { type DeploymentValues, EMPTY_DEPLOYMENT } from './deployment-values.ts';
import { useDeploymentWords } from './use-deployment-words.ts';
import { VersionField } from './version-field.tsx';

const Field = fieldsOf<DeploymentValues>();

const MOST_VARIABLES = 100;

export function MoreFields() {
  const t = useDeploymentWords();
  const workload = useWorkloadWords();
  const { control } = useFormContext<DeploymentValues>();
  const [adapters, env] = useWatch({ control, name: ['adapters', 'env'] });
  const names = [...adapters, ...env].map(({ name }) => name).filter(Boolean);
  return (
    <FormSection title={t('form.more')} summary={names.join(', ')}>
      <FormFold title={t('facts.adapters')} names={['adapters']} unset={EMPTY_DEPLOYMENT}>
        <AdapterFields />
      </FormFold>
      <FormFold title={t('form.env')} names={['env']} unset={EMPTY_DEPLOYMENT}>
        <VariableFields />
      </FormFold>
      <FormFold title={workload('update.title')} names={['update']} unset={EMPTY_DEPLOYMENT}>
        <UpdateNumbers />
      </FormFold>
    </FormSection>
  );
}

function AdapterFields() {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const rows = useFieldArray({ control, name: 'adapters' });
  return (
    <FormRows
      title={t('facts.adapters')}
      isAlone
      hint={t('form.adaptersHint')}
      rows={rows}
      add={t('form.addAdapter')}
      most={MOST_ADAPTERS}
      columns={{ xs: '1fr', sm: 'repeat(3, minmax(0, 1fr))' }}
      blank={{ name: '', model: '', version: '' }}
      cells={(at) => <AdapterCells at={at} />}
    />
  );
}

function AdapterCells({ at }: { at: number }) {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const model = useWatch({ control, name: `adapters.${at}.model` });
  return (
    <>
      <Field.Text name={`adapters.${at}.name`} label={t('form.adapterName')} autoComplete="off" />
      <Field.Select name={`adapters.${at}.model`} label={t('form.model')} options={useModelOptions(model)} />
      <VersionField name={`adapters.${at}.version`} model={model} />
    </>
  );
}

function VariableFields() {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const rows = useFieldArray({ control, name: 'env' });
  return (
    <FormRows
      title={t('form.env')}
      isAlone
      hint={t('form.envHint')}
      rows={rows}
      add={t('form.addEnv')}
      most={MOST_VARIABLES}
      columns={{ xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }}
      blank={{ name: '', value: '' }}
      cells={(at) => (
        <>
          <Field.Text name={`env.${at}.name`} label={t('form.envName')} autoComplete="off" />
          <Field.Text name={`env.${at}.value`} label={t('form.envValue')} autoComplete="off" />
        </>
      )}
    />
  );
}
