// The phases of a service.
import type { phases as en } from '../en/container-service-phases.ts';
import type { Shape } from '../join.ts';

export const phases: Shape<typeof en> = {
  releasing: '解放中',
  released: '解放済み',
  stopping: '停止処理中',
  stopped: '停止',
  sleeping: 'スリープ中',
  failed: '失敗',
  partialSuccess: '一部実行中',
  deploying: 'デプロイ中',
  waking: '復帰中',
  active: '実行中',
  preparing: '準備中',
};
