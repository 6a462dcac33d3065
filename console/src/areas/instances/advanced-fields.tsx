// Settings that most instances do not need: environment, ports, the notebook, a command.
import { FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { FormRows } from '../../parts/workload/form-rows.tsx';
import { FormSection } from '../../parts/workload/form-section.tsx';
import type { InstanceValues } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';

const MOST_PORT = 65_535;

export function AdvancedFields() {
  const t = useInstanceWords();
  const { control } = useFormContext<InstanceValues>();
  const env = useFieldArray({ control, name: 'env' });
  const ports = useFieldArray({ control, name: 'ports' });
  return (
    <FormSection title={t('form.advanced')}>
      <FormText control={control} name="command" label={t('form.command')} help={t('form.commandHint')} />
      <FormNumber
        control={control}
        name="notebookPort"
        label={t('form.notebookPort')}
        help={t('form.notebookHint')}
        min={1}
        max={MOST_PORT}
        step={1}
      />
      <FormRows
        title={t('form.env')}
        rows={env}
        add={t('form.addEnv')}
        blank={{ name: '', value: '' }}
        cells={(at) => (
          <>
            <FormText control={control} name={`env.${at}.name`} label={t('form.envName')} />
            <FormText control={control} name={`env.${at}.value`} label={t('form.envValue')} />
          </>
        )}
      />
      <FormRows
        title={t('form.ports')}
        hint={t('form.portsHint')}
        rows={ports}
        add={t('form.addPort')}
        blank={{ name: '', port: undefined }}
        cells={(at) => (
          <>
            <FormNumber
              control={control}
              name={`ports.${at}.port`}
              label={t('form.port')}
              min={1}
              max={MOST_PORT}
              step={1}
            />
            <FormText control={control} name={`ports.${at}.name`} label={t('form.portName')} />
          </>
        )}
      />
    </FormSection>
  );
}
