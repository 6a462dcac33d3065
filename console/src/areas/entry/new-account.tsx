// Name and password of a new account, and the terms.
import { accountName, password as passwordRule } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormPassword, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { afterLogin } from '@gantry/ui/session/after-login.ts';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod';
import { PasswordRules } from '../../parts/password-rules.tsx';
import { explained } from './explained.ts';
import { forgetProof } from './kept-proof.ts';
import { TermsLabel } from './terms-checkbox.tsx';
import { useEnter } from './use-enter.ts';
import { useEntryWords } from './use-entry-words.ts';

interface Typed {
  username: string;
  password: string;
  repeat: string;
  isAccepted: boolean;
}

/** The first part of somebody's own address, where it can be a name. */
const nameIn = (address: string): string => {
  const [local = ''] = address.split('@');
  return accountName.safeParse(local).success ? local : '';
};

interface NewAccountProps {
  ticket: string;
  /** The one that the ticket proves. */
  address: string;
  termsVersion: string;
}

export function NewAccount({ ticket, address, termsVersion }: NewAccountProps) {
  const t = useEntryWords();
  const language = useLanguage();
  const register = useRegister(ticket, termsVersion);
  const [mismatch, termsMissing] = [t('register.mismatch'), t('terms.missing')];
  const resolver = useMemo(
    () =>
      rulesOf<Typed>(
        z
          .object({
            username: accountName,
            password: passwordRule,
            repeat: z.string(),
            isAccepted: z.boolean().refine((isTicked) => isTicked, termsMissing),
          })
          .refine(({ password, repeat }) => password === repeat, {
            error: mismatch,
            path: ['repeat'],
            when: () => true,
          }),
        language,
      ),
    [language, mismatch, termsMissing],
  );
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: { username: nameIn(address), password: '', repeat: '', isAccepted: false },
    resolver,
    fieldOf: (field) => (field === 'terms_version' ? 'isAccepted' : (field as keyof Typed)),
  });
  const { control } = form;
  const password = useWatch({ control, name: 'password' });
  return (
    <Box component="form" noValidate onSubmit={submit(register)} sx={{ display: 'grid', gap: 2 }}>
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <FormText
        control={control}
        name="username"
        label={t('register.username')}
        help={t('register.usernameHelp')}
        autoComplete="username"
        autoFocus
        slotProps={{ htmlInput: { autoCapitalize: 'off', spellCheck: false } }}
      />
      <FormPassword control={control} name="password" label={t('register.password')} autoComplete="new-password" />
      <PasswordRules password={password} />
      <FormPassword control={control} name="repeat" label={t('register.repeat')} autoComplete="new-password" />
      <FormCheckbox control={control} name="isAccepted" label={<TermsLabel version={termsVersion} />} />
      <Button type="submit" size="large" variant="contained" loading={form.formState.isSubmitting}>
        {t('register.submit')}
      </Button>
    </Box>
  );
}

/** Creates the account and logs in with it; if only that fails, the person logs in by hand. */
function useRegister(ticket: string, termsVersion: string): (typed: Typed) => Promise<void> {
  const t = useEntryWords();
  const api = useApi();
  const toast = useToast();
  const enter = useEnter();
  const navigate = useNavigate();
  const locale = useLanguage();
  return async ({ username, password }) => {
    const body = { username, password, ticket, terms_version: termsVersion, locale };
    await api.call(CALLS.register, { body }).catch((thrown) => {
      throw explained(thrown, { registration_failed: (sentence) => t('code.over', { sentence }) });
    });
    forgetProof('register');
    toast.success(t('register.done'));
    const answer = await api
      .call(CALLS.login, { body: { account: username, password } })
      .then(afterLogin)
      .catch(() => undefined);
    if (answer?.next === 'enter') return await enter(answer);
    toast.info(t('register.signInFailed'));
    await navigate('/login', { replace: true });
  };
}
