// The ports that a program listens on.
import { FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { FormRows } from '../../../parts/workload/form-rows.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import type { ProgramValues } from './program-values.ts';

export const MOST_PORT = 65_535;
const MOST_PORTS = 32;

export function PortFields({ hint, isAlone = false }: { hint: string; isAlone?: boolean }) {
  const t = useDeployWords();
  const { control } = useFormContext<ProgramValues>();
  const rows = useFieldArray({ control, name: 'ports' });
  return (
    <FormRows
      title={t('form.ports')}
      isAlone={isAlone}
      hint={hint}
      rows={rows}
      add={t('form.addPort')}
      most={MOST_PORTS}
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
  );
}
