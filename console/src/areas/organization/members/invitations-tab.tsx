// The organisation's invitations, how they were answered, and what can still be done about them.

import type { InvitationState, ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
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
import { InvitePeople } from './invite-people.tsx';
import { mayRemove } from './may-touch.ts';

/** States in which the organisation can still decide. */
const OPEN: ReadonlySet<InvitationState> = new Set(['proposed', 'pending', 'expired']);

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
  const [isInviting, setInviting] = useState(false);
  const { mutate: resend, isPending: isSending } = useCommand(CALLS.resendInvitation, {
    success: t('invitations.resent'),
    invalidates: [CALLS.listInvitations],
  });
  const columns = useMemo(
    (): readonly Column<Invitation>[] => [
      { id: 'account', label: t('invitations.account'), width: 'minmax(12rem, 3fr)', cell: ({ account }) => account },
      { id: 'role', label: t('invitations.role'), cell: ({ role }) => t(`roles.${role}`) },
      { id: 'state', label: t('invitations.state'), cell: ({ state }) => t(`invitations.states.${state}`) },
      {
        id: 'sent',
        label: t('invitations.sent'),
        width: '11.5rem',
        isWideOnly: true,
        cell: ({ create_time }) => timeText(create_time),
      },
      {
        id: 'expires',
        label: t('invitations.expires'),
        width: '11.5rem',
        cell: ({ expiration_time }) => timeText(expiration_time),
      },
      {
        id: 'actions',
        label: ui('fields.actions'),
        width: '12.5rem',
        align: 'end',
        cell: ({ id, account, role, state, ...rest }) =>
          OPEN.has(state) && (
            <>
              <Button
                size="small"
                disabled={isSending || !mayRemove(mine, role)}
                aria-label={t(state === 'proposed' ? 'invitations.sendTo' : 'invitations.resendTo', { account })}
                onClick={() => resend({ params: { org_id, id } })}
              >
                {t(state === 'proposed' ? 'invitations.send' : 'invitations.resend')}
              </Button>
              <Button
                size="small"
                disabled={!mayRemove(mine, role)}
                aria-label={t('invitations.withdrawOf', { account })}
                onClick={() => setAsked({ id, account, role, state, ...rest })}
              >
                {t('invitations.withdraw')}
              </Button>
            </>
          ),
      },
    ],
    [t, ui, mine, org_id, isSending, resend],
  );
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 2 }}>
        <Button variant="contained" onClick={() => setInviting(true)}>
          {t('members.invite')}
        </Button>
      </Box>
      <DataTable
        label={t('invitations.label')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ account }) => account}
        empty={<EmptyState title={t('invitations.empty')} hint={t('invitations.emptyHint')} />}
      />
      {asked && <Withdraw organizationId={org_id} invitation={asked} onClose={() => setAsked(undefined)} />}
      {isInviting && <InvitePeople organizationId={org_id} role={mine} onClose={() => setInviting(false)} />}
    </>
  );
}

interface WithdrawProps {
  organizationId: string;
  invitation: Invitation;
  onClose(): void;
}

function Withdraw({ organizationId: org_id, invitation: { id, account }, onClose }: WithdrawProps) {
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
      {t('invitations.questionText', { account })}
    </ConfirmDialog>
  );
}
