// Images that an instance may start from: official ones first, then the organisation's.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useMemo } from 'react';

const MOST_IMAGES = 100;

export function useImages() {
  const { data, isPending } = useCall(CALLS.listImages, { query: { page: 1, size: MOST_IMAGES } });
  const images = useMemo(
    () =>
      (data?.items ?? [])
        .filter(({ phase }) => phase !== 'failed')
        .toSorted((a, b) => Number(b.official) - Number(a.official)),
    [data],
  );
  return { images, isPending };
}
