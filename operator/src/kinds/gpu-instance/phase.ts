// The phase table of decisions section 2: first match wins, in the contract's order.

import { type GpuInstancePhase, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { RESTS, restOf } from '@gantry/contract/kinds/gpu-instance-powers.ts';
import { instant } from '../../metering.ts';
import { conditionSince, progressOf } from '../../pod-progress.ts';
import type { Facts } from './facts.ts';
import { gpuFault } from './health.ts';
import { givenBack } from './hold.ts';

/** How long a container may run, or a Pod wait for its network, before the network counts as failed. */
export const NETWORK_TIMEOUT_MS = 60_000;
/** Exits in a row after which a start counts as failed; retries go on. */
export const MANY_EXITS = 3;

const notReady = ({ run }: Facts): boolean => run !== undefined && run.readyAt === undefined;
const begunBy = (facts: Facts, ...causes: string[]): boolean =>
  notReady(facts) && causes.includes(facts.run?.cause ?? '');
const exitsOften = ({ run, status }: Facts): boolean =>
  notReady({ run } as Facts) && ((run ?? status.run)?.exits ?? 0) >= MANY_EXITS;
/** A Pod whose end is recorded and whose work is saved is about to be removed: not worth a status of its own. */
const isAtRest = (f: Facts): boolean =>
  f.power !== 'Running' &&
  f.run === undefined &&
  f.pods.spent.every((pod) => progressOf(pod) === 'finished') &&
  f.pods.unsaved.length === 0 &&
  !f.home.isBeingMoved;

/** When the container started, or the Pod got its node: the network has a minute from then. */
export function networkDeadline({ pods: { current, progress } }: Facts): number | undefined {
  const main = current?.status?.containerStatuses?.[0]?.state?.running?.startedAt;
  if (progress === 'started') return (instant(main) ?? Number.NaN) + NETWORK_TIMEOUT_MS;
  const noSandbox = conditionSince(current, 'PodReadyToStartContainers', 'False');
  return progress === 'placed' && noSandbox !== undefined ? noSandbox + NETWORK_TIMEOUT_MS : undefined;
}

/** Ready is late when this moment has passed; queueing is not counted. */
export const createDeadline = ({ pods, settings }: Facts): number | undefined => {
  const placed = conditionSince(pods.current, 'PodScheduled', 'True');
  return placed === undefined ? undefined : placed + settings.createTimeoutMs;
};

const goesTo = (phase: GpuInstancePhase) => (f: Facts) => restOf(f.power)?.to === phase && !isAtRest(f);

const passed = (deadline: number | undefined, now: number): boolean => deadline !== undefined && deadline <= now;

const ROWS: Record<GpuInstancePhase, (f: Facts) => boolean> = {
  releasing: (f) => f.deleting && (f.seen.pods.length > 0 || f.seen.claims.length > 0),
  released: (f) => f.deleting,
  lost_contact: (f) => f.pods.isLost,
  hibernating: goesTo('hibernating'),
  shuttingDown: goesTo('shuttingDown'),
  shutDown: (f) => restOf(f.power)?.at === 'shutDown',
  stopping: goesTo('stopping'),
  stopped: (f) => restOf(f.power)?.at === 'stopped',
  createFailed: (f) => !f.status.everReady && (f.trouble !== undefined || exitsOften(f) || givenBack(f) !== undefined),
  createTimeout: (f) => !f.status.everReady && passed(createDeadline(f), f.now),
  networkTimeout: (f) => notReady(f) && passed(networkDeadline(f), f.now),
  failed: (f) =>
    f.status.everReady === true &&
    (f.trouble !== undefined ||
      exitsOften(f) ||
      gpuFault(f)?.isOfRun === true ||
      givenBack(f) !== undefined ||
      (notReady(f) && ['OOMKilled', 'RootFull', 'Evicted'].includes(f.run?.lastExit ?? ''))),
  update: (f) => begunBy(f, 'update') || f.pods.isEdited,
  hard_rebooting: (f) => f.rebootWanted || begunBy(f, 'hardReboot'),
  restoring: (f) => begunBy(f, RESTS.Hibernated.returns.cause),
  resuming: (f) => begunBy(f, RESTS.Stopped.returns.cause),
  starting: (f) => begunBy(f, RESTS.ShutDown.returns.cause, 'crash'),
  preparing: (f) => notReady(f) && (f.pods.progress === 'none' || f.pods.progress === 'unplaced'),
  createSuccess: (f) => notReady(f) && f.pods.progress === 'started',
  creating: notReady,
  running: () => true,
};

/** Walks the contract's order, so that the table in the contract is the law. */
export function phaseOf(facts: Facts): GpuInstancePhase {
  const order = Object.keys(gpuInstance.phases) as GpuInstancePhase[];
  return order.find((phase) => ROWS[phase](facts)) ?? 'running';
}
