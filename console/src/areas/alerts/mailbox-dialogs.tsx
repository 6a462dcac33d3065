// A mailbox for alarms: its address, then the code that was mailed to it.
import { mailboxBody, mailboxCodeBody } from '@gantry/contract/areas/alerts/alerts.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAlertWords } from './use-alert-words.ts';

type Added = z.input<typeof mailboxBody>;
type Confirmed = z.input<typeof mailboxCodeBody>;

export function AddMailboxDialog({ onClose, onSent }: { onClose: () => void; onSent: (address: string) => void }) {
  const t = useAlertWords();
  const language = useLanguage();
  const add = useCommand(CALLS.addAlertMailbox, { isQuiet: true, invalidates: [CALLS.listAlertMailboxes] });
  const { form, error, submit } = useServerForm<Added>({
    defaultValues: { address: '', language },
    resolver: rulesOf(mailboxBody as unknown as z.ZodType<unknown, Added>, language),
  });
  const send = submit(async (body) => {
    await add.mutateAsync({ body });
    onSent(body.address.toLowerCase());
  });
  return (
    <FormDialog
      title={t('contacts.addMailbox')}
      lead={t('contacts.codeIsSent')}
      submitLabel={t('contacts.sendCode')}
      isBusy={add.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormText control={form.control} name="address" label={t('contacts.mailbox')} isRequired autoComplete="off" />
    </FormDialog>
  );
}

export function ConfirmMailboxDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const t = useAlertWords();
  const ui = useUiWords();
  const language = useLanguage();
  const confirm = useCommand(CALLS.confirmAlertMailbox, { isQuiet: true, invalidates: [CALLS.listAlertMailboxes] });
  const { form, error, submit } = useServerForm<Confirmed>({
    defaultValues: { address, code: '' },
    resolver: rulesOf(mailboxCodeBody as unknown as z.ZodType<unknown, Confirmed>, language),
  });
  const send = submit(async (body) => {
    await confirm.mutateAsync({ body });
    onClose();
  });
  return (
    <FormDialog
      title={t('contacts.enterCode')}
      lead={t('contacts.codeWasSent', { address })}
      submitLabel={ui('actions.confirm')}
      isBusy={confirm.isPending}
      error={error}
      onSubmit={(event) => void send(event)}
      onClose={onClose}
    >
      <FormText control={form.control} name="code" label={t('contacts.code')} isRequired autoComplete="one-time-code" />
    </FormDialog>
  );
}
