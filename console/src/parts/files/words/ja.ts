import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  files: 'ファイルを選択',
  folder: 'フォルダーを選択',
  drop: 'ここにファイルやフォルダーをドロップ',
  dropHint: 'または、ここにファイルやフォルダーをドロップ',
  chosen: 'ファイル %{smart_count} 個、%{size}',
  leftOut: '空のファイルまたは隠しファイル %{smart_count} 個を除外しました。',
  progress: '%{size} のうち %{sent}',
  hashing: '%{size} のうち %{hashed} を保存済みの内容と照合済み',
  speed: '%{speed}/s',
  left: '残り %{time}',
  away: 'ネットワークを待っています…',
  resume: '同じファイルを選び直して続ける',
  resumeNone: '不足しているファイルが含まれていません。名前とサイズが同じである必要があります。',
  stays: 'ページを閉じるとアップロードは止まります。後で同じファイルを選ぶと続きから再開します。',
  download: '%{path} をダウンロード',
  tooLarge:
    'このブラウザーはダウンロードが終わるまで内容をメモリに保持するため、%{most} までです。それより大きいものは Chrome か Edge、または API をご利用ください。',
  used: '%{quota} のうち %{used} を使用中',
  words: 'コンマ区切り',
  cardHint: 'HTML と画像は表示されません。',
  license: 'ライセンス',
  languages: '言語',
  tags: 'タグ',
  card: 'カード（Markdown）',
};
