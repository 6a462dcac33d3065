// The places of a graph's nodes. Only the edges decide them: names, states and rates lay nothing out again.
import { useEffect, useState } from 'react';
import { layoutAside } from './layout-aside.ts';
import type { Placed, Structure } from './layout-of.ts';

type Places = ReadonlyMap<string, Placed>;

/** Undefined until the first layout is there; then the newest one. `hasFailed`: there is none. */
export function useLayout({ nodes, edges, mostLines }: Structure): { places: Places | undefined; hasFailed: boolean } {
  const key = JSON.stringify({ nodes, edges, mostLines });
  const [places, setPlaces] = useState<Places>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    layoutAside(JSON.parse(key) as Structure, gone.signal).then(
      (placed) => {
        if (gone.signal.aborted) return;
        setFailed(false);
        setPlaces(new Map(placed.map((one) => [one.id, one])));
      },
      () => !gone.signal.aborted && setFailed(true),
    );
    return () => gone.abort();
  }, [key]);
  return { places, hasFailed };
}
