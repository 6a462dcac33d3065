// Why the operator does not apply changes to an object, whatever its kind: the condition `Reconciled`.
import type { Words } from './define-kind.ts';

export const RECONCILE_REASONS = {
  PlanFailed: {
    en: 'Gantry cannot process this object because of an internal fault, so changes to it are not applied. What is running keeps running until it is shut down, deleted or out of credit.',
    zh: 'Gantry 因内部故障无法处理此对象，对它的更改不会生效。正在运行的内容会继续运行，直到停机、被删除或额度用尽。',
    ja: '内部障害のため、Gantry はこのオブジェクトを処理できず、変更は適用されません。実行中のものは、シャットダウンまたは削除されるか、与信がなくなるまで動作し続けます。',
  },
  PlanFailedEnded: {
    en: 'Gantry cannot process this object because of an internal fault. Its container was stopped because the object was shut down, deleted or out of credit; what the container changed will be saved once the fault is fixed.',
    zh: 'Gantry 因内部故障无法处理此对象。由于已停机、被删除或额度用尽，其容器已停止；故障修复后将保存容器中的更改。',
    ja: '内部障害のため、Gantry はこのオブジェクトを処理できません。シャットダウン、削除、または与信切れのためコンテナを停止しました。コンテナの変更内容は障害の復旧後に保存されます。',
  },
  PlanFailedUnbilled: {
    en: 'Gantry cannot process this object because of an internal fault. Its container was stopped because its use cannot be recorded; what the container changed will be saved once the fault is fixed.',
    zh: 'Gantry 因内部故障无法处理此对象。由于无法记录其用量，其容器已停止；故障修复后将保存容器中的更改。',
    ja: '内部障害のため、Gantry はこのオブジェクトを処理できません。利用量を記録できないためコンテナを停止しました。コンテナの変更内容は障害の復旧後に保存されます。',
  },
  TooManyWrites: {
    en: 'This object changes too often. Gantry processes it only every {seconds} seconds until it has not changed for a minute.',
    zh: '此对象更改过于频繁。在持续一分钟没有更改之前，Gantry 每 {seconds} 秒才处理一次。',
    ja: 'このオブジェクトは頻繁に変更されています。変更のない状態が 1 分間続くまで、Gantry は {seconds} 秒に 1 回だけ処理します。',
  },
} as const satisfies Record<string, Words>;
export type ReconcileReason = keyof typeof RECONCILE_REASONS;

export const RECONCILED = 'Reconciled';
