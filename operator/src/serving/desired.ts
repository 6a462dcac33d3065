// The children of a service: a Deployment, which keeps its replicas, or a LeaderWorkerSet, where each is spread over nodes, and a
// Service, which gives it an address in the cluster.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { ContainerService, ContainerServiceSpec } from '@gantry/contract/kinds/container-service.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import {
  ANNOTATION,
  FINALIZER,
  GROUP_PART,
  GROUPS_GROUP,
  GROUPS_VERSION,
  groupSetName,
  LABEL,
  REGISTRY,
  servedChildName,
  TENANT_PRIORITY_CLASS,
} from '@gantry/contract/names.ts';
import { publishedHost } from '@gantry/contract/published-host.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import { ownedBy } from '../resources.ts';
import {
  commandOf,
  mebibytes,
  organizationIn,
  placeOf,
  portsOf,
  pullSecrets,
  roomOf,
  variablesOf,
} from '../tenant-pods.ts';
import { awayFrom } from './away.ts';
import type { Deployment, GroupSet, KubeService } from './reads.ts';
import type { Revision } from './revisions.ts';
import type { PodTemplate, Served } from './served.ts';

/** The installation's settings for every service. */
export interface ServiceSettings extends PoolRules {
  creditGate: 'required' | 'off';
  /** Services are published below its host, such as https://tenants.example; '' if none are. */
  serviceUrl: string;
  /** The mechanism that spreads a replica over nodes. */
  groups: 'lws' | 'none';
}

/** A node that is silent for so long has lost its replicas: others take their place. */
const NODE_SILENT_S = 60;
/** Until everybody has heard that a replica ends: meanwhile it still answers. */
const DRAIN_S = 5;
const GRACE_S = 30;
/** Loading a model takes as long as it takes: only a replica that answers is ever asked again. */
const STARTS_FOR_S = 86_400;

export const childName = ({ metadata, kind }: KubeObject): string => servedChildName(metadata.name, kind);
export const addressOf = (owner: ContainerService): string => `${childName(owner)}.${owner.metadata.namespace}.svc`;

/** The URL of a published service; undefined if it is not published. */
export function urlOf(
  owner: ContainerService,
  { serviceUrl }: Pick<ServiceSettings, 'serviceUrl'>,
): string | undefined {
  const [, scheme, domain, port = ''] = /^(https?:\/\/)([^/:]+)(:\d+)?\/?$/.exec(serviceUrl) ?? [];
  if (!owner.spec.publish || scheme === undefined || domain === undefined) return undefined;
  return `${scheme}${publishedHost(owner.metadata.name, organizationIn(owner), domain)}${port}`;
}

/** By these the Deployment knows its Pods, and the Service finds them: they never change. */
export const selectorOf = ({ kind, metadata }: KubeObject) => ({
  [LABEL.kind]: kind,
  [LABEL.name]: metadata.name,
});

/** If a replica is spread over nodes, its first Pod answers for it. */
export const answeredBy = (owner: KubeObject, nodes = 1): Record<string, string> => ({
  ...selectorOf(owner),
  ...(nodes > 1 && { [GROUP_PART]: '0' }),
});

const metadataOf = (owner: ContainerService) => ({
  name: childName(owner),
  namespace: owner.metadata.namespace ?? '',
  labels: { ...selectorOf(owner), [LABEL.organization]: organizationIn(owner) },
  ownerReferences: ownedBy(owner),
});

/** The Deployment's fields besides its template: they may change without new replicas. */
export const rolloutOf = ({ update = UPDATE }: Partial<ContainerServiceSpec>, replicas: number) => ({
  replicas,
  paused: false,
  progressDeadlineSeconds: update.deadlineMinutes * 60,
  strategy: {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: update.maxSurge, maxUnavailable: update.maxUnavailable },
  },
});

/** As the schema fills it in: an object of an older version may lack it. */
export const UPDATE: ContainerServiceSpec['update'] = { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 };

interface Beside {
  verified: Image | undefined;
  host: GpuHost | undefined;
  /** The additions of the kind to the Pods of its replicas. */
  dress?: Served['dress'];
  worker?: Served['worker'];
  /** Nodes that replicas should keep off. */
  avoided?: readonly string[];
}

export function desiredDeployment(
  owner: ContainerService,
  revision: Revision,
  replicas: number,
  beside: Beside,
  settings: ServiceSettings,
): Deployment {
  const { labels, ...metadata } = metadataOf(owner);
  const template = desiredTemplate(owner, revision, beside, settings) as PodTemplate;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, labels: { ...labels, [LABEL.run]: String(revision.revision) } },
    spec: {
      ...rolloutOf(owner.spec, replicas),
      // `status.revisions` is the history: it survives a Deployment.
      revisionHistoryLimit: 1,
      selector: { matchLabels: selectorOf(owner) },
      template: awayFrom(beside.dress?.(owner, template, settings) ?? template, beside.avoided ?? []),
    },
  };
}

