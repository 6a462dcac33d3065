// The frame of every list: search and filters in the address, saved queries, actions, pages of rows that the server sorts and
// filters.

import type { ReactNode } from 'react';
import {
  CreateButton,
  FilterButton,
  List,
  type ListProps,
  TopToolbar,
  useResourceContext,
  useResourceDefinition,
} from 'react-admin';
import { tableNameOf, tableOf } from '../tables.ts';
import { ExportButton } from './export-button.tsx';
import { useFilters } from './filters.tsx';
import { ImportButton } from './import-button.tsx';

interface AdminListProps extends Partial<Omit<ListProps, 'children' | 'actions'>> {
  children: ReactNode;
  /** Buttons of its own, beside those of every list. */
  actions?: ReactNode;
}

export function AdminList({ children, actions, ...props }: AdminListProps) {
  const name = tableNameOf(useResourceContext() ?? '');
  const [field, order] = tableOf(name).order;
  const filters = useFilters(name);
  return (
    <List
      title=" "
      filters={filters}
      sort={{ field, order }}
      perPage={25}
      exporter={false}
      empty={false}
      // A wide table scrolls within itself, not the page.
      sx={{
        '& .RaList-main, & .RaList-content': { minWidth: 0 },
        '& th': { whiteSpace: 'nowrap' },
        '& .RaList-actions, & .MuiToolbar-root': { bgcolor: 'transparent' },
      }}
      actions={<ListActions>{actions}</ListActions>}
      {...props}
    >
      {children}
    </List>
  );
}

// The bar above every list: filters with saved queries, a list's own buttons, the list as a file, and creating a row if there is a page for
// it.
function ListActions({ children }: { children?: ReactNode }) {
  const { hasCreate } = useResourceDefinition();
  return (
    <TopToolbar>
      <FilterButton />
      {children}
      <ImportButton />
      <ExportButton />
      {hasCreate && <CreateButton />}
    </TopToolbar>
  );
}
