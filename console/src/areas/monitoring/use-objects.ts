// The organisation's objects that have metrics, and the names that people gave them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { MONITOR_TYPES, type MonitorType } from '@gantry/contract/monitor/metrics.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useCallback, useMemo } from 'react';

export interface Named {
  type: MonitorType;
  id: string;
  name: string;
}

export function useObjects() {
  const { data } = useCall(CALLS.getTopology, {});
  const objects = useMemo(
    () =>
      (data?.nodes ?? []).flatMap(({ id, type, name }): Named[] => {
        const known = MONITOR_TYPES.find((one) => one === type);
        return known ? [{ type: known, id: id.slice(known.length + 1), name }] : [];
      }),
    [data],
  );
  const nameOf = useCallback(
    (type: MonitorType, id: string) => objects.find((one) => one.type === type && one.id === id)?.name ?? id,
    [objects],
  );
  return { objects, nameOf };
}
