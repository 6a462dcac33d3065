// A tenant: one namespace `org-<id>` with its quota, limits, network shape, members and roles.
import * as z from 'zod';
import { CREDIT_REASONS } from '../billing/credit.ts';
import { cel, commonStatus, defineKind, type ObjectOf, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { dateTime } from '../fields/date-time.ts';
import { objectName } from '../fields/name.ts';
import { plainLinesRule, plainTextRule } from '../fields/plain-text.ts';
import { ORG_ROLES } from '../roles.ts';
import { RULE_WORDS } from '../rule-words.ts';

const spec = z
  .object({
    displayName: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .meta({ description: 'The name people see.', ...plainTextRule }),
    description: z
      .string()
      .max(1024)
      .optional()
      .describe('What the organisation is about, in a few words.')
      .meta(plainLinesRule),
    members: z
      .array(
        z
          .object({
            account: objectName.max(40).describe('The name of the account.'),
            role: z.enum(ORG_ROLES).describe('What the account may do in the organisation.'),
          })
          .meta(cel(["self.account != 'default'", RULE_WORDS.accountTaken])),
      )
      .max(1000)
      .optional()
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['account'] })
      .describe(
        'The accounts that belong to the organisation. Each has a ServiceAccount of its name in the namespace.',
      ),
    quota: z
      .object({
        gpus: z
          .int()
          .min(0)
          .max(100_000)
          .default(8)
          .describe('How many GPUs all instances together may have, and how many all rented hosts together.'),
        cores: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(128)
          .describe('How many CPU cores all instances together may have.'),
        memoryGi: z
          .int()
          .min(0)
          .max(10_000_000)
          .default(1024)
          .describe('How much memory all instances together may have, in GiB.'),
        storageGi: z
          .int()
          .min(0)
          .max(10_000_000)
          .default(10_240)
          .describe('How large all disks and homes together may be, in GiB.'),
        instances: z.int().min(0).max(100_000).default(100).describe('How many instances may exist, running or not.'),
        disks: z.int().min(0).max(100_000).default(1000).describe('How many data disks may exist.'),
        hosts: z.int().min(0).max(100_000).default(100).describe('How many hosts may exist.'),
      })
      .default({ gpus: 8, cores: 128, memoryGi: 1024, storageGi: 10_240, instances: 100, disks: 1000, hosts: 100 })
      .meta({ description: 'Upper limits on what the organisation may hold at the same time.' }),
  })
  .describe('What is wanted of the organisation.');

const status = z
  .object({
    ...commonStatus,
    namespace: z.string().max(63).optional().describe('The namespace that holds all objects of the organisation.'),
    probedAt: dateTime.optional().meta({ description: 'When the isolation of the network was last tested.' }),
  })
  .describe('What is known of the organisation. The platform writes it.');

const phases = {
  deleting: { tone: 'progress', en: 'Deleting', zh: '删除中', ja: '削除中' },
  failed: { tone: 'bad', en: 'Failed', zh: '失败', ja: '失敗' },
  preparing: { tone: 'progress', en: 'Preparing', zh: '准备中', ja: '準備中' },
  ready: { tone: 'good', en: 'Ready', zh: '就绪', ja: '準備完了' },
} as const;

