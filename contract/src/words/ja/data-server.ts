// Why a data server refuses, by its codes. Where the sentence is DuckDB's own, or names a file, it has none here.

import type * as en from '../en/data-server.ts';
import type { Shape } from '../join.ts';

export const refusals: Shape<typeof en.refusals> = {
  NotOneSelect: 'クエリに使えるのは、何も変更しない SELECT 文 1 つだけです。',
  NotAllowed: 'クエリが読めるのは対象の表だけです。ファイル、アドレス、設定にはアクセスできません。',
  NothingInCommon: '2 つのバージョンに共通の列がありません。',
  KeyNotUnique: 'これらの列の値が同じ行が複数あるため、キーとして使えません。',
  ReaderDied: 'データの読み込み中にプログラムが異常終了しました。',
  SeveralKinds: '複数の種類の表が含まれています。1 つのバージョンに含められる表は 1 種類です。',
  TooManyColumns: '表の列が多すぎます。読み込めるのは最大 %{most} 列です。',
  ColumnNameTooLong: '列名が長すぎます。最大 %{most} 文字です。',
  TooManyPages: '%{pages} ページの文書があります。読み込めるのは最大 %{most} ページです。',
  TooManyFiles: 'アーカイブに %{files} 個のファイルがあります。読み込めるのは最大 %{most} 個です。',
  TooLarge: 'データが大きすぎるため、表として読み込めません。上限は %{most} バイトです。',
  TooSlow: 'データの読み込みに時間がかかりすぎます。',
  TooMuchMemory: 'データの読み込みにメモリを使いすぎます。',
  AnswerTooLong: '結果が長すぎます。',
  DiskFull: 'データサーバーの空き容量が足りません。',
  VectorsBroken: 'ナレッジベースのベクトルファイルを読み取れません。ナレッジベースを作り直してください。',
  WordsBroken: 'ナレッジベースの単語ファイルを読み取れません。ナレッジベースを作り直してください。',
  NoSuchColumn: '%{dataset} 番目のデータセットに列 %{column} がありません。',
  TemplateMissing: 'ベースモデルにチャットテンプレートがないため、会話の書き方がわかりません。',
  TemplateBroken: 'ベースモデルのチャットテンプレートでエラーが発生しました：%{detail}',
  TokenizerMissing: 'ベースモデルに tokenizer.json がないため、トークンを数えられません。',
  TokenizerBroken: 'ベースモデルのトークナイザを使えません：%{detail}',
};
