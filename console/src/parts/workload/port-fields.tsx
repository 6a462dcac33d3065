// The ports that a program listens on.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { FormRows } from './form-rows.tsx';
import type { RunValues } from './run-values.ts';
import { useWorkloadWords } from './use-workload-words.ts';

const Field = fieldsOf<RunValues>();

export const MOST_PORT = 65_535;
const MOST_PORTS = 32;

/** In one line; empty without one. */
export const portsText = (ports: RunValues['ports']): string =>
  ports.flatMap(({ port }) => (port === undefined ? [] : [`${port}`])).join(', ');

interface PortFieldsProps {
  title: string;
  hint: string;
  /** The section around it has the same title. */
  isAlone?: boolean;
}

export function PortFields({ title, hint, isAlone = false }: PortFieldsProps) {
  const t = useWorkloadWords();
  const { control } = useFormContext<RunValues>();
  const rows = useFieldArray({ control, name: 'ports' });
  return (
    <FormRows
      title={title}
      isAlone={isAlone}
      hint={hint}
      rows={rows}
      add={t('form.addPort')}
      most={MOST_PORTS}
      blank={{ name: '', port: undefined }}
      cells={(at) => (
        <>
          <Field.Number name={`ports.${at}.port`} label={t('form.port')} range={[1, MOST_PORT]} />
          <Field.Text name={`ports.${at}.name`} label={t('form.portName')} />
        </>
      )}
    />
  );
}
