// A step of two-factor sign-in that wants the password again, of whoever has one.
import { typedPassword } from '@gantry/contract/fields/person.ts';
import { FormPassword } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import * as z from 'zod';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useAccountWords } from '../use-account-words.ts';
import { passwordField } from './password-field.ts';
import type { Proofs } from './second-factor-section.tsx';

interface PasswordDialogProps {
  account: Proofs;
  title: string;
  lead: string;
  submitLabel: string;
  isBusy: boolean;
  isDangerous?: boolean;
  onSend: (body: { password?: string }) => Promise<unknown>;
  onClose: () => void;
}

export function PasswordDialog({ account: { has_password: asks }, onSend, ...dialog }: PasswordDialogProps) {
  const t = useAccountWords();
  const language = useLanguage();
  const { form, error, submit } = useServerForm({
    defaultValues: { password: '' },
    resolver: rulesOf(z.object({ password: asks ? typedPassword : z.string() }), language),
    fieldOf: passwordField,
  });
  return (
    <FormDialog {...dialog} error={error} onSubmit={submit(({ password }) => onSend(asks ? { password } : {}))}>
      {asks && (
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
