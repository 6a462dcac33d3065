// The table of a list: a column for each of the resource's columns, or for those that are named. Children are more columns.

import Box from '@mui/material/Box';
import type { ReactElement, ReactNode } from 'react';
import { DataTable, type Identifier, useResourceContext } from 'react-admin';
import { useTableWords } from '../table-words.ts';
import { tableNameOf, tableOf } from '../tables.ts';
import { FieldValue } from './field-value.tsx';
import { labelCheckboxes } from './label-checkboxes.ts';
import { NoRows } from './no-rows.tsx';

interface GenericTableProps {
  /** Instead of all of the contract's. */
  columns?: readonly string[];
  /** Buttons for the chosen rows; without them no row can be chosen. */
  bulkActions?: ReactElement;
  /** A function does something else with the row, or says where to go. */
  rowClick?: 'show' | 'edit' | false | ((id: Identifier) => string | false);
  children?: ReactNode;
}

const isNumber = (type: string | undefined) => type === 'number' || type === 'money';

export function GenericTable({ columns, bulkActions, rowClick = 'show', children }: GenericTableProps) {
  const name = tableNameOf(useResourceContext() ?? '');
  const words = useTableWords(name);
  const table = tableOf(name);
  return (
    <Box
      ref={labelCheckboxes}
      role="region"
      aria-label={words.many}
      // What scrolls is reached by keyboard.
      tabIndex={0}
      sx={{
        overflowX: 'auto',
        // react-admin lays it over the list's own buttons, where our frame cuts it off.
        '& .RaBulkActionsToolbar-toolbar:not(.RaBulkActionsToolbar-collapsed)': {
          position: 'static',
          transform: 'none',
        },
      }}
    >
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
    </Box>
  );
}
