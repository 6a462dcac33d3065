// How a program ended.

import type * as en from '../en/exits.ts';
import type { Shape } from '../join.ts';

export const codes: Shape<typeof en.codes> = {
  '126': '終了コード 126：コマンドはありますが実行できません',
  '127': '終了コード 127：イメージにそのコマンドはありません',
  '134': '終了コード 134：プログラムが異常終了しました（SIGABRT）',
  '137': '終了コード 137：メモリ上限の超過以外の理由で強制終了されました（SIGKILL）',
  '139': '終了コード 139：無効なメモリにアクセスしました（SIGSEGV）',
  '143': '終了コード 143：停止を要求されました（SIGTERM）',
};

export const anyCode = '終了コード %{code}';

export const afterLines = '%{ended}（直前の出力：「%{lines}」）';

/** `lines`: what the container runtime says. */
export const notStarted = '%{ended}：%{lines}';

export const otherEnds: Shape<typeof en.otherEnds> = {
  NotStarted: '未起動',
  InputsNotFetched: '入力ファイルが届きませんでした',
  DoesNotFit: '学習がメモリに収まりませんでした',
  NotRestored: '復元されず',
  StartError: 'プログラムを起動できませんでした',
  Stopped: '要求による停止',
  OOMKilled: 'メモリ不足',
  RootFull: 'ルートファイルシステムの容量超過',
  Evicted: 'ノードによる退避',
  NodeGone: 'ノードの消失',
  Deleted: 'Pod の削除',
  Displaced: 'プラットフォームによるノードからの退去',
  Lost: 'ノードが見失いました',
};
