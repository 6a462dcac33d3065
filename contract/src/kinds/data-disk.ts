// A disk that outlives whatever it is mounted to: one claim, made once and never silently made anew.
// A file system on a screen is a view of it, served by a Pod beside it while `spec.files` asks for one.
import * as z from 'zod';
import { CREDIT_REASONS } from '../billing/credit.ts';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf, sentence } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { credit, intervals } from '../fields/metering.ts';
import { displayName, objectName } from '../fields/name.ts';
import { sizeGi } from '../fields/size.ts';
import { wishedDateTime } from '../fields/wished-date-time.ts';
import { changeBody, creationBody, objectId, peopleName } from '../http/kind-bodies.ts';
import { type Beside, bytes, type CommonView, commonView, price, time } from '../kind-api.ts';
import { RULE_WORDS } from '../rule-words.ts';

/** A wish for a file server holds for a day at most: one that is forgotten would stay for ever, on nobody's quota. */
export const MOST_FILES_HOURS = 24;

const spec = z
  .object({
    displayName: displayName.optional(),
    creator: z
      .string()
      .max(63)
      .optional()
      .meta({
        description: 'The name of the account that created the object. It cannot be changed.',
        ...cel(['self == oldSelf', RULE_WORDS.creatorFixed]),
      }),
    sizeGi: sizeGi.meta({
      description: 'The size in GiB. It can only grow.',
      ...cel(['self >= oldSelf', RULE_WORDS.diskGrows]),
    }),
    storageClassName: objectName
      .optional()
      .meta({ description: "The storage class of the disk. Absent: the cluster's default. It cannot be changed." }),
    access: z
      .enum(['Single', 'Many'])
      .default('Single')
      .meta({
        description: 'Single: one instance or host may write at a time. Many: several may. It cannot be changed.',
        ...cel(['self == oldSelf', RULE_WORDS.diskAccessFixed]),
      }),
    files: z
      .object({
        until: wishedDateTime.describe('When the file server ends, such as 2027-01-31T12:00:00Z; at most a day ahead.'),
      })
      .optional()
      .meta({ description: 'Asks for a file server on the disk.' }),
  })
  .meta(
    cel([
      'has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)',
      RULE_WORDS.diskClassFixed,
    ]),
  )
  .describe('What is wanted of the disk.');

const status = z
  .object({
    ...commonStatus,
    sizeGi: z.number().min(0).optional().meta({ description: 'The size of the volume in GiB.' }),
    usage: z
      .object({
        totalBytes: z.int().min(0).describe('The size of the file system in bytes.'),
        usedBytes: z.int().min(0).describe('The bytes that files take.'),
        availableBytes: z.int().min(0).describe('The bytes that can still be written.'),
        at: dateTime.describe('When it was measured.'),
        node: z.string().max(253).optional().describe('The node on which it was measured.'),
      })
      .optional()
      .meta({ description: 'How full the disk was when the node agent last measured it.' }),
    mountedBy: z
      .array(
        z.object({
          kind: z.enum(['GpuInstance', 'GpuHost']).describe('The kind of the object that has the disk.'),
          name: z.string().max(63).describe('The name of that object.'),
          mountPath: z.string().max(255).optional().describe('Where the disk is mounted there.'),
          atNextStart: z
            .boolean()
            .optional()
            .meta({ description: 'No Pod of the instance has it yet: it is there from the next start on.' }),
        }),
      )
      .max(1024)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['kind', 'name'] })
      .optional()
      .meta({ description: 'Who has the disk. Of a Single disk: the one that may write.' }),
    volumeName: z.string().max(253).optional().describe('The PersistentVolume that holds the data.'),
    claimUID: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The UID of the volume claim. A lost claim is not replaced by an empty one.' }),
    node: z
      .string()
      .max(253)
      .optional()
      .meta({ description: 'The node that the volume is tied to, where it is tied to a single one.' }),
    intervals: intervals.optional(),
    credit: credit.optional(),
    files: z
      .object({
        address: z.string().max(253).describe('The address of the file server, as host:port.'),
        readyAt: dateTime.optional().describe('When the file server first answered.'),
      })
      .optional()
      .meta({ description: 'The file server of the disk, once it answers.' }),
  })
  .describe('What is known of the disk. The platform writes it.');

const phases = {
  releasing: { tone: 'progress', en: 'Releasing', zh: '释放中', ja: '解放中' },
  inactive: { tone: 'bad', en: 'Inactive', zh: '未激活', ja: '非アクティブ' },
  mounted: { tone: 'good', en: 'Mounted', zh: '已挂载', ja: 'マウント済み' },
  active: { tone: 'good', en: 'Active', zh: '已激活', ja: 'アクティブ' },
} as const;

