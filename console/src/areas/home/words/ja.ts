import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  title: 'ホーム',
  hello: 'こんにちは、%{name} さん',
  lead: '%{organization} の状況です。',
  create: 'インスタンスを作成',
  running: {
    title: '現在の稼働状況',
    all: 'すべてのインスタンス',
    none: '稼働中のインスタンスも、対応が必要なものもありません。',
    terminal: 'ターミナルを開く',
  },
  steps: {
    title: 'GPU のシェルまで 3 ステップ',
    done: '完了',
    open: '未完了',
    verify: {
      title: '本人確認で無料クレジットを受け取る',
      text: '本人確認が完了すると、一度だけ 100 ドル分のクレジットが付与されます。カードでのチャージもできます。',
      waits: '提出内容を審査中です。承認されるとクレジットが付与されます。',
      hasCredit: '残高：%{balance}',
      go: '本人確認へ',
      pay: 'チャージ',
    },
    key: {
      title: 'SSH 鍵を追加',
      text: 'SSH でのログインに使います。ブラウザーのターミナルには不要です。',
      go: '鍵を追加',
    },
    start: {
      title: 'インスタンスを起動',
      text: '小さなお試し用の設定が入力済みです。名前を付けるだけで、数秒で使えるようになります。',
      go: '起動する',
    },
  },
  quick: { title: 'すぐに始める', again: '前回と同じ構成', all: 'すべてのイメージ' },
  stock: {
    title: '利用できる GPU',
    rent: 'ホストを借りる',
    none: '現在利用できる GPU はありません。',
    free: '空き %{free} / 全 %{total}',
    use: '使う',
    useNamed: '%{name} を使う',
  },
  money: {
    title: '残高と料金',
    more: '請求',
    balance: '残高',
    perHour: '現在の 1 時間あたりの料金',
    lasts: '残高で利用できる期間',
    hours: '%{smart_count} 時間',
    days: '%{smart_count} 日',
    nothing: '課金中のリソースはありません',
    month: '今月の利用額',
    outOfCredit: '組織の残高がありません。チャージするまで新しく起動できません。',
    recharge: 'チャージ',
  },
  plan: {
    title: 'プラン',
    more: 'ホスト',
    plan: '現在のプラン',
    hosts: '利用中のホスト',
    of: '%{held} / %{cap}',
    unlimited: '%{held}（上限なし）',
  },
  news: { title: '最新のメッセージ', none: 'メッセージはまだありません。' },
};
