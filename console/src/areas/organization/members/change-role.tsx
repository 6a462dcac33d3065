// Another role for one member or several.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useState } from 'react';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { rolesToGive } from './may-touch.ts';
import { RefusalList } from './refusal-list.tsx';
import { RoleSelect } from './role-select.tsx';
import { useEach } from './use-each.ts';

export interface MembersDialogProps {
  organizationId: string;
  /** The acting person's role. */
  role: OrgRole;
  members: readonly Member[];
  onClose(): void;
}

export function ChangeRole({ organizationId: org_id, role: mine, members, onClose }: MembersDialogProps) {
  const t = useOrganizationWords();
  const api = useApi();
  const roles = rolesToGive(
    mine,
    members.map(({ role }) => role),
  );
  const [role, setRole] = useState<OrgRole>(members[0]?.role ?? 'member');
  const { run, isBusy, refused } = useEach<Member>(onClose);
  const [first] = members;
  return (
    <FormDialog
      title={
        members.length === 1 && first
          ? t('change.title', { name: first.name })
          : t('change.titleMany', { smart_count: members.length })
      }
      lead={t('change.lead')}
      submitLabel={t('change.submit')}
      isBusy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        void run(members, ({ account_id }) =>
          api.call(CALLS.editMember, { params: { org_id, account_id }, body: { role } }),
        );
      }}
      onClose={onClose}
    >
      <RoleSelect roles={roles.includes(role) ? roles : [role, ...roles]} value={role} onChange={setRole} />
      <RefusalList all={members.length} refused={refused} />
    </FormDialog>
  );
}
