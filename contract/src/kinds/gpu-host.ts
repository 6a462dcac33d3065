// Whole GPU nodes for one organisation: rented by the month, or its own and joined by platform staff. A node belongs to a host
// from the creation of its Lease until it is wiped and that Lease is gone.

import * as z from 'zod';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { creator } from '../fields/creator.ts';
import { dateTime } from '../fields/date-time.ts';
import { diskMounts } from '../fields/disk-mounts.ts';
import { credit, intervals } from '../fields/metering.ts';
import { gpuModel } from '../fields/name.ts';
import { plainTextRule } from '../fields/plain-text.ts';
import { listOf } from '../fields/stored.ts';
import { gpuName } from '../gpu-name.ts';
import { changeBody, creationBody, hostName } from '../http/kind-bodies.ts';
import { type Beside, type CommonView, commonView, type KindUsage, price, time } from '../kind-api.ts';
import * as en from '../words/en/gpu-host.ts';
import * as ja from '../words/ja/gpu-host.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/gpu-host.ts';
import { CREATOR_KEPT, editFrom, releaseFrom } from './kind-rows.ts';

const words = kindWords('GpuHost', { en, zh, ja });

const spec = z
  .object({
    displayName: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({
        description: 'The name people see. Letters, digits and underscore.',
        ...cel(["self.matches('^[A-Za-z0-9_]+$')", words.rules.letters]),
      }),
    creator,
    source: z
      .enum(['rented', 'owned'])
      .default('rented')
      .meta({
        description: "rented: nodes of the platform. owned: the organisation's own nodes. It cannot be changed.",
        ...cel(['self == oldSelf', words.rules.sourceFixed]),
      }),
    gpu: z
      .object({
        model: gpuModel,
        count: z.int().min(1).max(16).meta({ description: 'How many GPUs each node has.' }),
      })
      .describe('The GPUs of each node. It cannot be changed.')
      .meta(cel(['self == oldSelf', words.rules.gpuFixed])),
    nodes: z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .meta({
        description: 'How many nodes the host has. The number can only grow.',
        ...cel(['self >= oldSelf', words.rules.nodesGrow]),
      }),
    months: z
      .int()
      .min(1)
      .max(1200)
      .default(1)
      .meta({
        description: 'For how many months the host is rented; raise it to renew. Owned nodes do not expire.',
        ...cel(['self >= oldSelf', words.rules.monthsGrow]),
      }),
    autoRenew: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether another month is rented whenever the last one ends.' }),
    tags: z
      .array(z.string().min(1).max(63).meta(plainTextRule))
      .max(10)
      .optional()
      .meta({ description: 'Words by which people find the host.', 'x-kubernetes-list-type': 'set' }),
    disks: diskMounts(
      'Data disks that are reserved for instances on this host. An instance mounts one by its own spec.disks; mountPath suggests where.',
    ),
  })
  .describe('What is wanted of the host.');

const status = z
  .object({
    ...commonStatus,
    nodes: z
      .array(
        z.object({
          name: z.string().max(253).describe('The name of the node.'),
          lanAddress: z.string().max(64).optional().describe("The node's address inside the cluster."),
          os: z.string().max(253).optional().describe("The node's operating system."),
          ready: z.boolean().describe('Whether the node is ready to run instances.'),
          gpus: z.int().min(0).describe('How many GPUs the node offers.'),
        }),
      )
      .max(64)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe('The nodes that the host has.'),
    lanAddress: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The address of the first node inside the cluster.' }),
    os: z.string().max(253).optional().meta({ description: 'The operating system of the first node.' }),
    gpuCount: z.int().min(0).optional().meta({ description: 'How many GPUs all nodes have together.' }),
    startedAt: dateTime
      .optional()
      .meta({ description: 'When the host was first active. The rented months count from here.' }),
    expiresAt: dateTime.optional().describe('When the paid months end.'),
    countedMonths: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'How many of spec.months are in effect: those that credit was reserved for.' }),
    renewedMonths: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'How many months autoRenew has added to spec.months.' }),
    returnedAt: dateTime.optional().meta({ description: 'When the nodes of the expired host were given back.' }),
    intervals: intervals.optional(),
    credit: credit
      .extend({
        months: z
          .int()
          .min(0)
          .optional()
          .describe('How many of spec.months the reserved credit covers. Absent: all of them.'),
      })
      .describe('What billing answered. Only billing writes it.')
      .optional(),
  })
  .describe('What is known of the host. The platform writes it.');

