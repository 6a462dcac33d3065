// Words of DataProcess. What it says as any data task does, `data-task.ts` says.
import * as task from './data-task.ts';
import { actions as job } from './job.ts';
import * as lone from './lone-worker.ts';

export const name = 'Data processing task';
export const many = 'Data processing tasks';

export const reasons = {
  ...task.reasons,
  ...lone.reasons,
  Running: 'The dataset is being processed.',
  Succeeded: 'The new version of the dataset is ready.',
  Suspended: 'The task is suspended. When it is resumed, it continues with what is not done yet.',
  ImageNotFound: 'The image of the data worker cannot be pulled: %{detail}. Contact the provider.',
  InputsGone: 'spec.input: the dataset %{dataset} has no version %{version} that is ready in this organisation.',
  OutputTaken: 'spec.output: the dataset %{dataset} cannot take a new version: %{detail}',
  ModelNotServing: 'spec.model: %{model} does not answer. Start the deployment, or choose another one.',
  TooManyRejected:
    'More than %{most}% of the units were rejected. Download the rejected units, or raise spec.maxRejectedPercent.',
  TokenBudgetSpent:
    'The budget of %{tokens} tokens is spent. The new version has what was done; raise spec.maxTokens and run the task again to do the rest.',
  NothingDone: 'Nothing was made: every unit failed, was skipped, or came out empty.',
};

export const actions = {
  ...task.actions,
  runAgain: job.runAgain,
  tryAgain: 'Retry failed units',
};

export const types = {
  QaPairs: 'QA pairs',
  KnowledgeBase: 'Knowledge base',
  KnowledgeGraph: 'Knowledge graph',
  Clean: 'Clean',
  Split: 'Split',
  Convert: 'Convert',
};

export const unitReasons = {
  TooLong: 'The text is longer than a request to a model may be.',
  ModelRefusedText: 'The model refused the text.',
  ModelBusy: 'The model was busy each time it was asked.',
  ModelFailed: 'The model failed each time it was asked.',
  AnswerNotInShape: 'The model’s answer did not have the required form, even on the second try.',
  AnswerCut: 'The model’s answer was cut off at its maximum length, even on the second try.',
  VectorNotFinite: 'The model’s vector has values that are not numbers.',
  VectorZero: 'The model’s vector has no direction.',
  VectorOfOtherLength: 'The model’s vector differs in length from the others.',
  NoText: 'It has no text.',
};

export const removed = {
  Duplicate: 'Duplicates',
  NearDuplicate: 'Near duplicates',
  TooShort: 'Too short',
  TooLarge: 'Too long',
  OtherLanguage: 'Other languages',
};

export const masked = {
  email: 'Email addresses',
  phone: 'Phone numbers',
  card: 'Card numbers',
  iban: 'IBANs',
  ip: 'IP addresses',
  'chinese-id': 'Chinese identity numbers',
  'my-number': 'Japanese My Numbers',
};

export const problems = {
  ...task.problems,
  TooManyUnits: 'The input has more than %{most} units.',
  TooManyRejected: '%{failed} of %{units} units failed, which is more than %{percent}%.',
  TokenBudgetSpent:
    'The token budget was spent before anything was made: of %{units} units, %{done} were done and %{failed} failed.',
  NothingMade: 'Nothing was made of the input.',
  ModelRefused: 'The model cannot be asked: it answers with status %{status}.',
};

export const rules = {
  ...task.rules,
  output: 'spec.output: either dataset or name is needed, not both',
  block: 'spec: exactly the block of spec.type is needed: qa, chunks, graph, clean, split or convert',
  model: 'spec.model: this type needs a model',
  modelName: 'model must be a deployment or an alias: letters, digits, ., _, -, : and /',
  overlap: 'chunks.overlap may be at most half of maxTokens',
  entityTypes: 'entityTypes: each type may be named once',
  lengths: 'clean.maxChars may not be less than minChars',
  language: 'languages must be codes of ISO 639 in lower case, such as en',
  partName: 'parts.name must be letters, digits, - and _, starting with a letter or digit',
  partNames: 'split.parts: names must differ, also without regard to case',
  percents: 'split.parts: the percentages must add up to 100',
};
