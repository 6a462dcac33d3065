// The list of a resource that has none of its own: columns, filters and order follow from its facts.

import { AdminList } from './admin-list.tsx';
import { GenericTable } from './generic-table.tsx';

export const GenericList = () => (
  <AdminList>
    <GenericTable />
  </AdminList>
);