const phases = {
  releasing: { tone: 'progress' },
  draining: { tone: 'warning' },
  expired: { tone: 'bad' },
  lost: { tone: 'bad' },
  pending: { tone: 'progress' },
  activeSync: { tone: 'progress' },
  notReady: { tone: 'bad' },
  active: { tone: 'good' },
} as const;

const anyPhase = Object.keys(phases) as (keyof typeof phases)[];

const view = commonView.extend({
  instance_id: z.string(),
  instance_name: z.string(),
  instance_status: z.enum(['Active', 'ActiveSync', 'Pending', 'NotReady', 'Draining', 'Expired', 'Lost', 'Releasing']),
  status: z.enum(['active', 'inactive']),
  lan_ip: z.string().nullable(),
  os: z.string().nullable(),
  source: z.enum(['rented', 'owned']),
  tags: z.array(z.string()),
  gpu_type: z.string(),
  gpu_spec: z.string(),
  gpu_count: z.int().meta({ description: 'Cards of all nodes.' }),
  gpu_free: z.int().meta({ description: 'Cards that no instance holds or is about to.' }),
  card_cores: z.number().nullable().meta({ description: 'Cores that come with one card; null while it has no nodes.' }),
  card_memory_gi: z.number().nullable().meta({ description: 'Memory of the node that comes with one card.' }),
  node_count: z.int(),
  nodes: z.array(
    z.object({
      name: z.string(),
      lan_ip: z.string().nullable(),
      os: z.string().nullable(),
      ready: z.boolean(),
      gpu_count: z.int(),
    }),
  ),
  duration_months: z.int(),
  start_time: time.nullable(),
  expire_time: time.nullable(),
  auto_renew: z.boolean(),
  payment: z.literal('month'),
  cost: price.meta({ description: 'Of all its nodes; null for nodes of its own.' }),
  discount: z.number().nullable().meta({ description: 'Percent off the list price.' }),
  disks: z.array(z.object({ id: z.string(), mount_path: z.string() })),
  spec: spec,
});
export type HostView = z.input<typeof view>;

/** Whole nodes: whatever runs there is its organisation's. */
const hostUsage: KindUsage = {
  partsOf: (object) =>
    listOf((object as GpuHost).status?.nodes).map(({ name }) => ({
      name,
      of: { node: name },
      volumes: [],
      hasGpu: true,
    })),
};

