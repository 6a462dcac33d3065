// Another password. It ends every session; the one that asked goes on with the token that comes back.
import { password, typedPassword } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormCheckbox, FormPassword } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { storeToken } from '@gantry/ui/session/session.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod';
import { PasswordRules } from '../../../parts/password-rules.tsx';
import { Section } from '../../../parts/section.tsx';
import { useAccountWords } from '../use-account-words.ts';

interface Typed {
  old_password: string;
  password: string;
  repeat: string;
  revokes: boolean;
}
const EMPTY: Typed = { old_password: '', password: '', repeat: '', revokes: true };

/** A person who logs in only through a provider sets their first password here, and has no old one. */
export function PasswordSection({ account }: { account: { account_id: string; has_password: boolean } }) {
  const t = useAccountWords();
  const language = useLanguage();
  const mismatch = t('security.password.mismatch');
  const hasOld = account.has_password;
  const resolver = useMemo(
    () =>
      rulesOf<Typed>(
        z
          .object({
            old_password: hasOld ? typedPassword : z.string(),
            password,
            repeat: z.string(),
            revokes: z.boolean(),
          })
          .refine((typed) => typed.password === typed.repeat, { error: mismatch, path: ['repeat'], when: () => true }),
        language,
      ),
    [hasOld, language, mismatch],
  );
  const { form, error, submit } = useServerForm<Typed>({ defaultValues: EMPTY, resolver });
  const typed = useWatch({ control: form.control, name: 'password' });
  const save = useCommand(CALLS.editAccount, {
    isQuiet: true,
    success: t('modified'),
    invalidates: [CALLS.getMe, CALLS.listSessions, CALLS.listApiTokens, CALLS.listKubeconfigs],
    onSuccess: ({ token }) => {
      if (token !== undefined) storeToken(token);
      form.reset(EMPTY);
    },
  });
  return (
    <Section
      title={t('security.password.title')}
      lead={hasOld ? t('security.password.lead') : t('security.password.firstLead')}
    >
      <Box
        component="form"
        noValidate
        onSubmit={submit(({ old_password, password: wanted, revokes }) =>
          save.mutateAsync({
            params: { id: account.account_id },
            body: { password: wanted, keep_tokens: !revokes, ...(hasOld && { old_password }) },
          }),
        )}
        sx={{ display: 'grid', gap: 2, maxWidth: '26rem' }}
      >
        {hasOld && (
          <FormPassword
            control={form.control}
            name="old_password"
            label={t('security.password.current')}
            autoComplete="current-password"
            isRequired
          />
        )}
        <FormPassword
          control={form.control}
          name="password"
          label={t('security.password.new')}
          autoComplete="new-password"
          isRequired
        />
        <PasswordRules password={typed} />
        <FormPassword
          control={form.control}
          name="repeat"
          label={t('security.password.repeat')}
          autoComplete="new-password"
          isRequired
        />
        <FormCheckbox
          control={form.control}
          name="revokes"
          label={t('security.password.revokes')}
          help={t('security.password.revokesHelp')}
        />
        {error !== undefined && <Alert severity="error">{error}</Alert>}
        <Button type="submit" variant="contained" loading={save.isPending} sx={{ justifySelf: 'start' }}>
          {hasOld ? t('security.password.submit') : t('security.password.set')}
        </Button>
      </Box>
    </Section>
  );
}
