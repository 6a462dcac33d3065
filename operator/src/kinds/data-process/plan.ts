// A data processing task is a task whose worker waits for what the gateway lists.
import { type DataProcess, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { defineController } from '../../define-controller.ts';
import { overdue } from '../../running/overdue.ts';
import { planTask, TASK_WRITES } from '../../running/plan-task.ts';
import { readsOf } from '../../running/reads.ts';
import type { ProcessSettings } from './dress.ts';
import { ran } from './ran.ts';

const { reads } = readsOf<DataProcess>(ran);

export const dataProcessController = defineController<DataProcess, typeof reads, ProcessSettings>({
  facts: dataProcess,
  reads,
  writes: TASK_WRITES,
  overdue,
  pods: reads.pods.find,
  plan: (owner, seen, context) => planTask(ran, owner, seen, context),
});
