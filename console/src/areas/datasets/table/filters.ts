// What the rows of a table are narrowed to, as the address has it: a link to it shows the same rows.
import type { findBody } from '@gantry/contract/areas/datasets/tables.ts';
import type * as z from 'zod';

export type RowFilter = z.input<typeof findBody>['filters'] extends (infer One)[] | undefined ? One : never;

export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

const NAMES: ReadonlySet<string> = new Set<keyof RowFilter>([
  ...(['column', 'at_least', 'below', 'equals', 'length_at_least', 'length_below', 'is_null'] as const),
]);

/** Nothing where the address has no filters of ours: the server checks what they say. */
export function filtersIn(params: URLSearchParams): readonly RowFilter[] {
  return params.getAll('filter').flatMap((text) => {
    try {
      const read = JSON.parse(text) as RowFilter;
      return typeof read.column === 'string' && Object.keys(read).every((name) => NAMES.has(name)) ? [read] : [];
    } catch {
      return [];
    }
  });
}

export function sortIn(params: URLSearchParams): Sort | undefined {
  const column = params.get('sort');
  return column === null ? undefined : { column, descending: params.get('descending') === 'true' };
}

/** The rows that one filter leaves, in the address of the rows' tab. */
export const rowsPath = (id: string, version: number, filter: RowFilter): string =>
  `/data/space/${id}/rows?${new URLSearchParams({ version: `${version}`, filter: JSON.stringify(filter) })}`;

/** `price ≥ 10, < 20` */
export function filterText({ column, at_least: least, below, equals, ...rest }: RowFilter, isNull: string): string {
  const length = (text: string) => `|${column}| ${text}`;
  return [
    ...(least === undefined ? [] : [`${column} ≥ ${least}`]),
    ...(below === undefined ? [] : [`${column} < ${below}`]),
    ...(equals === undefined ? [] : [`${column} = ${equals}`]),
    ...(rest.length_at_least === undefined ? [] : [length(`≥ ${rest.length_at_least}`)]),
    ...(rest.length_below === undefined ? [] : [length(`< ${rest.length_below}`)]),
    ...(rest.is_null === undefined ? [] : [`${column} ${rest.is_null ? '=' : '≠'} ${isNull}`]),
  ].join(', ');
}
