// Computing and storage in the operators' console: what tenants have, of every kind, and what it stands on; and what staff may
// command of it. A kind has its list, its page and its commands once its facts name a resource (`staff`).
import * as z from 'zod';
import type { KindFacts, StaffFacts } from '../../define-kind.ts';
import { currencyCode, money } from '../../fields/amounts.ts';
import { dateTime } from '../../fields/date-time.ts';
import { plainText } from '../../fields/plain-text.ts';
import { approval_id, oneOf, q, time } from '../../http/admin-resource.ts';
import { MOST_AT_ONCE } from '../../http/call.ts';
import { defineRoute, type RouteFacts } from '../../http/define-route.ts';
import { replicaQuery, workerNumber } from '../../http/log-query.ts';
import type { ProblemCode } from '../../http/problem.ts';
import { runView, stateView, tone } from '../../kind-api.ts';
import { KINDS } from '../../kinds.ts';
import { staffCommands } from '../../staff-commands.ts';

type Kinds = typeof KINDS;
/** Resources of the kinds whose facts name one. */
export type AdminKindName = {
  [K in keyof Kinds]: Kinds[K]['staff'] extends { readonly resource: infer Name extends string } ? Name : never;
}[keyof Kinds];
type AdminKind = KindFacts & { staff: StaffFacts };

/** Kinds by the name of their resource. */
export const ADMIN_KINDS = Object.fromEntries(
  Object.values<KindFacts>(KINDS).flatMap((facts) => (facts.staff ? [[facts.staff.resource, facts]] : [])),
) as unknown as Readonly<Record<AdminKindName, AdminKind>>;
export const ADMIN_KIND_NAMES = Object.keys(ADMIN_KINDS) as AdminKindName[];

const MOST_RUN_NUMBER = 2 ** 31 - 1;
const MOST_LOG_LINES = 100_000;
const id = z.string().min(1).max(200);
const text = z.string().nullable();
const organization = oneOf(z.string().max(63));

const command = z.object({
  action: z.string(),
  label: z.string(),
  danger: z.enum(['none', 'interrupts', 'destroys']),
});

/** An object of a kind, of whichever organisation. */
const ofKind = ({ staff: { menu, columns = [] }, words, many, spec, cost, api }: AdminKind) => ({
  menu,
  one: words.en.toLowerCase(),
  kind: { one: words, many, hasRuns: api?.runs !== undefined, hasReplicas: api?.replicas !== undefined },
  row: z.object({
    id: z.string(),
    organization_id: z.string(),
    name: z.string(),
    display_name: z.string(),
    phase: z.string(),
    phase_label: z.string(),
    tone,
    message: text,
    reason: text,
    /** The operator leaves it alone, because staff said so. */
    paused: z.boolean(),
    /** The name of its data centre. */
    region: z.string(),
    node: text,
    /** The nodes of a job's workers or a service's replicas, or those in another data centre. */
    nodes: text,
    address: text,
    /** The queue position of a waiting job. */
    queue_position: z.int().nullable(),
    /** For a service: how many of the wanted replicas are ready. */
    replicas: text,
    /** The GPUs that it asks for. */
    gpu: text,
    /** The price of what it is now; null if it costs nothing. */
    price: money.nullable(),
    price_currency: currencyCode.nullable(),
    price_per: z.enum(['hour', 'month']).nullable(),
    created_by: text,
    created_at: time,
    /** The commands that staff may give it now. */
    commands: z.array(command),
    spec: z.record(z.string(), z.unknown()),
    status: z.record(z.string(), z.unknown()),
  }),
  columns: [
    ...['display_name', 'phase', 'organization_id'],
    // Others are nobody's in particular.
    ...('creator' in spec.shape ? ['created_by'] : []),
    ...('gpu' in spec.shape ? ['gpu'] : []),
    ...(cost ? ['price'] : []),
    ...columns,
    'created_at',
  ],
  order: ['created_at', 'DESC'] as const,
  references: { organization_id: 'organizations', created_by: 'users', node: 'nodes' },
  sort: ['id', 'organization_id', 'name', 'display_name', 'phase', 'node', 'created_at'],
  filter: {
    ...q,
    organization_id: organization,
    phase: oneOf(z.string().max(63)),
    node: oneOf(z.string().max(253)),
    paused: z.boolean().optional(),
  },
});

