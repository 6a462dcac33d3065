// What the program of a job has logged, for whoever sees the job. Somebody else's does not exist.
import { TRACKING_ROUTES as R } from '@gantry/contract/areas/tracking/tracking.ts';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { curveView } from '../../core/tasks/curve-view.ts';
import type { RunRows } from '../../core/tasks/run-rows.ts';
import type { TaskPoints } from '../../core/tasks/task-points.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';

interface RouteParts {
  /** Throws not_found. */
  find(caller: Caller, id: string): Job;
  rows: Pick<RunRows, 'runsOf'>;
  points: Pick<TaskPoints, 'list'>;
}

export const trackingRoutes = ({ find, rows, points }: RouteParts): Served[] => [
  serve(R.getJobCurve, async ({ caller, params, query }) => {
    const { uid: taskUid = '' } = find(caller, params.id).metadata;
    const runs = await rows.runsOf(taskUid);
    const shown = query.run === undefined ? runs.slice(-1) : runs.filter(({ run }) => run === query.run);
    return curveView(
      shown,
      await points.list(
        taskUid,
        shown.map(({ run }) => run),
      ),
    );
  }),
];
