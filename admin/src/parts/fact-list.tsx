// Fields of a row as labels and values.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { useTableWords } from '../table-words.ts';
import { Facts } from './facts.tsx';
import { FieldValue } from './field-value.tsx';

export function FactList({ name, fields }: { name: AdminTableName; fields: readonly string[] }) {
  const words = useTableWords(name);
  return (
    <Facts
      rows={fields.map((field) => [words.label(field), <FieldValue key={field} name={name} field={field} isWhole />])}
    />
  );
}
