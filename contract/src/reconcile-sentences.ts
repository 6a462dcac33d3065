// Why the operator does not apply changes to an object, whatever its kind: the condition `Reconciled`.
import * as en from './words/en/reconcile.ts';
import * as ja from './words/ja/reconcile.ts';
import { joined } from './words/join.ts';
import * as zh from './words/zh/reconcile.ts';

export const RECONCILE_REASONS = joined('reconcile', { en: en.reasons, zh: zh.reasons, ja: ja.reasons });
export type ReconcileReason = keyof typeof RECONCILE_REASONS;

export const RECONCILED = 'Reconciled';
