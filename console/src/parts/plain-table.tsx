// A short table: all of it is in the page. On a narrow screen it scrolls by itself.
import type { CommonView } from '@gantry/contract/kind-api.ts';
import type { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';

export interface PlainColumn<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isEnd?: boolean;
}

/** The name and the phase of a Pod. */
export const podColumns = (
  ui: ReturnType<typeof useUiWords>,
): readonly PlainColumn<Pick<CommonView, 'name' | 'phase_label' | 'tone'>>[] => [
  { label: ui('fields.name'), cell: ({ name }) => name },
  phaseColumn(ui('fields.status')),
];

/** The phase of something that has no page of its own. */
export const phaseColumn = (label: string): PlainColumn<Pick<CommonView, 'phase_label' | 'tone'>> => ({
  label,
  cell: ({ phase_label, tone }) => <PhaseChip label={phase_label} tone={tone} message={null} />,
});

interface PlainTableProps<Row> {
  label: string;
  columns: readonly PlainColumn<Row>[];
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
