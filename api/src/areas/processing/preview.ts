// What a task would do, before anything is paid: its organisation's data server does it on the first rows, and asks no model.
import type { ProcessPreviewView, previewBody } from '@gantry/contract/areas/processing/processing.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import type * as z from 'zod';
import type { DataServers } from '../../core/data-server/data-servers.ts';
import type { WorkerPrice } from '../../core/tasks/worker-price.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { planEstimate } from './plan-estimate.ts';
import type { NotNow, PricedModels, ProcessedDatasets } from './processing-parts.ts';
import { recipeOf } from './recipe.ts';

interface PreviewParts {
  datasets: Pick<ProcessedDatasets, 'input'>;
  /** Absent where nothing here reads data. */
  data: Pick<DataServers, 'preview'> | undefined;
  models: PricedModels;
  workerPrice: WorkerPrice;
}

type Preview = Omit<ProcessPreviewView, 'rows'> & { rows: string };

/** Rows are the text of their JSON. Throws not_found, dataset_no_table, dataset_preparing, and what data servers throw. */
export async function previewOf(
  { datasets, data, models, workerPrice }: PreviewParts,
  caller: Caller,
  wish: z.output<typeof previewBody>,
  signal: AbortSignal,
): Promise<Preview> {
  const input = await datasets.input(caller, wish.input);
  if ('reason' in input) throw refusalOf(input.reason, wish.input.dataset);
  if (!data) throw problem('dataset_no_table');
  const recipe = recipeOf(wish, { kind: input.kind, parts: [] }, 0);
  const { columns, rows, cut, units, estimate, prompts } = await data.preview(
    caller.organization.id,
    input.parts,
    recipe,
    signal,
  );
  const { model = '' } = wish;
  const { id } = caller.organization;
  return {
    ...{ columns, rows, cut, units: { count: units.count, is_exact: units.isExact } },
    estimate: planEstimate(
      wish.type,
      { units: units.count, tokens: estimate },
      { ...workerPrice(id, wish), tokensCost: (tokens) => models.costs(id, model, tokens) },
      estimate && (await models.pace(id, model)),
    ),
    prompts: prompts.map(({ label, inputTokens, body }) => ({ label, input_tokens: inputTokens, body })),
  };
}

/** One whose table is still made is asked for again, as one that is on its way to the data server. */
function refusalOf(reason: NotNow['reason'], what: string): Problem {
  if (reason === 'InputsGone') return problem('not_found', { what });
  if (reason === 'InputsArriving') return problem('dataset_preparing', { percent: 0 }, { retryAfterSeconds: 2 });
  return problem('dataset_no_table');
}
