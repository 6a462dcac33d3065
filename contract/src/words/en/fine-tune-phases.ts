// The phases of a fine-tuning task.
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
  training: 'Training',
  starting: 'Starting',
  queued: 'Queued',
  preparing: 'Preparing',
};
