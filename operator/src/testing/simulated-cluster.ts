// An in-memory cluster for the laws that every plan keeps: an API server that carries plans out, and the next actions of kubelet,
// scheduler, Job and namespace controllers and the garbage collector. For tests; real clusters prove what it cannot know.
import { API_VERSION, type Condition, type KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION, FINALIZER, GROUP_PART } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import type { AnyController, Plan, Reads } from '../define-controller.ts';

export type Thing = KubeObject & { spec?: Record<string, unknown>; status?: Record<string, unknown> };

const pathOf = (kind: string, namespace: string | undefined, name: string) => `${kind} ${namespace ?? ''}/${name}`;
const placeOf = ({ kind, metadata }: KubeObject) => pathOf(kind, metadata.namespace, metadata.name);

/** Catches code that changes its inputs. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

/** A merge patch, as RFC 7386 has it. */
function merged<T extends object>(into: T, patch: object): T {
  const result: Record<string, unknown> = { ...(into as Record<string, unknown>) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (typeof value === 'object' && !Array.isArray(value))
      result[key] = merged((result[key] ?? {}) as object, value);
    else result[key] = value;
  }
  return result as T;
}

export class SimulatedCluster implements CacheReader {
  now: number;
  #objects = new Map<string, Thing>();
  #uids = 0;
  #version = 0;
  /** Status fields written by others than the operator. */
  #foreign = new Map<string, { conditions?: Condition[] } & Record<string, unknown>>();

  constructor(now: number) {
    this.now = now;
  }

