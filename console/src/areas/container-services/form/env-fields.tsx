// Environment variables, each plain or secret. A secret's value is typed unseen, and is never shown again.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { FormRows } from '../../../parts/workload/form-rows.tsx';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import type { ProgramValues } from './program-values.ts';

const Field = fieldsOf<ProgramValues>();

const MOST_VARIABLES = 150;

export function EnvFields({ hint }: { hint?: string }) {
  const t = useDeployWords();
  const { control } = useFormContext<ProgramValues>();
  const rows = useFieldArray({ control, name: 'env' });
  const names = useWatch({ control, name: 'env' }).map(({ name }) => name);
  return (
    <FormSection title={t('form.env')} summary={names.filter(Boolean).join(', ')} {...(hint !== undefined && { hint })}>
      <FormRows
        title={t('form.env')}
        isAlone
        hint={t('form.envHint')}
        rows={rows}
        add={t('form.addEnv')}
        most={MOST_VARIABLES}
        columns={{ xs: '1fr', sm: 'minmax(0, 1fr) minmax(0, 1fr) 7rem' }}
        blank={{ name: '', value: '', isSecret: false }}
        cells={(at) => <EnvRowFields at={at} />}
      />
    </FormSection>
  );
}

function EnvRowFields({ at }: { at: number }) {
  const t = useDeployWords();
  const { control } = useFormContext<ProgramValues>();
  const row = useWatch({ control, name: `env.${at}` });
  const isSet = row?.isSecret === true && row.kept !== undefined;
  return (
    <>
      <Field.Text name={`env.${at}.name`} label={t('form.envName')} autoComplete="off" />
      <Field.Text
        name={`env.${at}.value`}
        label={t('form.envValue')}
        // Not a password of this site: browsers would offer to keep it.
        autoComplete={row?.isSecret ? 'new-password' : 'off'}
        type={row?.isSecret ? 'password' : 'text'}
        {...(isSet && { placeholder: t('form.secretSet'), slotProps: { inputLabel: { shrink: true } } })}
        help={isSet && row.value === '' ? t('form.secretKept') : undefined}
      />
      <Controller
        control={control}
        name={`env.${at}.isSecret`}
        render={({ field: { value, ref, onChange, onBlur } }) => (
          <FormControlLabel
            control={
              <Switch checked={value} onChange={onChange} onBlur={onBlur} slotProps={{ input: { ref } }} size="small" />
            }
            label={t('form.secret')}
            sx={{ minHeight: 40, ml: 0 }}
          />
        )}
      />
    </>
  );
}
