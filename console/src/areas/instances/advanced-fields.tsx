// Settings that most instances do not need: environment, ports, the notebook, a command.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import { MOST_PORT, PortFields, portsText } from '../../parts/workload/port-fields.tsx';
import type { InstanceValues } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';

const Field = fieldsOf<InstanceValues>();

export function AdvancedFields() {
  const t = useInstanceWords();
  const { control } = useFormContext<InstanceValues>();
  const env = useFieldArray({ control, name: 'env' });
  const [command, notebook, variables, ports] = useWatch({
    control,
    name: ['command', 'notebookPort', 'env', 'ports'],
  });
  const summary = [
    ...(command === '' ? [] : [command]),
    ...(notebook === undefined ? [] : [`${t('form.notebookPort')}: ${notebook}`]),
    ...variables.flatMap(({ name }) => (name === '' ? [] : [name])),
    ...(ports.length === 0 ? [] : [`${t('form.ports')}: ${portsText(ports)}`]),
  ].join(' · ');
  return (
    <FormSection title={t('form.advanced')} summary={summary}>
      <Field.Text name="command" label={t('form.command')} help={t('form.commandHint')} />
      <Field.Number
        name="notebookPort"
        label={t('form.notebookPort')}
        help={t('form.notebookHint')}
        range={[1, MOST_PORT]}
      />
      <FormRows
        title={t('form.env')}
        rows={env}
        add={t('form.addEnv')}
        blank={{ name: '', value: '' }}
        cells={(at) => (
          <>
            <Field.Text name={`env.${at}.name`} label={t('form.envName')} />
            <Field.Text name={`env.${at}.value`} label={t('form.envValue')} />
          </>
        )}
      />
      <PortFields title={t('form.ports')} hint={t('form.portsHint')} />
    </FormSection>
  );
}
