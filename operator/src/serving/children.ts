// A service's children, one step at a time: made and kept as wanted, and its ended Pods let go once their end is recorded.
import { ANNOTATION, FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { isMetered } from '../resources.ts';
import { desiredDeployment, desiredService, rolloutOf, selectorOf, servicePorts } from './desired.ts';
import type { Children, Facts } from './facts.ts';
import type { Deployment } from './reads.ts';
import type { Replica } from './replicas.ts';
import type { Revision } from './revisions.ts';

const besideOf = ({ seen, served }: Facts) => ({
  verified: seen.images.ready,
  host: seen.host,
  ...(served.dress && { dress: served.dress }),
});

/** The Deployment, of a recorded revision. */
export function keepDeployment(f: Facts): Children {
  const { owner, present, target, seen, settings, served } = f;
  const { deployment } = seen;
  if (!present || deployment?.metadata.deletionTimestamp !== undefined) return {};
  const wanted = () => desiredDeployment(owner, present, target, besideOf(f), settings);
  if (!deployment) return target > 0 && f.isCurrent ? { create: [wanted()] } : adopting(f);
  // Nothing starts: fewer is all that it may become.
  const isSame = f.isHeld || !f.isCurrent || isOf(deployment, present, served.inits);
  const body = isSame ? rolloutPatch(f, deployment) : replacing(wanted());
  return body ? { patch: [{ ...targetOf(deployment), body }] } : {};
}

/**
 * A Deployment without replicas, where one was deleted and left what it had made: its ReplicaSets would make Pods for ever. The new
 * one takes them over, and ends what they keep.
 */
export function adopting(f: Facts): Children {
  const { owner, present, deleting, isHeld, live, seen, settings } = f;
  const isLeft = seen.deployment === undefined && live.length > 0 && (deleting || !isHeld);
  if (!isLeft || !present || seen.isNamespaceGoing) return {};
  return { create: [desiredDeployment(owner, present, 0, besideOf(f), settings)] };
}

/**
 * Whether its template is that of the revision. What else the template says follows from the revision and the version of Gantry
 * that made it: a newer one must not start every tenant's replicas anew.
 */
function isOf({ metadata, spec }: Deployment, { revision, image }: Revision, inits: number): boolean {
  const { containers = [], initContainers = [] } = spec?.template.spec ?? {};
  const [main] = containers;
  return (
    metadata.labels?.[LABEL.run] === String(revision) &&
    spec?.template.metadata?.labels?.[LABEL.run] === String(revision) &&
    containers.length === 1 &&
    initContainers.length === inits &&
    main?.image === image
  );
}

/** What differs of what the Deployment says besides its template. */
function rolloutPatch({ owner, target }: Facts, { spec }: Deployment): Patch['body'] | undefined {
  const wanted = rolloutOf(owner.spec, target);
  const rolling = spec?.strategy?.rollingUpdate;
  const isKept =
    spec?.replicas === wanted.replicas &&
    (spec.paused ?? false) === wanted.paused &&
    spec.progressDeadlineSeconds === wanted.progressDeadlineSeconds &&
    `${rolling?.maxSurge}` === `${wanted.strategy.rollingUpdate.maxSurge}` &&
    `${rolling?.maxUnavailable}` === `${wanted.strategy.rollingUpdate.maxUnavailable}`;
  return isKept ? undefined : { spec: wanted };
}

/**
 * A merge patch that leaves nothing of the template before it: lists are replaced whole, and a variable that is gone from the spec
 * goes. By server-side apply it would stay, because creating the Deployment made it another manager's.
 */
function replacing({ metadata, spec }: Deployment): Patch['body'] {
  const template = spec?.template;
  const pod = { nodeSelector: null, imagePullSecrets: null, hostUsers: null, initContainers: null, ...template?.spec };
  return {
    metadata: { labels: metadata.labels },
    spec: {
      ...spec,
      template: {
        metadata: {
          ...template?.metadata,
          annotations: { [ANNOTATION.host]: null, ...template?.metadata?.annotations },
        },
        spec: { ...pod, affinity: { podAntiAffinity: null, podAffinity: null, ...template?.spec?.affinity } },
      },
    },
  };
}

/** The address in the cluster stays while the service exists, asleep or not. */
export function keepService({ owner, seen: { service, deployment }, present, target, isCurrent }: Facts): Children {
  const wanted = desiredService(owner);
  if (!service) return (present && target > 0 && isCurrent) || deployment ? { create: [wanted] } : {};
  if (service.metadata.deletionTimestamp !== undefined) return {};
  const { selector = {}, ports = [], type } = service.spec ?? {};
  const isKept =
    type === 'ClusterIP' &&
    JSON.stringify(sorted(selector)) === JSON.stringify(sorted(wanted.spec?.selector ?? {})) &&
    JSON.stringify(ports.map(({ name, port, targetPort }) => [name, port, targetPort])) ===
      JSON.stringify(servicePorts(owner.spec).map(({ name, port, targetPort }) => [name, port, targetPort]));
  const gone = Object.fromEntries(Object.keys(selector).map((key) => [key, null]));
  const body = { spec: { ...wanted.spec, selector: { ...gone, ...wanted.spec?.selector } } };
  return isKept ? {} : { patch: [{ ...targetOf(service), body }] };
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
