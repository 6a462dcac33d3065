// The instances of the organisation, as far as images are about them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMemo } from 'react';

export interface Instances {
  /** The id where it is not known, or gone. */
  nameOf(id: string): string;
  /** The names of those that start from this source. */
  using(source: string): readonly string[];
}

export function useInstances(): Instances {
  const { data } = useCall(CALLS.listInstances, { query: { page: 1, size: 1000 } });
  return useMemo(() => {
    const all = data?.items ?? [];
    return {
      nameOf: (wanted) => all.find(({ id }) => id === wanted)?.name ?? wanted,
      using: (source) => all.filter(({ image }) => image === source).map(({ name }) => name),
    };
  }, [data]);
}
