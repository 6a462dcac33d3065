// A job as a task: the facts of its runs.
import { type Job, type JobPhase, job } from '@gantry/contract/kinds/job.ts';
import type { Ran } from '../../running/ran.ts';
import { dress } from './dress.ts';
import { trackingAwaited } from './tracker.ts';

export const ran: Ran = {
  facts: job,
  reasons: job.reasons,
  phase: (stage): JobPhase => stage,
  dress,
  isTemplate: (task) => (task as Job).spec.schedule !== undefined,
  waitsFor: (task) => trackingAwaited(task as Job),
};
