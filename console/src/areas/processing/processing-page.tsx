// One task: its state and the reason, its progress and units, its runs, logs and metrics, and what it is.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { DataProcessView } from '@gantry/contract/kinds/data-process.ts';
import { useSearchParams } from 'react-router';
import { KindPage } from '../../parts/kind-page.tsx';
import { RunLog } from '../../parts/log/run-log.tsx';
import { ObjectMetrics } from '../../parts/metrics/object-metrics.tsx';
import { datasetPath } from '../../parts/store-paths.ts';
import { RunTimeLine } from '../../parts/task/run-time-line.tsx';
import { taskLive, useTaskNext } from '../../parts/task/task-head.ts';
import { TaskRemedy } from '../../parts/task/task-remedy.tsx';
import { TaskRuns } from '../../parts/task/task-runs.tsx';
import { WorkerTable } from '../../parts/task/worker-table.tsx';
import { Manifest } from '../../parts/workload/manifest.tsx';
import { onPage } from '../../parts/workload/workload-actions.tsx';
import { LIST, pathOf } from './paths.ts';
import { ProcessingActions } from './processing-actions.tsx';
import { ProcessingLineage } from './processing-lineage.tsx';
import { ProcessingOverview } from './processing-overview.tsx';
import { UnitsTab } from './units-tab.tsx';

export function ProcessingPage() {
  const nextOf = useTaskNext(pathOf);
  return (
    <KindPage
      kind="dataProcess"
      read={CALLS.getDataProcess}
      list={LIST}
      price={({ price }) => price}
      next={(task) =>
        nextOf(
          task,
          task.output.is_ready && task.output.dataset !== null
            ? datasetPath(task.output.dataset, task.output.version)
            : undefined,
        )
      }
      live={(task) => taskLive('processing', task)}
      actions={onPage(ProcessingActions)}
      remedy={(task) => <TaskRemedy path={pathOf(task)} node="dataProcess.edit" task={task} />}
      tabs={{
        overview: (task) => <Overview task={task} />,
        units: (task) => <UnitsTab task={task} />,
        runs: (task) => <TaskRuns path={pathOf(task)} task={task} />,
        logs: ({ id }) => <Log id={id} />,
        metrics: ({ id }) => <ObjectMetrics type="processing" id={id} />,
        lineage: (task) => <ProcessingLineage task={task} />,
        settings: ({ id, spec }) => <Manifest kind="DataProcess" id={id} spec={spec} />,
      }}
    />
  );
}

function Overview({ task }: { task: DataProcessView }) {
  const [newest] = task.runs;
  return (
    <>
      <ProcessingOverview task={task} />
      {newest && <WorkerTable path={pathOf(task)} run={newest} />}
      {newest && <RunTimeLine runs={[newest]} />}
    </>
  );
}

function Log({ id }: { id: string }) {
  const [query] = useSearchParams();
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return <RunLog kind="dataProcess" id={id} first={{ number: number('run'), worker: number('worker') }} />;
}
