// Rows that two versions have with the same key: what a cell was, and what it is now. Cells that are as before are left empty, and columns
// of nothing else are left out.
import type { DatasetRowDifferenceView } from '@gantry/contract/areas/datasets/tables.ts';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { cellText } from '../../../parts/cell-text.ts';
import { minWidthOf } from './cell-table.tsx';

interface ChangedRowsProps {
  label: string;
  answer: Pick<DatasetRowDifferenceView['changed'], 'columns' | 'rows'>;
  /** The columns of the key: their cells are values, and no pairs. */
  by: readonly string[];
}

/** Characters of a cell. */
const MOST_SHOWN = 300;

export function ChangedRows({ label, answer: { columns, rows }, by }: ChangedRowsProps) {
  const shown = columns
    .map(({ name }, at) => ({ name, at }))
    .filter(({ name, at }) => by.includes(name) || rows.some((row) => row[at] !== null));
  return (
    <Box sx={{ overflow: 'auto', maxHeight: '24rem' }} tabIndex={0} role="group" aria-label={label}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            {shown.map(({ name }) => (
              <TableCell key={name}>{name}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer stay in their places
            <TableRow key={at}>
              {shown.map(({ name, at: column }) => (
                <TableCell key={name} sx={{ verticalAlign: 'top' }}>
                  <Box
                    sx={{
                      ...{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxWidth: '32rem' },
                      minWidth: minWidthOf(cellText(row[column])),
                    }}
                  >
                    {by.includes(name) ? short(row[column]) : <Change pair={row[column]} />}
                  </Box>
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function Change({ pair }: { pair: unknown }) {
  if (pair === null) return null;
  // One that was too long comes as a piece of text.
  if (!Array.isArray(pair)) return short(pair);
  const [before, after] = pair as unknown[];
  return (
    <>
      <Box component="del" sx={{ color: 'text.secondary' }}>
        {short(before)}
      </Box>{' '}
      <Box component="ins" sx={{ textDecoration: 'none', fontWeight: 600 }}>
        {short(after)}
      </Box>
    </>
  );
}

function short(value: unknown): string {
  const text = value === null ? 'null' : cellText(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