/** The LeaderWorkerSet's fields besides its templates. */
export const groupRolloutOf = ({ update = UPDATE }: Partial<ContainerServiceSpec>, replicas: number) => ({
  replicas,
  rolloutStrategy: {
    type: 'RollingUpdate',
    rollingUpdateConfiguration: { maxSurge: update.maxSurge, maxUnavailable: update.maxUnavailable },
  },
});

export function desiredGroups(
  owner: ContainerService,
  revision: Revision,
  replicas: number,
  nodes: number,
  beside: Beside,
  settings: ServiceSettings,
): GroupSet {
  const { labels, ...metadata } = metadataOf(owner);
  const template = desiredTemplate(owner, revision, beside, settings) as PodTemplate;
  const first = beside.dress?.(owner, template, settings) ?? template;
  return {
    apiVersion: `${GROUPS_GROUP}/${GROUPS_VERSION}`,
    kind: 'LeaderWorkerSet',
    metadata: {
      ...metadata,
      name: groupSetName(owner.metadata.name),
      labels: { ...labels, [LABEL.run]: String(revision.revision) },
    },
    spec: {
      ...groupRolloutOf(owner.spec, replicas),
      leaderWorkerTemplate: {
        size: nodes,
        // A part that starts anew finds no place in the program that the others go on with.
        restartPolicy: 'RecreateGroupOnPodRestart',
        leaderTemplate: first,
        workerTemplate: beside.worker?.(owner, first) ?? first,
      },
    },
  };
}

function desiredTemplate(
  owner: ContainerService,
  { revision, hash, image: recorded }: Partial<Revision>,
  { verified, host }: Beside,
  settings: ServiceSettings,
) {
  const { spec, metadata } = owner;
  const image = recorded ?? spec.image;
  const isOurs = image.startsWith(`${REGISTRY}/`);
  return {
    metadata: {
      labels: {
        ...selectorOf(owner),
        [LABEL.run]: String(revision),
        [LABEL.organization]: organizationIn(owner),
      },
      annotations: {
        [ANNOTATION.owner]: identityOf(owner),
        [ANNOTATION.hash]: hash ?? '',
        ...(host && { [ANNOTATION.host]: `${metadata.namespace}/${host.metadata.name}` }),
        'kubectl.kubernetes.io/default-container': 'main',
      },
      finalizers: [FINALIZER.metered],
    },
    spec: {
      priorityClassName: TENANT_PRIORITY_CLASS,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: GRACE_S,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      ...placeOf(owner, host, settings, NODE_SILENT_S),
      ...pullSecrets(isOurs, verified),
      containers: [
        {
          name: 'main',
          image,
          // Only a digest that this tenant, or the platform, was shown to have may come from the node's cache.
          imagePullPolicy: image === spec.image || isOurs ? 'Always' : 'IfNotPresent',
          ...(spec.command && { command: commandOf(spec) }),
          terminationMessagePolicy: 'FallbackToLogsOnError',
          env: variablesOf(spec),
          resources: roomOf(spec),
          ports: portsOf(spec),
          ...probesOf(spec),
          lifecycle: { preStop: { sleep: { seconds: DRAIN_S } } },
          volumeMounts: [{ name: 'shm', mountPath: '/dev/shm' }],
        },
      ],
      // PyTorch's loaders need more shared memory than the runtime's 64 MiB.
      volumes: [{ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: mebibytes(spec.memoryGi / 2) } }],
    },
  };
}

/** The port that says whether a replica is ready. */
export const probedPort = ({ readiness, publish, ports }: ContainerServiceSpec): number | undefined =>
  readiness?.port ?? publish?.port ?? ports?.[0]?.port;

/** Asked every second until it answers once, and at leisure then. Nothing ends a program that only stopped answering. */
function probesOf(spec: ContainerServiceSpec) {
  const port = probedPort(spec);
  if (port === undefined) return {};
  const { path, timeoutSeconds = 2 } = spec.readiness ?? {};
  const probe = { ...(path === undefined ? { tcpSocket: { port } } : { httpGet: { path, port } }), timeoutSeconds };
  return {
    startupProbe: { ...probe, periodSeconds: 1, failureThreshold: STARTS_FOR_S },
    readinessProbe: { ...probe, periodSeconds: 5, failureThreshold: 2 },
  };
}

/** Ports of one Service need names that differ; a tenant's that looks like one of ours gives way. */
const OURS = /^tcp-\d+$/;
export const servicePorts = ({ ports = [] }: ContainerServiceSpec) =>
  ports.map(({ name, port }) => ({
    name: name === undefined || OURS.test(name) ? `tcp-${port}` : name,
    port,
    targetPort: port,
    protocol: 'TCP',
  }));

export const desiredService = (owner: ContainerService, nodes = 1): KubeService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: metadataOf(owner),
  spec: {
    type: 'ClusterIP',
    selector: answeredBy(owner, nodes),
    ports: servicePorts(owner.spec),
  },
});
