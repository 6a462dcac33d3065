// What the worker is told to do (data-worker/gantry_worker/task/recipe.py), from a task's spec. Pure.
import type { DataProcessSpec } from '@gantry/contract/kinds/data-process.ts';
import { PROCESS_BLOCKS } from '@gantry/contract/kinds/data-process-schema.ts';

/** Where a file of the input lies in the worker's folder. */
interface RecipeInput {
  kind: 'table' | 'documents';
  parts: readonly { path: string }[];
}

/** What says of a task what its worker does. */
export type Processed = Pick<
  DataProcessSpec,
  'type' | 'model' | 'input' | 'maxRejectedPercent' | 'maxTokens' | (typeof PROCESS_BLOCKS)[DataProcessSpec['type']]
>;

/** `tokensSpent`: by earlier tries of the same run. */
export function recipeOf(spec: Processed, input: RecipeInput, tokensSpent: number) {
  const { type, model = '' } = spec;
  return {
    type,
    parameters: spec[PROCESS_BLOCKS[type]] ?? {},
    ...(type === 'KnowledgeBase' ? { embedding: model } : { model }),
    input: { kind: input.kind, columns: spec.input.columns ?? [], parts: input.parts.map(({ path }) => ({ path })) },
    maxRejectedPercent: spec.maxRejectedPercent,
    ...(spec.maxTokens !== undefined && { maxTokens: spec.maxTokens }),
    tokensSpent,
  };
}

/** Only what models have answered is kept between runs: the rest is done anew, which costs no tokens. */
export const asksModels = ({ type, qa }: Pick<DataProcessSpec, 'type' | 'qa'>): boolean =>
  type === 'KnowledgeBase' || type === 'KnowledgeGraph' || (type === 'QaPairs' && qa?.rules === 'Model');

/** The type of a dataset that a task makes. */
export const datasetTypeOf = ({ type }: Pick<DataProcessSpec, 'type'>): 'qa' | 'rag' | 'file' =>
  type === 'QaPairs' ? 'qa' : type === 'KnowledgeBase' ? 'rag' : 'file';
