// A data processing task as a task: the facts of its runs, what the gateway answers for each, and what its worker's exit codes mean.
import { type DataProcess, type DataProcessPhase, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import type { Exit, Ran, Stage } from '../../running/ran.ts';
import { answerOf, areListed, arrivesMs, COMMON_EXITS } from '../../running/task-answers.ts';
import { dress } from './dress.ts';

const PHASES: Readonly<Partial<Record<Stage, DataProcessPhase>>> = { running: 'processing', succeeded: 'success' };

/** Only another spec, or another dataset, helps against these. */
const HOPELESS: readonly string[] = ['InputsGone', 'OutputTaken'];
const ANSWERS: readonly string[] = [...HOPELESS, 'ModelNotServing'];

const EXITS: Readonly<Record<number, Exit>> = {
  ...COMMON_EXITS,
  [TASK_EXITS.tooManyRejected]: {
    reason: 'TooManyRejected',
    args: ({ spec }) => ({ most: String((spec as DataProcess['spec']).maxRejectedPercent) }),
    isRetried: false,
  },
  [TASK_EXITS.modelNotServing]: {
    reason: 'ModelNotServing',
    args: ({ spec }) => ({ model: (spec as DataProcess['spec']).model ?? '–' }),
    isRetried: false,
  },
};

export const ran: Ran = {
  facts: dataProcess,
  reasons: dataProcess.reasons,
  phase: (stage): DataProcessPhase => PHASES[stage] ?? (stage as DataProcessPhase),
  dress,
  trouble: (task) => answerOf(task, HOPELESS),
  waitsFor: (task) =>
    areListed(task) ? undefined : (answerOf(task, ANSWERS) ?? { reason: 'InputsArriving', args: {} }),
  arrivesMs,
  succeeded(task) {
    const { spec, status } = task as DataProcess;
    return status?.output?.ended === 'TokenBudgetSpent' && status.output.run === status.run?.seq
      ? { reason: 'TokenBudgetSpent', args: { tokens: String(spec.maxTokens ?? '–') } }
      : undefined;
  },
  exits: EXITS,
};
