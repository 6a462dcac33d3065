// Builders for tests of this kind: a service, its replicas at any point of their lives, a node, and its children.
import type { ContainerService, ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import { ANNOTATION, FINALIZER, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import { desiredDeployment, desiredService, type ServiceSettings } from '../../../serving/desired.ts';
import type { Deployment, KubeService, ServiceSeen } from '../../../serving/reads.ts';
import { hashOf, type Revision } from '../../../serving/revisions.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds after START as the wire has it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: ServiceSettings = {
  creditGate: 'off',
  sharedPool: 'open',
  simulatedNodes: false,
  hostTaintKey: 'gantry.dev/host',
  gpuTaints: ['nvidia.com/gpu'],
  serviceUrl: 'https://tenants.example',
  groups: 'none',
};

export const context = (seconds: number, more: Partial<Context<ServiceSettings>> = {}): Context<ServiceSettings> => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

export interface ServiceFixture {
  spec?: Partial<ContainerService['spec']>;
  status?: ContainerServiceStatus;
  deleting?: boolean;
  generation?: number;
}

export function service({ spec, status, deleting, generation = 1 }: ServiceFixture = {}): ContainerService {
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'ContainerService',
    metadata: {
      name: 'chat',
      namespace: 'org-acme',
      uid: 'uid-chat',
      generation,
      resourceVersion: '7',
      creationTimestamp: at(0),
      finalizers: [FINALIZER.operator],
      ...(deleting && { deletionTimestamp: at(100) }),
    },
    spec: {
      power: 'Running',
      restartCount: 0,
      image: 'vllm/vllm-openai:v0.9.0',
      gpu: { model: 'H100', count: 1 },
      cores: 2,
      memoryGi: 4,
      ports: [{ port: 8000 }],
      replicas: 2,
      update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
      wake: { requests: 100, seconds: 120 },
      ...spec,
    },
    ...(status && { status }),
  };
}

export const revision = (number = 1, spec: ServiceFixture['spec'] = {}, more: Partial<Revision> = {}): Revision => ({
  revision: number,
  at: at(0),
  hash: hashOf(service({ spec }).spec, undefined),
  outcome: 'rolling',
  image: service({ spec }).spec.image,
  ...more,
});

/** A status that has this revision as its present one, first wanted at START. */
export const rolling = (more: ContainerServiceStatus = {}, present = revision()): ContainerServiceStatus => ({
  phase: 'deploying',
  revision: present.revision,
  revisions: [present],
  conditions: [{ type: 'Complete', status: 'False', reason: 'Scaling', message: '', lastTransitionTime: at(0) }],
  ...more,
});

export const deployment = (
  replicas = 2,
  { spec, of = revision(1, spec) }: { spec?: ServiceFixture['spec']; of?: Revision } = {},
): Deployment => {
  const beside = { verified: undefined, host: undefined };
  const made = desiredDeployment(service(spec ? { spec } : {}), of, replicas, beside, settings);
  return { ...made, metadata: { ...made.metadata, uid: 'uid-deployment', resourceVersion: '8' } };
};

export const address = (spec: ServiceFixture['spec'] = {}): KubeService => {
  const made = desiredService(service({ spec }));
  return { ...made, metadata: { ...made.metadata, uid: 'uid-service' } };
};

export type Progress = 'unplaced' | 'placed' | 'started' | 'ready' | 'broken' | 'ended';

interface PodFixture {
  /** Its place in the names, and in the uids. */
  n?: number;
  revision?: number;
  deleting?: boolean;
  node?: string;
  host?: boolean;
  gpus?: number;
  /** When the kubelet admitted it, and gave it its cards. */
  admittedAt?: number;
  /** When its container began, when it was Ready or was not any more, and when it ended. */
  startedAt?: number;
  readyAt?: number;
  finishedAt?: number;
  main?: object;
  phase?: string;
  metered?: boolean;
}

