// What a program logs by MLflow's calls, as its agent passes it on: the last value of each name, and points of the curve where the name
// is one that trainers use. Pure.
import type { Logged, PointValues } from '../../platform/db/schema/tasks.ts';
import type { Line } from './task-lines.ts';

export type LoggedLine = Extract<Line, { type: 'param' | 'tag' | 'metric' | 'artifact' }>;
export const isLogged = (line: Line): line is LoggedLine =>
  line.type === 'param' || line.type === 'tag' || line.type === 'metric' || line.type === 'artifact';

/** Of each sort, by their names: the row of a run stays small. */
const MOST_NAMES = 64;

/** The names that transformers, Lightning and Keras give to what a curve has. */
const CURVE: ReadonlyMap<string, keyof PointValues> = new Map(
  (
    [
      ['loss', ['loss', 'train_loss', 'train/loss', 'training_loss']],
      ['evalLoss', ['eval_loss', 'eval/loss', 'val_loss', 'validation_loss']],
      ['learningRate', ['learning_rate', 'train/learning_rate', 'lr']],
      ['gradNorm', ['grad_norm', 'train/grad_norm']],
      ['tokensPerSecond', ['tokens_per_second', 'train/tokens_per_second']],
    ] as const
  ).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
);
/** Never below zero, as a trainer's own points. */
const AMOUNTS: readonly string[] = ['learningRate', 'gradNorm', 'tokensPerSecond'];

/** The point of the curve that a metric is; undefined where it is none. */
export function pointOf(line: LoggedLine): Extract<Line, { type: 'point' }> | undefined {
  if (line.type !== 'metric') return undefined;
  const field = CURVE.get(line.name);
  if (field === undefined || (AMOUNTS.includes(field) && line.value < 0)) return undefined;
  return { type: 'point', step: line.step, [field]: line.value };
}

/** With these lines besides. The first parameter of a name stays, as in MLflow; of the rest the last counts. */
export function withLogged(before: Logged | undefined, lines: readonly LoggedLine[]): Logged {
  const next = {
    params: new Map(before?.params),
    tags: new Map(before?.tags),
    metrics: new Map(before?.metrics),
    artifacts: new Map(before?.artifacts),
  };
  const put = <Value>(into: Map<string, Value>, name: string, value: Value) => {
    if (into.has(name) || into.size < MOST_NAMES) into.set(name, value);
  };
  for (const line of lines) {
    if (line.type === 'metric') put(next.metrics, line.name, { value: line.value, step: line.step });
    else if (line.type === 'artifact') put(next.artifacts, line.name, line.size);
    else if (line.type === 'tag') put(next.tags, line.name, line.value);
    else put(next.params, line.name, next.params.get(line.name) ?? line.value);
  }
  return {
    ...{ params: [...next.params], tags: [...next.tags] },
    ...{ metrics: [...next.metrics], artifacts: [...next.artifacts] },
  };
}
