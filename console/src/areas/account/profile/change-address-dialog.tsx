// Another address: a code to it proves that it is one's own, and the password that one is oneself.
import { email, phone, sixDigits, typedPassword } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormPassword, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import * as z from 'zod';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { SendCode } from '../../../parts/send-code.tsx';
import { useAccountWords } from '../use-account-words.ts';

const ADDRESS = { email, phone } as const;

interface ChangeAddressDialogProps {
  channel: 'email' | 'phone';
  account: { account_id: string; has_password: boolean };
  onClose: () => void;
}

export function ChangeAddressDialog({ channel, account, onClose }: ChangeAddressDialogProps) {
  const t = useAccountWords();
  const language = useLanguage();
  const save = useCommand(CALLS.editAccount, {
    isQuiet: true,
    success: t('modified'),
    invalidates: [CALLS.getMe],
    onSuccess: onClose,
  });
  const { form, error, submit, show } = useServerForm({
    defaultValues: { address: '', code: '', old_password: '' },
    resolver: rulesOf(
      z.object({
        address: ADDRESS[channel],
        code: sixDigits,
        old_password: account.has_password ? typedPassword : z.string(),
      }),
      language,
    ),
    fieldOf: (field) => (field === channel ? 'address' : undefined),
  });
  const readAddress = async () =>
    (await form.trigger('address', { shouldFocus: true })) ? form.getValues('address') : undefined;
  return (
    <FormDialog
      title={t(`profile.${channel}.title`)}
      lead={t(`profile.${channel}.lead`)}
      submitLabel={t('profile.change')}
      isBusy={save.isPending}
      error={error}
      onSubmit={submit(({ address, code, old_password }) =>
        save.mutateAsync({
          params: { id: account.account_id },
          body: { [channel]: address, code, ...(account.has_password && { old_password }) },
        }),
      )}
      onClose={onClose}
    >
      <FormText
        control={form.control}
        name="address"
        label={t(`profile.${channel}.new`)}
        type={channel === 'email' ? 'email' : 'tel'}
        autoComplete={channel === 'email' ? 'email' : 'tel'}
        autoFocus
        isRequired
        help={channel === 'phone' ? t('profile.phone.help') : undefined}
      />
      <SendCode
        channel={channel}
        purpose="contact"
        readAddress={readAddress}
        onRefused={show}
        onSent={() => form.setFocus('code')}
      />
      <FormText
        control={form.control}
        name="code"
        label={t('code')}
        autoComplete="one-time-code"
        isRequired
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 6 } }}
      />
      {account.has_password && (
        <FormPassword
          control={form.control}
          name="old_password"
          label={t('security.password.current')}
          autoComplete="current-password"
          isRequired
        />
      )}
    </FormDialog>
  );
}
