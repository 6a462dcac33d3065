// Who was invited and has not come yet.

import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ORGANIZATION_ROUTES } from '@gantry/contract/http/organization.ts';
import type { OrgRole } from '@gantry/contract/roles.ts';
import { useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useOrganization } from '../../../parts/use-me.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { AddMembers } from './add-members.tsx';
import { mayRemove } from './may-touch.ts';

type Invitation = ItemOf<typeof ORGANIZATION_ROUTES.listInvitations>;

export function InvitationsTab() {
  const t = useOrganizationWords();
  const may = useMay();
  const { data, error, refetch } = useOrganization();
  if (!may('withdrawInvitation')) return <Alert severity="info">{t('invitations.notAllowed')}</Alert>;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <Invitations organizationId={data.org_id} role={data.role} /> : <LoadingRows />;
}

function Invitations({ organizationId: org_id, role: mine }: { organizationId: string; role: OrgRole }) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const list = useList(CALLS.listInvitations, { params: { org_id } });
  const [asked, setAsked] = useState<Invitation>();
  const [isAdding, setAdding] = useState(false);
  const columns = useMemo(
    (): readonly Column<Invitation>[] => [
      { id: 'email', label: t('invitations.email'), width: 'minmax(12rem, 2fr)', cell: ({ email }) => email },
      { id: 'role', label: t('invitations.role'), cell: ({ role }) => t(`roles.${role}`) },
      { id: 'sent', label: t('invitations.sent'), width: '11.5rem', cell: ({ create_time }) => timeText(create_time) },
      {
        id: 'expires',
        label: t('invitations.expires'),
        width: '11.5rem',
        cell: ({ expiration_time }) => timeText(expiration_time),
      },
      {
        id: 'withdraw',
        label: ui('fields.actions'),
        width: '9rem',
        align: 'end',
        cell: (invitation) => (
          <Button
            size="small"
            disabled={!mayRemove(mine, invitation.role)}
            aria-label={t('invitations.withdrawOf', { email: invitation.email })}
            onClick={() => setAsked(invitation)}
          >
            {t('invitations.withdraw')}
          </Button>
        ),
      },
    ],
    [t, ui, mine],
  );
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 2 }}>
        <Button variant="contained" onClick={() => setAdding(true)}>
          {t('members.add')}
        </Button>
      </Box>
      <DataTable
        label={t('invitations.label')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        empty={<EmptyState title={t('invitations.empty')} hint={t('invitations.emptyHint')} />}
      />
      {asked && <Withdraw organizationId={org_id} invitation={asked} onClose={() => setAsked(undefined)} />}
      {isAdding && <AddMembers organizationId={org_id} role={mine} onClose={() => setAdding(false)} />}
    </>
  );
}

interface WithdrawProps {
  organizationId: string;
  invitation: Invitation;
  onClose(): void;
}

function Withdraw({ organizationId: org_id, invitation: { id, email }, onClose }: WithdrawProps) {
  const t = useOrganizationWords();
  const withdraw = useCommand(CALLS.withdrawInvitation, {
    isQuiet: true,
    invalidates: [CALLS.listInvitations],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      title={t('invitations.question')}
      confirmLabel={t('invitations.withdraw')}
      isDangerous
      isBusy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate({ params: { org_id, id } })}
      onClose={onClose}
    >
      {t('invitations.questionText', { email })}
    </ConfirmDialog>
  );
}
