// The phases of a data processing task.
export const phases = {
  releasing: 'Releasing',
  released: 'Released',
  lost_contact: 'Lost contact',
  stopping: 'Stopping',
  stopped: 'Stopped',
  suspending: 'Suspending',
  suspended: 'Suspended',
  failed: 'Failed',
  success: 'Success',
  processing: 'Processing',
  starting: 'Starting',
  queued: 'Queued',
  preparing: 'Preparing',
};
