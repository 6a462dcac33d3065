// An image that instances may start from: official ones in the platform's namespace, own ones in the organisation's.
// A digest counts only once a container was started from it: that is what "ready" says.

import * as z from 'zod';
import { CREDIT_REASONS } from '../billing/credit.ts';
import { LEAST_SAVED_BYTES, sizeUse } from '../billing/resources.ts';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { imageSource } from '../fields/image-source.ts';
import { credit, intervals } from '../fields/metering.ts';
import { displayName, objectName } from '../fields/name.ts';
import { GI } from '../fields/quantity.ts';
import { changeBody, creationBody, imageReference, peopleName } from '../http/kind-bodies.ts';
import { type Beside, bytes, type CommonView, commonView, price } from '../kind-api.ts';
import { REGISTRY } from '../names.ts';
import { RULE_WORDS } from '../rule-words.ts';

const spec = z
  .object({
    displayName: displayName.optional(),
    creator: z
      .string()
      .max(63)
      .optional()
      .describe('The name of the account that created the object. It cannot be changed.')
      .meta(cel(['self == oldSelf', RULE_WORDS.creatorFixed])),
    source: imageSource,
    official: z.boolean().default(false).meta({
      description:
        'Whether every organisation may use the image. Only images in the platform namespace can be official.',
    }),
    llm: z.boolean().default(false).meta({ description: 'Whether the image serves language models.' }),
    fromInstance: objectName.optional().meta({
      description:
        'The name of a GpuInstance in this namespace: what was changed in it is saved as this image. spec.source says where to.',
    }),
    pullSecret: objectName.optional().meta({
      description:
        'The name of a Secret in this namespace, of type kubernetes.io/dockerconfigjson, that logs in to the registry.',
    }),
  })
  .describe('What is wanted of the image.');

const status = z
  .object({
    ...commonStatus,
    digest: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'The digest that spec.source had when it was last checked.' }),
    sizeBytes: z.int().min(0).optional().describe('The size of the image in bytes, as its node reports it.'),
    verifiedAt: dateTime.optional().describe('When a container was last started from the image.'),
    checked: z.string().max(640).optional().meta({ description: 'The source and the pull secret of the last check.' }),
    exported: z
      .string()
      .max(768)
      .optional()
      .meta({ description: 'The saved root file system that was copied to spec.source.' }),
    savedBytes: z.int().min(0).optional().meta({
      description:
        'The bytes in the registry that are billed for this image: what the instance had saved above its first image.',
    }),
    intervals: intervals.optional(),
    credit: credit.optional(),
    failures: z.int().min(0).optional().meta({ description: 'Failed checks in a row.' }),
    failedAt: dateTime.optional().meta({ description: 'When the last check failed: the next follows after a pause.' }),
  })
  .describe('What is known of the image. The platform writes it.');

const phases = {
  failed: { tone: 'bad', en: 'Failed', zh: '失败', ja: '失敗' },
  processing: { tone: 'progress', en: 'Processing', zh: '处理中', ja: '処理中' },
  success: { tone: 'progress', en: 'Pulled', zh: '已拉取', ja: '取得済み' },
  ready: { tone: 'good', en: 'Ready', zh: '就绪', ja: '準備完了' },
} as const;

/** What an export is counted as until it is copied: without credit for that none is begun. */
const EXPECTED_GI = 10;

