// Where the source of a passage stands: a row of the table, or paragraphs of a page, of the version that its base was made of. Pure.
import type { KnowledgePassage } from '@gantry/contract/areas/inference/model-calls.ts';
import type { RowFilter } from '../table/filters.ts';
import type { TableOf } from '../table/of-table.tsx';

/** Undefined where the passage does not say it. */
export function sourcePath({ id, version }: TableOf, at: KnowledgePassage['citation']): string | undefined {
  const { file, page, paragraph_first: first, paragraph_last: last, row } = at;
  const path = (query: [string, string][]) =>
    `/data/space/${id}/rows?${new URLSearchParams([['version', `${version}`], ...query])}`;
  if (row !== null) return path([['row', `${row}`]]);
  if (file === null || page === null) return undefined;
  const filter = (one: RowFilter): [string, string] => ['filter', JSON.stringify(one)];
  return path([
    filter({ column: 'file', equals: file }),
    filter({ column: 'page', equals: page }),
    ['paragraph', first === null ? '' : last === null || last === first ? `${first}` : `${first}-${last}`],
  ]);
}
