// What tasks of one worker say of it.
import type * as en from '../en/lone-worker.ts';
import type { Shape } from '../join.ts';

export const reasons: Shape<typeof en.reasons> = {
  Ending: 'ワーカーを停止しています。',
  NotEnoughForAll: '現在、ワーカーが入る空きのあるノードはありません。',
  WorkersStarting: 'ワーカーを起動しています。',
  NotAllPlaced: 'ワーカーを配置できませんでした。タスクは空きを待ちます。',
  NeverStarted: 'ワーカーは %{minutes} 分以内に起動せず、再試行の回数も残っていません。',
  NotAllStarted: 'ワーカーは %{minutes} 分以内に起動しませんでした。タスクをキューに戻しました。',
  ProgramFailed: 'ワーカーが失敗しました：%{ended}。',
  RetriesUsed: 'ワーカーが失敗しました：%{ended}。タスクは %{times} 回起動しました。',
  RetryAt: 'ワーカーが失敗しました：%{ended}。%{at} に再び始まります（%{tries} 回中 %{try} 回目）。',
  OutOfMemory:
    'ワーカーが %{memoryGi} GiB を超えるメモリを使ったため、強制終了されました。spec.memoryGi を増やしてください。',
  NodeLost: 'ノード %{node} が応答しません。その間、ワーカーは課金されません。',
  NodeFailed: 'ノード %{node} が故障しました。別のノードで再び始まります。再試行の回数には数えません。',
  WorkerTaken: 'ワーカーはノードから外されました。タスクは再び始まります。再試行の回数には数えません。',
};
