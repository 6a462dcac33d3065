// What stands above every list: filters with saved queries, a list's own buttons, and creating a row where there is a page for it.

import type { ReactNode } from 'react';
import { CreateButton, FilterButton, TopToolbar, useResourceDefinition } from 'react-admin';

export function ListActions({ children }: { children?: ReactNode }) {
  const { hasCreate } = useResourceDefinition();
  return (
    <TopToolbar>
      <FilterButton />
      {children}
      {hasCreate && <CreateButton />}
    </TopToolbar>
  );
}
