// The program of an evaluation's worker, and how much it writes.
import { MI } from '@gantry/contract/fields/quantity.ts';
import { TASK_ASK } from '@gantry/contract/kinds/data-task.ts';
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { Ran } from '../../running/ran.ts';
import { taskDress } from '../../running/task-dress.ts';
import { type TrainerSettings, trainerCommand } from '../../running/trainer.ts';

/** Of what arrives: rows as they are asked, with an answer of each subject, as parts and once more as examples. */
const WORK_TIMES = 4;
const WORK_BYTES = 1024 * MI;

export const dress: Ran['dress'] = (task, _run, _seen, settings) => {
  const { trainerImage, ...common } = settings as TrainerSettings;
  const { spec, status } = task as Evaluation;
  const { inputs } = status ?? {};
  const command = trainerCommand('evaluate', `--ask=http://${TASK_ASK}`);
  const workBytes = (inputs?.bytes ?? 0) * (WORK_TIMES + spec.subjects.length) + WORK_BYTES;
  return taskDress(task, inputs ?? {}, { image: trainerImage, command, workBytes }, common);
};
