// The phases of a job.
export const phases = {
  releasing: 'Releasing',
  released: 'Released',
  lost_contact: 'Lost contact',
  stopping: 'Stopping',
  stopped: 'Stopped',
  suspending: 'Suspending',
  suspended: 'Suspended',
  scheduled: 'Scheduled',
  failed: 'Failed',
  succeeded: 'Succeeded',
  running: 'Running',
  starting: 'Starting',
  queued: 'Queued',
  preparing: 'Preparing',
};
