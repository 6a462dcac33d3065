// Phases of GpuInstance, by themselves: a page that lists instances needs no more of their words.
import type { phases as en, rests as enRests } from '../en/gpu-instance-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '解放中',
  released: '解放済み',
  lost_contact: '応答なし',
  hibernating: '休止処理中',
  shuttingDown: 'シャットダウン中',
  shutDown: 'シャットダウン済み',
  stopping: '停止処理中',
  stopped: '停止',
  createFailed: '作成失敗',
  createTimeout: '作成タイムアウト',
  networkTimeout: 'ネットワークタイムアウト',
  failed: '失敗',
  update: '更新中',
  hard_rebooting: '強制再起動中',
  restoring: '復元中',
  resuming: '再開中',
  starting: '起動中',
  preparing: '準備中',
  createSuccess: '作成完了',
  creating: '作成中',
  running: '実行中',
};

/** A phase that several resting states share, by the state. */
export const rests: Shape<typeof enRests> = {
  hibernated: '休止中',
};
