// What an evaluator is told (trainer/gantry_trainer/evaluate/recipe.py), from an evaluation's spec. Pure.
import { createHash } from 'node:crypto';
import { askedModel, type EvaluationSpec, taskColumns } from '@gantry/contract/kinds/evaluation.ts';
import { MOST_ASKED_ROWS } from '@gantry/contract/kinds/evaluation-schema.ts';
import type { AskedTask, ServedSubject } from '../../platform/db/schema/evaluations.ts';
import type { AskedRows, Served } from './evaluation-parts.ts';

/** The fields that say what an evaluation asks. */
type Asked = Pick<
  EvaluationSpec,
  | 'tasks'
  | 'judge'
  | 'baseline'
  | 'limit'
  | 'seed'
  | 'answerTokens'
  | 'maxRejectedPercent'
  | 'maxTokens'
  | 'performance'
>;

interface RecipeFiles {
  /** Of each task, where its table lies in the worker's folder. */
  tables: readonly (readonly string[])[];
  /** Answers of earlier runs. */
  done: readonly { path: string; units: readonly string[] }[];
}

/** `served`: what answers, for each subject. `tokensSpent`: by earlier tries of the same run. */
export function recipeOf(
  spec: Asked,
  served: readonly Pick<Served, 'deployment' | 'adapter'>[],
  { tables, done }: RecipeFiles,
  tokensSpent: number,
) {
  const { tasks, judge, baseline, seed, answerTokens, maxRejectedPercent, maxTokens, performance } = spec;
  return {
    kind: 'Evaluation',
    subjects: served.map((one, at) => ({ key: `${at}`, model: askedModel(one) })),
    tasks: tasks.map((one, at) => ({
      ...{ key: `${at}`, metric: one.metric, parts: tables[at] ?? [], columns: taskColumns(one) },
    })),
    ...(judge && { judge: { model: judge.deployment, ...(judge.rubric && { rubric: judge.rubric }) } }),
    ...(baseline !== undefined && { baseline: `${baseline}` }),
    ...{ limit: limitOf(spec), seed, maxTokens: answerTokens, maxRejectedPercent },
    ...(performance && { performance }),
    ...(maxTokens !== undefined && { budget: maxTokens }),
    ...{ spent: tokensSpent, done },
  };
}

const limitOf = ({ limit }: Pick<Asked, 'limit'>): number => limit ?? MOST_ASKED_ROWS;

const sha256 = (told: unknown): string => createHash('sha256').update(JSON.stringify(told)).digest('hex');

/** Of each name that is asked, what answers: while it is the same, what was answered need not be asked again. */
export function answeringOf(
  { judge }: Partial<Pick<Asked, 'judge'>>,
  served: readonly Served[],
  judging: Served | undefined,
): Record<string, string> {
  const digest = ({ weights, adapterWeights, stamp }: Served) => sha256([weights, adapterWeights, sorted(stamp)]);
  const named = served.map((one) => [askedModel(one), digest(one)]);
  return Object.fromEntries([...named, ...(judge && judging ? [[judge.deployment, digest(judging)]] : [])]);
}

/** Names to which the same models answer in both. */
export const sameIn = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): string[] =>
  Object.entries(one).flatMap(([name, digest]) => (other[name] === digest ? [name] : []));

/** What answers are kept for. SHA-256, in hex. */
export const workOf = (taskUid: string, answering: Readonly<Record<string, string>>): string =>
  sha256([taskUid, sorted(answering)]);

/** What each task asks: scores with the same `measures` are of the same rows, asked and scored in the same way. */
export const askedTasks = (
  spec: Asked,
  read: readonly AskedRows[],
  judging: Served | undefined,
  baseline: ServedSubject | undefined,
): AskedTask[] =>
  spec.tasks.map(({ name, metric, ...task }, at) => {
    const { dataset, version, name: datasetName, parts } = read[at] as AskedRows;
    const judged = metric === 'Judge' || metric === 'Pairwise';
    const measures = [
      ...[metric, sorted(taskColumns(task)), parts.map((part) => part.sha256), limitOf(spec), spec.seed],
      ...[spec.answerTokens, judged ? [judging?.weights, judging?.adapterWeights, spec.judge?.rubric ?? ''] : null],
      metric === 'Pairwise' ? [baseline?.weights, baseline?.adapterWeights] : null,
    ];
    return { name: name ?? datasetName, dataset, version, metric, measures: sha256(measures) };
  });

const sorted = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
