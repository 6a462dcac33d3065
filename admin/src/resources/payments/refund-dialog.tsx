// A refund, whole or in part: what can go back, what is asked, and what remains refundable after it.
import { type Micros, micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { AmountField, isAmount } from '../../parts/amount-field.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { staffMoney } from '../../parts/staff-money.ts';
import { useBillingWords } from '../../parts/use-billing-words.ts';
import { type GivenAnswer, useGiven } from '../../parts/use-given.ts';
import type { AdminData } from '../../providers/data-provider.ts';
import { useTableWords } from '../../table-words.ts';
import { halfOf } from './half-of.ts';

type Payment = AdminRow<'payments'>;

export function RefundDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = useBillingWords();
  const words = useTableWords('refunds');
  const data = useDataProvider<AdminData>();
  const given = useGiven();
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  const { currency, id, paid } = payment;
  const refundable = parseMoney(payment.refundable);
  const left: Micros | undefined = isAmount(typed) ? micros(refundable - parseMoney(typed)) : undefined;
  const isTooMuch = left !== undefined && left < 0n;
  const send = async (reason: string) => {
    if (!isAmount(typed)) throw new Error(t('amountRule'));
    const path = `payments/${encodeURIComponent(id)}/refund`;
    const refund = await data.ask<GivenAnswer & { state?: string }>(path, {
      method: 'POST',
      body: { amount: typed, reason },
    });
    given(refund, t('payment.refunded', { state: words.choice('state', refund.state ?? '') }));
    refresh();
  };
  return (
    <ReasonDialog
      title={t('payment.refundTitle', { amount: staffMoney(paid, currency) })}
      confirmLabel={t('payment.refund')}
      isDangerous
      onConfirm={send}
      onClose={onClose}
    >
      {refundable <= 0n && <Alert severity="warning">{t('payment.notRefundable')}</Alert>}
      <Typography>{t('payment.refundText')}</Typography>
      <Typography sx={{ fontWeight: 600 }}>
        {t('payment.refundable', { amount: staffMoney(payment.refundable, currency) })}
      </Typography>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button
          size="small"
          variant="outlined"
          disabled={refundable <= 0n}
          onClick={() => setTyped(halfOf(paid, payment.refundable, currency))}
        >
          {t('payment.refundHalf')}
        </Button>
        <Button
          size="small"
          variant="outlined"
          disabled={refundable <= 0n}
          onClick={() => setTyped(payment.refundable.replace(/(\.\d\d)\d+$/, '$1'))}
        >
          {t('payment.refundAll')}
        </Button>
      </Box>
      <AmountField value={typed} currency={currency} onChange={setTyped} />
      {left !== undefined && (
        <Alert severity={isTooMuch ? 'error' : 'info'} role="status">
          {isTooMuch
            ? t('payment.refundable', { amount: staffMoney(payment.refundable, currency) })
            : t('payment.refundLeft', { amount: staffMoney(moneyText(left), currency) })}
        </Alert>
      )}
    </ReasonDialog>
  );
}
