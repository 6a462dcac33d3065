// One step towards the spec: record what happened, then keep a Deployment, or a LeaderWorkerSet, of the recorded revision with as many
// replicas as are wanted and paid for. Its own controller replaces Pods; here they are counted, billed and explained.
import { CAN_START } from '@gantry/contract/billing/credit.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import type { Context, Plan } from '../define-controller.ts';
import { isMetered } from '../resources.ts';
import { type Books, booksOf } from './bookkeeping.ts';
import { adopting, dismiss, flee, keepService, keepWorkload, letGo, mend } from './children.ts';
import type { ServiceSettings } from './desired.ts';
import { type Children, type Facts, factsOf, givesUpAt } from './facts.ts';
import type { ServiceSeen } from './reads.ts';
import type { Served } from './served.ts';
import { recorded, statusOf } from './status.ts';

/** The fields and conditions that the controller of a served kind writes into the status. */
export const SERVED_WRITES = {
  fields: ['address', 'revision', 'revisions', 'replicas', 'selector', 'pods', 'readyAt', 'asleepSince', 'intervals'],
  conditions: ['Available', 'Complete', 'Progressing', CAN_START],
} as const;

export function planServed(
  served: Served,
  owner: KubeObject,
  seen: ServiceSeen,
  context: Context<ServiceSettings>,
): Plan<ContainerServiceStatus> {
  const service = served.asService(owner);
  const books = booksOf(factsOf(service, seen, context, served));
  // Phase and children follow from what will have been written: the runtime writes status first and stops if it cannot.
  const f = factsOf(recorded(service, books), seen, context, served);
  return { ...(f.deleting ? release(f, books) : keep(f, books)), ...again(f) };
}

/** Each decides independently what it changes now. */
const STEPS: readonly ((f: Facts) => Children)[] = [letGo, flee, keepWorkload, dismiss, keepService, mend];

function keep(f: Facts, books: Books): Plan<ContainerServiceStatus> {
  const steps = STEPS.map((step) => step(f));
  return {
    finalizer: 'keep',
    status: statusOf(f, books),
    create: steps.flatMap(({ create = [] }) => create),
    patch: steps.flatMap(({ patch = [] }) => patch),
    remove: steps.flatMap(({ remove = [] }) => remove),
  };
}

/** A deleted service: its replicas end and are stamped, its children go, then it may go itself. */
function release(f: Facts, books: Books): Plan<ContainerServiceStatus> {
  const { deployment, groups, service, isNamespaceGoing } = f.seen;
  const others = f.owner.metadata.finalizers?.some((finalizer) => finalizer !== FINALIZER.operator) ?? false;
  const { patch = [], remove = [] } = letGo(f);
  const { create = [] } = adopting(f);
  // It goes last: ReplicaSets that lose it would make Pods for ever. What a LeaderWorkerSet made goes with it, whether its controller
  // runs or not.
  const isNeeded = deployment !== undefined && !isNamespaceGoing && !(f.live.length === 0 && isSettled(deployment));
  const isKeeping = isNeeded && deployment.spec?.replicas !== 0 && deployment.metadata.deletionTimestamp === undefined;
  const going = [isNeeded ? undefined : deployment, groups, service].flatMap((child) => child ?? []);
  // Without these nobody else ends them.
  const orphans = deployment || groups ? [] : f.live.map(({ pod }) => pod);
  const pods = f.replicas.filter((one) => !hangs(one));
  const isOver = deployment === undefined && groups === undefined && service === undefined && pods.length === 0;
  return {
    create,
    patch: [...patch, ...(isKeeping ? [{ ...targetOf(deployment), body: { spec: { replicas: 0 } } }] : [])],
    remove: [
      ...remove,
      ...[...going, ...orphans].filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(targetOf),
    ],
    ...((!isOver || others) && { status: statusOf(f, books) }),
    finalizer: isOver ? 'drop' : 'keep',
  };
}

/** Its controller has acted on it as it is. */
const isSettled = ({ metadata: { generation = 0 }, status }: NonNullable<Facts['seen']['deployment']>): boolean =>
  (status?.observedGeneration ?? 0) >= generation;

/** Deleted on a silent node, which ends it when it comes back: all that it used is recorded. */
const hangs = ({ isEnding, isLost, record, pod }: Facts['replicas'][number]): boolean =>
  isEnding && isLost && record?.endedAt !== undefined && !isMetered(pod);

/** Longer waits are recounted less often. */
const RECOUNT_MS = 60_000;

/** The next moment at which time alone changes the plan. */
function again(f: Facts): Pick<Plan, 'againInMs'> {
  const moments = [
    f.lateFrom,
    f.lateFrom === undefined ? undefined : givesUpAt(f.lateFrom),
    ...f.replicas.map(({ awaits }) => awaits),
    f.seen.stock || f.hopeless ? f.now + RECOUNT_MS : undefined,
  ].filter((at): at is number => at !== undefined && at > f.now);
  return moments.length > 0 ? { againInMs: Math.min(...moments) - f.now } : {};
}
