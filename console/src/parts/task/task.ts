// What pages show of anything that runs to its end: a job, a data processing task. A job's view has it all.
import type { JobView } from '@gantry/contract/kinds/job.ts';

export type Task = Pick<
  JobView,
  'id' | 'tone' | 'reason' | 'actions' | 'runs' | 'queue' | 'start_time' | 'end_time' | 'cost'
>;
export type TaskRun = JobView['runs'][number];
export type TaskWorker = TaskRun['workers'][number];
