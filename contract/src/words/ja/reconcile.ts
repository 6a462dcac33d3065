// Why the operator does not apply changes to an object.

import type * as en from '../en/reconcile.ts';
import type { Shape } from '../join.ts';

export const reasons: Shape<typeof en.reasons> = {
  PlanFailed:
    '内部障害のため、Gantry はこのオブジェクトを処理できず、変更は適用されません。実行中のものは、シャットダウンまたは削除されるか、残高が不足するまで動作し続けます。',
  PlanFailedEnded:
    '内部障害のため、Gantry はこのオブジェクトを処理できません。シャットダウン、削除、または残高不足のためコンテナを停止しました。コンテナの変更内容は障害の復旧後に保存されます。',
  PlanFailedUnbilled:
    '内部障害のため、Gantry はこのオブジェクトを処理できません。利用量を記録できないためコンテナを停止しました。コンテナの変更内容は障害の復旧後に保存されます。',
  TooManyWrites:
    'このオブジェクトは頻繁に変更されています。変更のない状態が 1 分間続くまで、Gantry は %{seconds} 秒に 1 回だけ処理します。',
};