export const gpuHost = defineKind({
  kind: 'GpuHost',
  plural: 'gpuhosts',
  shortNames: ['ghost'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'hst',
  collection: 'elnode/v1/instance',
  menu: 'gpu/nodes',
  staff: { resource: 'hosts', menu: 'computing' },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50",
      words: words.rules.name,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Source', jsonPath: '.spec.source' },
    { name: 'Model', jsonPath: '.spec.gpu.model' },
    { name: 'Cards', jsonPath: '.spec.gpu.count', type: 'integer' },
    { name: 'Nodes', jsonPath: '.spec.nodes', type: 'integer' },
    { name: 'Expires', jsonPath: '.status.expiresAt' },
    { name: 'LAN address', jsonPath: '.status.lanAddress' },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    renew: {
      from: ['expired', 'draining', 'lost', 'activeSync', 'notReady', 'active'],
      does: (object) => ({ spec: { months: ((object as GpuHost).spec.months ?? 1) + 1 } }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    edit: editFrom(anyPhase.filter((phase) => phase !== 'releasing')),
    release: releaseFrom(anyPhase.filter((phase) => phase !== 'releasing')),
  },
  cost: {
    source: 'host_rent',
    begins: {
      make: "object.spec.source == 'rented'",
      change: ['object.spec.months > oldObject.spec.months', 'object.spec.nodes > oldObject.spec.nodes'],
    },
    desired(object) {
      const { source, gpu, nodes } = (object as GpuHost).spec;
      return source === 'rented' ? [{ resource: 'host', model: gpu.model, quantity: nodes }] : [];
    },
  },
  phaseInView: (object) =>
    object.metadata.deletionTimestamp ? 'releasing' : ((object as GpuHost).status?.phase ?? 'pending'),
  touches: ['listGpuSpecs', 'listHostTags', 'getWalletBalances', 'getMyOrganization'],
  api: {
    names: ['Host', 'Hosts'],
    view,
    show: hostView,
    statusesOf(phase: string) {
      const word = STATUS[phase] ?? 'Pending';
      return [word, activityOf(word)];
    },
    filters: { tag: z.string().max(63).optional(), source: z.enum(['rented', 'owned']).optional() },
    pageSize: 100,
    usage: hostUsage,
    writes: {
      create: creationBody(spec, 'source', 'gpu', 'nodes', 'months', 'autoRenew', 'tags', 'disks').extend({
        displayName: hostName,
      }),
      change: changeBody(spec, 'nodes', 'autoRenew', 'tags', 'disks').extend({ displayName: hostName.optional() }),
      options: {
        months: z.int().min(1).max(120).optional().meta({ description: 'renew: how many months more; 1 unless told.' }),
      },
      problems: ['host_name_rule', 'no_such_reference', 'disk_in_use'],
    },
  },
});

/** The product's words for a host's state: the first two are its "active". */
const STATUS: Readonly<Record<string, HostView['instance_status']>> = {
  active: 'Active',
  activeSync: 'ActiveSync',
  pending: 'Pending',
  notReady: 'NotReady',
  draining: 'Draining',
  expired: 'Expired',
  lost: 'Lost',
  releasing: 'Releasing',
};

const activityOf = (word: HostView['instance_status']): HostView['status'] =>
  word === 'Active' || word === 'ActiveSync' ? 'active' : 'inactive';

/** Cards that no instance holds or is about to. */
export interface HostRoom {
  freeGpus?: number;
  /** The cores and memory that come with one card. */
  share?: { cores: number; memoryGi: number };
}

function hostView({ spec, status }: GpuHost, common: CommonView, { price, related }: Beside<HostRoom>) {
  const instance_status = STATUS[common.phase] ?? 'Pending';
  return {
    ...common,
    instance_id: common.id,
    instance_name: common.name,
    instance_status,
    status: activityOf(instance_status),
    lan_ip: status?.lanAddress ?? null,
    os: status?.os ?? null,
    source: spec.source,
    tags: spec.tags ?? [],
    gpu_type: spec.gpu.model,
    gpu_spec: `${spec.gpu.count} × ${gpuName(spec.gpu.model)}`,
    gpu_count: spec.gpu.count * spec.nodes,
    gpu_free: related.freeGpus ?? 0,
    card_cores: related.share?.cores ?? null,
    card_memory_gi: related.share?.memoryGi ?? null,
    node_count: spec.nodes,
    nodes: (status?.nodes ?? []).map(({ name, lanAddress, os, ready, gpus }) => ({
      name,
      lan_ip: lanAddress ?? null,
      os: os ?? null,
      ready,
      gpu_count: gpus,
    })),
    duration_months: spec.months,
    start_time: status?.startedAt ?? null,
    expire_time: status?.expiresAt ?? null,
    auto_renew: spec.autoRenew,
    payment: 'month',
    cost: price,
    discount: price?.discount_percent ?? null,
    disks: (spec.disks ?? []).map(({ name, mountPath }) => ({ id: name, mount_path: mountPath })),
    spec,
  } satisfies HostView;
}

export type GpuHost = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type GpuHostStatus = NonNullable<GpuHost['status']>;
export type GpuHostPhase = PhaseOf<typeof words>;
export type GpuHostReason = ReasonOf<typeof words>;
