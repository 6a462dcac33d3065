// The version that a task has made a base of, by the lineage.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import type { TableOf } from '../table/of-table.tsx';

/** The run that made it, and what that has read. */
const UP = 2;

/** Undefined where it is not known (yet), was deleted, or belongs to somebody else. */
export function useSource({ id, version }: TableOf, isMade: boolean): TableOf | undefined {
  const { data } = useCall(
    CALLS.getLineage,
    { query: { kind: 'dataset', id, version: `${version}`, direction: 'up', depth: UP } },
    { enabled: isMade },
  );
  const read = data?.nodes.find(({ kind, level, gone_time: gone }) => kind === 'dataset' && level < 0 && gone === null);
  return read && read.id !== null && read.version !== null ? { id: read.id, version: Number(read.version) } : undefined;
}
