// The phases of a model deployment.
import { phases as service } from './container-service-phases.ts';

export const phases = {
  releasing: service.releasing,
  released: service.released,
  stopping: service.stopping,
  finished: 'Finished',
  sleeping: service.sleeping,
  failed: service.failed,
  partialSuccess: 'Partial success',
  deploying: service.deploying,
  waking: service.waking,
  active: 'Active',
  preparing: service.preparing,
};
