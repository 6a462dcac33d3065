// A fine-tuning task as a task: the facts of its runs, what the gateway answers for each, and what its trainer's exit codes mean.
import { TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { type FineTunePhase, fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import type { Exit, Ran, Stage } from '../../running/ran.ts';
import { DOES_NOT_FIT } from '../../running/retries.ts';
import { answerOf, areListed, arrivesMs, COMMON_EXITS, lastWords } from '../../running/task-answers.ts';
import { trainerMissing } from '../../running/trainer.ts';
import { dress } from './dress.ts';

const PHASES: Readonly<Partial<Record<Stage, FineTunePhase>>> = { running: 'training', succeeded: 'success' };

/** Loading the base, and a few steps at the pace of the slowest worker that anybody takes. */
const REHEARSES_MS = 15 * 60_000;

/** Only another spec, another dataset or another model helps against these. */
const HOPELESS: readonly string[] = ['InputsGone', 'OutputTaken', 'DoesNotFit'];

const EXITS: Readonly<Record<number, Exit>> = {
  ...COMMON_EXITS,
  [TASK_EXITS.doesNotFit]: {
    reason: 'DoesNotFit',
    args(task) {
      const { run } = task.status ?? {};
      if (run?.exit !== DOES_NOT_FIT) return lastWords(task);
      const values = { worker: String(run.worker ?? 0), memoryGi: String(task.spec.memoryGi) };
      return quoted('detail', said(DETAILS.killedForMemory, values));
    },
    isRetried: false,
  },
  [TASK_EXITS.diverged]: { reason: 'TrainingDiverged', isRetried: false },
};

export const ran: Ran = {
  facts: fineTune,
  reasons: fineTune.reasons,
  phase: (stage): FineTunePhase => PHASES[stage] ?? (stage as FineTunePhase),
  dress,
  trouble: (task) => answerOf(task, HOPELESS),
  waitsFor: (task, settings) =>
    trainerMissing(settings) ??
    (areListed(task) ? undefined : (answerOf(task, HOPELESS) ?? { reason: 'InputsArriving', args: {} })),
  arrivesMs: (task) => arrivesMs(task) + REHEARSES_MS,
  exits: EXITS,
};
