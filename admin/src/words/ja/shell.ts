import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from '../en/shell.ts';

export const words: Shape<typeof english> = {
  product: 'Gantry 管理',
  toHome: 'ホーム',
  notFound: 'このページは存在しないか、あなたの役割では開けません。',
  newVersion: '新しいバージョンがあります。ページを自動的に更新します。',
  sidebar: {
    label: 'メニュー',
    open: 'メニューを開く',
    wide: 'サイドバーを広げる',
    narrow: 'サイドバーをたたむ',
  },
  user: { label: 'アカウント：%{name}', logout: 'ログアウト' },
  notStaff: {
    title: 'このコンソールはスタッフ専用です',
    text: '%{name} としてログインしていますが、このアカウントにはスタッフの役割がありません。管理者に依頼するか、ログアウトして別のアカウントを使ってください。',
  },
  second: {
    title: '2 段階認証の設定',
    lead: 'このプラットフォームではスタッフに 2 段階認証が必要です。認証アプリで画像を読み取り、表示された 6 桁の数字を入力してください。',
    secret: 'または、このキーを手で入力してください：',
    password: 'あなたのパスワード',
    start: '続ける',
    code: 'コード',
    confirm: '有効にして続ける',
    recovery: 'リカバリーコードを安全な場所に保管してください。認証アプリを失ったときに、それぞれ 1 回使えます。',
    done: '保管しました',
    missing: '入力してください',
  },
  crumbs: 'パンくずリスト',
  billing: { moneyIn: '入金', documents: '書類', ledger: '元帳', prices: '価格' },
  storage: { snapshots: 'スナップショット' },
  operation: { metrics: 'メトリクス' },
  later: {
    shelf: '掲載',
    portal: '公開中のモデルとデータセットをここで並べ替えます。',
  },
  list: {
    utc: '%{time} UTC',
    always: '当初から',
  },
  moment: { zone: 'お使いのタイムゾーン：%{zone}', inUtc: '%{zone} · %{utc} UTC' },
  waitsForSecond: '2 人目の承認が必要です。申請は「請求 → 承認」にあります。',
  reason: {
    label: '理由',
    help: '監査ログに記録されます。',
    missing: '理由を入力してください',
  },
};
