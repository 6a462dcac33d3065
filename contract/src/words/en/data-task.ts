// What all kinds say whose workers the platform fills and follows. What they say as any task does, a job says.
import { actions as job, reasons as jobReasons, rules as jobRules } from './job.ts';

export const reasons = {
  ...jobReasons,
  Stopped: 'The task was stopped.',
  Releasing: 'The task and everything that belongs to it are being deleted.',
  NotFitting:
    'The task can never start: it needs %{count} × %{model}, and the pool has %{most}. Choose at most %{most}, or another model. |||| The task can never start: it needs %{count} × %{model}, and the pool has %{most}. Choose at most %{most}, or another model.',
  NoQueue: 'This cluster has no job queue (Kueue): tasks start as soon as there is room, in no particular order.',
  QueueUsed: 'Tasks wait in a queue.',
  PullingImage: 'The image of the worker is being pulled, and the files of its input are being copied to it.',
  Refused: 'The cluster refuses the task: %{detail}',
  NameTaken: 'Another object already has the name %{name}. Delete it, or give the task another name.',
  NodeFailedOften: 'The task was started on %{times} nodes, and each of them failed. Contact the provider.',
  Preempted: 'The task was moved back into the queue to make room for one with a higher priority.',
  InputsArriving: 'The files of the input are being listed.',
  InputsNotFetched: 'The files of the input did not arrive in the worker: %{detail}',
  InputsUnreadable: 'The input cannot be read: %{detail}',
  StorageFull:
    'The results need %{wanted} GiB, but %{used} of the organisation’s %{limit} GiB for stored data are in use. Delete a version, or ask the provider for more; what is done is kept.',
  OutputRefused: 'The results cannot be stored: %{detail}',
  ResultsNotFetched: 'The results were not stored within 15 minutes of the end of the worker.',
};

export const actions = {
  stop: job.stop,
  suspend: job.suspend,
  resume: job.resume,
  edit: job.edit,
  clone: job.clone,
  release: job.release,
};

export const problems = {
  BadField: 'The worker cannot use the task’s settings: %{detail}',
  NoSuchColumn: 'The table has no column %{column}.',
  TableBroken: 'The table cannot be read: %{detail}',
};

export const rules = {
  runCountGrows: jobRules.runCountGrows,
  nameLength: jobRules.nameLength,
  name: jobRules.name,
  dataset: 'must be the id of a dataset, such as dst-8f3k2m1a',
};
