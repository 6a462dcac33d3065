// Asks for the password, so that a stolen session cannot bind another authenticator.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { Enrolment } from './enrol-second-factor-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import type { Proofs } from './second-factor-section.tsx';

interface PasswordStepProps {
  account: Proofs;
  onEnrolled: (enrolment: Enrolment) => void;
  onClose: () => void;
}

export function PasswordStep({ account, onEnrolled, onClose }: PasswordStepProps) {
  const t = useAccountWords();
  const ui = useUiWords();
  const enrol = useCommand(CALLS.enrolTotp, { isQuiet: true, success: false, onSuccess: onEnrolled });
  return (
    <PasswordDialog
      account={account}
      title={t('security.factor.turnOn')}
      lead={t('security.factor.onLead')}
      submitLabel={ui('actions.next')}
      isBusy={enrol.isPending}
      onSend={(body) => enrol.mutateAsync({ body })}
      onClose={onClose}
    />
  );
}
