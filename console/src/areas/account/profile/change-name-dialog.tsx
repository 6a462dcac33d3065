// Another name to log in by and to be seen as.
import { accountName } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import * as z from 'zod';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useAccountWords } from '../use-account-words.ts';

const rules = z.object({ username: accountName });

interface ChangeNameDialogProps {
  account: { account_id: string; username: string };
  onClose: () => void;
}

export function ChangeNameDialog({ account, onClose }: ChangeNameDialogProps) {
  const t = useAccountWords();
  const language = useLanguage();
  const save = useCommand(CALLS.editAccount, {
    isQuiet: true,
    success: t('modified'),
    invalidates: [CALLS.getMe],
    onSuccess: onClose,
  });
  const { form, error, submit } = useServerForm({
    defaultValues: { username: account.username },
    resolver: rulesOf(rules, language),
  });
  return (
    <FormDialog
      title={t('profile.username.title')}
      lead={t('profile.username.lead')}
      submitLabel={t('profile.change')}
      isBusy={save.isPending}
      error={error}
      onSubmit={submit((body) => save.mutateAsync({ params: { id: account.account_id }, body }))}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="username"
        label={t('profile.username.label')}
        autoComplete="username"
        autoFocus
        isRequired
        help={t('profile.username.help')}
      />
    </FormDialog>
  );
}
