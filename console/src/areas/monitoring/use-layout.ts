// The places of a map's objects. Only their connections decide them: names, states and rates lay nothing out again.
import { useEffect, useState } from 'react';
import { layoutAside } from './layout-aside.ts';
import type { Placed, Structure } from './layout-of.ts';
import type { Drawn } from './topology-groups.ts';

export type Places = ReadonlyMap<string, Placed>;

/** Undefined until the first layout is there; then the newest one. `hasFailed`: there is none. */
export function useLayout({ nodes, edges }: Drawn): { places: Places | undefined; hasFailed: boolean } {
  const structure: Structure = {
    nodes: nodes.map(({ id }) => id),
    edges: edges.map(({ from, to }) => [from, to]),
  };
  const key = JSON.stringify(structure);
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