const reasons = {
  Verified: {
    en: 'A container started from {digest}.',
    zh: '已从 {digest} 启动容器。',
    ja: '{digest} からコンテナを起動できました。',
  },
  Verifying: {
    en: 'The image is being pulled and started once.',
    zh: '正在拉取镜像并试启动。',
    ja: 'イメージを取得して試験起動しています。',
  },
  WaitsForTurn: {
    en: "The organisation's other images are being checked, {most} at a time. This one waits its turn.",
    zh: '正在检查组织的其他镜像（同时最多 {most} 个），此镜像正在排队。',
    ja: '組織の他のイメージを検証しています（同時に {most} 件まで）。このイメージは順番待ちです。',
  },
  ...CREDIT_REASONS,
  WaitingForSave: {
    en: 'The instance {instance} is being saved.',
    zh: '正在保存实例 {instance}。',
    ja: 'インスタンス {instance} を保存しています。',
  },
  Copying: {
    en: 'What the instance {instance} saved is being copied to spec.source.',
    zh: '正在将实例 {instance} 保存的内容复制到 spec.source。',
    ja: 'インスタンス {instance} が保存した内容を spec.source にコピーしています。',
  },
  CopyRetrying: {
    en: 'It could not be copied yet and is tried again: {detail}',
    zh: '尚未能复制，将再次尝试：{detail}',
    ja: 'まだコピーできていません。再試行します：{detail}',
  },
  CopyFailed: {
    en: 'It could not be copied to spec.source: {detail} Make another Image to try again.',
    zh: '无法复制到 spec.source：{detail} 请新建镜像重试。',
    ja: 'spec.source にコピーできませんでした：{detail} 再試行するには別の Image を作成してください。',
  },
  InstanceNotFound: {
    en: 'spec.fromInstance: there is no instance {instance} here. Make another Image to try again.',
    zh: 'spec.fromInstance：此处没有实例 {instance}。请新建镜像重试。',
    ja: 'spec.fromInstance：インスタンス {instance} がありません。再試行するには別の Image を作成してください。',
  },
  NothingSaved: {
    en: 'spec.fromInstance: nothing of the instance {instance} is saved: {detail} Make another Image to try again.',
    zh: 'spec.fromInstance：实例 {instance} 没有已保存的内容：{detail} 请新建镜像重试。',
    ja: 'spec.fromInstance：インスタンス {instance} には保存された内容がありません：{detail} 再試行するには別の Image を作成してください。',
  },
  SourceTaken: {
    en: 'spec.source: the Image {image} goes there already. Make another Image with another source.',
    zh: 'spec.source：镜像 {image} 已使用该地址。请使用其他 source 新建镜像。',
    ja: 'spec.source：Image {image} がすでに使用しています。別の source で新しい Image を作成してください。',
  },
  Pulled: {
    en: 'The image was pulled; its container is starting.',
    zh: '镜像已拉取，容器正在启动。',
    ja: 'イメージを取得し、コンテナを起動しています。',
  },
  ImageNotFound: {
    en: 'spec.source: {image} can not be pulled: {detail}',
    zh: 'spec.source：无法拉取 {image}：{detail}',
    ja: 'spec.source：{image} を取得できません：{detail}',
  },
  PullSecretNotFound: {
    en: 'spec.pullSecret: there is no Secret {secret} here.',
    zh: 'spec.pullSecret：此处没有 Secret {secret}。',
    ja: 'spec.pullSecret：Secret {secret} がありません。',
  },
  NotBootable: {
    en: 'No container can be started from the image: {detail}',
    zh: '无法从镜像启动容器：{detail}',
    ja: 'イメージからコンテナを起動できません：{detail}',
  },
  NoDigest: {
    en: 'spec.source: the registry of {image} names no digest, so nobody could say what was checked.',
    zh: 'spec.source：{image} 的镜像仓库未提供摘要，无法确认所检查的内容。',
    ja: 'spec.source：{image} のレジストリがダイジェストを示さないため、検証対象を特定できません。',
  },
  Exited: {
    en: 'The container started from the image ended: {ended}.',
    zh: '从镜像启动的容器已退出：{ended}。',
    ja: 'イメージから起動したコンテナが終了しました：{ended}。',
  },
  TooLarge: {
    en: 'spec.source: the image is {size} GiB, and the limit is {most} GiB. Make another Image from a smaller one.',
    zh: 'spec.source：镜像大小为 {size} GiB，上限为 {most} GiB。请改用更小的镜像，并新建一个镜像对象。',
    ja: 'spec.source：イメージは {size} GiB で、上限は {most} GiB です。より小さいイメージから別の Image を作成してください。',
  },
  GivenUp: {
    en: 'The check failed {times} times and is not repeated. To try again, make another Image or change spec.pullSecret. The last failure: {detail}',
    zh: '检查已失败 {times} 次，不再重复。如需重试，请新建镜像或更改 spec.pullSecret。最后一次失败：{detail}',
    ja: '検証に {times} 回失敗したため、繰り返しません。再試行するには、別の Image を作成するか spec.pullSecret を変更してください。最後の失敗：{detail}',
  },
  NoAgent: {
    en: 'The platform image {image} cannot be pulled. Platform staff must fix this.',
    zh: '无法拉取平台镜像 {image}，需由平台工作人员处理。',
    ja: 'プラットフォームイメージ {image} を取得できません。プラットフォームの担当者による対応が必要です。',
  },
  Interrupted: {
    en: 'The check was interrupted: {detail}',
    zh: '检查被中断：{detail}',
    ja: '検証が中断されました：{detail}',
  },
  CheckLost: {
    en: 'The check was interrupted: its container was taken away.',
    zh: '检查被中断：其容器已被移除。',
    ja: '検証が中断されました：コンテナが取り除かれました。',
  },
  Refused: {
    en: 'The cluster refuses the check: {detail}',
    zh: '集群拒绝了检查：{detail}',
    ja: 'クラスターが検証を拒否しました：{detail}',
  },
  NameTaken: {
    en: 'Another object already has the name {name}.',
    zh: '名称 {name} 已被其他对象占用。',
    ja: '名前 {name} は別のオブジェクトが使用しています。',
  },
} as const;

