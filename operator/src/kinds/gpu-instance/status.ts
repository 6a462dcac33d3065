// The status of an instance: what its books say, its phase and its conditions, and how to reach it.

import { sentence } from '@gantry/contract/define-kind.ts';
import { type GpuInstance, type GpuInstanceStatus, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { isTerminal, type Pod } from '@gantry/kube/core-objects.ts';
import { progressOf } from '../../pod-progress.ts';
import type { Books } from './bookkeeping.ts';
import { conditionsOf } from './conditions.ts';
import { addressOf } from './desired.ts';
import { explain } from './explain.ts';
import type { Facts } from './facts.ts';
import { healthOf } from './health.ts';
import { sshCommand } from './login.ts';
import { phaseOf } from './phase.ts';
import { shownSnapshot } from './saving/progress.ts';

/** The instance as it will be once its books are written. */
export function recorded(
  owner: GpuInstance,
  { run, settledPower, notebookRun, intervals, root, home, runs, ...rest }: Books,
): GpuInstance {
  const {
    run: _run,
    settledPower: _settled,
    notebookRun: _notebook,
    root: _root,
    home: _home,
    ...status
  } = owner.status ?? {};
  return {
    ...owner,
    status: {
      ...status,
      ...rest,
      intervals: [...intervals],
      runs: [...runs],
      ...(run && { run }),
      ...(settledPower !== undefined && { settledPower }),
      ...(notebookRun !== undefined && { notebookRun }),
      ...(root && { root }),
      ...(home && { home }),
    },
  };
}

/** The Pod's own, while its container runs; one that failed has given it back, whatever its node says of the container. */
export const addressIn = (pod: Pod): string | undefined =>
  ['started', 'ready'].includes(progressOf(pod)) && !isTerminal(pod) ? pod.status?.podIP : undefined;

export function statusOf(f: Facts, books: Books): GpuInstanceStatus {
  const phase = phaseOf(f);
  const why = explain(f, phase);
  const { reason, args } = why;
  const message = sentence(gpuInstance.reasons[reason], 'en', args);
  const { current } = f.pods;
  const node = current?.spec?.nodeName;
  const snapshot = shownSnapshot(f);
  const address = addressOf(f.owner);
  const podIP = current && addressIn(current);
  const ssh = sshCommand(f, address);
  return {
    phase,
    reason,
    ...(Object.keys(args).length > 0 && { reasonArgs: args }),
    message,
    ...(f.owner.metadata.generation !== undefined && { observedGeneration: f.owner.metadata.generation }),
    conditions: conditionsOf(f, phase, why),
    ...(node && { node }),
    address,
    ...(podIP && { podIP }),
    health: healthOf(f),
    ...(books.settledPower !== undefined && { settledPower: books.settledPower }),
    ...(books.notebookRun !== undefined && { notebookRun: books.notebookRun }),
    rebootCount: books.rebootCount,
    ...(books.everReady && { everReady: true }),
    ...(books.run && { run: books.run }),
    ...(books.intervals.length > 0 && { intervals: [...books.intervals] }),
    ...(books.runs.length > 0 && { runs: [...books.runs] }),
    ...(books.root && { root: books.root }),
    ...(books.home && { home: books.home }),
    ...(snapshot && { snapshot }),
    ...(ssh && { ssh }),
  };
}
