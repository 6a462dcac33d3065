// Whole GPU nodes kept for one organisation: rented by months, or its own and joined by platform staff.
// A node is a host's from the moment its Lease is made until it is wiped and that Lease is gone.

import * as z from 'zod';
import { CREDIT_REASONS } from '../billing/credit.ts';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { diskMounts } from '../fields/disk-mounts.ts';
import { credit, intervals } from '../fields/metering.ts';
import { gpuModel } from '../fields/name.ts';
import { plainTextRule } from '../fields/plain-text.ts';
import { changeBody, creationBody, hostName } from '../http/kind-bodies.ts';
import { type Beside, type CommonView, commonView, price, time } from '../kind-api.ts';
import { RULE_WORDS } from '../rule-words.ts';

const spec = z
  .object({
    displayName: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({
        description: 'The name people see. Letters, digits and underscore.',
        ...cel(["self.matches('^[A-Za-z0-9_]+$')", RULE_WORDS.letters]),
      }),
    creator: z
      .string()
      .max(63)
      .optional()
      .describe('The name of the account that created the object. It cannot be changed.')
      .meta(cel(['self == oldSelf', RULE_WORDS.creatorFixed])),
    source: z
      .enum(['rented', 'owned'])
      .default('rented')
      .meta({
        description: "rented: nodes of the platform. owned: the organisation's own nodes. It cannot be changed.",
        ...cel(['self == oldSelf', RULE_WORDS.hostSourceFixed]),
      }),
    gpu: z
      .object({
        model: gpuModel,
        count: z.int().min(1).max(16).meta({ description: 'How many GPUs each node has.' }),
      })
      .describe('The GPUs of each node. It cannot be changed.')
      .meta(cel(['self == oldSelf', RULE_WORDS.hostGpuFixed])),
    nodes: z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .meta({
        description: 'How many nodes the host has. The number can only grow.',
        ...cel(['self >= oldSelf', RULE_WORDS.hostNodesGrow]),
      }),
    months: z
      .int()
      .min(1)
      .max(1200)
      .default(1)
      .meta({
        description: 'For how many months the host is rented; raise it to renew. Owned nodes do not expire.',
        ...cel(['self >= oldSelf', RULE_WORDS.hostMonthsGrow]),
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
  releasing: { tone: 'progress', en: 'Releasing', zh: '释放中', ja: '解放中' },
  draining: { tone: 'warning', en: 'Draining', zh: '清退中', ja: '退避中' },
  expired: { tone: 'bad', en: 'Expired', zh: '已到期', ja: '期限切れ' },
  lost: { tone: 'bad', en: 'Lost', zh: '已丢失', ja: '消失' },
  pending: { tone: 'progress', en: 'Pending', zh: '等待中', ja: '待機中' },
  activeSync: { tone: 'progress', en: 'Synchronising', zh: '同步中', ja: '同期中' },
  notReady: { tone: 'bad', en: 'Not ready', zh: '未就绪', ja: '準備未完了' },
  active: { tone: 'good', en: 'Active', zh: '可用', ja: '利用可能' },
} as const;

const reasons = {
  Active: { en: 'The host takes instances.', zh: '主机可运行实例。', ja: 'ホストでインスタンスを実行できます。' },
  ExpiresSoon: {
    en: 'The host expires at {at}, in {hours|hour|hours}.',
    zh: '主机将于 {at} 到期，剩余 {hours} 小时。',
    ja: 'ホストは {at} に期限切れになります（残り {hours} 時間）。',
  },
  WaitingForNodes: {
    en: 'Needs {nodes|node|nodes} with {count} × {model}; {free} of {all} free; waiting before you: {ahead}.',
    zh: '需要 {nodes} 个配有 {count} × {model} 的节点；共 {all} 个，空闲 {free} 个；排在您前面的有 {ahead} 个。',
    ja: '{count} × {model} のノードが {nodes} 台必要です。{all} 台中 {free} 台が空き、先に待っているのは {ahead} 件です。',
  },
  TooFewNodes: {
    en: 'Needs {nodes|node|nodes} with {count} × {model}; there are {all}.',
    zh: '需要 {nodes} 个配有 {count} × {model} 的节点；总共只有 {all} 个。',
    ja: '{count} × {model} のノードが {nodes} 台必要ですが、全部で {all} 台です。',
  },
  UnknownNodes: {
    en: 'No node has {count} × {model}. There are: {models}.',
    zh: '没有节点配有 {count} × {model}。现有：{models}。',
    ja: '{count} × {model} のノードはありません。利用可能：{models}。',
  },
  QuotaExceeded: {
    en: "Needs {count|card|cards}; the organisation's other hosts have {held} of the {quota} that it may rent.",
    zh: '需要 {count} 张卡；组织最多可租用 {quota} 张，其他主机已占 {held} 张。',
    ja: '{count} 枚が必要です。組織が借りられる {quota} 枚のうち {held} 枚を他のホストが使用しています。',
  },
  Claiming: {
    en: 'Nodes are being taken: {held} of {nodes}.',
    zh: '正在占用节点：{held}/{nodes}。',
    ja: 'ノードを確保しています：{held}/{nodes}。',
  },
  Confirming: {
    en: 'Label, taint and free room of node {node} are being confirmed.',
    zh: '正在确认节点 {node} 的标签、污点和空闲状态。',
    ja: 'ノード {node} のラベル、テイント、空きを確認しています。',
  },
  GpusMissing: {
    en: 'Node {node} offers {seen} of its {count} cards.',
    zh: '节点 {node} 的 {count} 张卡中仅有 {seen} 张可用。',
    ja: 'ノード {node} の {count} 枚のうち {seen} 枚のみ利用できます。',
  },
  ...CREDIT_REASONS,
  NodesNotReady: {
    en: 'These nodes do not answer: {nodes}.',
    zh: '以下节点无响应：{nodes}。',
    ja: '次のノードが応答しません：{nodes}。',
  },
  NodesLost: {
    en: 'The nodes of the host are gone, and {free} of {all} others with {count} × {model} are free.',
    zh: '主机的节点已丢失；其他配有 {count} × {model} 的 {all} 个节点中有 {free} 个空闲。',
    ja: 'ホストのノードがなくなりました。{count} × {model} の他のノード {all} 台中 {free} 台が空いています。',
  },
  Expired: {
    en: 'The host expired at {at} and takes no new instances. Those on it hibernate at {until} unless it is renewed.',
    zh: '主机已于 {at} 到期，不再接受新实例。若不续期，其上的实例将于 {until} 休眠。',
    ja: 'ホストは {at} に期限切れとなり、新しいインスタンスを受け付けません。更新しない場合、{until} に休止します。',
  },
  Returned: {
    en: 'The host expired at {at}, and its nodes were given back.',
    zh: '主机已于 {at} 到期，节点已归还。',
    ja: 'ホストは {at} に期限切れとなり、ノードは返却されました。',
  },
  InstancesLeft: {
    en: 'Containers of the organisation are still on its nodes, or not saved yet: {names}.',
    zh: '其节点上仍有本组织的容器，或尚未保存：{names}。',
    ja: 'ノード上に組織のコンテナが残っているか、まだ保存されていません：{names}。',
  },
  WaitsForDisks: {
    en: 'Disks that only node {node} can reach are still there: {disks}.',
    zh: '仍有只能由节点 {node} 访问的磁盘：{disks}。',
    ja: 'ノード {node} からのみ利用できるディスクが残っています：{disks}。',
  },
  Wiping: {
    en: 'What the organisation left on node {node} is being wiped.',
    zh: '正在清除组织在节点 {node} 上的数据。',
    ja: 'ノード {node} に残る組織のデータを消去しています。',
  },
  Releasing: { en: 'The nodes are being given back.', zh: '正在归还节点。', ja: 'ノードを返却しています。' },
  Released: {
    en: 'All nodes are given back; the last use is being billed.',
    zh: '所有节点已归还，正在结算最后一次使用。',
    ja: 'すべてのノードを返却しました。最後の利用分を精算しています。',
  },
  Refused: {
    en: 'The cluster refuses to set a node aside: {detail}',
    zh: '集群拒绝划出节点：{detail}',
    ja: 'クラスターがノードの確保を拒否しました：{detail}',
  },
  // Of conditions.
  NotYetActive: {
    en: 'The host was not active yet.',
    zh: '主机尚未可用。',
    ja: 'ホストはまだ利用可能ではありません。',
  },
  NodesComplete: {
    en: 'The host has all its nodes.',
    zh: '主机的节点齐全。',
    ja: 'ホストのノードはすべて揃っています。',
  },
  NotSoon: { en: 'The host is rented until {at}.', zh: '主机租用至 {at}。', ja: 'ホストは {at} まで利用できます。' },
  MonthsUnpaid: {
    en: 'Of {months} months {counted} count so far: no credit is reserved for the others.',
    zh: '{months} 个月中目前有 {counted} 个月生效：其余月份尚未预留额度。',
    ja: '{months} か月のうち {counted} か月が有効です。残りの与信はまだ確保されていません。',
  },
  InGrace: {
    en: 'Instances on the host may go on until {until}.',
    zh: '主机上的实例可继续运行至 {until}。',
    ja: 'ホスト上のインスタンスは {until} まで継続できます。',
  },
  GraceOver: {
    en: 'Instances on the host hibernate; its nodes are given back.',
    zh: '主机上的实例将休眠，节点将归还。',
    ja: 'ホスト上のインスタンスは休止し、ノードは返却されます。',
  },
  DisksKept: {
    en: 'The disks of the host are kept for instances on it.',
    zh: '主机的磁盘已为其上的实例保留。',
    ja: 'ホストのディスクは、そのホスト上のインスタンス用に確保されています。',
  },
  DiskNotFound: {
    en: 'spec.disks: there is no disk {disk}.',
    zh: 'spec.disks：没有名为 {disk} 的磁盘。',
    ja: 'spec.disks：ディスク {disk} はありません。',
  },
  DiskInUse: {
    en: 'spec.disks: disk {disk} is in use by {by}, and is not kept for this host.',
    zh: 'spec.disks：磁盘 {disk} 正由 {by} 使用，未为此主机保留。',
    ja: 'spec.disks：ディスク {disk} は {by} が使用中のため、このホスト用に確保されていません。',
  },
  DiskNotReady: {
    en: 'spec.disks: disk {disk} is being made or assigned.',
    zh: 'spec.disks：磁盘 {disk} 正在创建或分配。',
    ja: 'spec.disks：ディスク {disk} を作成または割り当てています。',
  },
  OthersLeft: {
    en: 'Containers that were there before are still on node {node}; it takes no new ones.',
    zh: '节点 {node} 上仍有此前的容器；不再接受新的容器。',
    ja: 'ノード {node} には以前からのコンテナが残っています。新しいものは受け付けません。',
  },
  NoAgentOnNode: {
    en: 'No agent runs on {nodes}, so nothing there could be wiped; nothing could be saved there either.',
    zh: '{nodes} 上没有代理程序，无法清除数据，也未曾保存数据。',
    ja: '{nodes} にはエージェントがないため消去できません。保存されたデータもありません。',
  },
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

export const gpuHost = defineKind({
  kind: 'GpuHost',
  plural: 'gpuhosts',
  shortNames: ['ghost'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'hst',
  collection: 'elnode/v1/instance',
  words: { en: 'Host', zh: '主机', ja: 'ホスト' },
  spec,
  status,
  rules: [
    {
      rule: '!has(oldSelf.spec.creator) || has(self.spec.creator)',
      words: RULE_WORDS.creatorKept,
    },
    {
      rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50",
      words: RULE_WORDS.hostName,
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
  reasons,
  actions: {
    renew: {
      en: 'Renew',
      zh: '续期',
      ja: '更新',
      from: ['expired', 'draining', 'lost', 'activeSync', 'notReady', 'active'],
      does: (object) => ({ spec: { months: ((object as GpuHost).spec.months ?? 1) + 1 } }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    edit: {
      en: 'Edit',
      zh: '编辑',
      ja: '編集',
      from: anyPhase.filter((phase) => phase !== 'releasing'),
      does: () => ({ spec: {} }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    release: {
      en: 'Release',
      zh: '释放',
      ja: '解放',
      from: anyPhase.filter((phase) => phase !== 'releasing'),
      does: 'delete',
      right: 'use',
      danger: 'destroys',
      spends: false,
    },
  },
  cost: {
    source: 'host_rent',
    wishes(object) {
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
    gpu_spec: `${spec.gpu.count} × ${spec.gpu.model}`,
    gpu_count: spec.gpu.count * spec.nodes,
    gpu_free: related.freeGpus ?? 0,
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
export type GpuHostPhase = PhaseOf<{ phases: typeof phases }>;
export type GpuHostReason = ReasonOf<{ reasons: typeof reasons }>;
