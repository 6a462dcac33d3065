// The invoices, a month each, and below them the credit notes.

import type { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import { dateText } from '@gantry/ui/format/time.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import MuiLink from '@mui/material/Link';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { BillingFrame } from '../billing-frame.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { CreditNotes } from './credit-notes.tsx';
import { PaperFiles } from './paper-files.tsx';

type Invoice = ItemOf<typeof DOCUMENT_ROUTES.listInvoices>;

export function InvoicesPage() {
  const t = useBillingWords();
  const list = useList(CALLS.listInvoices);
  const columns = useInvoiceColumns();
  return (
    <BillingFrame tab="invoices">
      <DataTable
        label={t('tabs.invoices')}
        columns={columns}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ number }) => number}
        empty={<EmptyState hint={t('invoices.noneHint')} />}
      />
      <CreditNotes />
    </BillingFrame>
  );
}

function useInvoiceColumns(): readonly Column<Invoice>[] {
  const t = useBillingWords();
  return useMemo(() => {
    const amount = (id: 'total' | 'pay_amount' | 'credit_used' | 'owed', label: string): Column<Invoice> => ({
      id,
      label,
      align: 'end',
      cell: (row) => rateText(row[id], row.currency),
    });
    return [
      {
        id: 'month',
        label: t('invoices.month'),
        cell: ({ id, month }) => (
          <MuiLink component={Link} to={`/manage/billing/invoices/${encodeURIComponent(id)}`}>
            {month}
          </MuiLink>
        ),
      },
      { id: 'number', label: t('invoices.number'), cell: ({ number }) => number },
      amount('total', t('transactions.total')),
      amount('pay_amount', t('transactions.paid')),
      amount('credit_used', t('transactions.credit')),
      amount('owed', t('invoices.owed')),
      { id: 'issued', label: t('invoices.issued'), cell: (row) => dateText(row.issued_at) },
      {
        id: 'files',
        label: t('invoices.files'),
        width: '12rem',
        cell: ({ id, number }) => <PaperFiles of="invoices" id={id} number={number} />,
      },
    ];
  }, [t]);
}