const HEALTH = ['healthy', 'notReady', 'gpuError', 'gpusMissing'] as const;
/** The holder of a node: nobody, so that every tenant's instances may come; a host; or its owner, without a host yet. */
const NODE_TENANCY = ['shared', 'host', 'owned'] as const;
const NODE_COMMANDS = ['cordon', 'drain', 'uncordon', 'join', 'part'] as const;
export type NodeCommand = (typeof NODE_COMMANDS)[number];
const ORPHAN_KINDS = ['claim', 'volume', 'snapshot'] as const;
const ORPHAN_REASONS = ['organizationGone', 'objectGone', 'unbound', 'released', 'instanceGone'] as const;

const OF_KINDS = Object.fromEntries(ADMIN_KIND_NAMES.map((name) => [name, ofKind(ADMIN_KINDS[name])])) as Readonly<
  Record<AdminKindName, ReturnType<typeof ofKind>>
>;

const RESOURCES = {
  ...OF_KINDS,
  nodes: {
    menu: 'computing',
    one: 'node',
    row: z.object({
      id: z.string(),
      model: text,
      gpus: z.int(),
      gpus_used: z.int(),
      gpus_free: z.int(),
      /** Cards that the node has and does not offer. */
      gpus_broken: z.int(),
      cores: z.number(),
      cores_free: z.number(),
      memory_gi: z.number(),
      memory_free_gi: z.number(),
      tenancy: z.enum(NODE_TENANCY),
      organization_id: text,
      host_id: text,
      health: z.enum(HEALTH),
      gpu_error: text,
      cordoned: z.boolean(),
      cordon_reason: text,
      address: text,
      os: text,
      kubelet: text,
      simulated: z.boolean(),
      instances: z.int(),
      created_at: time,
    }),
    columns: [
      'id',
      'health',
      'cordoned',
      'model',
      'gpus_free',
      'gpus_used',
      'gpus_broken',
      'instances',
      'tenancy',
      'organization_id',
    ],
    references: { organization_id: 'organizations', host_id: 'hosts' },
    sort: [
      'id',
      'model',
      'gpus',
      'gpus_used',
      'gpus_free',
      'gpus_broken',
      'cores_free',
      'memory_free_gi',
      'tenancy',
      'organization_id',
      'health',
      'instances',
      'created_at',
    ],
    filter: {
      ...q,
      model: oneOf(z.string().max(63)),
      tenancy: oneOf(z.enum(NODE_TENANCY)),
      organization_id: organization,
      health: oneOf(z.enum(HEALTH)),
      cordoned: z.boolean().optional(),
    },
  },
  orphans: {
    menu: 'storage',
    one: 'thing that nobody owns',
    row: z.object({
      id: z.string(),
      kind: z.enum(ORPHAN_KINDS),
      name: z.string(),
      namespace: text,
      organization_id: text,
      why: z.enum(ORPHAN_REASONS),
      size_gi: z.number().nullable(),
      storage_class: text,
      node: text,
      created_at: time,
    }),
    columns: ['kind', 'name', 'namespace', 'why', 'size_gi', 'storage_class', 'node', 'created_at'],
    order: ['created_at', 'ASC'],
    sort: ['id', 'kind', 'name', 'namespace', 'why', 'size_gi', 'storage_class', 'node', 'created_at'],
    references: { node: 'nodes' },
    filter: {
      ...q,
      kind: oneOf(z.enum(ORPHAN_KINDS)),
      why: oneOf(z.enum(ORPHAN_REASONS)),
      storage_class: oneOf(z.string().max(253)),
      node: oneOf(z.string().max(253)),
    },
  },
  'storage-fill': {
    menu: 'storage',
    one: 'storage class on a node',
    row: z.object({
      id: z.string(),
      storage_class: z.string(),
      /** Null: volumes of this class are tied to no single node. */
      node: text,
      volumes: z.int(),
      claimed_gi: z.number(),
      /** How many of the volumes somebody has measured; the values that follow are of those. */
      measured: z.int(),
      used_gi: z.number(),
      total_gi: z.number(),
      fill_percent: z.number().nullable(),
    }),
    columns: ['storage_class', 'node', 'fill_percent', 'used_gi', 'total_gi', 'claimed_gi', 'volumes', 'measured'],
    order: ['fill_percent', 'DESC'],
    references: { node: 'nodes' },
    sort: ['id', 'storage_class', 'node', 'volumes', 'claimed_gi', 'measured', 'used_gi', 'total_gi', 'fill_percent'],
    filter: { ...q, storage_class: oneOf(z.string().max(253)), node: oneOf(z.string().max(253)) },
  },
} as const;
export type ComputingResourceName = keyof typeof RESOURCES;

