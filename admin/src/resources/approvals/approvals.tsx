// Requests that wait for a second person: approved and carried out, or rejected. Nobody decides about their own.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useGetIdentity, useNotify, usePermissions, useRecordContext, useRefresh } from 'react-admin';
import { DocumentBody } from '../../parts/document-body.tsx';
import { drawerPages } from '../../parts/drawer-pages.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { staffMoney } from '../../parts/staff-money.ts';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';

type Approval = AdminRow<'approvals'>;

export const { List, Show } = drawerPages({ Body, Commands });

function Body() {
  const t = useBillingWords();
  const approval = useRecordContext<Approval>();
  const { identity } = useGetIdentity();
  const isOwn = approval?.state === 'pending' && approval.requested_by === identity?.id;
  return (
    <>
      {isOwn && <Alert severity="info">{t('approval.own')}</Alert>}
      <DocumentBody name="approvals" />
    </>
  );
}

function Commands() {
  const t = useBillingWords();
  const approval = useRecordContext<Approval>();
  const { identity } = useGetIdentity();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<'approve' | 'reject'>();
  if (approval?.state !== 'pending' || approval.requested_by === identity?.id) return null;
  return (
    <>
      {permissions?.has('adminApprove') && (
        <Button variant="contained" onClick={() => setAsked('approve')}>
          {t('approval.approve')}
        </Button>
      )}
      {permissions?.has('adminReject') && (
        <Button color="error" onClick={() => setAsked('reject')}>
          {t('approval.reject')}
        </Button>
      )}
      {asked && <Decision approval={approval} as={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Decision({ approval, as, onClose }: { approval: Approval; as: 'approve' | 'reject'; onClose(): void }) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const words = useTableWords('approvals');
  const { id, kind, amount, currency, detail, organization_id, organization_name } = approval;
  const what = [words.choice('kind', kind), amount && currency && staffMoney(amount, currency), detail]
    .filter((part) => part)
    .join(' · ');
  const name = organization_name || organization_id || t('approval.everybody');
  const send = async (reason: string) => {
    await data.ask(`approvals/${encodeURIComponent(id)}/${as}`, { method: 'POST', body: { reason } });
    notify(t(as === 'approve' ? 'approval.approved' : 'approval.rejected'), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t(`approval.${as}Title`, { what })}
      confirmLabel={t(`approval.${as}`)}
      isDangerous={as === 'reject'}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t(`approval.${as}Text`, { name })}</Typography>
    </ReasonDialog>
  );
}
