// A service's children, one step at a time: made and kept as wanted, and its ended Pods let go once their end is recorded.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, FINALIZER, GROUP_PART, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { isKept } from '../drift.ts';
import { isMetered } from '../resources.ts';
import { faultyNodes, isAwayFrom } from './away.ts';
import {
  desiredDeployment,
  desiredGroups,
  desiredService,
  groupRolloutOf,
  rolloutOf,
  selectorOf,
  servicePorts,
} from './desired.ts';
import { type Children, type Facts, readyIn } from './facts.ts';
import { goingBack, isOfRun, remembering } from './going-back.ts';
import type { Deployment, GroupSet } from './reads.ts';
import type { Replica } from './replicas.ts';
import type { Revision } from './revisions.ts';
import type { PodTemplate } from './served.ts';

const besideOf = ({ owner, seen, served }: Facts) => ({
  verified: seen.images.ready,
  host: seen.host,
  avoided: faultyNodes({ owner, seen }),
  ...(served.dress && { dress: served.dress }),
  ...(served.worker && { worker: served.worker }),
});

const desiredWorkload = (f: Facts, revision: Revision, replicas: number): Deployment | GroupSet =>
  f.nodes > 1
    ? desiredGroups(f.owner, revision, replicas, f.nodes, besideOf(f), f.settings)
    : desiredDeployment(f.owner, revision, replicas, besideOf(f), f.settings);

/** The Deployment or the LeaderWorkerSet, of a recorded revision. */
export function keepWorkload(f: Facts): Children {
  const { present, target, workload } = f;
  if (!present || workload?.metadata.deletionTimestamp !== undefined) return {};
  const wanted = () => desiredWorkload(f, present, target);
  if (!workload) return target > 0 && f.isCurrent ? { create: [wanted()] } : adopting(f);
  // Nothing starts: fewer is all that it may become.
  const back = f.isBack && f.former === undefined ? f.before : undefined;
  const isSame = f.isHeld || !f.isCurrent || (back ? isOfRun(workload, back) : isOf(f, workload, present));
  const other = () => (back ? goingBack(workload, back, rollout(f)) : updating(f, workload, wanted()));
  const body = isLeaving(f) ? leavingPatch(f, workload) : isSame ? rolloutPatch(f, workload) : other();
  return body ? { patch: [{ ...targetOf(workload), body }] } : {};
}

/**
 * Each replica that has a node has a GPU that failed, so a new template takes none that serves: it keeps the next ones off their nodes,
 * and those that wait for room, which would take the failed one's place. Beside sound ones the template stays, because they would start
 * anew.
 */
function isLeaving(f: Facts): boolean {
  const { present, workload, nodes, target, replicas } = f;
  const there = replicas.filter(
    ({ isEnding, endedAt, node }) => !isEnding && endedAt === undefined && node !== undefined,
  );
  const isKeptOn = !f.isHeld && f.isCurrent && target > 0 && nodes === 1 && f.former === undefined;
  const isWhole = present !== undefined && workload !== undefined && isOf(f, workload, present);
  return isKeptOn && isWhole && there.length > 0 && there.every(({ hasFaultyGpu }) => hasFaultyGpu);
}

/** First without replicas: those of the template before would be made again on the same nodes, and hold cards that the next ones need. */
function leavingPatch(f: Facts, { spec }: Deployment | GroupSet): Patch['body'] | undefined {
  const [template] = templatesIn(spec);
  const isDone = spec?.replicas === 0 && isAwayFrom(template, faultyNodes(f));
  return isDone || !f.present ? undefined : replacing(desiredWorkload(f, f.present, 0));
}

/**
 * A Deployment without replicas, where one was deleted and left what it had made: its ReplicaSets would make Pods for ever. The new
 * one takes them over, and ends what they keep. A LeaderWorkerSet alike.
 */
