// Rows of another resource that belong to the shown one, sorted and paged by the server: a tab of a row's page.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { Pagination, RecordContextProvider, ReferenceManyField } from 'react-admin';
import { resourceOf, tableOf } from '../tables.ts';
import { GenericTable } from './generic-table.tsx';

interface PartListProps {
  name: AdminTableName;
  /** The field of those rows that names this one. */
  target: string;
  columns?: readonly string[];
  rowClick?: 'show' | false;
}

export function PartList({ name, target, columns, rowClick = 'show' }: PartListProps) {
  const [field, order] = tableOf(name).order;
  return (
    <ReferenceManyField
      reference={resourceOf(name)}
      target={target}
      sort={{ field, order }}
      perPage={25}
      pagination={<Pagination />}
      // Each list keeps its own choice of rows.
      storeKey={`${name}.of.${target}`}
    >
      <GenericTable rowClick={rowClick} {...(columns && { columns })} />
    </ReferenceManyField>
  );
}

/** Entries of the audit log about one object, such as `Account/acc-1`. */
export const AuditOf = ({ object }: { object: string }) => (
  <RecordContextProvider value={{ id: object }}>
    <PartList name="audit-log" target="object" />
  </RecordContextProvider>
);