/** The order of tabs and of what a search finds. Kinds that are not named here come after these. */
const FIRST: readonly ComputingResourceName[] = [
  ...([
    'hosts',
    'instances',
    'jobs',
    'services',
    'deployments',
    'processing',
    'fine-tunes',
    'evaluations',
    'policies',
  ] as const),
  ...(['nodes', 'images', 'snapshots', 'disks', 'orphans', 'storage-fill'] as const),
];
export const COMPUTING_RESOURCES = Object.fromEntries(
  [...new Set([...FIRST, ...(Object.keys(RESOURCES) as ComputingResourceName[])])].map((name) => [
    name,
    RESOURCES[name],
  ]),
) as unknown as typeof RESOURCES;
export type ComputingRow<Name extends ComputingResourceName> = z.output<(typeof COMPUTING_RESOURCES)[Name]['row']>;
export type KindRow = ComputingRow<'instances'>;

const reason = plainText(1000).meta({
  description: 'Why: the audit log keeps it, and members of the organisation read it.',
});
const confirm = z
  .string()
  .max(253)
  .optional()
  .meta({ description: 'The name once more, where the command destroys something.' });

/** An object that belongs to another, or that another belongs to. */
const related = z.object({
  /** The resource's name in the operators' console; null if the console has no list of these. */
  resource: text,
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  phase_label: text,
  tone: tone.nullable(),
});

export const kindAbout = z.object({
  /** Read-only: without values of variables, and without who wrote which field. */
  yaml: z.string(),
  conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string(), since: time.nullable() })),
  history: z.array(stateView),
  /** Newest first; null if the API server did not say. */
  events: z
    .array(
      z.object({
        at: time.nullable(),
        type: z.string(),
        reason: z.string(),
        message: z.string(),
        count: z.int(),
        object: z.string(),
      }),
    )
    .nullable(),
  pods: z.array(z.object({ name: z.string(), node: text, ip: text, phase: z.string() })),
  related: z.array(related),
  runs: z.array(runView),
  /** Newest first. Amounts are what is billed so far. */
  intervals: z.array(
    z.object({
      seq: z.int(),
      run: z.int().nullable().meta({ description: 'The run that used it, of a job.' }),
      parts: text.meta({ description: 'What of the object used it, such as the workers 0-3, 5.' }),
      from: time,
      to: time.nullable(),
      billed_to: time,
      uses: z.array(z.object({ resource: z.string(), model: text, quantity: z.number() })),
      list: z.string(),
      net: z.string(),
    }),
  ),
  cost: z.object({ currency: z.string(), list: z.string(), net: z.string() }).nullable(),
  audit: z.array(
    z.object({
      id: z.int(),
      at: time,
      actor_name: text,
      actor_kind: z.string(),
      action: z.string(),
      action_label: z.string().nullable(),
      decision: z.string(),
      reason: text,
    }),
  ),
});
export type KindAbout = z.output<typeof kindAbout>;