const reasons = {
  Available: { en: 'The disk can be mounted.', zh: '磁盘可以挂载。', ja: 'ディスクをマウントできます。' },
  WaitsForMount: {
    en: 'The disk can be mounted; its volume is made at the first mount.',
    zh: '磁盘可以挂载；首次挂载时创建存储卷。',
    ja: 'ディスクをマウントできます。ボリュームは最初のマウント時に作成されます。',
  },
  Mounted: {
    en: 'The disk is mounted by {by}.',
    zh: '磁盘已由 {by} 挂载。',
    ja: 'ディスクは {by} がマウントしています。',
  },
  MountsAtNextStart: {
    en: 'The disk is kept for {by}, and mounted there at the next start.',
    zh: '磁盘已为 {by} 保留，将在其下次启动时挂载。',
    ja: 'ディスクは {by} 用に確保されています。次回の起動時にマウントされます。',
  },
  Releasing: {
    en: 'The disk and all its data are being removed.',
    zh: '正在删除磁盘及其全部数据。',
    ja: 'ディスクとすべてのデータを削除しています。',
  },
  InUse: {
    en: 'The disk is removed once {by} has let it go.',
    zh: '待 {by} 释放后删除磁盘。',
    ja: '{by} が解放した後、ディスクを削除します。',
  },
  Released: {
    en: 'Everything is removed; the last use is being billed.',
    zh: '所有资源已清除，正在结算最后一次使用。',
    ja: 'すべて削除されました。最後の利用分を精算しています。',
  },
  Making: { en: 'The disk is being made.', zh: '正在创建磁盘。', ja: 'ディスクを作成しています。' },
  Provisioning: { en: 'The volume is being made.', zh: '正在创建存储卷。', ja: 'ボリュームを作成しています。' },
  NotProvisioned: {
    en: 'The storage does not make the volume; it goes on trying.',
    zh: '存储未能创建存储卷，仍在重试。',
    ja: 'ストレージがボリュームを作成できません。再試行を続けます。',
  },
  ClaimGoing: {
    en: 'The claim of the disk was deleted from outside; it is gone once nobody holds it any more.',
    zh: '磁盘的声明已被外部删除；待无人占用后即消失。',
    ja: 'ディスクのクレームが外部から削除されました。使用者がいなくなると失われます。',
  },
  DiskLost: {
    en: 'The claim of the disk was deleted from outside. Its data is not replaced by an empty disk: delete the disk, or have its volume given back.',
    zh: '磁盘的声明已被外部删除。系统不会以空磁盘代替其数据：请删除该磁盘，或请平台工作人员恢复其存储卷。',
    ja: 'ディスクのクレームが外部から削除されました。空のディスクで置き換えることはありません。ディスクを削除するか、プラットフォームの担当者にボリュームの復旧を依頼してください。',
  },
  VolumeLost: {
    en: 'The volume {volume} of the disk is gone, and its data with it. Delete the disk, or ask platform staff to restore the volume.',
    zh: '磁盘的存储卷 {volume} 及其数据已丢失。请删除该磁盘，或请平台工作人员恢复其存储卷。',
    ja: 'ディスクのボリューム {volume} がデータとともに失われました。ディスクを削除するか、プラットフォームの担当者にボリュームの復旧を依頼してください。',
  },
  StorageClassNotFound: {
    en: 'spec.storageClassName: there is no storage class {name}.',
    zh: 'spec.storageClassName：不存在存储类 {name}。',
    ja: 'spec.storageClassName：ストレージクラス {name} はありません。',
  },
  QuotaExceeded: {
    en: "The organisation's quota is used up: {detail}",
    zh: '组织配额已用尽：{detail}',
    ja: '組織のクォータを超えています：{detail}',
  },
  Refused: {
    en: 'The cluster refuses the disk: {detail}',
    zh: '集群拒绝了该磁盘：{detail}',
    ja: 'クラスターがディスクを拒否しました：{detail}',
  },
  NameTaken: {
    en: 'Another object already has the name {name}.',
    zh: '名称 {name} 已被其他对象占用。',
    ja: '名前 {name} は別のオブジェクトが使用しています。',
  },
  ...CREDIT_REASONS,
  UsageNotPosted: {
    en: 'Fifty sizes are not billed yet; the disk grows when they are.',
    zh: '有五十次扩容尚未计费，计费后才会继续扩容。',
    ja: '未請求のサイズ変更が 50 件あります。請求後に拡張されます。',
  },
  // Of the condition Resized.
  Resized: {
    en: 'The volume has the wanted size.',
    zh: '存储卷已达到所需大小。',
    ja: 'ボリュームは希望のサイズです。',
  },
  Resizing: {
    en: 'The volume grows from {from} to {to} GiB.',
    zh: '存储卷正从 {from} GiB 扩容至 {to} GiB。',
    ja: 'ボリュームを {from} GiB から {to} GiB に拡張しています。',
  },
  ResizeWaitsForMount: {
    en: 'The volume has grown; its file system follows when it is next mounted.',
    zh: '存储卷已扩容，文件系统将在下次挂载时扩容。',
    ja: 'ボリュームは拡張されました。ファイルシステムは次のマウント時に拡張されます。',
  },
  ResizeFailed: {
    en: 'spec.sizeGi: the volume can not be made larger: {detail}',
    zh: 'spec.sizeGi：无法扩容存储卷：{detail}',
    ja: 'spec.sizeGi：ボリュームを拡張できません：{detail}',
  },
  // Of the condition SizeEnforced.
  SizeEnforced: {
    en: 'The file system ends at the size of the disk.',
    zh: '文件系统以磁盘大小为上限。',
    ja: 'ファイルシステムはディスクのサイズを上限とします。',
  },
  SizeNotEnforced: {
    en: 'The storage does not hold the disk to its size: its file system has {total} GiB.',
    zh: '存储未限制磁盘大小：其文件系统为 {total} GiB。',
    ja: 'ストレージがディスクのサイズを制限していません。ファイルシステムは {total} GiB です。',
  },
  SizeSmaller: {
    en: 'When it was last measured the file system had {total} GiB.',
    zh: '上次测量时文件系统为 {total} GiB。',
    ja: '前回の測定時、ファイルシステムは {total} GiB でした。',
  },
  SizeUnmeasured: {
    en: 'Nobody has measured the file system yet.',
    zh: '尚未测量文件系统。',
    ja: 'ファイルシステムはまだ測定されていません。',
  },
  // Of the condition TiedToNode.
  TiedToNode: {
    en: 'The volume is on node {node}: whoever mounts the disk runs there.',
    zh: '存储卷位于节点 {node}：挂载该磁盘者只能在此节点运行。',
    ja: 'ボリュームはノード {node} にあります。マウントする側はそこで実行されます。',
  },
  TiedToNodes: {
    en: 'The volume can be reached from some nodes only: {terms}.',
    zh: '仅部分节点可访问该存储卷：{terms}。',
    ja: 'ボリュームには一部のノードからのみアクセスできます：{terms}。',
  },
  NotTied: {
    en: 'Every node can mount the disk.',
    zh: '所有节点均可挂载该磁盘。',
    ja: 'どのノードからもマウントできます。',
  },
  NoVolume: { en: 'There is no volume yet.', zh: '尚无存储卷。', ja: 'ボリュームはまだありません。' },
  // Of the condition FilesAvailable.
  FilesReady: { en: 'The file server answers.', zh: '文件服务器已就绪。', ja: 'ファイルサーバーが応答しています。' },
  FilesStarting: {
    en: 'The file server is starting.',
    zh: '文件服务器正在启动。',
    ja: 'ファイルサーバーを起動しています。',
  },
  FilesInUse: {
    en: 'The disk has one writer, and that is {by}: use sftp there.',
    zh: '磁盘仅允许一方写入，目前为 {by}：请在其中使用 sftp。',
    ja: 'ディスクに書き込めるのは 1 者のみで、現在は {by} です。そちらで sftp を使用してください。',
  },
  FilesUntilMalformed: {
    en: 'spec.files.until: {value} is not a date and time such as 2027-01-31T09:00:00Z.',
    zh: 'spec.files.until：{value} 不是有效的日期时间（例如 2027-01-31T09:00:00Z）。',
    ja: 'spec.files.until：{value} は 2027-01-31T09:00:00Z のような日時ではありません。',
  },
  FilesTooLong: {
    en: 'spec.files.until may be at most {hours} hours ahead.',
    zh: 'spec.files.until 最多只能设为 {hours} 小时之后。',
    ja: 'spec.files.until は最大 {hours} 時間先までです。',
  },
  FilesFailed: {
    en: 'The file server can not run: {detail}',
    zh: '文件服务器无法运行：{detail}',
    ja: 'ファイルサーバーを実行できません：{detail}',
  },
} as const;

