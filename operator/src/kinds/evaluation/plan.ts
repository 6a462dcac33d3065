// An evaluation is a task whose worker waits for what the gateway lists.
import { type Evaluation, evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { defineController } from '../../define-controller.ts';
import { overdue } from '../../running/overdue.ts';
import { planTask, TASK_WRITES } from '../../running/plan-task.ts';
import { readsOf } from '../../running/reads.ts';
import type { TrainerSettings } from '../../running/trainer.ts';
import { ran } from './ran.ts';

const { reads } = readsOf<Evaluation>(ran);

export const evaluationController = defineController<Evaluation, typeof reads, TrainerSettings>({
  facts: evaluation,
  reads,
  writes: TASK_WRITES,
  overdue,
  pods: reads.pods.find,
  plan: (owner, seen, context) => planTask(ran, owner, seen, context),
});
