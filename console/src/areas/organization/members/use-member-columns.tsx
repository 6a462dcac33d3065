// The columns of the members' list.

import type { OrgRole } from '@gantry/contract/roles.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useMemo } from 'react';
import type { Member } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { MemberMenu } from './member-menu.tsx';
import type { Asked } from './members-tab.tsx';

interface MemberColumns {
  myId: string | undefined;
  role: OrgRole;
  isPersonal: boolean;
  onAsk(asked: Asked): void;
}

export function useMemberColumns({ myId, role, isPersonal, onAsk }: MemberColumns): readonly Column<Member>[] {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const may = useMay();
  const isManager = may('editMember');
  const hasMenu = isManager || may('setSpendCaps');
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('members.name'),
        width: 'minmax(10rem, 2fr)',
        cell: ({ account_id, name, type }) => (
          <Box sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
            {name}
            {account_id === myId && <Chip size="small" label={t('members.you')} />}
            {type === 'enterprise' && <Chip size="small" variant="outlined" label={t('members.enterprise')} />}
          </Box>
        ),
      },
      // Only owners and admins see other people's contact data.
      ...(isManager
        ? [
            {
              id: 'email',
              label: t('members.email'),
              width: 'minmax(10rem, 2fr)',
              cell: ({ email }: Member) => email ?? '–',
            },
            { id: 'phone', label: t('members.phone'), isWideOnly: true, cell: ({ phone }: Member) => phone ?? '–' },
          ]
        : []),
      { id: 'role', label: t('members.role'), cell: (member) => t(`roles.${member.role}`) },
      {
        id: 'joined',
        label: t('members.joined'),
        width: '11.5rem',
        isWideOnly: true,
        cell: ({ join_time }) => timeText(join_time),
      },
      ...(hasMenu
        ? [
            {
              id: 'menu',
              label: ui('fields.actions'),
              width: '6rem',
              align: 'end' as const,
              cell: (member: Member) => (
                <MemberMenu
                  member={member}
                  isMe={member.account_id === myId}
                  role={role}
                  isPersonal={isPersonal}
                  onAsk={onAsk}
                />
              ),
            },
          ]
        : []),
    ],
    [t, ui, myId, role, isPersonal, isManager, hasMenu, onAsk],
  );
}