export function adopting(f: Facts): Children {
  const { present, deleting, isHeld, live, seen, workload, former } = f;
  const isLeft = workload === undefined && former === undefined && live.length > 0 && (deleting || !isHeld);
  if (!isLeft || !present || seen.isNamespaceGoing) return {};
  return { create: [desiredWorkload(f, present, 0)] };
}

/**
 * The workload that kept replicas on another number of nodes shrinks as fewer are paid for, and goes once enough of the new ones answer.
 */
export function dismiss(f: Facts): Children {
  const { former, covered, isHeld, isCurrent, updated } = f;
  if (!former || former.metadata.deletionTimestamp !== undefined) return {};
  const isReplaced = !isHeld && isCurrent && readyIn(updated.filter(({ pod }) => isPartOf(f, pod))) >= covered;
  if (covered === 0 || isReplaced) return { remove: [targetOf(former)] };
  const isFew = (former.spec?.replicas ?? 0) <= covered;
  return isFew ? {} : { patch: [{ ...targetOf(former), body: { spec: { replicas: covered } } }] };
}

/** Whether the Pod belongs to the workload that is wanted now. */
const isPartOf = ({ nodes }: Facts, { metadata }: Pod): boolean => GROUP_PART in (metadata.labels ?? {}) === nodes > 1;

/**
 * Whether its templates are those of the revision. What else a template says follows from the revision and the version of Gantry
 * that made it: a newer one must not start every tenant's replicas anew.
 */
function isOf(
  { nodes, served }: Facts,
  { metadata, spec }: Deployment | GroupSet,
  { revision, image }: Revision,
): boolean {
  const isTemplateOf = (template: PodTemplate | undefined) => {
    const { containers = [], initContainers = [] } = template?.spec ?? {};
    return (
      template?.metadata?.labels?.[LABEL.run] === String(revision) &&
      containers.length === 1 &&
      initContainers.length === served.inits &&
      containers[0]?.image === image
    );
  };
  const isSize = nodes === 1 || groupsIn(spec)?.size === nodes;
  return metadata.labels?.[LABEL.run] === String(revision) && isSize && templatesIn(spec).every(isTemplateOf);
}

type Spec = (Deployment | GroupSet)['spec'];

const groupsIn = (spec: Spec) => (spec && 'leaderWorkerTemplate' in spec ? spec.leaderWorkerTemplate : undefined);

const templatesIn = (spec: Spec): (PodTemplate | undefined)[] => {
  const groups = groupsIn(spec);
  return groups ? [groups.leaderTemplate, groups.workerTemplate] : [(spec as Deployment['spec'])?.template];
};

const rollout = ({ owner, target, nodes }: Facts) =>
  nodes > 1 ? groupRolloutOf(owner.spec, target) : rolloutOf(owner.spec, target);

/** The difference in the workload's fields besides its templates. */
function rolloutPatch(f: Facts, { spec }: Deployment | GroupSet): Patch['body'] | undefined {
  const wanted = rollout(f);
  return isKept({ spec: wanted } as object as KubeObject, { spec } as object as KubeObject)
    ? undefined
    : { spec: wanted };
}

/** Another revision, beside which a good one is remembered as it is. */
function updating(f: Facts, workload: Deployment | GroupSet, wanted: Deployment | GroupSet): Patch['body'] {
  const body = replacing(wanted);
  const good = f.status.revisions?.find((one) => one.outcome === 'good' && isOf(f, workload, one));
  if (!good || good.revision === f.present?.revision) return body;
  return { ...body, metadata: { ...body.metadata, annotations: remembering(workload, good.revision) } };
}

/**
 * A merge patch that leaves nothing of the templates before it: lists are replaced whole, and a variable that is gone from the spec
 * goes. By server-side apply it would stay, because creating the object made it another manager's.
 */
