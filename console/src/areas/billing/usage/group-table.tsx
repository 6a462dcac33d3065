// The amounts of a breakdown, with their sum.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useBillingWords } from '../use-billing-words.ts';

interface GroupTableProps {
  caption: string;
  rows: readonly { key: string; name: string; list: string; discount: string; total: string }[];
  sum: Readonly<Record<string, string | undefined>>;
  amount(text: string | undefined): string;
}

const AMOUNTS = ['list', 'discount', 'total'] as const;

export function GroupTable({ caption, rows, sum, amount }: GroupTableProps) {
  const t = useBillingWords();
  const labels = { list: t('usage.list'), discount: t('usage.discount'), total: t('transactions.total') };
  return (
    <TableContainer tabIndex={0} aria-label={caption} role="region">
      <Table
        size="small"
        // All of it on a phone.
        sx={{ '& td, & th': { fontVariantNumeric: 'tabular-nums', px: { xs: 0.5, sm: 2 } } }}
      >
        <TableHead>
          <TableRow>
            <TableCell>{caption}</TableCell>
            {AMOUNTS.map((amountName) => (
              <TableCell key={amountName} align="right">
                {labels[amountName]}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.key}>
              <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
                {row.name}
              </TableCell>
              {AMOUNTS.map((amountName) => (
                <TableCell key={amountName} align="right">
                  {amount(row[amountName])}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow
            sx={{ '& td, & th': { fontWeight: 600, fontSize: '0.875rem', color: 'text.primary', borderBottom: 0 } }}
          >
            <TableCell component="th" scope="row">
              {t('usage.sum')}
            </TableCell>
            {AMOUNTS.map((amountName) => (
              <TableCell key={amountName} align="right">
                {amount(sum[amountName])}
              </TableCell>
            ))}
          </TableRow>
        </TableFooter>
      </Table>
    </TableContainer>
  );
}
