// Ends memberships, and names what ends with them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import type { MembersDialogProps } from './change-role.tsx';
import { RefusalList } from './refusal-list.tsx';
import { useEach } from './use-each.ts';

export function RemoveMembers({ organizationId: org_id, members, onClose }: Omit<MembersDialogProps, 'role'>) {
  const t = useOrganizationWords();
  const api = useApi();
  const { run, isBusy, refused } = useEach<Member>(onClose);
  const [first] = members;
  const isOne = members.length === 1 && first;
  return (
    <ConfirmDialog
      title={
        isOne ? t('remove.question', { name: first.name }) : t('remove.questionMany', { smart_count: members.length })
      }
      lost={[t('remove.lostSessions'), t('remove.lostTokens'), t('remove.lostKeys')]}
      kept={[t('remove.keptThings'), t('remove.keptAccount')]}
      confirmLabel={t('remove.confirm')}
      isDangerous
      isBulk={members.length > 1}
      isBusy={isBusy}
      onConfirm={() =>
        void run(members, ({ account_id }) => api.call(CALLS.removeMember, { params: { org_id, account_id } }))
      }
      onClose={onClose}
    >
      {!isOne && members.map(({ name }) => name).join(', ')}
      <RefusalList all={members.length} refused={refused} />
    </ConfirmDialog>
  );
}
