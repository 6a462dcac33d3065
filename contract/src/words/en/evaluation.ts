// Words of Evaluation. What it says as any data task does, `data-task.ts` says.
import * as task from './data-task.ts';
import { actions as job } from './job.ts';
import * as lone from './lone-worker.ts';

export const name = 'Evaluation';
export const many = 'Evaluations';

export const reasons = {
  ...task.reasons,
  ...lone.reasons,
  Running: 'The models are being evaluated.',
  Succeeded: 'The scores are ready.',
  Suspended: 'The evaluation is suspended. When it is resumed, it asks only what has not been answered yet.',
  ImageNotFound: 'The image of the evaluator cannot be pulled: %{detail}. Contact the provider.',
  TrainerImageMissing:
    'This installation does not have its trainer image yet, which also evaluates. The evaluation starts once it does; contact the provider if it waits for long.',
  InputsGone: '%{what} does not exist in this organisation, or is not ready.',
  VersionStarting: '%{model} %{version} is being deployed for this run. %{detail}',
  VersionRefused: '%{model} %{version} cannot be deployed for this run: %{detail}',
  ModelNotServing: '%{model} does not answer. Start the deployment, or choose another one.',
  NotAnswered: 'A model does not answer: %{detail}',
  DoesNotFit: 'The evaluation does not fit into memory: %{detail} Raise spec.memoryGi, or lower spec.limit.',
  TooManyRejected:
    'More than %{most}% of the questions could not be asked or scored. Look at the examples, or raise spec.maxRejectedPercent.',
  NothingDone: 'Nothing was scored: %{detail}',
};

export const actions = {
  ...task.actions,
  runAgain: job.runAgain,
};

export const metrics = {
  ExactMatch: 'Exact match',
  F1: 'F1',
  RougeL: 'ROUGE-L',
  Judge: 'Judge',
  Pairwise: 'Pairwise',
};

export const steps = {
  loading: 'Loading',
  asking: 'Asking',
  judging: 'Judging',
  scoring: 'Scoring',
  measuring: 'Measuring load',
};

export const problems = {
  ...task.problems,
  NothingUsable: 'No row of the datasets can be used.',
  ModelNotAnswering: 'The model %{model} does not answer. What others answered is kept: a run goes on from there.',
  DoesNotFit: 'The evaluation takes more memory than there is.',
  TooManyUnits: 'More than %{most} questions are not asked in one evaluation: set a limit.',
  ModelRefused: 'A model cannot be asked: it answers with status %{status}.',
  TokenBudgetSpent: 'The token budget is spent. What was answered is kept: raise spec.maxTokens and run it again.',
  TooManyRejected: 'Too many questions could not be asked or scored: %{detail}',
  HarnessUnavailable: 'The harness’ task needs a download, which a worker cannot make: %{detail}',
};

export const rules = {
  ...task.rules,
  subject: 'spec.subjects: each is either a deployment, maybe with an adapter, or a model with its version',
  subjects: 'spec.subjects: each deployment, adapter and version may be named once',
  judge: 'spec.judge: the metrics Judge and Pairwise need a judge',
  baseline: 'spec.baseline: must be the number of one of spec.subjects, from 0 on',
  pairwise: 'spec.baseline: the metric Pairwise needs one',
  answer: 'columns.answer: this metric needs a column with the expected answers',
  concurrency: 'performance.concurrency: each number may be named once',
};
