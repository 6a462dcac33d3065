// One task: its state and the reason, how far it is with its curves, its checkpoints, runs, logs and metrics, and what it is.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { FineTuneView } from '@gantry/contract/kinds/fine-tune.ts';
import { useSearchParams } from 'react-router';
import { KindPage } from '../../parts/kind-page.tsx';
import { RunLog } from '../../parts/log/run-log.tsx';
import { ObjectMetrics } from '../../parts/metrics/object-metrics.tsx';
import { modelPath } from '../../parts/store-paths.ts';
import { RunTimeLine } from '../../parts/task/run-time-line.tsx';
import { taskLive, useTaskNext } from '../../parts/task/task-head.ts';
import { TaskRemedy } from '../../parts/task/task-remedy.tsx';
import { TaskRuns } from '../../parts/task/task-runs.tsx';
import { WorkerTable } from '../../parts/task/worker-table.tsx';
import { Manifest } from '../../parts/workload/manifest.tsx';
import { onPage } from '../../parts/workload/workload-actions.tsx';
import { CheckpointsTab } from './checkpoints-tab.tsx';
import { Curves } from './curves.tsx';
import { LIST, pathOf } from './paths.ts';
import { TuningActions } from './tuning-actions.tsx';
import { TuningLineage } from './tuning-lineage.tsx';
import { Facts, Progress, Result } from './tuning-overview.tsx';

export function TuningPage() {
  const nextOf = useTaskNext(pathOf);
  return (
    <KindPage
      kind="fineTune"
      read={CALLS.getFineTune}
      list={LIST}
      price={({ price }) => price}
      next={(task) =>
        nextOf(task, task.output.is_ready && task.output.model !== null ? modelPath(task.output.model) : undefined)
      }
      live={(task) => taskLive('finetune', task)}
      actions={onPage(TuningActions)}
      remedy={(task) => <TaskRemedy path={pathOf(task)} node="fineTune.edit" task={task} />}
      tabs={{
        overview: (task) => <Overview task={task} />,
        checkpoints: (task) => <CheckpointsTab task={task} />,
        runs: (task) => <TaskRuns path={pathOf(task)} task={task} />,
        logs: ({ id }) => <Log id={id} />,
        metrics: ({ id }) => <ObjectMetrics type="finetune" id={id} />,
        lineage: (task) => <TuningLineage task={task} />,
        settings: ({ id, spec }) => <Manifest kind="FineTune" id={id} spec={spec} />,
      }}
    />
  );
}

function Overview({ task }: { task: FineTuneView }) {
  const [newest] = task.runs;
  return (
    <>
      <Progress task={task} />
      <Result task={task} />
      {newest && <Curves id={task.id} />}
      <Facts task={task} />
      {newest && <WorkerTable path={pathOf(task)} run={newest} />}
      {newest && <RunTimeLine runs={[newest]} />}
    </>
  );
}

function Log({ id }: { id: string }) {
  const [query] = useSearchParams();
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return <RunLog kind="fineTune" id={id} first={{ number: number('run'), worker: number('worker') }} />;
}
