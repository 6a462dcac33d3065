// One evaluation: its state and the reason, its scores and examples, its runs, logs and metrics, and what it is.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { EvaluationView } from '@gantry/contract/kinds/evaluation.ts';
import { useSearchParams } from 'react-router';
import { KindPage } from '../../parts/kind-page.tsx';
import { RunLog } from '../../parts/log/run-log.tsx';
import { ObjectMetrics } from '../../parts/metrics/object-metrics.tsx';
import { RunTimeLine } from '../../parts/task/run-time-line.tsx';
import { taskLive, useTaskNext } from '../../parts/task/task-head.ts';
import { TaskRemedy } from '../../parts/task/task-remedy.tsx';
import { TaskRuns } from '../../parts/task/task-runs.tsx';
import { WorkerTable } from '../../parts/task/worker-table.tsx';
import { Manifest } from '../../parts/workload/manifest.tsx';
import { onPage } from '../../parts/workload/workload-actions.tsx';
import { EvaluationActions } from './evaluation-actions.tsx';
import { EvaluationFacts, EvaluationLineage } from './evaluation-facts.tsx';
import { Progress } from './evaluation-progress.tsx';
import { ExamplesTab } from './examples-tab.tsx';
import { LIST, pathOf } from './paths.ts';
import { EvaluationScores } from './scores.tsx';

export function EvaluationPage() {
  const nextOf = useTaskNext(pathOf);
  return (
    <KindPage
      kind="evaluation"
      read={CALLS.getEvaluation}
      list={LIST}
      price={({ price }) => price}
      next={(task) =>
        nextOf(task, task.examples !== null && task.examples > 0 ? `${pathOf(task)}/examples` : undefined)
      }
      live={(task) => taskLive('evaluation', task)}
      actions={onPage(EvaluationActions)}
      remedy={(task) => <TaskRemedy path={pathOf(task)} node="evaluation.edit" task={task} />}
      tabs={{
        overview: (task) => <Overview task={task} />,
        examples: (task) => <ExamplesTab task={task} />,
        runs: (task) => <TaskRuns path={pathOf(task)} task={task} />,
        logs: ({ id }) => <Log id={id} />,
        metrics: ({ id }) => <ObjectMetrics type="evaluation" id={id} />,
        lineage: (task) => <EvaluationLineage task={task} />,
        settings: ({ id, spec }) => <Manifest kind="Evaluation" id={id} spec={spec} />,
      }}
    />
  );
}

function Overview({ task }: { task: EvaluationView }) {
  const [newest] = task.runs;
  return (
    <>
      <Progress task={task} />
      <EvaluationScores task={task} />
      <EvaluationFacts task={task} />
      {newest && <WorkerTable path={pathOf(task)} run={newest} />}
      {newest && <RunTimeLine runs={[newest]} />}
    </>
  );
}

function Log({ id }: { id: string }) {
  const [query] = useSearchParams();
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  return <RunLog kind="evaluation" id={id} first={{ number: number('run'), worker: number('worker') }} />;
}
