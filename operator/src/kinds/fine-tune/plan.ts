// A fine-tuning task is a task whose workers wait for what the gateway lists.
import { type FineTune, fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { defineController } from '../../define-controller.ts';
import { overdue } from '../../running/overdue.ts';
import { planTask, TASK_WRITES } from '../../running/plan-task.ts';
import { readsOf } from '../../running/reads.ts';
import type { TrainerSettings } from '../../running/trainer.ts';
import { ran } from './ran.ts';

const { reads } = readsOf<FineTune>(ran);

export const fineTuneController = defineController<FineTune, typeof reads, TrainerSettings>({
  facts: fineTune,
  reads,
  writes: TASK_WRITES,
  overdue,
  pods: reads.pods.find,
  plan: (owner, seen, context) => planTask(ran, owner, seen, context),
});
