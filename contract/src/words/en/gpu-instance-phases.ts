// Phases of GpuInstance, by themselves: a page that lists instances needs no more of their words.

export const phases = {
  releasing: 'Releasing',
  released: 'Released',
  lost_contact: 'Lost contact',
  hibernating: 'Hibernating',
  shuttingDown: 'Shutting down',
  shutDown: 'Shut down',
  stopping: 'Stopping',
  stopped: 'Stopped',
  createFailed: 'Creation failed',
  createTimeout: 'Creation timed out',
  networkTimeout: 'Network timed out',
  failed: 'Failed',
  update: 'Updating',
  hard_rebooting: 'Hard rebooting',
  restoring: 'Restoring',
  resuming: 'Resuming',
  starting: 'Starting',
  preparing: 'Preparing',
  createSuccess: 'Created',
  creating: 'Creating',
  running: 'Running',
};

/** A phase that several resting states share, by the state. */
export const rests = {
  hibernated: 'Hibernated',
};
