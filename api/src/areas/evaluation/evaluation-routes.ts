// What is behind an evaluation, for whoever sees it. Somebody else's does not exist.
import { EVALUATION_ROUTES as R } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { TaskScores } from '../../core/tasks/task-scores.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { comparedView, NOTHING, type Scored, scoresView } from './compared.ts';
import type { EvaluateParts } from './evaluate-kind.ts';
import type { EvaluatedDatasets } from './evaluation-parts.ts';
import { type EvaluationRun, type EvaluationStore, examplesId } from './evaluation-store.ts';
import { examplesAt, wantedPlaces } from './examples.ts';

interface RouteParts {
  /** Throws not_found. */
  find(caller: Caller, id: string): Evaluation;
  /** Absent where nothing can be stored. */
  kept?: {
    runs: Pick<EvaluationStore, 'newest'>;
    scores: Pick<TaskScores, 'of'>;
    datasets: Pick<EvaluatedDatasets, 'demandSeen'>;
    currencyOf(organizationId: string): string;
  } & Pick<EvaluateParts, 'tables' | 'fileOf'>;
}

export const evaluationRoutes = ({ find, kept }: RouteParts): Served[] => {
  const seen = (caller: Caller, ids: readonly string[]) => {
    const objects = ids.map((id) => find(caller, id));
    if (!kept) throw problem('model_store_off');
    return { ...kept, objects };
  };
  /** Of each, the newest run that has ended well. */
  async function scored(
    { runs, scores }: Pick<NonNullable<typeof kept>, 'runs' | 'scores'>,
    objects: readonly Evaluation[],
  ): Promise<(Scored & { id: string; name: string })[]> {
    const newest = new Map(
      (await runs.newest(objects.map(({ metadata }) => metadata.uid ?? ''))).map((run) => [run.taskUid, run]),
    );
    const found = objects.map(async ({ metadata, spec }) => {
      const run = newest.get(metadata.uid ?? '');
      const { name } = metadata;
      return run && { run, id: name, name: spec.displayName ?? name, ...(await scores.of(run)) };
    });
    return (await Promise.all(found)).filter((one) => one !== undefined);
  }
  return [
    serve(R.getEvaluationScores, async ({ caller, params, language }) => {
      const { objects, currencyOf, ...parts } = seen(caller, [params.id]);
      const currency = currencyOf(caller.organization.id);
      const [one] = await scored(parts, objects);
      return one ? scoresView(one, { language, currency }) : { ...NOTHING, currency };
    }),
    serve(R.listEvaluationExamples, async ({ caller, params, query, res, signal }) => {
      const { objects, datasets, ...parts } = seen(caller, [params.id]);
      // Rows may be collected requests: no browser keeps them.
      res.setHeader('cache-control', 'no-store');
      const [run] = await parts.runs.newest(objects.map(({ metadata }) => metadata.uid ?? ''));
      if (!run) return { items: [], total: 0 };
      // They are rows of these datasets.
      for (const { dataset } of run.tasks) await datasets.demandSeen(caller, dataset);
      const { places, total } = wantedPlaces(run.examples ?? [], run.subjects.length, query);
      const items = places.length === 0 ? [] : await readExamples(parts, run, places, signal);
      return { items, total };
    }),
    serve(R.compareEvaluations, async ({ caller, query, language }) => {
      const ids = [...new Set(query.ids.split(','))];
      const { objects, currencyOf, ...parts } = seen(caller, ids);
      return comparedView(await scored(parts, objects), { language, currency: currencyOf(caller.organization.id) });
    }),
  ];
};

async function readExamples(
  { tables, fileOf }: Pick<EvaluateParts, 'tables' | 'fileOf'>,
  run: EvaluationRun,
  places: Parameters<typeof examplesAt>[1],
  signal: AbortSignal,
): ReturnType<typeof examplesAt> {
  const subjects = run.subjects.length;
  const rows = (run.examples ?? []).reduce((sum, one) => sum + one.rows * subjects, 0);
  const file = await fileOf(examplesId(run));
  if (!file) throw problem('task_files_gone');
  return examplesAt({ tables, part: { ...file, firstRow: 0, rows }, subjects }, places, {
    ...{ lane: run.organizationId, signal },
  });
}
