// The notices to people about something that nobody uses.
import type { Words } from '@gantry/contract/define-kind.ts';
import type { PayersNotice } from '../../core/identity/organizations/notify-payers.ts';
import { IDLE_KINDS } from './candidates-of.ts';
import type { IdleNotice } from './idle-watch.ts';

export const NOTICES = {
  warn: {
    title: { en: '%{name} is idle', zh: '%{name} 处于空闲状态', ja: '%{name} はアイドル状態です' },
    content: {
      en: '%{name} has not been used since %{since}. It costs %{rate} %{currency} per hour. Stop it if it is not needed.',
      zh: '%{name} 自 %{since} 起未被使用，每小时费用 %{rate} %{currency}。如不需要，请将其停止。',
      ja: '%{name} は %{since} から使われていません。1 時間あたり %{rate} %{currency} かかります。不要であれば停止してください。',
    },
  },
  warnAct: {
    title: {
      en: '%{name} is idle and will be stopped',
      zh: '%{name} 处于空闲状态，即将停止',
      ja: '%{name} は使われていないため停止されます',
    },
    content: {
      en: '%{name} has not been used since %{since}. It costs %{rate} %{currency} per hour. It will be stopped in 15 minutes unless somebody uses it.',
      zh: '%{name} 自 %{since} 起未被使用，每小时费用 %{rate} %{currency}。如无人使用，将在 15 分钟后停止。',
      ja: '%{name} は %{since} から使われていません。1 時間あたり %{rate} %{currency} かかります。使われなければ 15 分後に停止します。',
    },
  },
  hibernated: {
    title: { en: '%{name} was hibernated', zh: '%{name} 已休眠', ja: '%{name} を休止しました' },
    content: {
      en: '%{name} had not been used since %{since} and was hibernated. Its files are kept. Start it to continue. This saves %{rate} %{currency} per hour.',
      zh: '%{name} 自 %{since} 起未被使用，已休眠，文件会保留。启动即可继续使用。每小时节省 %{rate} %{currency}。',
      ja: '%{name} は %{since} から使われていなかったため休止しました。ファイルは保持されます。起動すると再開できます。1 時間あたり %{rate} %{currency} の節約です。',
    },
  },
  asleep: {
    title: { en: '%{name} was put to sleep', zh: '%{name} 已休眠', ja: '%{name} をスリープにしました' },
    content: {
      en: '%{name} had not been used since %{since} and has no replicas now. The next request wakes it. This saves %{rate} %{currency} per hour.',
      zh: '%{name} 自 %{since} 起未被使用，现在没有副本。下一个请求会将其唤醒。每小时节省 %{rate} %{currency}。',
      ja: '%{name} は %{since} から使われていなかったため、レプリカを 0 にしました。次のリクエストで復帰します。1 時間あたり %{rate} %{currency} の節約です。',
    },
  },
  stopped: {
    title: { en: '%{name} was stopped', zh: '%{name} 已停止', ja: '%{name} を停止しました' },
    content: {
      en: '%{name} had not been used since %{since} and was stopped. Start it or run it again to continue. This saves %{rate} %{currency} per hour.',
      zh: '%{name} 自 %{since} 起未被使用，已停止。重新启动或再次运行即可继续。每小时节省 %{rate} %{currency}。',
      ja: '%{name} は %{since} から使われていなかったため停止しました。起動または再実行すると続けられます。1 時間あたり %{rate} %{currency} の節約です。',
    },
  },
} as const satisfies Record<string, { title: Words; content: Words }>;

export function payersNotice({ organizationId, creator, key, what, args, kind, name }: IdleNotice): PayersNotice {
  const facts = IDLE_KINDS.find((one) => one.kind === kind);
  const object = facts && { kind: facts.plural, id: name };
  return { organizationId, key, ...NOTICES[what], args: { ...args }, object, also: creator, page: '/' };
}
