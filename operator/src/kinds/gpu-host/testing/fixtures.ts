// Builders for tests of this kind: a host, its claims, and nodes at any point of their way to it and back.
import type { GpuHost, GpuHostStatus } from '@gantry/contract/kinds/gpu-host.ts';
import { ANNOTATION, FINALIZER, LABEL } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { Context } from '../../../define-controller.ts';
import type { Lease } from '../../../resources.ts';
import type { Room } from '../candidates.ts';
import { desiredLease, type HostSettings } from '../desired.ts';
import type { HostSeen } from '../reads.ts';

const START = Date.parse('2026-01-31T10:00:00Z');
/** Seconds after START as the wire has it. */
export const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');
export const HOUR = 3600;
export const DAY = 24 * HOUR;

export const UID = '11111111-1111-4111-8111-111111111111';
export const STRANGER = '22222222-2222-4222-8222-222222222222';

export const settings: HostSettings = {
  creditGate: 'off',
  hostTaintKey: 'gantry.dev/host',
  simulatedNodes: true,
  gpuTaints: ['nvidia.com/gpu'],
};

export const context = (seconds: number, more: Partial<Context<HostSettings>> = {}): Context<HostSettings> => ({
  now: START + seconds * 1000,
  settings,
  refusals: [],
  ...more,
});

interface HostFixture {
  spec?: Partial<GpuHost['spec']>;
  status?: GpuHostStatus;
  deleting?: boolean;
  generation?: number;
}

export function gpuHost({ spec, status, deleting, generation = 1 }: HostFixture = {}): GpuHost {
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuHost',
    metadata: {
      name: 'big',
      namespace: 'org-acme',
      uid: UID,
      generation,
      resourceVersion: '7',
      creationTimestamp: at(0),
      finalizers: [FINALIZER.operator],
      ...(deleting && { deletionTimestamp: at(0) }),
    },
    spec: {
      source: 'rented',
      gpu: { model: 'H100', count: 8 },
      nodes: 1,
      months: 1,
      autoRenew: false,
      ...spec,
    },
    ...(status && { status }),
  };
}

/** The status of a host that has been active with these nodes since START. */
export const active = (names: readonly string[], more: GpuHostStatus = {}): GpuHostStatus => ({
  phase: 'active',
  nodes: names.map((name) => ({ name, lanAddress: '10.1.0.1', os: 'Debian 12', ready: true, gpus: 8 })),
  startedAt: at(0),
  intervals: [
    {
      seq: 1,
      subjectUID: UID,
      from: at(0),
      uses: [{ resource: 'host', model: 'H100', quantity: names.length }],
    },
  ],
  ...more,
});

interface NodeFixture {
  ready?: boolean;
  cards?: number;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: string; timeAdded?: string }[];
  unschedulable?: boolean;
}

export const node = (
  name: string,
  { ready = true, cards = 8, labels, taints, unschedulable }: NodeFixture = {},
): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: `uid-${name}`, resourceVersion: '3', labels: { [LABEL.gpuModel]: 'H100', ...labels } },
  spec: { ...(taints && { taints }), ...(unschedulable && { unschedulable }) },
  status: {
    allocatable: { 'nvidia.com/gpu': String(cards) },
    addresses: [{ type: 'InternalIP', address: '10.1.0.1' }],
    nodeInfo: { osImage: 'Debian 12' } as NonNullable<NonNullable<Node['status']>['nodeInfo']>,
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: at(0) }],
  },
});

/** Set aside for the host, `seconds` after START. */
export const ours = (name: string, seconds = 0, { labels, taints = [], ...more }: NodeFixture = {}): Node =>
  node(name, {
    ...more,
    labels: { [LABEL.nodeHost]: UID, ...labels },
    taints: [...taints, { key: 'gantry.dev/host', value: UID, effect: 'NoSchedule', timeAdded: at(seconds) }],
  });

export function claim(name: string, annotations: Record<string, string> = {}): Lease {
  const lease = desiredLease(gpuHost(), name);
  const metadata = { ...lease.metadata, uid: `lease-${name}`, resourceVersion: '4', creationTimestamp: at(0) };
  return { ...lease, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}
export const wiping = { [ANNOTATION.wipe]: 'org-acme' };
export const wiped = { ...wiping, [ANNOTATION.wiped]: at(5) };

export const room = (choices: readonly string[], more: Partial<Room> = {}): Room => ({
  choices,
  all: choices,
  free: choices,
  ahead: 0,
  sizes: [],
  ...more,
});

interface SeenFixture extends Partial<Omit<HostSeen, 'claims'>> {
  own?: readonly Lease[];
  others?: readonly string[];
}

/** The observed state: by default nothing at all. */
export const seen = ({ own = [], others = [], ...more }: SeenFixture = {}): HostSeen => ({
  claims: { own, others },
  nodes: [],
  tenants: [],
  volumes: [],
  agents: [],
  room: undefined,
  excess: undefined,
  disks: [],
  remains: [],
  ...more,
});
