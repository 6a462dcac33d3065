// Handing the organisation over, leaving it, deleting it. An impossible action gives the reason before anybody presses it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import type { OrganizationDetail } from '../organization-of.ts';
import { useEnterOrganization } from '../use-enter-organization.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { HandOver } from './hand-over.tsx';

const ONE = { page: 1, size: 1, role: 'owner' } as const;

export function WaysOut({ organization }: { organization: OrganizationDetail }) {
  const t = useOrganizationWords();
  const { org_id, role, is_personal: isPersonal } = organization;
  const isOwner = role === 'owner';
  const { data: owners } = useCall(CALLS.listMembers, { params: { org_id }, query: ONE }, { enabled: isOwner });
  const [open, setOpen] = useState<'handOver' | 'leave' | 'delete'>();
  const close = () => setOpen(undefined);
  // The personal organisation's header says so already.
  if (isPersonal && isOwner) return null;
  const isLast = isOwner && owners?.total === 1;
  return (
    <>
      {isOwner && (
        <Way title={t('transfer.title')} lead={t('transfer.lead')}>
          <Button variant="outlined" onClick={() => setOpen('handOver')}>
            {t('transfer.action')}
          </Button>
        </Way>
      )}
      <Way title={t('leave.title')} lead={isLast ? t('leave.lastOwner') : t('leave.lead')}>
        <Button variant="outlined" color="error" disabled={isLast} onClick={() => setOpen('leave')}>
          {t('leave.action')}
        </Button>
      </Way>
      {role !== 'member' && role !== 'viewer' && role !== 'billing' && (
        <Way title={t('delete.title')} lead={isOwner ? t('delete.lead') : t('delete.ownersOnly')}>
          <Button variant="outlined" color="error" disabled={!isOwner} onClick={() => setOpen('delete')}>
            {t('delete.action')}
          </Button>
        </Way>
      )}
      {open === 'handOver' && <HandOver organization={organization} onClose={close} />}
      {open === 'leave' && <Leave organization={organization} onClose={close} />}
      {open === 'delete' && <Delete organization={organization} onClose={close} />}
    </>
  );
}

const Way = ({ title, lead, children }: { title: string; lead: string; children: ReactNode }) => (
  <Section title={title} lead={lead} actions={children} />
);

interface WayProps {
  organization: OrganizationDetail;
  onClose(): void;
}

/** Runs what ends one's place here; the page goes elsewhere afterwards. */
function useEnding(id: string, end: () => Promise<unknown>) {
  const { leaveBy } = useEnterOrganization();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await leaveBy(id, end).catch((thrown: unknown) => {
      setError(thrown);
      setBusy(false);
    });
  };
  return { error, isBusy, run: () => void run() };
}

function Leave({ organization: { org_id, org_name }, onClose }: WayProps) {
  const t = useOrganizationWords();
  const api = useApi();
  const { error, isBusy, run } = useEnding(org_id, () => api.call(CALLS.leaveOrganization, { params: { org_id } }));
  return (
    <ConfirmDialog
      title={t('leave.question', { name: org_name })}
      lost={[t('leave.lostAccess'), t('remove.lostTokens'), t('leave.lostKeys')]}
      kept={[t('leave.keptThings'), t('leave.keptAccount')]}
      confirmLabel={t('leave.confirm')}
      isDangerous
      isBusy={isBusy}
      error={error}
      onConfirm={run}
      onClose={onClose}
    />
  );
}

function Delete({ organization: { org_id, org_name, balance, currency }, onClose }: WayProps) {
  const t = useOrganizationWords();
  const api = useApi();
  const { error, isBusy, run } = useEnding(org_id, () =>
    api.call(CALLS.deleteOrganization, { params: { org_id }, query: { confirm: org_id } }),
  );
  return (
    <ConfirmDialog
      title={t('delete.question', { name: org_name })}
      lost={[
        t('delete.lostRuns'),
        t('delete.lostDisks'),
        t('delete.lostMembers'),
        ...(balance === null ? [] : [t('delete.lostCredit', { amount: moneyText(balance, currency) })]),
      ]}
      kept={[t('delete.kept')]}
      typed={org_id}
      confirmLabel={t('delete.title')}
      isDangerous
      isBusy={isBusy}
      error={error}
      onConfirm={run}
      onClose={onClose}
    >
      {t('delete.typed')}
    </ConfirmDialog>
  );
}
