// All that runs, costs or needs a person, of every kind.

import type { ListPage } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import type { UseQueryResult } from '@tanstack/react-query';
import { objectPath } from '../../parts/object-path.ts';
import { inOrderOfInterest } from './in-order-of-interest.ts';

export type RunningKind = keyof typeof ENDED;

export interface RunningRow
  extends Pick<InstanceView, 'id' | 'name' | 'tone' | 'phase' | 'phase_label' | 'message' | 'price'> {
  kind: RunningKind;
  path: string;
  /** Cards, cores and memory in one line. */
  specification: string | undefined;
  /** Whether it has a terminal. */
  isReachable: boolean;
}

type Listed = Pick<InstanceView, 'id' | 'name' | 'tone' | 'phase' | 'phase_label' | 'message'> & {
  /** Absent: it is paid for ahead. */
  price?: InstanceView['price'];
  specification?: string;
  actions: readonly { action: string }[];
};
type Read = Pick<UseQueryResult<ListPage<Listed>, ApiProblem>, 'data' | 'error' | 'refetch'>;

const QUERY = { query: { size: 100 } };
/** Phases in which an object of the kind is over although all went well. */
const ENDED = {
  GpuInstance: [],
  GpuHost: [],
  DataDisk: [],
  Job: ['succeeded', 'scheduled'],
  ContainerService: [],
  ModelDeployment: [],
  DataProcess: ['success'],
  FineTune: ['success'],
  Evaluation: ['success'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
/** Where it is not in trouble, a disk is there and does nothing. */
const AT_REST: ReadonlySet<string> = new Set<RunningKind>(['DataDisk']);

export interface Running {
  /** Undefined until every kind has been read: nothing is said of what is not known yet. */
  rows: readonly RunningRow[] | undefined;
  error: ApiProblem | undefined;
  again(): void;
}

export function useRunning(instances: UseQueryResult<ListPage<InstanceView>, ApiProblem>): Running {
  const reads: Readonly<Record<RunningKind, Read>> = {
    GpuInstance: instances,
    GpuHost: useCall(CALLS.listHosts, QUERY),
    DataDisk: useCall(CALLS.listDisks, QUERY),
    Job: useCall(CALLS.listJobs, QUERY),
    ContainerService: useCall(CALLS.listServices, QUERY),
    ModelDeployment: useCall(CALLS.listDeployments, QUERY),
    DataProcess: useCall(CALLS.listDataProcesses, QUERY),
    FineTune: useCall(CALLS.listFineTunes, QUERY),
    Evaluation: useCall(CALLS.listEvaluations, QUERY),
  };
  const all = Object.entries(reads) as [RunningKind, Read][];
  const failed = all.find(([, { data, error }]) => !data && error);
  const isKnown = all.every(([, { data }]) => data);
  return {
    rows: isKnown ? inOrderOfInterest(all.flatMap(([kind, { data }]) => rowsOf(kind, data?.items ?? []))) : undefined,
    error: failed?.[1].error ?? undefined,
    again: () => void failed?.[1].refetch(),
  };
}

function rowsOf(kind: RunningKind, listed: readonly Listed[]): RunningRow[] {
  const over: readonly string[] = ENDED[kind];
  return listed
    .filter(({ phase, tone }) => !over.includes(phase) && (!AT_REST.has(kind) || tone === 'bad' || tone === 'warning'))
    .map(({ id, name, tone, phase, phase_label, message, price = null, specification, actions }) => ({
      ...{ id, name, tone, phase, phase_label, message, price, kind, specification },
      path: objectPath(`${kind}/${id}`) ?? '/',
      isReachable: kind === 'GpuInstance' && actions.some(({ action }) => action === 'login'),
    }));
}
