// The table of a list: a column for each of the resource's columns, or for those that are named. Children are more columns.

import type { ReactElement, ReactNode } from 'react';
import { DataTable, type Identifier, useResourceContext } from 'react-admin';
import { useTableWords } from '../table-words.ts';
import { tableNameOf, tableOf } from '../tables.ts';
import { FieldValue } from './field-value.tsx';
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
    <DataTable
      rowClick={rowClick}
      empty={<NoRows />}
      bulkActionButtons={bulkActions ?? false}
      sx={{ '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}
    >
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
  );
}
