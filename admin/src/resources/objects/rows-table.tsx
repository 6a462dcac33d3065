// Rows that belong to one object, all of them at once. A cell of a tenant's or of the cluster's is text.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface RowsTableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  columns: readonly (readonly [label: string, cell: (row: Row) => ReactNode])[];
  /** Instead of a table without rows. */
  none: string;
}

export function RowsTable<Row>({ label, rows, keyOf, columns, none }: RowsTableProps<Row>) {
  if (rows.length === 0) return <Typography color="text.secondary">{none}</Typography>;
  return (
    <TableContainer>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map(([head]) => (
              <TableCell key={head}>{head}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(([head, cell]) => (
                <TableCell key={head} sx={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                  {cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
