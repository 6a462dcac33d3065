// Asks for the password, so that a stolen session cannot bind another authenticator.
import { typedPassword } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormPassword } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import * as z from 'zod';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { Enrolment } from './enrol-second-factor-dialog.tsx';
import { passwordField } from './password-field.ts';
import type { Proofs } from './second-factor-section.tsx';

interface PasswordStepProps {
  account: Proofs;
  onEnrolled: (enrolment: Enrolment) => void;
  onClose: () => void;
}

export function PasswordStep({ account, onEnrolled, onClose }: PasswordStepProps) {
  const t = useAccountWords();
  const ui = useUiWords();
  const language = useLanguage();
  const enrol = useCommand(CALLS.enrolTotp, { isQuiet: true, success: false, onSuccess: onEnrolled });
  const { form, error, submit } = useServerForm({
    defaultValues: { password: '' },
    resolver: rulesOf(z.object({ password: account.has_password ? typedPassword : z.string() }), language),
    fieldOf: passwordField,
  });
  return (
    <FormDialog
      title={t('security.factor.turnOn')}
      lead={t('security.factor.onLead')}
      submitLabel={ui('actions.next')}
      isBusy={enrol.isPending}
      error={error}
      onSubmit={submit(({ password }) => enrol.mutateAsync({ body: account.has_password ? { password } : {} }))}
      onClose={onClose}
    >
      {account.has_password && (
        <FormPassword
          control={form.control}
          name="password"
          label={t('security.password.current')}
          autoComplete="current-password"
          autoFocus
          isRequired
        />
      )}
    </FormDialog>
  );
}
