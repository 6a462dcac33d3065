// A job is a task; a schedule makes jobs.
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { defineController } from '../../define-controller.ts';
import { overdue } from '../../running/overdue.ts';
import { planTask, TASK_WRITES } from '../../running/plan-task.ts';
import type { RunSettings } from '../../running/ran.ts';
import { ran } from './ran.ts';
import { reads } from './reads.ts';
import { planSchedule } from './schedule.ts';

export const jobController = defineController<Job, typeof reads, RunSettings>({
  facts: job,
  reads,
  writes: { fields: ['schedule', ...TASK_WRITES.fields], conditions: TASK_WRITES.conditions },
  overdue,
  pods: reads.pods.find,
  plan(owner, seen, context) {
    // A job cannot become a schedule; one that did all the same ends what it has first.
    const { run } = owner.status ?? {};
    const isEmpty = (run === undefined || run.endedAt !== undefined) && seen.pods.length + seen.batchJobs.length === 0;
    return owner.spec.schedule && isEmpty ? planSchedule(owner, seen, context) : planTask(ran, owner, seen, context);
  },
});
