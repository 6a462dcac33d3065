// How much of a transfer arrived. Another amount than the one asked for is booked as it came.
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useNotify, useRefresh } from 'react-admin';
import { AmountField, isAmount } from '../../parts/amount-field.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import type { AdminData } from '../../providers/data-provider.ts';

export function ConfirmDialog({ payment, onClose }: { payment: AdminRow<'payments'>; onClose(): void }) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const notify = useNotify();
  const refresh = useRefresh();
  const { id, amount, currency, reference } = payment;
  // Nothing is filled in: whoever confirms has read the statement.
  const [typed, setTyped] = useState('');
  const send = async (reason: string) => {
    if (!isAmount(typed)) throw new Error(t('amountRule'));
    const path = `payments/${encodeURIComponent(id)}/confirm`;
    await data.ask(path, { method: 'POST', body: { amount: typed, reason } });
    notify(t('payment.confirmed'), { type: 'success' });
    refresh();
  };
  return (
    <ReasonDialog
      title={t('payment.confirmTitle', { amount, currency })}
      confirmLabel={t('payment.confirm')}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t('payment.confirmText')}</Typography>
      <AmountField value={typed} currency={currency} onChange={setTyped} {...(reference && { help: reference })} />
    </ReasonDialog>
  );
}
