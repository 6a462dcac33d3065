// What an organisation may subscribe to. Its price is in the price list, as the SKU `plan/<id>`, for a month.
import type { Words } from '../define-kind.ts';

export const PLAN_IDS = ['free', 'standard', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export const PLAN_FEATURES = {
  community: { en: 'Community chat channel', zh: '社区交流群', ja: 'コミュニティチャット' },
  customService: { en: 'Custom service', zh: '定制服务', ja: 'カスタムサービス' },
  dedicatedSupport: { en: 'Dedicated support', zh: '专属支持', ja: '専任サポート' },
} as const satisfies Record<string, Words>;
export type PlanFeature = keyof typeof PLAN_FEATURES;

export interface PlanFacts extends Words {
  /** A plan with a higher one is an upgrade. */
  rank: number;
  /** Hosts that may be held at once; absent: no cap. */
  hosts?: number;
  features: readonly PlanFeature[];
  /** `list`: a month is charged as the price list says. `agreed`: what it costs is between people, and charged by staff. */
  price: 'none' | 'list' | 'agreed';
  /** Only the platform's staff gives it and takes it. */
  byStaff?: true;
}

export const PLANS: Readonly<Record<PlanId, PlanFacts>> = {
  free: { en: 'Free', zh: '免费版', ja: 'フリー', rank: 0, hosts: 2, features: ['community'], price: 'none' },
  standard: {
    en: 'Standard',
    zh: '标准版',
    ja: 'スタンダード',
    rank: 1,
    hosts: 20,
    features: ['community'],
    price: 'list',
  },
  enterprise: {
    en: 'Enterprise',
    zh: '企业版',
    ja: 'エンタープライズ',
    rank: 2,
    features: ['community', 'customService', 'dedicatedSupport'],
    price: 'agreed',
    byStaff: true,
  },
};

export const isPlan = (id: string): id is PlanId => Object.hasOwn(PLANS, id);
export const planSku = (id: PlanId): string => `plan/${id}`;

/** What the Organization's quota of hosts is where a plan has no cap: its schema's maximum. */
export const NO_HOST_CAP = 100_000;
export const hostCapOf = (id: PlanId): number => PLANS[id].hosts ?? NO_HOST_CAP;
