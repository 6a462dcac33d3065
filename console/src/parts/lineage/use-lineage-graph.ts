// The lineage of a thing as somebody has opened it: one level each way, and more at each node at their wish.
import type { LineageNodeView, LineageThing } from '@gantry/contract/areas/lineage/lineage.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCall } from '@gantry/ui/client/use-api.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useMemo, useState } from 'react';
import { type Answered, graphOf, type LineageGraph, type Way } from './lineage-graph.ts';

export interface OpenedLineage {
  graph: LineageGraph;
  /** The keys of the thing's own nodes: its versions, present and past. */
  own: ReadonlySet<string>;
  /** `up <key>`: what is asked for now. */
  busy: string | undefined;
  /** The key of the node at which more was shown last. */
  at: string | undefined;
  show(node: LineageNodeView, way: Way): void;
}

export function useLineageGraph(thing: LineageThing) {
  const { data, error, refetch } = useCall(CALLS.getLineage, { query: thing });
  const api = useApi();
  const toast = useToast();
  const [answers, setAnswers] = useState<readonly Answered[]>([]);
  const [busy, setBusy] = useState<string>();
  const [at, setAt] = useState<string>();
  const known = useMemo(() => {
    if (!data) return undefined;
    const own = new Set(data.nodes.flatMap(({ key, level }) => (level === 0 ? [key] : [])));
    return { graph: graphOf([{ view: data, ways: ['up', 'down'] }, ...answers]), own };
  }, [data, answers]);
  const ask = async ({ key, kind, id, version }: LineageNodeView, way: Way) => {
    if (id === null) return;
    setBusy(`${way} ${key}`);
    try {
      const query = { kind, id, ...(version !== null && { version }), direction: way };
      const view = await api.call(CALLS.getLineage, { query });
      setAnswers((former) => [...former, { view, ways: [way] }]);
      setAt(key);
    } catch (failure) {
      toast.error(sentenceOf(failure));
    } finally {
      setBusy(undefined);
    }
  };
  const opened: OpenedLineage | undefined = known && {
    ...{ ...known, busy, at },
    show: (node, way) => void (busy === undefined && ask(node, way)),
  };
  return { opened, error, again: () => void refetch() };
}