const view = commonView.extend({
  status: z.string(),
  size_bytes: bytes.nullable(),
  source: z.string(),
  local: z.boolean().meta({ description: 'Kept in the platform’s own registry.' }),
  official: z.boolean(),
  llm: z.boolean(),
  digest: z.string().nullable(),
  from_instance: z.string().nullable(),
  price,
  spec: spec,
});
export type ImageView = z.input<typeof view>;

export const image = defineKind({
  kind: 'Image',
  plural: 'images',
  shortNames: ['gimg'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'img',
  collection: 'develop/v1/image',
  words: { en: 'Image', zh: '镜像', ja: 'イメージ' },
  spec,
  status,
  rules: [
    {
      rule: 'self.spec.source == oldSelf.spec.source',
      words: RULE_WORDS.imageFixed,
      fieldPath: '.spec.source',
    },
    {
      rule: 'has(self.spec.fromInstance) == has(oldSelf.spec.fromInstance) && (!has(self.spec.fromInstance) || self.spec.fromInstance == oldSelf.spec.fromInstance)',
      words: RULE_WORDS.imageOriginFixed,
      fieldPath: '.spec.fromInstance',
    },
    {
      rule: '!has(oldSelf.spec.creator) || has(self.spec.creator)',
      words: RULE_WORDS.creatorKept,
    },
    {
      rule: 'size(self.metadata.name) <= 50',
      words: RULE_WORDS.imageName,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Source', jsonPath: '.spec.source' },
    { name: 'Digest', jsonPath: '.status.digest', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  reasons,
  actions: {
    release: {
      en: 'Delete',
      zh: '删除',
      ja: '削除',
      from: ['failed', 'processing', 'success', 'ready'],
      does: 'delete',
      right: 'use',
      danger: 'destroys',
      spends: false,
    },
  },
  cost: {
    source: 'container_rent',
    /** Only what an instance was saved as lies in our registry. How much that is nobody knows before it is copied. */
    wishes(object) {
      const { spec, status } = object as Image;
      if (spec.fromInstance === undefined) return [];
      if (status?.savedBytes === undefined && status?.phase === 'failed') return [];
      const bytes = status?.savedBytes ?? EXPECTED_GI * GI;
      return bytes >= LEAST_SAVED_BYTES ? [sizeUse('snapshot', bytes)] : [];
    },
  },
  phaseInView: (object) => (object as Image).status?.phase ?? 'processing',
  api: {
    names: ['Image', 'Images'],
    view,
    show: imageView,
    filters: {
      official: z.stringbool().optional().meta({ description: 'Only official ones, or only own ones.' }),
      llm: z.stringbool().optional(),
    },
    writes: {
      create: creationBody(spec, 'llm', 'pullSecret').extend({ displayName: peopleName, source: imageReference }),
      change: changeBody(spec, 'llm').extend({ displayName: peopleName.optional() }),
      problems: ['name_rule', 'image_malformed', 'official_image'],
    },
  },
});

function imageView({ spec, status }: Image, common: CommonView, { price }: Beside) {
  const { creator: _, ...offered } = spec;
  return {
    ...common,
    // What is offered to everybody is nobody's to change, and who made it is no tenant's business.
    ...(spec.official && { actions: [], creator: null }),
    status: common.phase,
    size_bytes: status?.sizeBytes ?? null,
    source: spec.source,
    local: spec.source.startsWith(`${REGISTRY}/`),
    official: spec.official,
    llm: spec.llm,
    digest: status?.digest ?? null,
    from_instance: spec.fromInstance ?? null,
    price,
    spec: spec.official ? offered : spec,
  } satisfies ImageView;
}

export type Image = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type ImageStatus = NonNullable<Image['status']>;
export type ImagePhase = PhaseOf<{ phases: typeof phases }>;
export type ImageReason = ReasonOf<{ reasons: typeof reasons }>;
