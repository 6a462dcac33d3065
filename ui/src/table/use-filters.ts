// A list's filters and order, kept in the address: a link to it shows the same list.
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Sorting } from './data-table.tsx';

export interface Filters<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  readonly sorting: Sorting;
  readonly isFiltered: boolean;
  set(name: Name, value: string): void;
  sort(sorting: Sorting): void;
  clear(): void;
}

/** `names` are those of the list's query; an empty value removes one. A change returns to the first page. */
export function useFilters<const Name extends string>(names: readonly Name[], first: Sorting): Filters<Name> {
  const [params, setParams] = useSearchParams();
  const text = params.toString();
  const change = useCallback(
    (changed: Readonly<Record<string, string>>) =>
      setParams(
        (former) => {
          const next = new URLSearchParams(former);
          next.delete('page');
          for (const [name, value] of Object.entries(changed)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the params, and the names of a page never change
  return useMemo(() => {
    const read = new URLSearchParams(text);
    const values = Object.fromEntries(names.map((name) => [name, read.get(name) ?? ''])) as Record<Name, string>;
    return {
      values,
      sorting: {
        by: read.get('order_by') ?? first.by,
        type: read.get('order_type') === 'asc' ? 'asc' : read.get('order_type') === 'desc' ? 'desc' : first.type,
      },
      isFiltered: names.some((name) => values[name] !== ''),
      set: (name, value) => change({ [name]: value }),
      sort: ({ by, type }) => change({ order_by: by, order_type: type }),
      clear: () => setParams({}, { replace: true }),
    };
  }, [text, change, setParams]);
}
