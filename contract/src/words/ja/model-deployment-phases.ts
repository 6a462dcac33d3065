// The phases of a model deployment.
import type { phases as en } from '../en/model-deployment-phases.ts';
import type { Shape } from '../join.ts';
import { phases as service } from './container-service-phases.ts';

export const phases: Shape<typeof en> = {
  releasing: service.releasing,
  released: service.released,
  stopping: service.stopping,
  finished: '終了',
  sleeping: service.sleeping,
  failed: service.failed,
  partialSuccess: '一部成功',
  deploying: service.deploying,
  waking: service.waking,
  active: '稼働中',
  preparing: service.preparing,
};