const view = commonView.extend({
  status: z.enum(['active', 'inactive', 'mounted']),
  size_gi: z.number(),
  used_bytes: bytes.nullable(),
  available_bytes: bytes.nullable(),
  total_bytes: bytes.nullable(),
  measured_time: time.nullable().meta({ description: 'When used, available and total were last measured.' }),
  access: z.enum(['Single', 'Many']),
  mounted_by: z.array(
    z.object({
      kind: z.enum(['GpuInstance', 'GpuHost']),
      id: z.string(),
      name: z.string().meta({ description: 'The name people see; the id where nobody chose one.' }),
      mount_path: z.string().nullable(),
      at_next_start: z.boolean().meta({ description: 'It is kept for the instance, which does not have it yet.' }),
    }),
  ),
  price,
  spec: spec,
});
export type DiskView = z.input<typeof view>;

const confirm = objectId.optional();

export const dataDisk = defineKind({
  kind: 'DataDisk',
  plural: 'datadisks',
  shortNames: ['gdisk'],
  scope: 'Namespaced',
  idPrefix: 'dsk',
  collection: 'stor/v1/data-disk',
  tenants: 'write',
  words: { en: 'Disk', zh: '磁盘', ja: 'ディスク' },
  spec,
  status,
  rules: [
    {
      rule: '!has(oldSelf.spec.creator) || has(self.spec.creator)',
      words: RULE_WORDS.creatorKept,
    },
    {
      rule: "size(self.metadata.name) <= 50 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      words: RULE_WORDS.diskName,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Size-Gi', jsonPath: '.status.sizeGi', type: 'integer' },
    { name: 'Used-Bytes', jsonPath: '.status.usage.usedBytes', type: 'integer' },
    // As text: of a list a column shows only the first.
    { name: 'Mounted-By', jsonPath: '.status.reasonArgs.by' },
    { name: 'Node', jsonPath: '.status.node' },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  reasons,
  actions: {
    edit: {
      en: 'Edit',
      zh: '编辑',
      ja: '編集',
      from: ['inactive', 'mounted', 'active'],
      does: () => ({ spec: {} }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    release: {
      en: 'Delete',
      zh: '删除',
      ja: '削除',
      from: ['inactive', 'active'],
      does: 'delete',
      right: 'use',
      danger: 'destroys',
      spends: false,
    },
  },
  cost: {
    source: 'container_rent',
    wishes: (object) => [{ resource: 'disk', quantity: (object as DataDisk).spec.sizeGi }],
  },
  phaseInView: ({ metadata, ...object }) =>
    metadata.deletionTimestamp ? 'releasing' : ((object as Partial<DataDisk>).status?.phase ?? 'inactive'),
  touches: ['listMounts', 'getWalletBalances'],
  api: {
    names: ['Disk', 'Disks'],
    view,
    show: diskView,
    statusesOf: (phase: string) => [statusOf(phase)],
    filters: {},
    writes: {
      create: creationBody(spec, 'sizeGi', 'storageClassName', 'access').extend({ displayName: peopleName }),
      change: changeBody(spec, 'sizeGi').extend({ displayName: peopleName.optional() }),
      options: { confirm: confirm.meta({ description: 'release: the id once more, since all data is lost.' }) },
      removal: { confirm: confirm.meta({ description: 'The id once more, since all data is lost.' }) },
      problems: ['name_rule', 'confirmation_needed', 'disk_in_use'],
    },
  },
});

/** Reasons whose sentence says who has a disk. */
const MOUNTED = ['Mounted', 'MountsAtNextStart'] as const;

export const holderKey = ({ kind, name }: { kind: string; name: string }): string => `${kind}/${name}`;

/** What those who have the disk are called, by `holderKey`. */
export interface DiskHolders {
  holderNames?: ReadonlyMap<string, string>;
}

const statusOf = (phase: string): DiskView['status'] =>
  phase === 'active' || phase === 'mounted' ? phase : 'inactive';

function diskView({ spec, status }: DataDisk, common: CommonView, { language, price, related }: Beside<DiskHolders>) {
  const { usage } = status ?? {};
  const mounted_by = (status?.mountedBy ?? []).map(({ kind, name, mountPath, atNextStart }) => ({
    kind,
    id: name,
    name: related.holderNames?.get(holderKey({ kind, name })) ?? name,
    mount_path: mountPath ?? null,
    at_next_start: atNextStart ?? false,
  }));
  const mounted = MOUNTED.find((reason) => reason === common.reason);
  const by = mounted_by.map(({ name }) => name).join(', ');
  return {
    ...common,
    // The status tells of ids, which never change.
    ...(mounted && common.message !== null && { message: sentence(reasons[mounted], language, { by }) }),
    status: statusOf(common.phase),
    size_gi: spec.sizeGi,
    used_bytes: usage?.usedBytes ?? null,
    available_bytes: usage?.availableBytes ?? null,
    total_bytes: usage?.totalBytes ?? null,
    measured_time: usage?.at ?? null,
    access: spec.access,
    mounted_by,
    price,
    spec,
  } satisfies DiskView;
}

export type DataDisk = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type DataDiskStatus = NonNullable<DataDisk['status']>;
export type DataDiskPhase = PhaseOf<{ phases: typeof phases }>;
export type DataDiskReason = ReasonOf<{ reasons: typeof reasons }>;
