// The frame of every list: search and filters in the address, saved queries, actions, pages of rows that the server sorts and
// filters.

import type { ReactNode } from 'react';
import { List, type ListProps, useResourceContext } from 'react-admin';
import { tableNameOf, tableOf } from '../tables.ts';
import { useFilters } from './filters.tsx';
import { ListActions } from './list-actions.tsx';

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
