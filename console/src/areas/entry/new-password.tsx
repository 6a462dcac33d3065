// A new password, typed twice, with its rules. The parent says what it is for.
import { password as passwordRule } from '@gantry/contract/fields/person.ts';
import { FormPassword } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { PasswordRules } from '../../parts/password-rules.tsx';
import { useEntryWords } from './use-entry-words.ts';

interface Typed {
  password: string;
  repeat: string;
}

interface NewPasswordProps {
  submitLabel: string;
  onSubmit(password: string): Promise<void>;
}

export function NewPassword({ submitLabel, onSubmit }: NewPasswordProps) {
  const t = useEntryWords();
  const language = useLanguage();
  const mismatch = t('register.mismatch');
  const resolver = useMemo(
    () =>
      rulesOf<Typed>(
        z.object({ password: passwordRule, repeat: z.string() }).refine(({ password, repeat }) => password === repeat, {
          error: mismatch,
          path: ['repeat'],
          when: () => true,
        }),
        language,
      ),
    [language, mismatch],
  );
  const { form, error, submit } = useServerForm<Typed>({ defaultValues: { password: '', repeat: '' }, resolver });
  const password = useWatch({ control: form.control, name: 'password' });
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit(({ password: typed }) => onSubmit(typed))}
      sx={{ display: 'grid', gap: 2 }}
    >
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <FormPassword
        control={form.control}
        name="password"
        label={t('register.password')}
        autoComplete="new-password"
        autoFocus
      />
      <PasswordRules password={password} />
      <FormPassword control={form.control} name="repeat" label={t('register.repeat')} autoComplete="new-password" />
      <Button type="submit" size="large" variant="contained" loading={form.formState.isSubmitting}>
        {submitLabel}
      </Button>
    </Box>
  );
}
