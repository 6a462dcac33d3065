// The organisation to another member, who becomes an owner.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { useState } from 'react';
import { AccountPicker, type PickedAccount } from '../members/account-picker.tsx';
import type { OrganizationDetail } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';

interface HandOverProps {
  organization: OrganizationDetail;
  /** Chosen already. */
  to?: PickedAccount;
  onClose(): void;
}

export function HandOver({ organization: { org_id, org_name }, to, onClose }: HandOverProps) {
  const t = useOrganizationWords();
  const [picked, setPicked] = useState<PickedAccount | null>(to ?? null);
  const [isMissing, setMissing] = useState(false);
  const transfer = useCommand(CALLS.transferOrganization, {
    isQuiet: true,
    success: t('transfer.done', { name: picked?.name ?? '' }),
    // One's own role changes, and with it what one is shown.
    invalidates: [CALLS.listMembers, CALLS.getMyOrganization, CALLS.getMe, CALLS.getPermissionNodes],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={t('transfer.question', { name: org_name })}
      lost={[t('transfer.lost')]}
      kept={[t('transfer.kept')]}
      confirmLabel={t('transfer.title')}
      isDangerous
      isBusy={transfer.isPending}
      error={transfer.error}
      onConfirm={() => {
        setMissing(!picked);
        if (picked) transfer.mutate({ params: { org_id }, body: { account_id: picked.account_id } });
      }}
      onClose={onClose}
    >
      <AccountPicker
        label={t('transfer.to')}
        help={t('transfer.pick')}
        error={isMissing && !picked ? t('transfer.pickMissing') : undefined}
        value={picked}
        onChange={setPicked}
      />
    </ConfirmDialog>
  );
}
