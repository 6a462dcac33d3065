// Filters of a list, from its facts: the search always, the others on demand.
import type { AdminField } from '@gantry/contract/http/admin-table.ts';
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { utcTime } from '@gantry/ui/format/local-time.ts';
import type { ReactElement } from 'react';
import {
  AutocompleteInput,
  DateTimeInput,
  NullableBooleanInput,
  ReferenceInput,
  SearchInput,
  SelectArrayInput,
  TextInput,
  usePermissions,
} from 'react-admin';
import { useTableWords } from '../table-words.ts';
import { resourceOf, tableOf } from '../tables.ts';

export function useFilters(name: AdminTableName): ReactElement[] {
  const words = useTableWords(name);
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const { filters, references } = tableOf(name);
  const mayRead = (other: AdminTableName) => permissions?.has(`manage/${tableOf(other).menu}`);
  return Object.entries<AdminField>(filters).map(([field, { type, choices = [] }]) => {
    if (field === 'q') return <SearchInput key={field} source="q" alwaysOn />;
    const common = { key: field, source: field, label: words.label(field), size: 'small' as const };
    const other = references[field] as AdminTableName | undefined;
    if (other && mayRead(other) && 'q' in tableOf(other).filters) {
      const { key, ...reference } = common;
      return (
        <ReferenceInput key={key} source={field} label={reference.label} reference={resourceOf(other)}>
          <AutocompleteInput label={reference.label} filterToQuery={(q: string) => (q === '' ? {} : { q })} />
        </ReferenceInput>
      );
    }
    const { key, ...rest } = common;
    if (type === 'choice')
      return (
        <SelectArrayInput
          key={key}
          {...rest}
          choices={choices.map((id) => ({ id, name: words.choice(field, id) }))}
          // An address may name one alone; without any, the list is whole.
          format={(value) => (value === undefined || value === '' ? [] : [value].flat())}
          parse={(values: unknown[]) => (values.length > 0 ? values : '')}
        />
      );
    if (type === 'flag') return <NullableBooleanInput key={key} {...rest} />;
    if (type === 'time') return <DateTimeInput key={key} {...rest} parse={(local: string) => utcTime(local) ?? ''} />;
    return <TextInput key={key} {...rest} />;
  });
}