export const nodeAbout = z.object({
  labels: z.record(z.string(), z.string()),
  conditions: kindAbout.shape.conditions,
  events: kindAbout.shape.events,
  /** The Pods that run there, of every tenant: a drain ends runs of instances, workers and replicas. */
  pods: z.array(
    z.object({
      name: z.string(),
      namespace: z.string(),
      organization_id: text,
      /** The row of the object that it is a run, a worker or a replica of. */
      resource: z
        .enum(['instances', 'jobs', 'services', 'deployments', 'processing', 'fine-tunes', 'evaluations'])
        .nullable(),
      object_id: text,
      object_name: text,
      gpus: z.int(),
      /** Its fate after a drain: it stays, moves to another node, or waits for this one because its host has no other. */
      after: z.enum(['stays', 'moves', 'waits']),
    }),
  ),
  audit: kindAbout.shape.audit,
});
export type NodeAbout = z.output<typeof nodeAbout>;

export const batchAnswer = z.object({
  id: z.string(),
  name: z.string(),
  code: z.int().meta({ description: '0: accepted.' }),
  error: z.string().nullable(),
  message: z.string(),
});
export type StaffBatchAnswer = z.output<typeof batchAnswer>;

const tag = 'admin';
const COMMANDED = [
  'action_not_allowed',
  'confirmation_needed',
  'disk_in_use',
  'instance_not_shut_down',
  'policy_refused',
  'official_image',
  'not_enough_credit',
  'spend_cap_reached',
  'member_cap_reached',
  'no_price',
  'plan_limit',
] as const satisfies readonly ProblemCode[];

