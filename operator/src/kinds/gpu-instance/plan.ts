// One step towards the spec: record what happened, then create, end or release one run's Pod.

import { CAN_START } from '@gantry/contract/billing/credit.ts';
import { type GpuInstance, type GpuInstanceStatus, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { defineController, type Plan } from '../../define-controller.ts';
import { instant } from '../../metering.ts';
import { conditionSince } from '../../pod-progress.ts';
import { type Books, booksOf } from './bookkeeping.ts';
import type { InstanceSettings } from './desired.ts';
import { type Children, type Facts, factsOf } from './facts.ts';
import { quietFrom } from './health.ts';
import { holdDeadline } from './hold.ts';
import { growHome } from './home/claim.ts';
import { moveHome } from './home/hibernation.ts';
import { keepingWaitsUntil } from './intervals.ts';
import { notebookSecrets } from './notebook.ts';
import { overdue } from './overdue.ts';
import { createDeadline, networkDeadline } from './phase.ts';
import { reads } from './reads.ts';
import { endRun, letGo, mend, startRun } from './run-pod.ts';
import { awaySince } from './saving/progress.ts';
import { saveRoots } from './saving/root.ts';
import { addressIn, recorded, statusOf } from './status.ts';

export const gpuInstanceController = defineController<GpuInstance, typeof reads, InstanceSettings>({
  facts: gpuInstance,
  reads,
  writes: {
    fields: [
      'node',
      'address',
      'podIP',
      'health',
      'settledPower',
      'rebootCount',
      'everReady',
      'notebookRun',
      'run',
      'runs',
      'intervals',
      'root',
      'home',
      'snapshot',
      'ssh',
    ],
    conditions: [
      CAN_START,
      'Ready',
      'RootKept',
      'HomeGrown',
      'HomeTied',
      'DisksHaveRoom',
      'KeysAccepted',
      'RestartNeeded',
    ],
  },
  overdue,
  stale: ({ status }, pods) => (pods.some((pod) => addressIn(pod) === status?.podIP) ? [] : ['podIP']),
  plan(owner, seen, context) {
    const books = booksOf(factsOf(owner, seen, context));
    // Phase and children follow from what will have been written: the runtime writes status first and stops if it cannot.
    const f = factsOf(recorded(owner, books), seen, context);
    return { ...(f.deleting ? release(f, books) : keep(f, books)), ...again(f) };
  },
});

/** Each decides independently what it changes now. Later steps see the same facts: none waits for an earlier one. */
const STEPS: readonly ((f: Facts) => Children)[] = [
  saveRoots, // ended containers, before anything takes their Pods away
  letGo, // Pods whose end is in the books and whose work is saved
  endRun, // power, reboot, edit and export: the container that runs is not wanted as it is
  moveHome, // a hibernating home that is tied to its node goes into the registry
  startRun, // the home, then the Pod of the recorded run
  growHome, // the spec asks for a larger disk
  mend, // labels, keys and finalizers that somebody took off
];

function children(f: Facts): Required<Children> {
  const steps = STEPS.map((step) => step(f));
  return {
    create: steps.flatMap(({ create = [] }) => create),
    patch: steps.flatMap(({ patch = [] }) => patch),
    remove: steps.flatMap(({ remove = [] }) => remove),
  };
}

const keep = (f: Facts, books: Books): Plan<GpuInstanceStatus> => ({
  finalizer: 'keep',
  status: statusOf(f, books),
  unseen: notebookSecrets(f.owner, f.settings),
  ...children(f),
});

/** A deleted instance: its Pods end and are stamped, its home goes, then it may go itself. */
function release(f: Facts, books: Books): Plan<GpuInstanceStatus> {
  const { pods, claims } = f.seen;
  const others = f.owner.metadata.finalizers?.some((finalizer) => finalizer !== FINALIZER.operator) ?? false;
  const { patch, remove } = children(f);
  const homes = f.pods.current ? [] : claims.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return {
    patch,
    remove: [...remove, ...homes.map(targetOf)],
    // A home alone is gone within moments: not worth a write. Pods, or billing that still has to post, are.
    ...((pods.length > 0 || others) && { status: statusOf(f, books) }),
    finalizer: pods.length === 0 && claims.length === 0 ? 'drop' : 'keep',
  };
}

/** The next moment at which time alone changes the plan. */
function again(f: Facts): Pick<Plan, 'againInMs'> {
  const isAwaited = f.run?.readyAt === undefined;
  const moments = [
    instant(f.run?.notBefore),
    isAwaited ? createDeadline(f) : undefined,
    isAwaited ? networkDeadline(f) : undefined,
    isAwaited ? holdDeadline(f) : undefined,
    recountAt(f),
    keepingWaitsUntil(f),
    f.pods.endDueBy,
    ...f.pods.unsaved.map((pod) => awaySince(pod.spec?.nodeName ?? '', f)),
    ...quietFrom(f),
  ].filter((at): at is number => at !== undefined && at > f.now);
  return moments.length > 0 ? { againInMs: Math.min(...moments) - f.now } : {};
}

/** Longer waits are recounted less often: a thousand waiting instances must not keep everybody busy. */
const RECOUNT_MS = { first: 15_000, most: 120_000 };

function recountAt({ seen, pods, hopeless, now }: Facts): Instant | undefined {
  if (hopeless) return now + RECOUNT_MS.most;
  if (!seen.stock) return undefined;
  const waitedMs = now - (conditionSince(pods.current, 'PodScheduled', 'False') ?? now);
  return now + Math.min(Math.max(RECOUNT_MS.first, waitedMs / 4), RECOUNT_MS.most);
}
