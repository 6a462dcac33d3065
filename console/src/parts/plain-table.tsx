// A short table: all of it is in the page. On a narrow screen it scrolls by itself.
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';

interface PlainTableProps<Row> {
  label: string;
  columns: readonly { readonly label: string; readonly cell: (row: Row) => ReactNode; readonly isEnd?: boolean }[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

export function PlainTable<Row>({ label, columns, rows, keyOf }: PlainTableProps<Row>) {
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={label}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((column) => (
              <TableCell key={column.label} align={column.isEnd ? 'right' : 'left'} sx={{ whiteSpace: 'nowrap' }}>
                {column.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map((column) => (
                <TableCell key={column.label} align={column.isEnd ? 'right' : 'left'} sx={{ whiteSpace: 'nowrap' }}>
                  {column.cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
