// Words of FineTune. What it says as any data task does, `data-task.ts` says.
import * as task from './data-task.ts';

export const name = 'Fine-tuning task';
export const many = 'Fine-tuning tasks';

export const reasons = {
  ...task.reasons,
  Running: 'The model is being trained.',
  Succeeded: 'The new version of the model is ready.',
  Suspended: 'The task is suspended. When it is resumed, it goes on from its last checkpoint.',
  NotAllPlaced:
    'Not all of the %{workers} worker could be placed at the same time. Those that were placed have been stopped, and the task waits until all of them fit. |||| Not all of the %{workers} workers could be placed at the same time. Those that were placed have been stopped, and the task waits until all of them fit.',
  NotAllStarted:
    'Only %{ready} of %{workers} worker started within %{minutes} minutes. All were ended, and the task is queued again. |||| Only %{ready} of %{workers} workers started within %{minutes} minutes. All were ended, and the task is queued again.',
  Rehearsing: 'A few steps of the longest rows are tried out. Nothing is billed yet.',
  ImageNotFound: 'The image of the trainer cannot be pulled: %{detail}. Contact the provider.',
  TrainerImageMissing:
    'This installation does not have its trainer image yet. The task starts once it does; contact the provider if it waits for long.',
  RetriesUsed: 'Worker %{worker} failed: %{ended}. The task has started %{times} times.',
  RetryAt:
    'Worker %{worker} failed: %{ended}. The task goes on from its last checkpoint at %{at} (try %{try} of %{tries}).',
  OutOfMemory: 'Worker %{worker} used more than its %{memoryGi} GiB of memory and was killed. Raise spec.memoryGi.',
  NodeFailed:
    'Node %{node} failed under worker %{worker}. The task goes on from its last checkpoint on another node; this does not use up a retry.',
  WorkerTaken:
    'Worker %{worker} was removed from its node. The task goes on from its last checkpoint; this does not use up a retry.',
  Preempted:
    'The task was moved back into the queue to make room for one with a higher priority. It goes on from its last checkpoint.',
  InputsGone: '%{what} does not exist in this organisation, or is not ready.',
  OutputTaken: 'spec.output: the model %{model} cannot take a new version: %{detail}',
  DoesNotFit:
    'The training does not fit into memory: %{detail}. Lower spec.parameters.batch or maxLength, or choose more memory.',
  TrainingDiverged:
    'The loss is no longer a number: the training diverged. Lower spec.parameters.learningRate, or look for broken rows.',
  NothingDone: 'Nothing was trained: no row of the datasets can be used with spec.columns.',
};

export const actions = {
  ...task.actions,
  restart: 'Restart',
  restartAfresh: 'Restart from the base',
  save: 'Save checkpoint as version',
};

export const objectives = {
  SFT: 'Supervised (SFT)',
  DPO: 'Preferences (DPO)',
};

export const methods = {
  LoRA: 'LoRA',
  QLoRA: 'QLoRA',
  Full: 'Full',
};

export const steps = {
  loading: 'Loading',
  training: 'Training',
  evaluating: 'Evaluating',
  saving: 'Saving',
};

export const problems = {
  ...task.problems,
  NothingUsable: 'No row of the datasets can be used.',
  BaseUnreadable: 'The base model cannot be read: %{detail}',
  TemplateMissing: 'The base model has no chat template, and the rows are conversations.',
  TemplateBroken: 'The base model’s chat template fails: %{detail}',
  DoesNotFit: 'The training does not fit into memory: %{detail}',
  TrainingDiverged: 'The loss is no longer a number.',
};

export const rules = {
  ...task.rules,
  columns:
    'spec.columns: SFT needs either messages alone, or prompt and answer; DPO needs prompt, chosen and rejected alone',
  length: 'spec.parameters: either epochs or maxSteps, not both',
  quantized: 'spec.method: QLoRA needs a GPU (spec.gpu)',
  form: 'spec.output.form: a full fine-tuning makes no adapter; leave it out or choose Merged',
  gguf: 'spec.output.gguf: only a whole model becomes GGUF; choose the form Merged',
  output: 'spec.output: either model or name is needed, not both',
  earlyStop: 'spec.earlyStop: needs spec.evalDataset',
  saveCountGrows: 'saveCount can only grow',
  freshCountGrows: 'freshCount can only grow',
};
