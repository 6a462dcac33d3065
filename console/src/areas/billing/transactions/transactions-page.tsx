// All that came in and went out, or top-ups alone, filtered by what the address says.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { bytesText } from '@gantry/ui/format/size.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { DataTable } from '@gantry/ui/table/data-table.tsx';
import { useFilters } from '@gantry/ui/table/use-filters.ts';
import { EmptyState, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Download from '@mui/icons-material/Download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { BillingFrame } from '../billing-frame.tsx';
import { useBillingWords } from '../use-billing-words.ts';
import { useSave } from '../use-save.ts';
import { TransactionDetail } from './transaction-detail.tsx';
import { TransactionFilters } from './transaction-filters.tsx';
import { FILTER_NAMES, transactionQuery } from './transaction-query.ts';
import { type Transaction, useTransactionColumns } from './use-transaction-columns.tsx';

export const TransactionsPage = () => <TransactionList tab="transactions" />;
export const HistoryPage = () => <TransactionList tab="history" side="top-up" />;

/** `side`: the transactions that are shown, of all. */
function TransactionList({ tab, side }: { tab: 'transactions' | 'history'; side?: 'top-up' }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const filters = useFilters(FILTER_NAMES, { by: 'date', type: 'desc' });
  // A range ends when it is chosen: while one scrolls the list stays that of one moment.
  const query = useMemo(() => transactionQuery(filters.values, filters.sorting, new Date(), side), [filters, side]);
  const list = useList(CALLS.listTransactions, { query });
  const [shown, setShown] = useState<Transaction>();
  const columns = useTransactionColumns(setShown);
  const saving = useSave();
  return (
    <BillingFrame
      tab={tab}
      buttons={
        <Button
          variant="outlined"
          startIcon={<Download />}
          loading={saving.bytes !== undefined}
          loadingPosition="start"
          onClick={() => void saving.save(CALLS.exportTransactions, { query })}
        >
          {saving.bytes ? t('transactions.exporting', { size: bytesText(saving.bytes) }) : t('transactions.export')}
        </Button>
      }
    >
      <TransactionFilters filters={filters} isTopUps={side !== undefined} />
      <Box role="status" sx={{ minHeight: 28 }}>
        <Typography variant="body2" color="text.secondary">
          {list.total === undefined ? '' : ui('table.rows', { smart_count: list.total })}
        </Typography>
      </Box>
      <DataTable
        label={t(`tabs.${tab}`)}
        columns={columns}
        list={list}
        idOf={(row) => row.transaction_id}
        nameOf={(row) => row.transaction_id}
        sorting={filters.sorting}
        onSort={filters.sort}
        empty={
          filters.isFiltered ? (
            <NoMatch onClear={filters.clear} />
          ) : (
            <EmptyState hint={t(side ? 'transactions.noTopUpHint' : 'transactions.noneHint')} />
          )
        }
      />
      {shown && <TransactionDetail transaction={shown} onClose={() => setShown(undefined)} />}
    </BillingFrame>
  );
}
