// What is behind a fine-tuning task, for whoever sees the task. Somebody else's does not exist.
import { type CheckpointView, TUNING_ROUTES as R } from '@gantry/contract/areas/tuning/tuning.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import type { Checkpoints } from '../../core/tasks/checkpoints.ts';
import { curveView } from '../../core/tasks/curve-view.ts';
import type { TaskPoints } from '../../core/tasks/task-points.ts';
import type { TaskStore } from '../../core/tasks/task-store.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { previewOf, type TunePreviewParts } from './preview.ts';

interface RouteParts {
  /** Throws not_found. */
  find(caller: Caller, id: string): FineTune;
  /** Absent where nothing can be stored. */
  kept?: {
    points: Pick<TaskPoints, 'list'>;
    checkpoints: Pick<Checkpoints, 'list' | 'sizes'>;
    store: Pick<TaskStore, 'runsOf'>;
    preview: TunePreviewParts;
  };
}

export const tuningRoutes = ({ find, kept }: RouteParts): Served[] => {
  const seen = (caller: Caller, id: string) => {
    const { metadata } = find(caller, id);
    if (!kept) throw problem('model_store_off');
    return { ...kept, taskUid: metadata.uid ?? '' };
  };
  return [
    serve(R.previewFineTune, async ({ caller, body, res, signal, language }) => {
      if (!kept) throw problem('model_store_off');
      res.setHeader('cache-control', 'no-store');
      return previewOf(kept.preview, caller, body, language, signal);
    }),
    serve(R.getFineTuneCurve, async ({ caller, params }) => {
      const { points, store, taskUid } = seen(caller, params.id);
      const runs = linked(await store.runsOf(taskUid));
      const all = await points.list(
        taskUid,
        runs.map(({ run }) => run),
      );
      return curveView(runs, all);
    }),
    serve(R.listFineTuneCheckpoints, async ({ caller, params, language }) => {
      const { checkpoints, taskUid } = seen(caller, params.id);
      const rows = await checkpoints.list({ taskUid });
      const sizes = await checkpoints.sizes(rows);
      return rows.map((row) => checkpointView(row, sizes.get(row.id) ?? 0, language));
    }),
  ];
};

type RunRow = Awaited<ReturnType<TaskStore['runsOf']>>[number];

/** Those that have gone on from each other, up to the newest: a curve begins where the training did. */
function linked(runs: readonly RunRow[]): RunRow[] {
  const found: RunRow[] = [];
  for (const row of runs.toReversed()) {
    const next = found.at(0);
    if (next && (next.trained.resumedFrom === undefined || next.checkpointsOf !== row.checkpointsOf)) break;
    found.unshift(row);
  }
  return found;
}

const STATES = { fetching: 'arriving', checking: 'arriving', kept: 'kept', failed: 'failed' } as const;

function checkpointView(
  { run, step, state, problem: code, problemArgs, createdAt, keptAt }: Awaited<ReturnType<Checkpoints['list']>>[number],
  bytes: number,
  language: Language,
): CheckpointView {
  return {
    ...{ run, step, state: STATES[state], size_bytes: bytes },
    problem: code === null ? null : { error: code, message: problemIn(language, code, problemArgs ?? {}) },
    ...{ create_time: createdAt.toISOString(), kept_time: keptAt?.toISOString() ?? null },
  };
}
