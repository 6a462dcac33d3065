// One job: its state and the reason, its workers and the time line of its run, all runs, logs, and what it is.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useSearchParams } from 'react-router';
import { KindPage } from '../../../parts/kind-page.tsx';
import { RunLog } from '../../../parts/log/run-log.tsx';
import { ObjectMetrics } from '../../../parts/metrics/object-metrics.tsx';
import { RunTimeLine } from '../../../parts/task/run-time-line.tsx';
import { taskLive, useTaskNext } from '../../../parts/task/task-head.ts';
import { TaskRemedy } from '../../../parts/task/task-remedy.tsx';
import { TaskRuns } from '../../../parts/task/task-runs.tsx';
import { WorkerTable } from '../../../parts/task/worker-table.tsx';
import { Manifest } from '../../../parts/workload/manifest.tsx';
import { onPage } from '../../../parts/workload/workload-actions.tsx';
import { JobActions } from './job-actions.tsx';
import { JobCurve } from './job-curve.tsx';
import { JobOverview } from './job-overview.tsx';
import { ScheduleRuns } from './schedule-runs.tsx';
import { WorkerLinks } from './worker-links.tsx';

const pathOf = ({ id }: Pick<JobView, 'id'>) => `/deploy/job/${id}`;

export function JobPage() {
  const nextOf = useTaskNext(pathOf);
  return (
    <KindPage
      kind="job"
      read={CALLS.getJob}
      list="/deploy/job"
      price={({ price }) => price}
      next={(job) => (job.execution === 'scheduled' ? undefined : nextOf(job))}
      live={(job) => taskLive('job', job)}
      actions={onPage(JobActions)}
      remedy={(job) => <TaskRemedy path={pathOf(job)} node="job.edit" task={job} />}
      without={({ execution }) => (execution === 'scheduled' ? ['logs'] : [])}
      tabs={{
        overview: (job) => <Overview job={job} />,
        runs: (job) =>
          job.execution === 'scheduled' ? <ScheduleRuns job={job} /> : <TaskRuns path={pathOf(job)} task={job} />,
        logs: ({ id }) => <Log id={id} />,
        metrics: ({ id }) => <ObjectMetrics type="job" id={id} />,
        settings: ({ id, spec }) => <Manifest kind="Job" id={id} spec={spec} />,
      }}
    />
  );
}

function Overview({ job }: { job: JobView }) {
  const [newest] = job.runs;
  return (
    <>
      <JobOverview job={job} />
      {newest && job.spec.tracking && <JobCurve job={job} />}
      {newest && (
        <WorkerTable path={pathOf(job)} run={newest} more={(worker) => <WorkerLinks job={job} worker={worker} />} />
      )}
      {newest && <RunTimeLine runs={[newest]} />}
    </>
  );
}

function Log({ id }: { id: string }) {
  const [query] = useSearchParams();
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return <RunLog kind="job" id={id} first={{ number: number('run'), worker: number('worker') }} />;
}
