// The columns of transactions.

import type { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { PAYMENT_CHANNELS, TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import { isCalledOff, statusWords } from '@gantry/contract/billing/payments.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { rateText } from '@gantry/ui/format/money.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Column } from '@gantry/ui/table/data-table.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Link from '@mui/material/Link';
import { useMemo } from 'react';
import { TwoLines } from '../../../parts/two-lines.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { isAutomatic, wentBack, whatFor } from './what-for.ts';

export type Transaction = ItemOf<typeof DOCUMENT_ROUTES.listTransactions>;

export function useTransactionColumns(show: (row: Transaction) => void): readonly Column<Transaction>[] {
  const t = useBillingWords();
  const ui = useUiWords();
  const language = useLanguage();
  return useMemo(
    () => [
      {
        id: 'date',
        label: t('transactions.date'),
        sort: 'date',
        width: '11.5rem',
        cell: (row) => (
          <Link component="button" type="button" onClick={() => show(row)} sx={{ fontSize: 'inherit' }}>
            {timeText(row.date)}
          </Link>
        ),
      },
      {
        id: 'type',
        label: t('transactions.type'),
        sort: 'type',
        width: 'minmax(8rem, 1fr)',
        cell: (row) => TRANSACTION_TYPES[row.type][language],
      },
      {
        id: 'what',
        label: t('transactions.what'),
        width: 'minmax(8.5rem, 2fr)',
        cell: (row) => {
          // The status says so already.
          const said = isCalledOff(row.detail) ? '' : whatFor(row, language);
          const what = said || (isAutomatic(row) ? t('transactions.automatic') : ui('states.unknown'));
          return <span title={what}>{what}</span>;
        },
      },
      {
        id: 'total',
        label: t('transactions.total'),
        sort: 'total_amount',
        align: 'end',
        width: '7rem',
        cell: (row) => rateText(row.total_amount, row.currency),
      },
      {
        id: 'paid',
        label: t('transactions.paid'),
        sort: 'pay_amount',
        align: 'end',
        width: '9.5rem',
        cell: (row) => {
          const paid = rateText(row.pay_amount, row.currency);
          const back = wentBack(row).map(({ word, amount }) => t(`transactions.back.${word}`, { amount }));
          return back.length > 0 ? <TwoLines first={paid} second={back.join(' · ')} title={back.join(' · ')} /> : paid;
        },
      },
      {
        id: 'credit',
        label: t('transactions.credit'),
        sort: 'credit_used',
        align: 'end',
        width: '10rem',
        cell: (row) => rateText(row.credit_used, row.currency),
      },
      {
        id: 'channel',
        label: t('transactions.channel'),
        width: 'minmax(9rem, 1fr)',
        isWideOnly: true,
        cell: (row) => PAYMENT_CHANNELS[row.payment_channel][language],
      },
      {
        id: 'status',
        label: ui('fields.status'),
        sort: 'status',
        width: '10.5rem',
        cell: (row) => {
          const { tone, [language]: label } = statusWords(row.status, row.detail);
          return <PhaseChip tone={tone} label={label} />;
        },
      },
    ],
    [t, ui, language, show],
  );
}
