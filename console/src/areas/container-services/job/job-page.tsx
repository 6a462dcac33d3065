// One job: its state and the reason, its workers and the time line of its run, all runs, logs, and what it is.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { JobView } from '@gantry/contract/kinds/job.ts';
import { useSearchParams } from 'react-router';
import { KindPage } from '../../../parts/kind-page.tsx';
import { RunLog } from '../../../parts/log/run-log.tsx';
import { ObjectMetrics } from '../../../parts/metrics/object-metrics.tsx';
import { onPage } from '../../../parts/workload/workload-actions.tsx';
import { Manifest } from '../manifest.tsx';
import { JobActions } from './job-actions.tsx';
import { JobOverview } from './job-overview.tsx';
import { JobRemedy } from './job-remedy.tsx';
import { JobRuns } from './job-runs.tsx';
import { RunTimeLine } from './run-time-line.tsx';
import { ScheduleRuns } from './schedule-runs.tsx';
import { WorkerTable } from './worker-table.tsx';

export const JobPage = () => (
  <KindPage
    kind="job"
    read={CALLS.getJob}
    list="/deploy/job"
    price={({ price }) => price}
    actions={onPage(JobActions)}
    remedy={(job) => <JobRemedy job={job} />}
    without={({ execution }) => (execution === 'scheduled' ? ['logs'] : [])}
    tabs={{
      overview: (job) => <Overview job={job} />,
      runs: (job) => (job.execution === 'scheduled' ? <ScheduleRuns job={job} /> : <JobRuns job={job} />),
      logs: ({ id }) => <Log id={id} />,
      metrics: ({ id }) => <ObjectMetrics type="job" id={id} />,
      settings: ({ id, spec }) => <Manifest kind="Job" id={id} spec={spec} />,
    }}
  />
);

function Overview({ job }: { job: JobView }) {
  const [newest] = job.runs;
  return (
    <>
      <JobOverview job={job} />
      {newest && <WorkerTable job={job} run={newest} />}
      {newest && <RunTimeLine runs={[newest]} />}
    </>
  );
}

function Log({ id }: { id: string }) {
  const [query] = useSearchParams();
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return <RunLog kind="job" id={id} first={{ number: number('run'), worker: number('worker') }} />;
}
