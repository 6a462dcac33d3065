// The phases of a service.
export const phases = {
  releasing: 'Releasing',
  released: 'Released',
  stopping: 'Stopping',
  stopped: 'Stopped',
  sleeping: 'Asleep',
  failed: 'Failed',
  partialSuccess: 'Partly running',
  deploying: 'Deploying',
  waking: 'Waking',
  active: 'Running',
  preparing: 'Preparing',
};
