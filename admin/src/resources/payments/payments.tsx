// Payments: what waits for staff comes first; transfers are confirmed, money goes back, disputes are decided.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { usePermissions, useRecordContext } from 'react-admin';
import { DocumentBody } from '../../parts/document-body.tsx';
import { drawerPages } from '../../parts/drawer-pages.tsx';
import { PartList } from '../../parts/part-list.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { useTableWords } from '../../table-words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DisputeDialog } from './dispute-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Payment = AdminRow<'payments'>;

export const { List, Show } = drawerPages({ Body, Commands });

function Body() {
  return (
    <>
      <DocumentBody name="payments" entries="payment_id" />
      <Part name="refunds" />
      <Part name="chargebacks" />
    </>
  );
}

function Part({ name }: { name: 'refunds' | 'chargebacks' }) {
  const { many } = useTableWords(name);
  return (
    <Box component="section">
      <Typography variant="h2" sx={{ mb: 1 }}>
        {many}
      </Typography>
      <PartList
        name={name}
        target="payment_id"
        columns={
          name === 'refunds'
            ? ['created_at', 'amount', 'state', 'failure', 'by_name', 'reason']
            : ['created_at', 'dispute', 'taken', 'most_taken', 'changed_at']
        }
      />
    </Box>
  );
}

/** The actions that a payment's state asks of staff; a refund is always there, and says why it is not possible. */
function Commands() {
  const t = useBillingWords();
  const payment = useRecordContext<Payment>();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const [asked, setAsked] = useState<'confirm' | 'refund' | 'disputes'>();
  if (!payment) return null;
  const close = () => setAsked(undefined);
  const isOpen = payment.state === 'open' && payment.waits;
  return (
    <>
      {isOpen && permissions?.has('adminConfirmTransfer') && (
        <Button variant="contained" onClick={() => setAsked('confirm')}>
          {t('payment.confirm')}
        </Button>
      )}
      {payment.dispute_booking === 'undecided' && permissions?.has('adminBookDisputes') && (
        <Button variant="contained" onClick={() => setAsked('disputes')}>
          {t('payment.disputes')}
        </Button>
      )}
      {payment.state === 'paid' && permissions?.has('adminRefundPayment') && (
        <Button onClick={() => setAsked('refund')}>{t('payment.refund')}</Button>
      )}
      {asked === 'confirm' && <ConfirmDialog payment={payment} onClose={close} />}
      {asked === 'refund' && <RefundDialog payment={payment} onClose={close} />}
      {asked === 'disputes' && <DisputeDialog payment={payment} onClose={close} />}
    </>
  );
}
