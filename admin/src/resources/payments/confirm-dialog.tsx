// How much of a transfer arrived. Another amount than the one asked for waits for a second person.
import { parseMoney } from '@gantry/contract/fields/money.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { AmountField, isAmount } from '../../parts/amount-field.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { staffMoney } from '../../parts/staff-money.ts';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';

export function ConfirmDialog({ payment, onClose }: { payment: AdminRow<'payments'>; onClose(): void }) {
  const t = useBillingWords();
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const { id, amount, currency, reference } = payment;
  // Nothing is filled in: whoever confirms has read the statement.
  const [typed, setTyped] = useState('');
  const send = async (reason: string) => {
    if (!isAmount(typed)) throw new Error(t('amountRule'));
    const path = `payments/${encodeURIComponent(id)}/confirm`;
    const answer = await data.ask<GivenAnswer>(path, { method: 'POST', body: { amount: typed, reason } });
    given(answer, t('payment.confirmed'));
    refresh();
  };
  return (
    <ReasonDialog
      title={t('payment.confirmTitle', { amount: staffMoney(amount, currency) })}
      confirmLabel={t('payment.confirm')}
      onConfirm={send}
      onClose={onClose}
    >
      <Typography>{t('payment.confirmText')}</Typography>
      {isAmount(typed) && parseMoney(typed) !== parseMoney(amount) && (
        <Alert severity="warning">{t('payment.differs', { amount: staffMoney(amount, currency) })}</Alert>
      )}
      <AmountField value={typed} currency={currency} onChange={setTyped} {...(reference && { help: reference })} />
    </ReasonDialog>
  );
}