/** Placed at once; its container runs from 5 s on, and is Ready at 20 s. */
export function pod(progress: Progress, more: PodFixture = {}): Pod {
  const { n = 1, revision: of = 1, deleting, node = 'node-a', host, gpus = 1, metered = true } = more;
  const { admittedAt = 2, startedAt = 5, readyAt = 20, finishedAt = 90 } = more;
  const isPlaced = progress !== 'unplaced';
  const runs = { running: { startedAt: at(startedAt) } };
  const states: Record<Progress, object> = {
    unplaced: {},
    placed: { waiting: { reason: 'ContainerCreating' } },
    started: runs,
    ready: runs,
    broken: runs,
    ended: { terminated: { exitCode: 0, startedAt: at(startedAt), finishedAt: at(finishedAt) } },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `chat-service-abc-0000${n}`,
      namespace: 'org-acme',
      uid: `uid-pod-${n}`,
      resourceVersion: '9',
      creationTimestamp: at(1),
      labels: {
        [LABEL.kind]: 'ContainerService',
        [LABEL.name]: 'chat',
        [LABEL.run]: String(of),
        [LABEL.organization]: 'acme',
      },
      annotations: { [ANNOTATION.owner]: 'uid-chat', ...(host && { [ANNOTATION.host]: 'org-acme/box' }) },
      ...(metered && { finalizers: [FINALIZER.metered] }),
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'chat-service-abc', uid: 'uid-set', controller: true },
      ],
      ...(deleting && { deletionTimestamp: at(80) }),
    },
    spec: {
      containers: [
        { name: 'main', resources: { requests: { 'nvidia.com/gpu': String(gpus), cpu: '2', memory: '4Gi' } } },
      ],
      nodeSelector: { [LABEL.gpuModel]: 'H100' },
      ...(isPlaced && { nodeName: node }),
    },
    status: {
      phase:
        more.phase ??
        (progress === 'ended' ? 'Succeeded' : ['unplaced', 'placed'].includes(progress) ? 'Pending' : 'Running'),
      ...(isPlaced && { podIP: `10.0.0.${n}`, startTime: at(admittedAt) }),
      conditions: [
        { type: 'PodScheduled', status: isPlaced ? 'True' : 'False', lastTransitionTime: at(2) },
        {
          type: 'Ready',
          status: progress === 'ready' ? 'True' : 'False',
          lastTransitionTime: at(progress === 'broken' ? finishedAt : readyAt),
        },
      ],
      ...(isPlaced && {
        containerStatuses: [
          {
            name: 'main',
            image: '',
            imageID: '',
            ready: progress === 'ready',
            restartCount: 0,
            state: states[progress],
            ...more.main,
          },
        ],
      }),
    },
  };
}

/** The status entry of the Pod `n`. */
export const record = (n: number, more: Partial<NonNullable<ContainerServiceStatus['pods']>[number]> = {}) => ({
  name: `chat-service-abc-0000${n}`,
  uid: `uid-pod-${n}`,
  node: 'node-a',
  phase: 'ready' as const,
  ...more,
});

/** An organisation's, of its Pods' cards. */
export const quotaOf = (gpus: number) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'compute', namespace: 'org-acme' },
  spec: { hard: { [`requests.${GPU_RESOURCE}`]: `${gpus}` } },
});

export const seen = (more: Partial<ServiceSeen> = {}): ServiceSeen => ({
  isNamespaceGoing: false,
  deployment: deployment(),
  service: address(),
  pods: [],
  nodes: { 'node-a': { ready: 'True', since: START } },
  leases: { 'node-a': at(1_000_000) },
  images: { ready: undefined, verifying: undefined },
  host: undefined,
  stock: undefined,
  cards: undefined,
  quota: undefined,
  groups: undefined,
  ...more,
});

export const silentSince = (seconds: number): Pick<ServiceSeen, 'nodes' | 'leases'> => ({
  nodes: { 'node-a': { ready: 'Unknown', since: START + (seconds + 40) * 1000 } },
  leases: { 'node-a': at(seconds) },
});

/** As billing answers. */
export const reserved = (status: 'True' | 'False' = 'True', reason = 'Reserved', generation = 1) => ({
  type: 'CreditReserved',
  status,
  reason,
  message: 'enough for one',
  observedGeneration: generation,
  lastTransitionTime: at(0),
});
