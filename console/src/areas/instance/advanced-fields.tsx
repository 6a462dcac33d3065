// Settings that most instances do not need: environment, ports, the notebook, a command.
import { FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
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
      <Rows
        title={t('form.env')}
        ids={env.fields.map(({ id }) => id)}
        add={t('form.addEnv')}
        onAdd={() => env.append({ name: '', value: '' })}
        onRemove={env.remove}
        cells={(at) => (
          <>
            <FormText control={control} name={`env.${at}.name`} label={t('form.envName')} />
            <FormText control={control} name={`env.${at}.value`} label={t('form.envValue')} />
          </>
        )}
      />
      <Rows
        title={t('form.ports')}
        hint={t('form.portsHint')}
        ids={ports.fields.map(({ id }) => id)}
        add={t('form.addPort')}
        onAdd={() => ports.append({ name: '', port: undefined })}
        onRemove={ports.remove}
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

/** Rows of two fields that come and go. */
function Rows({
  title,
  hint,
  ids,
  add,
  cells,
  onAdd,
  onRemove,
}: {
  title: string;
  hint?: string;
  ids: readonly string[];
  add: string;
  cells: (at: number) => ReactNode;
  onAdd: () => void;
  onRemove: (at: number) => void;
}) {
  const t = useInstanceWords();
  return (
    <Box role="group" aria-label={title}>
      <Typography variant="h3">{title}</Typography>
      {hint !== undefined && (
        <Typography variant="body2" color="text.secondary">
          {hint}
        </Typography>
      )}
      {ids.map((id, at) => (
        <Box
          key={id}
          sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr auto', gap: 1, mt: 1.5, alignItems: 'start' }}
        >
          {cells(at)}
          <IconButton aria-label={t('form.remove', { number: at + 1 })} onClick={() => onRemove(at)}>
            <Close />
          </IconButton>
        </Box>
      ))}
      <Button variant="outlined" onClick={onAdd} sx={{ mt: 1.5 }}>
        {add}
      </Button>
    </Box>
  );
}
