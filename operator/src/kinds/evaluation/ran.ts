// An evaluation as a task: the facts of its runs, what the gateway answers for each, and what its worker's exit codes mean.
import { TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import { type Evaluation, type EvaluationPhase, evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { Exit, Ran, Stage } from '../../running/ran.ts';
import { answerOf, areListed, arrivesMs, COMMON_EXITS, lastWords } from '../../running/task-answers.ts';
import { trainerMissing } from '../../running/trainer.ts';
import { dress } from './dress.ts';

const PHASES: Readonly<Partial<Record<Stage, EvaluationPhase>>> = { running: 'evaluating', succeeded: 'success' };

/** Only another spec, another dataset, another deployment or more room helps against these. */
const HOPELESS: readonly string[] = ['InputsGone', 'VersionRefused'];
const ANSWERS: readonly string[] = [...HOPELESS, 'ModelNotServing', 'VersionStarting'];

const EXITS: Readonly<Record<number, Exit>> = {
  ...COMMON_EXITS,
  [TASK_EXITS.tooManyRejected]: {
    reason: 'TooManyRejected',
    args: ({ spec }) => ({ most: String((spec as Evaluation['spec']).maxRejectedPercent) }),
    isRetried: false,
  },
  [TASK_EXITS.nothingDone]: { reason: 'NothingDone', args: lastWords, isRetried: false },
  [TASK_EXITS.doesNotFit]: { reason: 'DoesNotFit', args: lastWords, isRetried: false },
  [TASK_EXITS.modelNotServing]: { reason: 'NotAnswered', args: lastWords, isRetried: false },
};

export const ran: Ran = {
  facts: evaluation,
  reasons: evaluation.reasons,
  phase: (stage): EvaluationPhase => PHASES[stage] ?? (stage as EvaluationPhase),
  dress,
  trouble: (task) => answerOf(task, HOPELESS),
  waitsFor: (task, settings) =>
    trainerMissing(settings) ??
    (areListed(task) ? undefined : (answerOf(task, ANSWERS) ?? { reason: 'InputsArriving', args: {} })),
  arrivesMs,
  exits: EXITS,
};
