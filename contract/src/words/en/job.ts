// Words of Job.
import * as credit from './credit.ts';

export const name = 'Job';
export const many = 'Jobs';

export const reasons = {
  Running: 'All workers are running.',
  Succeeded: 'Every worker ended with exit code 0.',
  Stopped: 'The job was stopped.',
  Suspended: 'The job is suspended. When it is resumed, it starts from the beginning.',
  Ending: 'The workers are being stopped.',
  Releasing: 'The job and everything that belongs to it are being deleted.',
  Released: 'Everything has been deleted; the final usage is being billed.',
  Scheduled: 'The next run is at %{at}.',
  ScheduleSuspended: 'No run starts until the schedule is resumed.',
  ScheduleStopped: 'The schedule was stopped: no more runs start.',
  NoMoreRuns: 'The schedule has no further runs.',
  ScheduleUnreadable: 'spec.schedule: %{cron} in the time zone %{timeZone} is not a valid schedule.',
  RunMissed: 'The run at %{at} was missed: %{detail}',
  InQueue: 'Position %{position} in the queue; %{gpus} GPUs are requested ahead of it.',
  InQueueUntil:
    'Position %{position} in the queue; %{gpus} GPUs are requested ahead of it. Expected to start at %{at} (%{basis}).',
  InQueueBecause: 'Position %{position} in the queue. The queue says: %{detail}',
  QueueSilent: 'The queue has not answered yet.',
  NotFitting:
    'The job can never start: it needs %{count} × %{model}, and the pool has %{most}. Choose at most %{most}, or another model. |||| The job can never start: it needs %{count} × %{model}, and the pool has %{most}. Choose at most %{most}, or another model.',
  NoQueue: 'This cluster has no job queue (Kueue): jobs start as soon as there is room, in no particular order.',
  QueueUsed: 'Jobs wait in a queue and start together.',
  NotEnoughForAll:
    'Needs room for %{workers} worker at once; there is room for %{fitting}. |||| Needs room for %{workers} workers at once; there is room for %{fitting}.',
  WaitingForGpus: 'Needs %{count} × %{model}; %{free} are free.',
  UnknownGpuModel: 'No node has the GPU model %{model}. The cluster has: %{models}.',
  NodesClosed: 'Suitable nodes exist, but none of them accepts it now: %{detail}.',
  WorkersStarting: '%{ready} of %{workers} worker ready. |||| %{ready} of %{workers} workers ready.',
  PullingImage: 'The image is being pulled, and the containers are being prepared.',
  NotAllPlaced:
    'Not all of the %{workers} worker could be placed at the same time. Those that were placed have been stopped, and the job waits until all of them fit. |||| Not all of the %{workers} workers could be placed at the same time. Those that were placed have been stopped, and the job waits until all of them fit.',
  NeverStarted:
    'Only %{ready} of %{workers} worker started within %{minutes} minutes, and no retry is left. |||| Only %{ready} of %{workers} workers started within %{minutes} minutes, and no retry is left.',
  NotAllStarted:
    'Only %{ready} of %{workers} worker started within %{minutes} minutes. All were ended, and the job is queued again. |||| Only %{ready} of %{workers} workers started within %{minutes} minutes. All were ended, and the job is queued again.',
  ...credit.reasons,
  UsageNotPosted: 'Fifty usage intervals are waiting to be billed; the next run starts once they are.',
  HostNotFound: 'spec.host: there is no host %{host} in this organisation.',
  HostNotReady: 'spec.host: the host %{host} is not ready: %{detail}',
  HostExpired: 'spec.host: the host %{host} has expired.',
  DiskNotFound: 'spec.mounts: there is no disk %{disk} in this organisation.',
  DiskInUse: 'spec.mounts: the disk %{disk} allows only one writer, currently %{by}.',
  DiskForOneWorker:
    'spec.mounts: the disk %{disk} allows only one writer, and the job has %{workers} workers. Use a disk that allows several.',
  DiskNotReady: 'spec.mounts: the disk %{disk} cannot be mounted now: %{detail}',
  DiskOnHost: 'spec.mounts: the disk %{disk} belongs to the host %{host}; a job on that host can use it.',
  TrackingNotReady: 'The gateway is preparing to record what the program logs.',
  ImageNotFound: 'The image %{image} cannot be pulled: %{detail}',
  BadConfig: 'The container cannot be created: %{detail}',
  SecretMissing: 'spec.secretEnv: the Secret %{secret} or its key %{key} does not exist.',
  QuotaExceeded:
    "The organisation's quota does not allow it: %{detail}. Request less, release what is not needed, or ask the provider for a larger quota.",
  Refused: 'The cluster refuses the job: %{detail}',
  NameTaken: 'Another object already has the name %{name}. Delete it, or give the job another name.',
  ProgramFailed: 'Worker %{worker} failed: %{ended}.',
  RetriesUsed: 'Worker %{worker} failed: %{ended}. The job has started %{times} times.',
  RetryAt: 'Worker %{worker} failed: %{ended}. The job starts again at %{at} (try %{try} of %{tries}).',
  OutOfMemory:
    'Worker %{worker} used more than its %{memoryGi} GiB of memory and was killed. Raise spec.memoryGi, or make the program use less.',
  TookTooLong:
    'The run took longer than %{minutes} minute and was ended. Raise spec.maxRunMinutes if it needs more. |||| The run took longer than %{minutes} minutes and was ended. Raise spec.maxRunMinutes if it needs more.',
  NodeLost: 'Node %{node} does not answer. Worker %{worker} is not billed meanwhile.',
  NodeFailed:
    'Node %{node} failed under worker %{worker}. The job starts again on another node; this does not use up a retry.',
  WorkerTaken: 'Worker %{worker} was removed from its node. The job starts again; this does not use up a retry.',
  NodeFailedOften: 'The job was started on %{times} nodes, and each of them failed. Contact the provider.',
  Preempted: 'The job was moved back into the queue to make room for one with a higher priority.',
};

export const actions = {
  stop: 'Stop',
  suspend: 'Suspend',
  resume: 'Resume',
  runAgain: 'Run again',
  edit: 'Edit',
  clone: 'Clone',
  login: 'Open terminal',
  release: 'Release',
};

export const workers = {
  waiting: 'Waiting',
  starting: 'Starting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  stopped: 'Stopped',
  lost: 'Lost contact',
};

export const causes = {
  first: 'First run',
  again: 'Run again',
  resume: 'Resumed',
  retry: 'Retry after a failure',
  node: 'Moved off a failed node',
};

export const bases = {
  limits: 'from the maximum run times of running jobs',
  history: 'from how long earlier jobs ran',
  none: 'no estimate',
};

export const rules = {
  runCountGrows: 'runCount can only grow',
  mountPath: 'mountPath must be an absolute path without .., and not in /gantry, /dev, /proc or /sys',
  mountPathTwice: 'mounts: two disks cannot have the same mountPath',
  nameLength: 'metadata.name may have at most 50 characters: the names of its Pods are longer',
  scheduleNameLength: 'metadata.name of a schedule may have at most 38 characters: the names of its runs are longer',
  name: 'metadata.name must be lower-case letters, digits and -, starting with a letter',
  scheduleStays: 'spec.schedule: a job cannot become a schedule, nor a schedule a job; create another',
  variableTwice: 'spec.secretEnv: a variable is in spec.env or in spec.secretEnv, not in both',
  trackingPorts: 'spec.ports: with spec.tracking, ports 8089 and 8092 belong to the platform; choose others',
};
