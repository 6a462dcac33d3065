import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  title: 'ターミナル',
  screen: 'ターミナルの画面',
  back: '元のページに戻る',
  cluster: 'クラスター',
  namespace: '名前空間',
  container: 'コンテナ',
  status: {
    connecting: '接続中',
    connected: '接続済み',
    failed: '接続失敗',
    closed: '切断',
  },
  tools: 'ターミナルのツール',
  copy: '選択範囲をコピー',
  paste: '貼り付け',
  pasteByKeys: 'ブラウザーの設定により、ボタンではクリップボードを読み取れません。Ctrl+Shift+V で貼り付けてください。',
  search: { label: 'ターミナル内を検索', before: '前の一致', after: '次の一致' },
  smaller: '文字を小さく',
  larger: '文字を大きく',
  read: 'スクリーンリーダー対応',
  keys: 'キー',
  reconnect: '再接続',
  again: '新しいシェル',
  broke: '接続が切れたか、サービスが再起動中です。',
  sessions: {
    label: 'このインスタンスでのセッション',
    name: 'セッション %{number}',
    new: '新しいセッション',
    end: 'セッションを閉じる',
    endTitle: 'セッションを閉じますか？',
  },
  leave: {
    title: 'ターミナルを離れますか？',
    lost: 'シェルと、そこで起動したすべてのプログラム。',
    kept: 'ファイルと、tmux 内または nohup で起動したプログラム。',
    confirm: '離れる',
  },
};
