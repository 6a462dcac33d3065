// Notices to an organisation about its credit, in every language.
import type { Words } from '@gantry/contract/define-kind.ts';

export const NOTICES = {
  low: {
    title: { en: 'The balance is running low', zh: '余额即将用尽', ja: '残高が残りわずかです' },
    content: {
      en: 'The balance is %{left} %{currency}. At %{rate} %{currency} per hour it lasts %{hours} (hours and minutes). Once it is used up, instances are hibernated.',
      zh: '剩余 %{left} %{currency}。按每小时 %{rate} %{currency} 计，可用 %{hours}（小时:分钟）。余额用尽后实例将休眠。',
      ja: '残高は %{left} %{currency} です。1 時間あたり %{rate} %{currency} の利用で %{hours}（時間:分）持ちます。残高がなくなるとインスタンスは休止します。',
    },
  },
  out: {
    title: { en: 'Out of credit', zh: '余额不足', ja: '残高がありません' },
    content: {
      en: 'The balance is %{left} %{currency}. Running instances are hibernated, and their data is kept. They resume automatically after a payment.',
      zh: '剩余 %{left} %{currency}：正在运行的实例将休眠，数据会保留。付款后自动恢复。',
      ja: '残高は %{left} %{currency} です。実行中のインスタンスは休止し、データは保持されます。お支払い後に自動で再開します。',
    },
  },
  cap: {
    title: { en: 'The spending cap has been reached', zh: '已达到消费上限', ja: '利用上限に達しました' },
    content: {
      en: '%{spent} %{currency} of %{cap} %{currency} has been spent this month. Nothing new starts, and running instances are hibernated.',
      zh: '本月已消费 %{spent} %{currency} / %{cap} %{currency}：不再启动新的资源，正在运行的实例将休眠。',
      ja: '今月の利用は %{spent} %{currency} / %{cap} %{currency} です。新しい起動はできず、実行中のインスタンスは休止します。',
    },
  },
  dataKept: {
    title: { en: 'Data will be deleted on %{date}', zh: '数据将于 %{date} 删除', ja: '%{date} にデータを削除します' },
    content: {
      en: 'The organisation has been out of credit since %{since}. Its disks, instances and images will be deleted on %{date} unless you pay before then.',
      zh: '组织自 %{since} 起余额不足。如未在此前付款，磁盘、实例和镜像将于 %{date} 删除。',
      ja: '%{since} から残高がありません。それまでにお支払いがない場合、%{date} にディスク、インスタンス、イメージを削除します。',
    },
  },
  dataDeleted: {
    title: { en: 'Data is being deleted', zh: '正在删除数据', ja: 'データを削除しています' },
    content: {
      en: 'The organisation has been out of credit since %{since}. Its disks, instances and images are being deleted.',
      zh: '组织自 %{since} 起余额不足：正在删除其磁盘、实例和镜像。',
      ja: '%{since} から残高がなかったため、ディスク、インスタンス、イメージを削除しています。',
    },
  },
} as const satisfies Record<string, { title: Words; content: Words }>;
