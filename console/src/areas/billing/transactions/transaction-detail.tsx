// One transaction, with all that is known of it.
import { PAYMENT_CHANNELS, TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import { isPaymentFailure, statusWords } from '@gantry/contract/billing/payments.ts';
import { rateText } from '@gantry/ui/format/money.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { Link } from 'react-router';
import { FactsList } from '../facts-list.tsx';
import { ObjectLink } from '../object-link.tsx';
import { isOpen } from '../recharge/payment-state.ts';
import { useBillingWords } from '../use-billing-words.ts';
import type { Transaction } from './use-transaction-columns.tsx';
import { isAutomatic, wentBack, whatFor } from './what-for.ts';

export function TransactionDetail({ transaction: one, onClose }: { transaction: Transaction; onClose(): void }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const language = useLanguage();
  const id = useId();
  const amount = (text: string) => rateText(text, one.currency);
  const status = statusWords(one.status, one.detail);
  const what = whatFor(one, language) || (isAutomatic(one) ? t('transactions.automatic') : ui('states.unknown'));
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{TRANSACTION_TYPES[one.type][language]}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <CopyField text={one.transaction_id} label={t('transactions.id')} />
        <FactsList
          facts={[
            { name: t('transactions.date'), value: timeText(one.date) },
            { name: ui('fields.status'), value: <PhaseChip tone={status.tone} label={status[language]} /> },
            { name: t('transactions.total'), value: amount(one.total_amount) },
            { name: t('transactions.paid'), value: amount(one.pay_amount) },
            ...wentBack(one).map((back) => ({ name: t(`transactions.${back.word}`), value: back.amount })),
            { name: t('transactions.credit'), value: amount(one.credit_used) },
            { name: t('transactions.channel'), value: PAYMENT_CHANNELS[one.payment_channel][language] },
            { name: t('transactions.operator'), value: one.operator || ui('states.unknown') },
            {
              name: t('transactions.source'),
              value: one.source_type === null ? ui('states.unknown') : t(`sources.${one.source_type}`),
            },
            {
              name: t(isPaymentFailure(one.detail) ? 'transactions.why' : 'transactions.what'),
              value: <ObjectLink reference={one.reference} name={what} />,
            },
          ]}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {one.type === 'recharge' && isOpen(one.status) && (
          <Button component={Link} to={`/manage/billing/recharge?payment=${encodeURIComponent(one.transaction_id)}`}>
            {t('transactions.goOn')}
          </Button>
        )}
        <Button onClick={onClose}>{ui('actions.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
