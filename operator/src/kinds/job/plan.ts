import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { defineController } from '../../define-controller.ts';

export const jobController = defineController<Job, Record<never, never>, unknown>({
  facts: job,
  reads: {},
  plan: () => ({}),
});
