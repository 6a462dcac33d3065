// The table of a list: a column for each of the resource's columns, or for those that are named. Children are more columns.

import { EmptyState, ErrorState, LoadingTable, NoMatch } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import type { ReactElement, ReactNode } from 'react';
import { DataTable, type Identifier, useListContext, useResourceContext } from 'react-admin';
import { problemIn } from '../providers/problem-in.ts';
import { useTableWords } from '../table-words.ts';
import { tableNameOf, tableOf } from '../tables.ts';
import { FieldValue } from './field-value.tsx';

interface GenericTableProps {
  /** Instead of all of the contract's. */
  columns?: readonly string[];
  /** Buttons for the chosen rows; without them no row can be chosen. */
  bulkActions?: ReactElement;
  /** A function does something else with the row, or says where to go. */
  rowClick?: 'show' | 'edit' | false | ((id: Identifier) => string | false);
  children?: ReactNode;
}

const BOX_PX = 40;
const STICKY = { position: 'sticky', zIndex: 1, bgcolor: 'background.paper' } as const;

const isNumber = (type: string | undefined) => type === 'number' || type === 'money';

export function GenericTable({ columns, bulkActions, rowClick = 'show', children }: GenericTableProps) {
  const name = tableNameOf(useResourceContext() ?? '');
  const words = useTableWords(name);
  const table = tableOf(name);
  const { isPending } = useListContext();
  return (
    <Box
      ref={labelCheckboxes}
      aria-busy={isPending}
      role="region"
      aria-label={words.many}
      // A scrolling box is reachable by keyboard.
      tabIndex={0}
      sx={{
        overflowX: 'auto',
        borderRadius: 'inherit',
        // A row is one line; a longer text is cut, and its row's page has all of it.
        '& td': { whiteSpace: 'nowrap', maxWidth: '22rem', overflow: 'hidden', textOverflow: 'ellipsis' },
        '& tr': { transition: 'none' },
        '& tbody tr:last-of-type td': { borderBottom: 0 },
        // The first column stays in sight while others scroll.
        '& tr > :first-child': { ...STICKY, left: 0 },
        ...(bulkActions && { '& tr > :nth-child(2)': { ...STICKY, left: BOX_PX } }),
        '& tr > :first-child:has(.MuiCheckbox-root)': { width: BOX_PX, p: '0 0 0 5px' },
        '& tbody tr:hover > *': {
          backgroundImage: 'linear-gradient(var(--mui-palette-action-hover), var(--mui-palette-action-hover))',
        },
        '& a': { textDecoration: 'none', '&:hover': { textDecoration: 'underline' } },
        '& .MuiCheckbox-root': { p: '7px', '& svg': { fontSize: 20 } },
        '& .MuiTableSortLabel-root': { lineHeight: 1.4 },
        '& .MuiTableSortLabel-icon': { fontSize: 14 },
        // react-admin lays it over the list's own buttons, where our frame cuts it off.
        '& .RaBulkActionsToolbar-toolbar:not(.RaBulkActionsToolbar-collapsed)': {
          position: 'static',
          transform: 'none',
        },
      }}
    >
      {isPending ? (
        <LoadingTable rows={8} />
      ) : (
        <DataTable rowClick={rowClick} empty={<NoRows />} bulkActionButtons={bulkActions ?? false}>
          {(columns ?? table.columns).map((field) => (
            <DataTable.Col
              key={field}
              source={field}
              label={words.label(field)}
              disableSort={!table.sort.includes(field)}
              align={isNumber(table.fields[field]?.type) ? 'right' : 'left'}
            >
              <FieldValue name={name} field={field} />
            </DataTable.Col>
          ))}
          {children}
        </DataTable>
      )}
    </Box>
  );
}

/**
 * For a ref. Where react-admin labels the span around a row's checkbox, the label goes to the input: there a screen reader looks for
 * it. Goes on as rows come and go.
 */
function labelCheckboxes(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  const move = () => {
    for (const span of root.querySelectorAll('.select-item[aria-label]')) {
      span.querySelector('input')?.setAttribute('aria-label', span.getAttribute('aria-label') ?? '');
      span.removeAttribute('aria-label');
    }
  };
  move();
  const seen = new MutationObserver(move);
  seen.observe(root, { childList: true, subtree: true });
  return () => seen.disconnect();
}

/** A list without rows: whether it could not be read, there are none at all, or none that match. */
function NoRows() {
  const { error, refetch, filterValues, setFilters } = useListContext();
  if (error) return <ErrorState error={problemIn(error)} onRetry={() => void refetch()} />;
  const isFiltered = Object.keys(filterValues ?? {}).length > 0;
  return <Box role="status">{isFiltered ? <NoMatch onClear={() => setFilters({}, {})} /> : <EmptyState />}</Box>;
}
