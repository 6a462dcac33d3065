// Why a data server refuses, by its codes. Where the sentence is DuckDB's own, or names a file, it has none here.

import type * as en from '../en/data-server.ts';
import type { Shape } from '../join.ts';

export const refusals: Shape<typeof en.refusals> = {
  NotOneSelect: 'クエリは、何も変更しない 1 つの SELECT に限られます。',
  NotAllowed: 'クエリが読めるのは対象の表だけです。ファイル、アドレス、設定にはアクセスできません。',
  NothingInCommon: '2 つのバージョンに共通の列がありません。',
  KeyNotUnique: 'これらの列の値が同じ行が複数あるため、キーになりません。',
  ReaderDied: 'データを読むプログラムが、このデータで異常終了しました。',
  SeveralKinds: '複数の種類の表が含まれています。1 つのバージョンに含められる表は 1 種類です。',
  TooManyColumns: '表の列が多すぎます。読み込めるのは最大 %{most} 列です。',
  ColumnNameTooLong: '列名が長すぎます。最大 %{most} 文字です。',
  TooManyPages: '文書は %{pages} ページあります。読み込めるのは最大 %{most} ページです。',
  TooManyFiles: 'アーカイブに %{files} 個のファイルがあります。読み込めるのは最大 %{most} 個です。',
  TooLarge: 'データが大きすぎて表として読み込めません。最大 %{most} バイトです。',
  TooSlow: 'データの読み込みに時間がかかりすぎます。',
  TooMuchMemory: 'データの読み込みにメモリーを使いすぎます。',
  AnswerTooLong: 'データから得られる結果が長すぎます。',
  DiskFull: 'データに必要な容量が、データサーバーの容量を超えています。',
};