function replacing(wanted: Deployment | GroupSet) {
  const { metadata, spec } = wanted;
  const groups = groupsIn(spec);
  const templates = groups
    ? {
        leaderWorkerTemplate: {
          ...groups,
          leaderTemplate: over(groups.leaderTemplate),
          workerTemplate: over(groups.workerTemplate),
        },
      }
    : { template: over((spec as Deployment['spec'])?.template) };
  return { metadata: { labels: metadata.labels }, spec: { ...spec, ...templates } };
}

function over(template: PodTemplate | undefined): object {
  const pod = { nodeSelector: null, imagePullSecrets: null, hostUsers: null, initContainers: null, ...template?.spec };
  return {
    metadata: {
      ...template?.metadata,
      annotations: { [ANNOTATION.host]: null, ...template?.metadata?.annotations },
    },
    spec: {
      ...pod,
      affinity: {
        ...{ podAntiAffinity: null, podAffinity: null },
        ...template?.spec?.affinity,
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: null,
          ...template?.spec?.affinity?.nodeAffinity,
        },
      },
    },
  };
}

/** The address in the cluster stays while the service exists, asleep or not. */
export function keepService({
  owner,
  seen: { service },
  nodes,
  workload,
  present,
  target,
  isCurrent,
}: Facts): Children {
  const wanted = desiredService(owner, nodes);
  if (!service) return (present && target > 0 && isCurrent) || workload ? { create: [wanted] } : {};
  if (service.metadata.deletionTimestamp !== undefined) return {};
  const { selector = {}, ports = [], type } = service.spec ?? {};
  const isSame =
    type === 'ClusterIP' &&
    JSON.stringify(sorted(selector)) === JSON.stringify(sorted(wanted.spec?.selector ?? {})) &&
    JSON.stringify(ports.map(({ name, port, targetPort }) => [name, port, targetPort])) ===
      JSON.stringify(servicePorts(owner.spec).map(({ name, port, targetPort }) => [name, port, targetPort]));
  const gone = Object.fromEntries(Object.keys(selector).map((key) => [key, null]));
  const body = { spec: { ...wanted.spec, selector: { ...gone, ...wanted.spec?.selector } } };
  return isSame ? {} : { patch: [{ ...targetOf(service), body }] };
}

const sorted = (map: object) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));

/** Ended Pods whose end is in the books; and one that ended in place, which its ReplicaSet leaves there. */
export function letGo({ replicas }: Facts): Children {
  const done = replicas.filter(({ record }) => record?.endedAt !== undefined).map(({ pod }) => pod);
  return {
    patch: done.filter(isMetered).map((pod) => ({ ...targetOf(pod), ...finalized(pod, false) })),
    remove: done.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(targetOf),
  };
}

/** Replicas whose GPU has failed: their programs do not recover, and others start on sound cards. Those that leave have their own way. */
export const flee = (f: Facts): Children => ({
  remove: isLeaving(f) ? [] : f.live.filter(({ hasFaultyGpu }) => hasFaultyGpu).map(({ pod }) => targetOf(pod)),
});

/** Manual changes: labels, by which its ReplicaSet and requests find a Pod, and the finalizer that holds it until its end is recorded. */
export function mend({ owner, replicas }: Facts): Children {
  const labels = selectorOf(owner);
  const there = replicas.filter(({ isEnding, endedAt }: Replica) => !isEnding && endedAt === undefined);
  const bears = ({ metadata }: Pod) =>
    Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
  return {
    patch: there.flatMap(({ pod }) => [
      ...(bears(pod) ? [] : [{ ...targetOf(pod), body: { metadata: { labels } } }]),
      ...(isMetered(pod) ? [] : [{ ...targetOf(pod), ...finalized(pod, true) }]),
    ]),
  };
}

/** A merge patch replaces the whole list, so it counts only for the list that was seen. */
function finalized({ metadata }: Pod, isHeld: boolean): Pick<Patch, 'body' | 'resourceVersion'> {
  const others = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER.metered);
  return {
    body: { metadata: { finalizers: isHeld ? [...others, FINALIZER.metered] : others } },
    ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  };
}
