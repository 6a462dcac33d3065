// Off again: from then on the password alone is enough.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { useAccountWords } from '../use-account-words.ts';
import { PasswordDialog } from './password-dialog.tsx';
import type { Proofs } from './second-factor-section.tsx';

export function DropSecondFactorDialog({ account, onClose }: { account: Proofs; onClose: () => void }) {
  const t = useAccountWords();
  const drop = useCommand(CALLS.dropTotp, {
    isQuiet: true,
    invalidates: [CALLS.getMe, CALLS.listSessions],
    onSuccess: onClose,
  });
  return (
    <PasswordDialog
      account={account}
      title={t('security.factor.turnOff')}
      lead={t('security.factor.offLead')}
      submitLabel={t('security.factor.turnOff')}
      isBusy={drop.isPending}
      isDangerous
      onSend={(body) => drop.mutateAsync({ body })}
      onClose={onClose}
    />
  );
}
