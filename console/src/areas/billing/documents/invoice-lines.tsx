// The lines of an invoice. A month may have thousands: only those in sight are drawn.
import { rateText } from '@gantry/ui/format/money.ts';
import { type Column, DataTable } from '@gantry/ui/table/data-table.tsx';
import { useMemo } from 'react';
import { ObjectLink } from '../object-link.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import type { Invoice } from './invoice-page.tsx';

/** Names need the room more. */
const AMOUNT = { align: 'end', width: 'minmax(6.5rem, 1fr)' } as const;

type Line = Invoice['lines'][number] & { index: number };

export function InvoiceLines({ invoice: { lines, currency } }: { invoice: Pick<Invoice, 'lines' | 'currency'> }) {
  const t = useBillingWords();
  const rows = useMemo(() => lines.map((line, index) => ({ ...line, index })), [lines]);
  const columns = useMemo(
    (): readonly Column<Line>[] => [
      {
        id: 'what',
        label: t('transactions.what'),
        width: 'minmax(11rem, 3fr)',
        cell: (line) => <ObjectLink reference={line.reference} name={line.name} />,
      },
      { id: 'type', label: t('transactions.type'), width: '6.5rem', cell: ({ type }) => t(`invoices.types.${type}`) },
      { id: 'sku', label: t('invoices.sku'), width: 'minmax(11rem, 3fr)', cell: ({ item }) => item },
      {
        id: 'quantity',
        label: t('invoices.quantity'),
        align: 'end',
        width: '6rem',
        cell: ({ quantity }) => quantity || '–',
      },
      { id: 'unit', label: t('invoices.unit'), width: '7.5rem', cell: ({ unit }) => unit || '–' },
      { id: 'price', label: t('invoices.price'), ...AMOUNT, cell: ({ price }) => rateText(price, currency) },
      { id: 'list', label: t('usage.list'), ...AMOUNT, cell: ({ list }) => rateText(list, currency) },
      {
        id: 'discount',
        label: t('usage.discount'),
        ...AMOUNT,
        cell: ({ discount }) => rateText(discount, currency),
      },
      { id: 'total', label: t('transactions.total'), ...AMOUNT, cell: ({ total }) => rateText(total, currency) },
    ],
    [t, currency],
  );
  return (
    <DataTable
      label={t('invoices.lines')}
      columns={columns}
      list={{
        items: rows,
        total: rows.length,
        isLoading: false,
        isLoadingMore: false,
        hasMore: false,
        error: null,
        more: () => {},
        again: () => {},
      }}
      idOf={({ index }) => `${index}`}
      nameOf={({ name, item }) => name || item}
    />
  );
}
