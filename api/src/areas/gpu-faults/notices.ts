// The notices to people when a GPU of theirs fails.
import type { Words } from '@gantry/contract/define-kind.ts';
import type { PayersNotice } from '../../core/identity/organizations/notify-payers.ts';
import type { FaultNotice } from './fault-watch.ts';

export const NOTICES = {
  failed: {
    title: {
      en: 'A GPU failed under %{name}',
      zh: '%{name} 的 GPU 发生故障',
      ja: '%{name} の GPU が故障しました',
    },
    content: {
      en: 'Node %{node} reports a fatal GPU error: %{detail}. Jobs restart automatically. Save your work, then restart the instance or deployment: its cost until then is credited.',
      zh: '节点 %{node} 报告 GPU 严重错误：%{detail}。任务会自动重启。请保存工作并重启实例或部署，在此之前的费用会以赠金返还。',
      ja: 'ノード %{node} が GPU の致命的なエラーを報告しました：%{detail}。ジョブは自動的に再起動します。作業を保存し、インスタンスまたはデプロイを再起動してください。それまでの料金はクレジットで返金します。',
    },
  },
  credited: {
    title: {
      en: 'Credit for a failed GPU: %{name}',
      zh: 'GPU 故障返还：%{name}',
      ja: 'GPU 故障の返金：%{name}',
    },
    content: {
      en: '%{minutes} minute of %{name} on node %{node} was lost to a failed GPU. %{amount} %{currency} was credited. |||| %{minutes} minutes of %{name} on node %{node} were lost to a failed GPU. %{amount} %{currency} was credited.',
      zh: '%{name} 在节点 %{node} 上因 GPU 故障损失 %{minutes} 分钟，已返还 %{amount} %{currency}。',
      ja: 'ノード %{node} の GPU 故障により %{name} の %{minutes} 分が失われました。%{amount} %{currency} をクレジットで返金しました。',
    },
  },
} as const satisfies Record<string, { title: Words; content: Words }>;

/** `plural`: of the object's kind, if the object is still there. */
export function payersNotice(
  { organizationId, creator, key, what, args, name }: FaultNotice,
  plural: string | undefined,
): PayersNotice {
  const object = plural === undefined ? undefined : { kind: plural, id: name };
  return { organizationId, key, ...NOTICES[what], args: { ...args }, object, also: creator, page: '/' };
}
