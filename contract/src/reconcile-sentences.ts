// What the operator says of an object that it cannot carry out, whatever its kind: the condition `Reconciled`.
import type { Words } from './define-kind.ts';

export const RECONCILE_REASONS = {
  PlanFailed: {
    en: 'Gantry has an internal fault with this object, so changes to it are not carried out. What runs keeps running until it is shut down, deleted or out of credit.',
    zh: 'Gantry 处理此对象时发生内部故障，对它的更改不会执行。正在运行的内容会继续运行，直到被停机、删除或余额不足。',
    ja: 'このオブジェクトの処理で Gantry に内部障害が発生したため、変更は実行されません。実行中のものは、シャットダウン、削除、または残高不足になるまで動作し続けます。',
  },
  PlanFailedEnded: {
    en: 'Gantry has an internal fault with this object. Its container was stopped, because it is shut down, deleted or out of credit; its changes are saved once the fault is repaired.',
    zh: 'Gantry 处理此对象时发生内部故障。由于已停机、被删除或余额不足，其容器已停止；故障修复后将保存其更改。',
    ja: 'このオブジェクトの処理で Gantry に内部障害が発生しました。シャットダウン、削除、または残高不足のためコンテナを停止しました。変更内容は障害の復旧後に保存されます。',
  },
  PlanFailedUnbilled: {
    en: 'Gantry has an internal fault with this object. Its container was stopped, because its use cannot be recorded; its changes are saved once the fault is repaired.',
    zh: 'Gantry 处理此对象时发生内部故障。由于无法记录其用量，其容器已停止；故障修复后将保存其更改。',
    ja: 'このオブジェクトの処理で Gantry に内部障害が発生しました。利用量を記録できないためコンテナを停止しました。変更内容は障害の復旧後に保存されます。',
  },
  TooManyWrites: {
    en: 'This object changes too often: Gantry follows it every {seconds} seconds until it has been quiet for a minute.',
    zh: '此对象更改过于频繁：在安静一分钟之前，Gantry 每 {seconds} 秒处理一次。',
    ja: 'このオブジェクトの変更が多すぎます。1 分間落ち着くまで、Gantry は {seconds} 秒ごとに処理します。',
  },
} as const satisfies Record<string, Words>;
export type ReconcileReason = keyof typeof RECONCILE_REASONS;

export const RECONCILED = 'Reconciled';