  get objects(): readonly Thing[] {
    return [...this.#objects.values()];
  }

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined {
    const found = this.#objects.get(pathOf(resource.kind, namespace, name));
    return found && isSelected(resource, found) ? kept(resource, found) : undefined;
  }

  list(resource: Resource, namespace?: string): readonly KubeObject[] {
    return this.objects
      .filter((object) => isSelected(resource, object) && (!namespace || object.metadata.namespace === namespace))
      .map((object) => kept(resource, object));
  }

  by(resource: Resource, index: string, value: string): readonly KubeObject[] {
    return this.list(resource).filter((object) => resource.indexes?.[index]?.(object).includes(value));
  }

  sum(resource: Resource, name: string, namespace: string): number {
    return this.list(resource, namespace).reduce((sum, object) => sum + (resource.sums?.[name]?.(object) ?? 0), 0);
  }

  version(): number {
    return this.#version;
  }

  find(place: string): Thing | undefined {
    return this.#objects.get(place);
  }

  /** Stores a new object with a uid; returns a refusal if the name is taken. */
  create(object: KubeObject): Refusal | undefined {
    const { kind, metadata } = object;
    const refused = (reason: string) => ({ kind, name: metadata.name, reason, message: reason });
    const found = this.#objects.get(placeOf(object));
    const ownerOf = (one: KubeObject) => one.metadata.ownerReferences?.[0]?.uid;
    if (found) return ownerOf(found) === ownerOf(object) ? undefined : refused('AlreadyExists');
    if (this.find(pathOf('Namespace', undefined, metadata.namespace ?? ''))?.metadata.deletionTimestamp) {
      return refused('Forbidden');
    }
    this.#uids += 1;
    const uid = `uid-${this.#uids}`;
    this.put({ ...object, metadata: { ...metadata, uid, generation: 1, creationTimestamp: this.#time() } });
    return undefined;
  }

  put(object: Thing): void {
    this.#version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    this.#objects.set(placeOf(object), deepFreeze({ ...object, metadata }));
    if (metadata.deletionTimestamp && !isHeld(object)) this.drop(object);
  }

  drop(object: KubeObject): void {
    this.#version += 1;
    this.#objects.delete(placeOf(object));
  }

  change(object: KubeObject, patch: object): void {
    const found = this.#objects.get(placeOf(object));
    if (found) this.put(merged(found, patch));
  }

  /** Another wish: the generation moves with the spec, as the API server has it. */
  wish(object: KubeObject, spec: object): void {
    this.change(object, { spec, metadata: { generation: (object.metadata.generation ?? 0) + 1 } });
  }

  remove(object: KubeObject): void {
    const found = this.#objects.get(placeOf(object));
    if (found && !found.metadata.deletionTimestamp) {
      this.put({ ...found, metadata: { ...found.metadata, deletionTimestamp: this.#time() } });
    }
  }

  /** Writes billing's, or another writer's, part of a status. */
  say(owner: KubeObject, status: Record<string, unknown> & { conditions?: Condition[] }): void {
    this.#foreign.set(placeOf(owner), status);
    const found = this.find(placeOf(owner));
    if (found) this.#writeStatus(found, found.status ?? {});
  }

  /** Carries a plan out in the runtime's order, and stops after so many writes, as a killed operator would. */
  carryOut(
    owner: KubeObject,
    plan: Plan<object>,
    writes = Number.POSITIVE_INFINITY,
  ): { wrote: boolean; refusals: Refusal[] } {
    const refusals: Refusal[] = [];
    let isUnseenRefused = false;
    const before = this.#version;
    const mine = () => this.find(placeOf(owner));
    const finalizers = () => mine()?.metadata.finalizers ?? [];
    const setFinalizers = (all: string[]) => this.change(owner, { metadata: { finalizers: all } });
    const steps: (() => void)[] = [
      () => {
        const isKept =
          plan.finalizer !== 'keep' || finalizers().includes(FINALIZER.operator) || mine()?.metadata.deletionTimestamp;
        if (!isKept) setFinalizers([...finalizers(), FINALIZER.operator]);
      },
      () => plan.status && this.#writeStatus(mine() as Thing, plan.status),
      ...(plan.unseen ?? []).map((object) => () => {
        const refusal = this.create(object);
        if (refusal) refusals.push(refusal);
        isUnseenRefused ||= refusal !== undefined;
      }),
      ...(plan.create ?? []).map((object) => () => {
        if (isUnseenRefused) return;
        const refusal = this.create(object);
        if (refusal) refusals.push(refusal);
      }),
      ...(plan.apply ?? []).map((object) => () => this.#uidIs(object) && this.change(object, object)),
      ...(plan.patch ?? []).map(({ uid, body, ...target }) => () => {
        const object = { ...target, metadata: { ...target, uid } };
        if (this.#uidIs(object)) this.change(object, body);
      }),
      ...(plan.remove ?? []).map(({ uid, ...target }) => () => {
        const object = { ...target, metadata: { ...target, uid } };
        if (this.#uidIs(object)) this.remove(object);
      }),
      () => {
        const isDropped = plan.finalizer === 'drop' && finalizers().includes(FINALIZER.operator);
        if (isDropped) setFinalizers(finalizers().filter((one) => one !== FINALIZER.operator));
      },
    ];
    for (const step of steps) if (mine() && this.#version - before < writes) step();
    return { wrote: this.#version !== before, refusals };
  }

  /** A healthy cluster's next action on one object; none if it is at rest. */
  act(object: Thing): void {
    ACTS[object.kind]?.(this, object);
  }

  /** The garbage collector and the namespace controller: objects without their owner or namespace go. */
  sweep(): void {
    const uids = new Set(this.objects.map(({ metadata }) => metadata.uid));
    for (const object of this.objects) {
      const owners = object.metadata.ownerReferences ?? [];
      if (owners.length > 0 && owners.every(({ uid }) => !uids.has(uid))) this.remove(object);
      const { namespace } = object.metadata;
      const home = this.find(pathOf('Namespace', undefined, namespace ?? ''));
      // Pods first, as Kubernetes does since 1.33.
      const waits =
        object.kind !== 'Pod' && this.objects.some((one) => one.kind === 'Pod' && one.metadata.namespace === namespace);
      if (home?.metadata.deletionTimestamp && !waits) this.remove(object);
    }
    // Workers whose batch Job is gone are not counted any more.
    for (const pod of this.objects.filter(({ metadata }) => metadata.finalizers?.includes(TRACKING))) {
      if (!pod.metadata.ownerReferences?.some(({ uid }) => uids.has(uid))) untracked(this, pod);
    }
    // Volumes are taken back.
    for (const volume of this.objects.filter(({ kind }) => kind === 'PersistentVolume')) {
      const { uid } = (volume.spec?.claimRef ?? {}) as { uid?: string };
      if (!uids.has(uid)) this.drop(volume);
    }
    for (const home of this.objects.filter(
      ({ kind, metadata }) => kind === 'Namespace' && metadata.deletionTimestamp,
    )) {
      if (!this.objects.some(({ metadata }) => metadata.namespace === home.metadata.name)) this.drop(home);
    }
  }

  #writeStatus(owner: Thing, wanted: { conditions?: Condition[] }): void {
    const others = this.#foreign.get(placeOf(owner)) ?? {};
    const isForeign = ({ type }: Condition) => others.conditions?.some((condition) => condition.type === type);
    const conditions = [...(wanted.conditions ?? []).filter((one) => !isForeign(one)), ...(others.conditions ?? [])];
    const status = { ...wanted, ...others, ...(conditions.length > 0 && { conditions }) };
    if (JSON.stringify(sorted(status)) !== JSON.stringify(sorted(owner.status ?? {}))) this.put({ ...owner, status });
  }

  #uidIs(object: KubeObject): boolean {
    return this.find(placeOf(object))?.metadata.uid === object.metadata.uid;
  }

  #time(): string {
    return new Date(this.now).toISOString().replace(/\.\d+Z/, 'Z');
  }
}

/** With its keys in order: two statuses are the same however they were put together. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** A deleted object stays as long as somebody holds it: finalizers, a kubelet that still runs it, a namespace's contents. */
const isHeld = ({ kind, metadata, spec, status }: Thing): boolean =>
  (metadata.finalizers ?? []).length > 0 ||
  kind === 'Namespace' ||
  (kind === 'Pod' && Boolean(spec?.nodeName) && !isOver(status));
const isOver = (status: Thing['status']) => status?.phase === 'Failed' || status?.phase === 'Succeeded';

function isSelected({ kind, group, labelSelector }: Resource, object: KubeObject): boolean {
  const [key = '', value] = (labelSelector ?? '').split('=');
  const label = object.metadata.labels?.[key];
  const isOfGroup = (object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '') === group;
  return (
    object.kind === kind && isOfGroup && (key === '' || (value === undefined ? label !== undefined : label === value))
  );
}

const thinned = new WeakMap<KubeObject, KubeObject>();
function kept({ keep }: Resource, object: KubeObject): KubeObject {
  const known = thinned.get(object) ?? deepFreeze(keep ? keep(object) : object);
  thinned.set(object, known);
  return known;
}

export const NODE = 'node-1';
const DIGEST = `sha256:${'d'.repeat(64)}`;
const container = (pod: Thing, state: object) =>
  ((pod.spec?.containers ?? []) as { name: string; image: string }[]).map(({ name, image }) => ({
    name,
    imageID: `${image}@${DIGEST}`,
    ready: 'running' in state,
    // A probe's one-shot container, beside one that stays.
    state: name === 'dial' && 'running' in state ? { terminated: { exitCode: 0, message: DIALLED } } : state,
  }));
const DIALLED = 'target=open self=open inside=open';

/** Sets a Pod's containers to one state; `phase` and readiness follow. */
export function containersAre(cluster: SimulatedCluster, pod: Thing, state: object, phase: string): void {
  const ready = 'running' in state ? 'True' : 'False';
  const lastTransitionTime = new Date(cluster.now).toISOString();
  const conditions = [
    { type: 'PodScheduled', status: 'True', lastTransitionTime },
    { type: 'Ready', status: ready, lastTransitionTime },
  ];
  cluster.change(pod, {
    spec: { nodeName: NODE },
    status: { phase, podIP: '10.0.0.1', conditions, containerStatuses: container(pod, state) },
  });
}

const TRACKING = 'batch.kubernetes.io/job-tracking';
const untracked = (cluster: SimulatedCluster, pod: Thing): void =>
  cluster.change(pod, { metadata: { finalizers: (pod.metadata.finalizers ?? []).filter((one) => one !== TRACKING) } });

const podsOf = (cluster: SimulatedCluster, { metadata }: Thing): Thing[] =>
  cluster.objects.filter(
    (one) => one.kind === 'Pod' && one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid),
  );

/** A run of a schedule comes to its end. */
function actAsJob(cluster: SimulatedCluster, { spec, status, ...job }: Thing): void {
  if (!job.metadata.ownerReferences || status?.phase === 'succeeded') return;
  const endedAt = new Date(cluster.now).toISOString();
  const run = { seq: 1, cause: 'first', runCount: 0, endedAt, exit: 'exit code 0' };
  cluster.change(job, { status: { phase: 'succeeded', reason: 'Succeeded', message: '', run } });
}

/** The queue lets it in; its workers are made, and counted once they have ended. */
function actAsBatch(cluster: SimulatedCluster, batch: Thing): void {
  if (batch.metadata.deletionTimestamp) return;
  const at = new Date(cluster.now).toISOString();
  if (batch.spec?.suspend === true) {
    cluster.change(batch, { spec: { suspend: false }, status: { startTime: at } });
    return;
  }
  if (batch.status?.conditions) return;
  const pods = podsOf(cluster, batch);
  const counted = pods.filter(({ metadata }) => metadata.finalizers?.includes(TRACKING));
  const completions = Number(batch.spec?.completions);
  const over = counted.filter(({ status }) => isOver(status));
  const isFailed = over.some(({ status }) => status?.phase === 'Failed');
  if (isFailed || (over.length === completions && completions > 0)) {
    const conditions = [
      { type: isFailed ? 'Failed' : 'Complete', status: 'True', reason: 'Ended', lastTransitionTime: at },
    ];
    cluster.change(batch, { status: { conditions, ...(isFailed && { failed: 1 }) } });
    for (const pod of counted) {
      if (isOver(pod.status)) untracked(cluster, pod);
      else cluster.remove(pod);
    }
    return;
  }
  for (let index = 0; index < completions; index++) makeWorker(cluster, batch, index, counted);
}

const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

function makeWorker(cluster: SimulatedCluster, batch: Thing, index: number, counted: readonly Thing[]): void {
  if (counted.some(({ metadata }) => metadata.annotations?.[COMPLETION_INDEX] === String(index))) return;
  const { metadata: shape, spec } = (batch.spec as { template: object }).template as {
    metadata: KubeObject['metadata'];
    spec: object;
  };
  const { name, namespace, uid = '' } = batch.metadata;
  cluster.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...shape,
      name: `${name}-${index}-${cluster.version().toString(36).padStart(5, 'a')}`,
      ...(namespace && { namespace }),
      annotations: { ...shape.annotations, [COMPLETION_INDEX]: String(index) },
      finalizers: [...(shape.finalizers ?? []), TRACKING],
      ownerReferences: [{ apiVersion: batch.apiVersion, kind: batch.kind, name, uid, controller: true }],
    },
    spec,
  } as Thing);
}

/** The queue takes the place of an admitted run back. */
export function preempt(cluster: SimulatedCluster, batch: Thing): void {
  if (batch.spec?.completionMode !== 'Indexed' || batch.status?.conditions || batch.spec.suspend === true) return;
  cluster.change(batch, { spec: { suspend: true } });
  for (const pod of podsOf(cluster, batch)) {
    if (isOver(pod.status)) continue;
    untracked(cluster, pod);
    cluster.remove(pod);
  }
}

const ACTS: Record<string, (cluster: SimulatedCluster, object: Thing) => void> = {
  Deployment: (cluster, deployment) => rollOut(cluster, deployment),
  ReplicaSet: (cluster, set) => keepReplicas(cluster, set),
  LeaderWorkerSet: (cluster, set) => keepGroups(cluster, set),
  // The node's agent leaves nothing of an organisation there when it is asked to.
  Lease(cluster, lease) {
    const { [ANNOTATION.wipe]: asked, [ANNOTATION.wiped]: answered } = lease.metadata.annotations ?? {};
    const annotations = { [ANNOTATION.wiped]: new Date(cluster.now).toISOString() };
    if (asked !== undefined && answered === undefined) cluster.change(lease, { metadata: { annotations } });
  },
  Pod(cluster, pod) {
    const at = new Date(cluster.now).toISOString();
    const ended = {
      terminated: { exitCode: 0, startedAt: at, finishedAt: at },
    };
    if (isOver(pod.status)) return;
    const ends = pod.metadata.deletionTimestamp !== undefined || pod.spec?.activeDeadlineSeconds === 1;
    const isOneShot = (pod.metadata.ownerReferences ?? []).some(({ kind }) => kind === 'Job');
    const runs = pod.status?.phase === 'Running';
    if (!pod.spec?.nodeName) cluster.change(pod, { spec: { nodeName: NODE }, status: { phase: 'Pending' } });
    else if (ends) containersAre(cluster, pod, ended, 'Failed');
    else if (!runs) containersAre(cluster, pod, { running: { startedAt: at } }, 'Running');
    else if (isOneShot) containersAre(cluster, pod, ended, 'Succeeded');
  },
  // Its volume can be used on one node alone, as a disk in that node would.
  PersistentVolumeClaim(cluster, claim) {
    const { requests } = (claim.spec?.resources ?? {}) as { requests?: object };
    const { name, namespace = '', uid = '' } = claim.metadata;
    const volumeName = `pv-${uid}`;
    const onNode = { key: 'kubernetes.io/hostname', operator: 'In', values: [NODE] };
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } };
    if (!cluster.find(pathOf('PersistentVolume', undefined, volumeName))) {
      cluster.create({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: volumeName },
        spec: { nodeAffinity, claimRef: { namespace, name, uid } },
      } as Thing);
    }
    cluster.change(claim, {
      spec: { volumeName },
      status: { phase: 'Bound', ...(requests && { capacity: requests }) },
    });
  },
  Snapshot(cluster, { metadata, status, spec }) {
    if (status?.phase === 'ready' || status?.phase === 'failed') return;
    const finishedAt = new Date(cluster.now).toISOString();
    // The agent pushes first and reads back then.
    const phase = status?.phase === 'success' ? 'ready' : 'success';
    cluster.change(
      { apiVersion: API_VERSION, kind: 'Snapshot', metadata },
      {
        status:
          spec?.of === 'Log'
            ? { phase: 'ready', reason: 'LogSaved', log: { bytes: 1, isCut: false }, finishedAt }
            : { phase, reason: 'Saved', digest: DIGEST, sizeBytes: 1, layers: 1, finishedAt, of: spec?.of },
      },
    );
  },
  Job(cluster, job) {
    const act = job.apiVersion === API_VERSION ? actAsJob : actAsBatch;
    if (act === actAsJob || job.spec?.completionMode === 'Indexed') {
      act(cluster, job);
      return;
    }
    const pods = cluster.objects.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === job.metadata.uid),
    );
    if (pods.length > 0 || job.metadata.deletionTimestamp) return;
    const template = job.spec?.template as { metadata: { labels: Record<string, string> }; spec: object };
    const { name, namespace, uid = '' } = job.metadata;
    const owner = { apiVersion: job.apiVersion, kind: job.kind, name, uid, controller: true };
    const metadata = {
      name: `${name}-x`,
      ...(namespace && { namespace }),
      labels: template.metadata.labels,
      ownerReferences: [owner],
    };
    cluster.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec } as Thing);
  },
};

