// The phases of a evaluation.
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
  evaluating: 'Evaluating',
  starting: 'Starting',
  queued: 'Queued',
  preparing: 'Preparing',
};
