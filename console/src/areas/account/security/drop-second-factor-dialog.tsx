// Off again: from then on the password alone is enough.
import { typedPassword } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormPassword } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import * as z from 'zod';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useAccountWords } from '../use-account-words.ts';
import { passwordField } from './password-field.ts';
import type { Proofs } from './second-factor-section.tsx';

export function DropSecondFactorDialog({ account, onClose }: { account: Proofs; onClose: () => void }) {
  const t = useAccountWords();
  const language = useLanguage();
  const drop = useCommand(CALLS.dropTotp, {
    isQuiet: true,
    invalidates: [CALLS.getMe, CALLS.listSessions],
    onSuccess: onClose,
  });
  const { form, error, submit } = useServerForm({
    defaultValues: { password: '' },
    resolver: rulesOf(z.object({ password: account.has_password ? typedPassword : z.string() }), language),
    fieldOf: passwordField,
  });
  return (
    <FormDialog
      title={t('security.factor.turnOff')}
      lead={t('security.factor.offLead')}
      submitLabel={t('security.factor.turnOff')}
      isBusy={drop.isPending}
      isDangerous
      error={error}
      onSubmit={submit(({ password }) => drop.mutateAsync({ body: account.has_password ? { password } : {} }))}
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