const reasons = {
  Ready: {
    en: 'Namespace {namespace} is ready.',
    zh: '命名空间 {namespace} 已就绪。',
    ja: '名前空間 {namespace} の準備が完了しました。',
  },
  Preparing: {
    en: 'Namespace {namespace} is being set up.',
    zh: '正在建立命名空间 {namespace}。',
    ja: '名前空間 {namespace} を準備しています。',
  },
  RemovingContents: {
    en: 'What the organisation holds is being removed: {left} left.',
    zh: '正在清除组织的资源，剩余 {left}。',
    ja: '組織のリソースを削除しています（残り {left}）。',
  },
  NameTaken: {
    en: 'Namespace {namespace} already belongs to something else.',
    zh: '命名空间 {namespace} 已被占用。',
    ja: '名前空間 {namespace} は別のものが使用しています。',
  },
  Refused: {
    en: 'The cluster refuses a part of the organisation: {detail}',
    zh: '集群拒绝了组织的部分资源：{detail}',
    ja: 'クラスターが組織の一部を拒否しました：{detail}',
  },
  // Of the condition InCredit.
  InCredit: {
    en: 'The organisation is in credit.',
    zh: '组织余额充足。',
    ja: '組織の残高は足りています。',
  },
  OutOfCredit: CREDIT_REASONS.OutOfCredit,
  SpendCapReached: CREDIT_REASONS.SpendCapReached,
  // Of the condition NetworkIsolated.
  Probing: {
    en: 'The network has not been tried out yet.',
    zh: '尚未检测网络。',
    ja: 'ネットワークはまだ検証されていません。',
  },
  NoResult: {
    en: 'The probe of the network gave no result; it is repeated.',
    zh: '网络检测没有结果，将重新检测。',
    ja: 'ネットワークの検証結果が得られませんでした。再度検証します。',
  },
  ControlFailed: {
    en: 'Not even Pods without a network policy reach each other; the probe is repeated.',
    zh: '没有网络策略的 Pod 之间也无法互通，将重新检测。',
    ja: 'ネットワークポリシーのない Pod 同士も通信できません。再度検証します。',
  },
  ProbeSilent: {
    en: "The organisation's probe did not listen; the probe is repeated.",
    zh: '组织内的检测 Pod 未在监听，将重新检测。',
    ja: '組織内の検証用 Pod が待ち受けていませんでした。再度検証します。',
  },
  EgressOpen: {
    en: 'A Pod of the organisation reached a Pod of another namespace: network policies are not enforced.',
    zh: '组织的 Pod 可以访问其他命名空间的 Pod：网络策略未生效。',
    ja: '組織の Pod が別の名前空間の Pod に到達しました。ネットワークポリシーが適用されていません。',
  },
  IngressOpen: {
    en: 'A Pod of another namespace reached a Pod of the organisation: network policies are not enforced.',
    zh: '其他命名空间的 Pod 可以访问组织的 Pod：网络策略未生效。',
    ja: '別の名前空間の Pod が組織の Pod に到達しました。ネットワークポリシーが適用されていません。',
  },
  Isolated: {
    en: 'Pods of the organisation and of other namespaces do not reach each other.',
    zh: '组织的 Pod 与其他命名空间的 Pod 互不可达。',
    ja: '組織の Pod と別の名前空間の Pod は互いに到達できません。',
  },
} as const;

export const organization = defineKind({
  kind: 'Organization',
  plural: 'organizations',
  shortNames: ['gorg'],
  scope: 'Cluster',
  tenants: 'read',
  idPrefix: 'org',
  collection: 'auth/v1/organization',
  words: { en: 'Organisation', zh: '组织', ja: '組織' },
  spec,
  status,
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 50",
      words: RULE_WORDS.organizationName,
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Namespace', jsonPath: '.status.namespace' },
    { name: 'Isolated', jsonPath: '.status.conditions[?(@.type=="NetworkIsolated")].status' },
    { name: 'In credit', jsonPath: '.status.conditions[?(@.type=="InCredit")].status' },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  reasons,
  actions: {},
  phaseInView: (object) =>
    object.metadata.deletionTimestamp ? 'deleting' : ((object as Organization).status?.phase ?? 'preparing'),
  touches: ['getMyOrganization'],
});

export type Organization = ObjectOf<{ spec: typeof spec; status: typeof status }>;
export type OrganizationStatus = NonNullable<Organization['status']>;
export type OrganizationPhase = PhaseOf<{ phases: typeof phases }>;
export type OrganizationReason = ReasonOf<{ reasons: typeof reasons }>;
