// The columns of a dataset's table, as far as they are known.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useList } from '@gantry/ui/client/use-api.tsx';

const ALL = 1000;

/** Of a version; of the newest one that is ready where it is empty. */
export function useTableColumns(
  table: { dataset?: string | undefined; version?: string | undefined } | undefined,
): readonly string[] {
  const { dataset = '', version = '' } = table ?? {};
  const { items } = useList(
    CALLS.listDatasetVersions,
    { params: { id: dataset } },
    { size: ALL, enabled: dataset !== '' },
  );
  const read =
    version === '' ? items.find(({ state }) => state === 'ready') : items.find((one) => `${one.version}` === version);
  const { data } = useCall(
    CALLS.getDatasetStatistics,
    { params: { id: dataset, version: `${read?.version ?? ''}` } },
    { enabled: read?.profile?.state === 'ready' },
  );
  return data?.columns.map(({ name }) => name) ?? [];
}
