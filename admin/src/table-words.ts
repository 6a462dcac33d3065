// Labels of tables in the reader's language, as the contract has them (`contract/src/words/*/admin.ts`).
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { useAllWords } from '@gantry/ui/i18n/use-words.tsx';
import type { Words } from '@gantry/ui/i18n/words.ts';
import { tableOf } from './tables.ts';

const AREA = 'tables';

/** A kind brings the names of its objects along. */
export function resourceWords(words: Words, name: AdminTableName): { one: string; many: string } {
  const { kind } = tableOf(name);
  return {
    one: kind?.one[words.language] ?? words.find(AREA, `resources.${name}.one`) ?? name,
    many: kind?.many[words.language] ?? words.find(AREA, `resources.${name}.many`) ?? name,
  };
}

/** A field's label: the table's own, the one that tables of kinds share, otherwise that of all tables. */
export const labelOf = (words: Words, name: AdminTableName, field: string): string =>
  words.find(AREA, `fields.${name}.${field}`) ??
  (tableOf(name).kind && words.find(AREA, `fields.objects.${field}`)) ??
  words.find(AREA, `fields.${field}`) ??
  field;

/** A choice's label: of the table's field, otherwise of the field in general. */
export const choiceLabel = (words: Words, name: AdminTableName, field: string, value: string | number): string =>
  words.find(AREA, `choices.${name}.${field}.${value}`) ?? words.find(AREA, `choices.${field}.${value}`) ?? `${value}`;

/** The labels of one table, for components. */
export function useTableWords(name: AdminTableName) {
  const words = useAllWords();
  return {
    ...resourceWords(words, name),
    label: (field: string) => labelOf(words, name, field),
    choice: (field: string, value: string | number) => choiceLabel(words, name, field, value),
  };
}

/** The names of menus and roles. */
export function useNames() {
  const words = useAllWords();
  return {
    menu: (menu: string) => words.find(AREA, `menus.${menu}`) ?? menu,
    role: (role: string) => words.find(AREA, `roles.${role}`) ?? role,
  };
}
