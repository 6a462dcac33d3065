// Builders for tests: an Organization and its surroundings, complete by default.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { Organization } from '@gantry/contract/kinds/organization.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import { NO_ROOM } from '../../../queue-capacity.ts';
import { desiredInNamespace, desiredNamespace, type OrganizationSettings } from '../desired.ts';
import type { OrganizationSeen } from '../reads.ts';

const START: Instant = Date.parse('2026-11-21T10:00:00Z');
/** A moment, in seconds after the start, as the API server writes it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');

export const settings: OrganizationSettings = {
  creditGate: 'off',
  queue: 'none',
  sharedPool: 'open',
  simulatedNodes: false,
  gpuTaints: ['nvidia.com/gpu'],
  allowedCidrs: [],
  allowedRegistries: [],
  clusterCidrs: [],
  dnsCidrs: [],
  probeImage: 'registry.gantry.internal/official/busybox:1.36',
  probeEveryMs: 600_000,
  dataServerImage: 'registry.gantry.internal/official/data-worker:1',
  dataServerDiskGi: 20,
  keyed: (text) => `keyed ${text}`,
};

export const context = (seconds: number, more: Partial<Context<OrganizationSettings>> = {}) => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

interface OrganizationFixture {
  spec?: Partial<Organization['spec']>;
  status?: Organization['status'];
  metadata?: Partial<Organization['metadata']>;
}

export const organizationFixture = ({ spec, status, metadata }: OrganizationFixture = {}): Organization => ({
  apiVersion: API_VERSION,
  kind: 'Organization',
  metadata: { name: 'acme', uid: 'uid-acme', generation: 1, ...metadata },
  spec: {
    quota: {
      gpus: 8,
      cores: 128,
      memoryGi: 1024,
      storageGi: 10_240,
      modelsGi: 1024,
      instances: 100,
      disks: 1000,
      hosts: 100,
      jobs: 2000,
      services: 100,
    },
    ...spec,
  },
  ...(status && { status }),
});

/** As the API server returns it: with a uid. */
const stored = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: `uid-${object.kind}-${object.metadata.name}` },
});

export const EMPTY = { savedBytes: 0, disksGi: 0 };

export const nothing: OrganizationSeen = {
  namespace: undefined,
  probes: [],
  dataServer: undefined,
  savedByInstances: 0,
  savedAsImages: 0,
  homesGi: 0,
  disksGi: 0,
  quotas: [],
  limits: [],
  accounts: [],
  services: [],
  policies: [],
  roles: [],
  bindings: [],
  clusterQueues: [],
  localQueues: [],
  flavors: [],
  takenPastQueue: NO_ROOM,
  openJobs: 0,
  openDataProcesses: 0,
  openFineTunes: 0,
  openEvaluations: 0,
  ownRoom: () => new Map(),
};

/** All that the plan makes, as it was made. */
export function whole(
  owner: Organization,
  change: (object: KubeObject) => KubeObject = (same) => same,
  by: OrganizationSettings = settings,
): OrganizationSeen {
  const all = desiredInNamespace(owner, by, EMPTY).map(stored).map(change);
  const of = (...kinds: string[]) => all.filter(({ kind }) => kinds.includes(kind));
  return {
    ...nothing,
    namespace: change(stored(desiredNamespace(owner))),
    quotas: of('ResourceQuota'),
    limits: of('LimitRange'),
    accounts: of('ServiceAccount'),
    services: of('Service'),
    policies: of('NetworkPolicy'),
    roles: of('Role'),
    bindings: of('RoleBinding'),
  };
}

type State = { running: object } | { terminated: { exitCode: number; message?: string } } | { waiting: object };

/** A probe Pod: its containers' states by name. */
export const probe = (name: string, states: Record<string, State>, podIP = '10.0.0.9'): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'gantry-probe', uid: `uid-${name}`, creationTimestamp: at(0) },
    status: {
      podIP,
      containerStatuses: Object.entries(states).map(([container, state]) => ({ name: container, state })),
    },
  }) as unknown as Pod;