const childrenOf = (cluster: SimulatedCluster, { metadata }: Thing): readonly Thing[] =>
  cluster.objects.filter((one) => one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));

interface PodTemplate {
  metadata: { labels?: Record<string, string>; annotations?: Record<string, string>; finalizers?: string[] };
  spec: object;
}

/** A child of a controller of Kubernetes' own, named by the state of the cluster that it was made in. */
function madeBy(
  cluster: SimulatedCluster,
  owner: Thing,
  child: { apiVersion: string; kind: string },
  made: object,
): void {
  const { apiVersion, kind, metadata } = owner;
  const { name, namespace, uid = '' } = metadata;
  const { metadata: more, ...rest } = made as { metadata?: object };
  cluster.create({
    ...child,
    ...rest,
    metadata: {
      ...more,
      name: `${name}-${cluster.version()}`,
      ...(namespace && { namespace }),
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
    },
  } as Thing);
}

/** One ReplicaSet for each template: the others end at once, as with much unavailable. */
function rollOut(cluster: SimulatedCluster, deployment: Thing): void {
  if (deployment.metadata.deletionTimestamp) return;
  const { generation = 1 } = deployment.metadata;
  if (deployment.status?.observedGeneration !== generation) cluster.say(deployment, { observedGeneration: generation });
  const { replicas, template } = deployment.spec as { replicas: number; template: PodTemplate };
  const sets = childrenOf(cluster, deployment).filter(({ kind }) => kind === 'ReplicaSet');
  const isOf = ({ spec }: Thing) => JSON.stringify(sorted(spec?.template)) === JSON.stringify(sorted(template));
  const current = sets.find(isOf);
  const selector = deployment.spec?.selector;
  if (!current) {
    const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet' };
    madeBy(cluster, deployment, set, { spec: { replicas, template, selector } });
  }
  for (const set of sets) {
    const wanted = set === current ? replicas : 0;
    if (set.spec?.replicas !== wanted) cluster.change(set, { spec: { replicas: wanted } });
  }
}

