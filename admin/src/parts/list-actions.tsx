// What stands above every list: filters with saved queries, a list's own buttons, the list as a file, and creating a row where there
// is a page for it.
import type { ReactNode } from 'react';
import { CreateButton, FilterButton, TopToolbar, useResourceDefinition } from 'react-admin';
import { ExportButton } from './export-button.tsx';
import { ImportButton } from './import-button.tsx';

export function ListActions({ children }: { children?: ReactNode }) {
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
