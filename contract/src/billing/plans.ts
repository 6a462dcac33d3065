// The plans that an organisation may subscribe to. The price is in the price list, as the SKU `plan/<id>`, for a month.
import type { Words } from '../define-kind.ts';
import { type Args, quoted, said } from '../said.ts';
import * as en from '../words/en/plans.ts';
import * as ja from '../words/ja/plans.ts';
import { joined, worded } from '../words/join.ts';
import * as zh from '../words/zh/plans.ts';

export const PLAN_IDS = ['free', 'standard', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export const PLAN_FEATURES = joined('plan', { en: en.features, zh: zh.features, ja: ja.features });
export type PlanFeature = keyof typeof PLAN_FEATURES;

export interface PlanFacts extends Words {
  /** A plan with a higher one is an upgrade. */
  rank: number;
  /** Hosts that may be held at once; absent: no cap. */
  hosts?: number;
  features: readonly PlanFeature[];
  /** `list`: a month is charged at the list price. `agreed`: people negotiate the price, and staff charge it. */
  price: 'none' | 'list' | 'agreed';
  /** Only the platform's staff grants and revokes it. */
  byStaff?: true;
}

const FACTS: Readonly<Record<PlanId, Omit<PlanFacts, keyof Words>>> = {
  free: { rank: 0, hosts: 2, features: ['community'], price: 'none' },
  standard: {
    rank: 1,
    hosts: 20,
    features: ['community'],
    price: 'list',
  },
  enterprise: {
    rank: 2,
    features: ['community', 'customService', 'dedicatedSupport'],
    price: 'agreed',
    byStaff: true,
  },
};
export const PLANS: Readonly<Record<PlanId, PlanFacts>> = worded(
  joined('plan', { en: en.names, zh: zh.names, ja: ja.names }),
  FACTS,
);

/** A plan's name as the argument `plan` of a sentence: each reader gets it in their language. */
export const namingPlan = (id: PlanId): Args => quoted('plan', said(PLANS[id]));

export const isPlan = (id: string): id is PlanId => Object.hasOwn(PLANS, id);
export const planSku = (id: PlanId): string => `plan/${id}`;

/** The Organization's quota of hosts if a plan has no cap: its schema's maximum. */
export const NO_HOST_CAP = 100_000;
export const hostCapOf = (id: PlanId): number => PLANS[id].hosts ?? NO_HOST_CAP;