/** Pods that end, or have ended, do not count. */
function keepReplicas(cluster: SimulatedCluster, set: Thing): void {
  if (set.metadata.deletionTimestamp) return;
  const { replicas, template } = set.spec as { replicas: number; template: PodTemplate };
  const active = childrenOf(cluster, set).filter(
    ({ metadata, status }) => !metadata.deletionTimestamp && !isOver(status),
  );
  for (const pod of active.slice(replicas)) cluster.remove(pod);
  if (active.length < replicas) madeBy(cluster, set, { apiVersion: 'v1', kind: 'Pod' }, template);
}

/** So many groups of Pods with certain names: one whose template is not the present one ends, and what is gone is made again. */
function keepGroups(cluster: SimulatedCluster, set: Thing): void {
  if (set.metadata.deletionTimestamp) return;
  const { replicas, leaderWorkerTemplate } = set.spec as {
    replicas: number;
    leaderWorkerTemplate: { size: number; leaderTemplate: PodTemplate; workerTemplate: PodTemplate };
  };
  const { size, leaderTemplate, workerTemplate } = leaderWorkerTemplate;
  const { name, namespace, uid = '' } = set.metadata;
  const wanted = new Map(
    Array.from({ length: replicas * size }, (_, at) => {
      const [group, part] = [Math.floor(at / size), at % size];
      return [part === 0 ? `${name}-${group}` : `${name}-${group}-${part}`, part];
    }),
  );
  const templateOf = (part: number) => (part === 0 ? leaderTemplate : workerTemplate);
  for (const pod of childrenOf(cluster, set)) {
    const part = wanted.get(pod.metadata.name);
    const runOf = (one: Pick<PodTemplate, 'metadata'>) => one.metadata.labels?.['gantry.dev/run'];
    if (part === undefined || runOf(templateOf(part)) !== runOf(pod)) cluster.remove(pod);
  }
  for (const [pod, part] of wanted) {
    if (cluster.find(pathOf('Pod', namespace, pod))) continue;
    const { metadata, spec } = templateOf(part);
    cluster.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: pod,
        ...(namespace && { namespace }),
        labels: { ...metadata.labels, [GROUP_PART]: `${part}` },
        ownerReferences: [{ apiVersion: set.apiVersion, kind: set.kind, name, uid, controller: true }],
      },
      spec,
    } as Thing);
  }
}

/** A controller's view of its owner, frozen. */
export const look = ({ reads }: AnyController, owner: KubeObject, cluster: SimulatedCluster, settings: object) =>
  deepFreeze(
    Object.fromEntries(
      Object.entries(reads as Reads).map(([name, read]) => [name, read.find(owner, cluster, settings)]),
    ),
  );