const pascal = (name: string) => name.replaceAll(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
export const actId = (name: AdminKindName): string => `adminAct${pascal(name)}`;
export const batchId = (name: AdminKindName): string => `adminBatch${pascal(name)}`;
export const aboutId = (name: AdminKindName): string => `adminAbout${pascal(name)}`;
export const logId = (name: AdminKindName): string => `adminLog${pascal(name)}`;
export const replicaLogId = (name: AdminKindName): string => `adminReplicaLog${pascal(name)}`;

const staffLogQuery = z.strictObject({
  tail: z.coerce.number().int().min(0).max(MOST_LOG_LINES).optional(),
  since: dateTime.optional(),
  search: z.string().min(1).max(200).optional(),
  timestamps: z.stringbool().default(false),
});

export const staffAct = (actions: readonly string[]) =>
  z.strictObject({ action: z.enum(actions as [string, ...string[]]), confirm, reason });
export const staffBatch = (actions: readonly string[]) =>
  z.strictObject({
    action: z.enum(actions as [string, ...string[]]),
    ids: z.array(id).min(1, 'nothing_selected').max(MOST_AT_ONCE),
    confirm: z
      .array(z.string().max(253))
      .max(MOST_AT_ONCE)
      .optional()
      .meta({ description: 'The names once more, where the command destroys something.' }),
    reason,
  });

function routesOfKind(name: AdminKindName): RouteFacts[] {
  const facts: AdminKind = ADMIN_KINDS[name];
  const { menu, one } = OF_KINDS[name];
  const params = z.object({ id });
  const path = `/admin/${name}`;
  const change = { platform: menu, role: 'administrator' } as const;
  const commands = facts.tenants === 'write' ? staffCommands(facts) : [];
  const runs = facts.api?.runs;
  return [
    ...(commands.length > 0
      ? [
          defineRoute({
            id: actId(name),
            method: 'POST',
            path: `${path}/{id}/action`,
            tag,
            summary: `Gives a tenant's ${one} a command; its organisation is told who did it, and why.`,
            access: change,
            params,
            body: staffAct(commands),
            answer: { raw: COMPUTING_RESOURCES[name].row },
            status: 202,
            problems: COMMANDED,
          }),
          defineRoute({
            id: batchId(name),
            method: 'POST',
            path: `${path}/batch`,
            tag,
            summary: `Gives several ${name} one command; each has its own answer.`,
            access: change,
            body: staffBatch(commands),
            answer: { raw: z.array(batchAnswer) },
            problems: ['nothing_selected'],
          }),
        ]
      : []),
    defineRoute({
      id: aboutId(name),
      method: 'GET',
      path: `${path}/{id}/about`,
      tag,
      summary: `What is known of one ${one} besides its row.`,
      access: { platform: menu },
      params,
      answer: { raw: kindAbout },
      problems: [],
    }),
    ...(runs
      ? [
          defineRoute({
            id: logId(name),
            method: 'GET',
            path: `${path}/{id}/runs/{number}/log`,
            tag,
            summary:
              'What the program of a run has written so far. The header X-Reason says why, percent-encoded; the audit log keeps who read it.',
            access: change,
            params: params.extend({ number: z.coerce.number().int().min(1).max(MOST_RUN_NUMBER) }),
            query: runs.hasParts ? staffLogQuery.extend({ worker: workerNumber }) : staffLogQuery,
            answer: { file: 'text/plain' },
            exempt: true,
            problems: ['container_not_running', 'log_not_kept', 'too_many_logs', 'reason_needed'],
          }),
        ]
      : []),
    ...(facts.api?.replicas
      ? [
          defineRoute({
            id: replicaLogId(name),
            method: 'GET',
            path: `${path}/{id}/replica/{pod}/log`,
            tag,
            summary:
              'What the program of a replica has written. The header X-Reason says why, percent-encoded; the audit log keeps who read it.',
            access: change,
            params: params.extend({ pod: z.string().min(1).max(253) }),
            query: staffLogQuery.extend({ previous: replicaQuery.shape.previous }),
            answer: { file: 'text/plain' },
            exempt: true,
            problems: ['container_not_running', 'log_not_kept', 'too_many_logs', 'reason_needed'],
          }),
        ]
      : []),
  ];
}

/** By their ids. */
export const KIND_COMMANDS: Readonly<Record<string, RouteFacts>> = Object.fromEntries(
  ADMIN_KIND_NAMES.flatMap(routesOfKind).map((route) => [route.id, route]),
);

export const NODE_ROUTES = {
  adminActNodes: defineRoute({
    id: 'adminActNodes',
    method: 'POST',
    path: '/admin/nodes/{id}/action',
    tag,
    summary:
      'Takes a node out of service or back, ends the runs on it so that they go on elsewhere, or says whose own it is.',
    access: { platform: 'computing', role: 'administrator' },
    params: z.object({ id }),
    body: z.strictObject({
      action: z.enum(NODE_COMMANDS),
      organization_id: z
        .string()
        .min(1)
        .max(63)
        .optional()
        .meta({ description: 'join: the organisation that brought the node along.' }),
      confirm: confirm.meta({ description: 'drain: the name of the node once more.' }),
      reason,
    }),
    answer: { raw: COMPUTING_RESOURCES.nodes.row.extend({ approval_id }) },
    status: 202,
    problems: ['node_command', 'node_taken', 'node_kept', 'confirmation_needed', 'policy_refused'],
  }),
  adminAboutNodes: defineRoute({
    id: 'adminAboutNodes',
    method: 'GET',
    path: '/admin/nodes/{id}/about',
    tag,
    summary: 'What runs on a node, and what is known of it besides its row.',
    access: { platform: 'computing' },
    params: z.object({ id }),
    answer: { raw: nodeAbout },
    problems: [],
  }),
};

export const COMPUTING_COMMANDS: Readonly<Record<string, RouteFacts>> = { ...KIND_COMMANDS, ...NODE_ROUTES };
