// The objects that an Image's plan reads: the Job that checks it, that Job's Pod, and the sizes that nodes report.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Image, type ImageReason, image } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { ANNOTATION, LABEL, MOST_CHECKS } from '@gantry/contract/names.ts';
import type { Node, Pod, Wire } from '@gantry/kube/core-objects.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import type { V1Job } from '@kubernetes/client-node';
import type { Read, Seen } from '../../define-controller.ts';
import { controllerOf, isOwnedBy, NODE, POD, SNAPSHOT } from '../../resources.ts';
import { age, jobName } from './desired.ts';

export type Job = KubeObject & Pick<Wire<V1Job>, 'spec' | 'status'>;

const JOB: Resource = {
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  kind: 'Job',
  namespaced: true,
  labelSelector: `${LABEL.kind}=${image.kind}`,
};

const findJob = (owner: Image, caches: CacheReader): Job | undefined => {
  const found = caches.get(JOB, owner.metadata.namespace, jobName(owner)) as Job | undefined;
  return found && isOwnedBy(found, owner) ? found : undefined;
};

const job: Read<Image, Job | undefined> = {
  of: JOB,
  find: findJob,
  wakes: ({ before, after }) => controllerOf(after ?? before, image.kind),
};

/** The Job's own Pod, which the Job labels as its template says. */
const pod: Read<Image, Pod | undefined> = {
  of: POD,
  also: [JOB],
  find(owner, caches) {
    const uid = findJob(owner, caches)?.metadata.uid;
    return uid === undefined ? undefined : (caches.by(POD, 'owner', uid) as readonly Pod[])[0];
  },
  wakes({ before, after }) {
    const { namespace, labels } = (after ?? before)?.metadata ?? {};
    const name = labels?.[LABEL.kind] === image.kind ? labels[LABEL.name] : undefined;
    return namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  },
};

/** Nodes report pulled images a little later than they run them. Read only until the size is known. */
const sizeBytes: Read<Image, number | undefined> = {
  of: NODE,
  find({ status }, caches) {
    const digest = status?.digest;
    if (digest === undefined || status?.sizeBytes !== undefined) return undefined;
    return (caches.list(NODE) as readonly Node[])
      .flatMap((node) => node.status?.images ?? [])
      .find(({ names }) => names?.some((name) => name.endsWith(`@${digest}`)))?.sizeBytes;
  },
};

const IN_LINE: readonly (string | undefined)[] = ['WaitsForTurn', 'Verifying'] satisfies ImageReason[];

/** One that is paused is not planned, and must not stand in the way of the others. */
const isInLine = ({ status, metadata }: Image): boolean =>
  IN_LINE.includes(status?.reason) &&
  !metadata.deletionTimestamp &&
  metadata.annotations?.[ANNOTATION.paused] === undefined;

const jobsOf = (caches: CacheReader, namespace: string) =>
  caches.list(JOB, namespace).filter(({ metadata }) => !metadata.deletionTimestamp);

/** A finished one that is still there computes nothing: its plan removes it, unless an earlier version named it otherwise. */
const isFinished = (job: KubeObject): boolean =>
  ((job as Job).status?.conditions ?? []).some(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );

/** The oldest first; Images with a Job have left the queue. */
const inLine = (caches: CacheReader, namespace: string): readonly Image[] =>
  (caches.by(IMAGE, 'inLine', namespace) as readonly Image[])
    .filter((owner) => !jobsOf(caches, namespace).some((one) => isOwnedBy(one, owner)))
    .sort((a, b) => (age(a.metadata) < age(b.metadata) ? -1 : 1));

const INSTANCE = resourceOf(gpuInstance);
const exportsTo = ({ metadata, spec }: Image): string[] =>
  spec.fromInstance === undefined ? [] : [`${metadata.namespace} ${spec.source}`];
const IMAGE: Resource = {
  ...resourceOf(image),
  indexes: {
    fromInstance: (object) => {
      const { fromInstance } = (object as Image).spec;
      return fromInstance === undefined ? [] : [`${object.metadata.namespace}/${fromInstance}`];
    },
    exportsTo: (object) => exportsTo(object as Image),
    inLine: (object) => (isInLine(object as Image) ? [object.metadata.namespace ?? ''] : []),
  },
};

/** The instance that it is made of. */
const instance: Read<Image, GpuInstance | undefined> = {
  of: INSTANCE,
  also: [IMAGE],
  find: ({ metadata: { namespace }, spec }, caches) =>
    spec.fromInstance === undefined
      ? undefined
      : (caches.get(INSTANCE, namespace, spec.fromInstance) as GpuInstance | undefined),
  wakes({ before, after }, caches) {
    const { namespace = '', name } = ((after ?? before) as KubeObject).metadata;
    return caches
      .by(IMAGE, 'fromInstance', `${namespace}/${name}`)
      .map(({ metadata }) => ({ namespace, name: metadata.name }));
  },
};

/** Other exports of the organisation to its source. */
const rivals: Read<Image, readonly Image[]> = {
  of: IMAGE,
  find: (owner, caches) =>
    exportsTo(owner)
      .flatMap((to) => caches.by(IMAGE, 'exportsTo', to) as readonly Image[])
      .filter(({ metadata }) => metadata.uid !== owner.metadata.uid),
};

/** The copy of its save to the source. */
const copy: Read<Image, Snapshot | undefined> = {
  of: SNAPSHOT,
  find: (owner, caches) => caches.by(SNAPSHOT, 'owner', owner.metadata.uid ?? '')[0] as Snapshot | undefined,
  wakes: ({ before, after }) => controllerOf(after ?? before, image.kind),
};

/** Checks of the organisation's other images: those under way, and those that come before this one. */
const othersChecked: Read<Image, number> = {
  of: JOB,
  also: [IMAGE],
  find(owner, caches) {
    if (owner.status?.phase === 'ready') return 0;
    const { namespace = '' } = owner.metadata;
    const others = jobsOf(caches, namespace).filter((one) => !isOwnedBy(one, owner) && !isFinished(one));
    const before = inLine(caches, namespace).filter(({ metadata }) => age(metadata) < age(owner.metadata));
    return others.length + before.length;
  },
  wakes({ before, after }, caches) {
    if (after && !after.metadata.deletionTimestamp) return [];
    const { namespace = '' } = ((after ?? before) as KubeObject).metadata;
    return inLine(caches, namespace)
      .slice(0, MOST_CHECKS)
      .map(({ metadata }) => ({ namespace, name: metadata.name }));
  },
};

export const reads = { job, pod, sizeBytes, instance, rivals, copy, othersChecked };
export type ImageSeen = Seen<typeof reads>;
