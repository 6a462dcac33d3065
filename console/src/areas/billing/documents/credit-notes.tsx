// The credit notes of refunds. Where nothing was ever refunded, nothing is shown.

import type { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { dateText } from '@gantry/ui/format/time.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { PaperFiles } from './paper-files.tsx';

type CreditNote = ItemOf<typeof DOCUMENT_ROUTES.listCreditNotes>;

export function CreditNotes() {
  const t = useBillingWords();
  const list = useList(CALLS.listCreditNotes);
  const columns = useColumns();
  if (list.items.length === 0 && !list.error) return null;
  return (
    <Box sx={{ mt: 3 }}>
      <Section inGrid title={t('creditNotes.title')} lead={t('creditNotes.lead')}>
        <DataTable
          label={t('creditNotes.title')}
          columns={columns}
          list={list}
          idOf={({ id }) => id}
          nameOf={({ number }) => number}
        />
      </Section>
    </Box>
  );
}

function useColumns(): readonly Column<CreditNote>[] {
  const t = useBillingWords();
  return useMemo(
    () => [
      { id: 'number', label: t('invoices.number'), cell: ({ number }) => number },
      {
        id: 'kind',
        label: t('transactions.what'),
        cell: ({ kind, cancels }) => t(`creditNotes.kinds.${kind}`, { number: cancels ?? '' }),
      },
      { id: 'amount', label: t('creditNotes.amount'), align: 'end', cell: (row) => rateText(row.amount, row.currency) },
      { id: 'date', label: t('creditNotes.date'), cell: ({ date }) => dateText(date) },
      { id: 'payment', label: t('transactions.id'), width: 'minmax(10rem, 2fr)', cell: (row) => row.transaction_id },
      { id: 'issued', label: t('invoices.issued'), cell: (row) => dateText(row.issued_at), isWideOnly: true },
      {
        id: 'files',
        label: t('invoices.files'),
        width: '8rem',
        cell: ({ id, number }) => <PaperFiles of="creditNotes" id={id} number={number} />,
      },
    ],
    [t],
  );
}
