// A page of rows that are in memory: sorted, filtered and counted here, with only the page itself rendered whole.
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { Page } from './list-pages.ts';

type Value = string | number | boolean | null | undefined;
/** Several values are sorted by the first one, and found by each. */
type Values = Value | readonly Value[];

export interface InMemory<Item> {
  /** A field that is sorted by or filtered. */
  field(item: Item, name: string): Values;
  /** Whether what was typed into the search leads to it; lower case. */
  isSought(item: Item, sought: string): boolean;
}

export function pageInMemory<Item, Row>(
  items: readonly Item[],
  { sort: [by, order], range: [first, last], filter }: AdminQuery,
  { field, isSought }: InMemory<Item>,
  rowOf: (item: Item) => Row,
): Page<Row> {
  const rules = Object.entries(filter).flatMap(([name, wanted]): ((item: Item) => boolean)[] => {
    if (wanted === undefined) return [];
    if (name === 'q') {
      const sought = String(wanted).trim().toLowerCase();
      return [(item) => isSought(item, sought)];
    }
    const values = new Set<unknown>([wanted].flat());
    return [(item) => valuesOf(field(item, name)).some((value) => values.has(value))];
  });
  const direction = order === 'DESC' ? -1 : 1;
  const found = items
    .filter((item) => rules.every((holds) => holds(item)))
    .map((item) => ({ item, key: valuesOf(field(item, by))[0], id: valuesOf(field(item, 'id'))[0] }))
    .sort((a, b) => direction * compare(a.key, b.key) || compare(a.id, b.id));
  return { items: found.slice(first, last + 1).map(({ item }) => rowOf(item)), total: found.length, last: undefined };
}

const valuesOf = (values: Values): readonly Value[] => (Array.isArray(values) ? values : [values as Value]);

/** Unknown values come before everything else. */
function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return a < b ? -1 : 1;
}
