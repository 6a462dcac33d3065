// A small table of plain elements: the figures behind a chart, and lists of a dozen rows.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export interface Column {
  readonly key: string;
  readonly title: string;
  readonly isNumber?: boolean;
}

interface PlainRowsProps {
  label: string;
  columns: readonly Column[];
  rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

export function PlainRows({ label, columns, rows }: PlainRowsProps) {
  return (
    <Box tabIndex={0} role="group" aria-label={label} sx={{ overflowX: 'auto' }}>
      <Box
        component="table"
        sx={{
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 'inherit',
          '& th, & td': {
            textAlign: 'start',
            py: 0.5,
            px: 1,
            borderBottom: 1,
            borderColor: 'divider',
            verticalAlign: 'top',
          },
          '& thead th': { color: 'text.secondary', fontWeight: 500, whiteSpace: 'nowrap' },
          '& tbody th': { fontWeight: 500 },
          '& .number': { textAlign: 'end', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
        }}
      >
        <thead>
          <tr>
            {columns.map(({ key, title, isNumber }) => (
              <th key={key} scope="col" className={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => {
                const column = columns[at];
                if (!column) return null;
                return at === 0 ? (
                  <th key={column.key} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column.key} className={column.isNumber ? 'number' : undefined}>
                    {cell}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
