// What a trainer is told to do (trainer/gantry_trainer/recipe.py), from a task's spec. Pure.
import { createHash } from 'node:crypto';
import { columnsOf, type FineTuneSpec, formOf } from '@gantry/contract/kinds/fine-tune.ts';
import type { BaseVersion, TrainedOn } from './tuning-parts.ts';

/** What says of a task what is trained. */
export type Tuned = Pick<
  FineTuneSpec,
  | 'base'
  | 'datasets'
  | 'evalDataset'
  | 'objective'
  | 'method'
  | 'columns'
  | 'parameters'
  | 'checkpoints'
  | 'earlyStop'
  | 'output'
  | 'cores'
>;

/** A count of 0 says nothing, so that checkpoints from before there was one stay what they are. */
type Trained = Tuned & Partial<Pick<FineTuneSpec, 'freshCount'>>;

/** Where files lie in the trainer's folder. */
interface RecipeFiles {
  data: readonly (readonly string[])[];
  eval: readonly string[];
  hasCheckpoint: boolean;
}

export function recipeOf(spec: Tuned, files: RecipeFiles) {
  const { objective, method, parameters, checkpoints, earlyStop, output, datasets, cores } = spec;
  return {
    ...{ kind: 'FineTune', objective, method, columns: columnsOf(spec), parameters, checkpoints },
    ...(earlyStop && { earlyStop }),
    output: { form: formOf(spec), gguf: output.gguf },
    base: 'in/base',
    data: files.data.map((parts, at) => ({ parts, weight: datasets[at]?.weight ?? 1 })),
    ...(files.eval.length > 0 && { eval: files.eval }),
    ...(files.hasCheckpoint && { checkpoint: 'in/checkpoint' }),
    threads: Math.max(1, Math.ceil(cores)),
  };
}

/**
 * What checkpoints are of: training of the same base on the same rows in the same way. A run with another one begins anew. SHA-256, in hex.
 */
export function trainingOf(
  spec: Trained,
  base: Pick<BaseVersion, 'files'>,
  data: readonly Pick<TrainedOn, 'parts'>[],
): string {
  const { objective, method, parameters, datasets, freshCount = 0 } = spec;
  const said = [
    base.files.map(({ path, sha256 }) => [path, sha256]),
    data.map(({ parts }, at) => [parts.map(({ sha256 }) => sha256), datasets[at]?.weight ?? 1]),
    ...[objective, method, sorted(columnsOf(spec)), sorted(parameters)],
    ...(freshCount > 0 ? [freshCount] : []),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

const sorted = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Weights in other forms than the trainer reads. */
const NOT_READ = /\.(gguf|bin|pt|pth|ckpt|h5|msgpack|onnx|ot)$/i;

export const baseFiles = ({ files }: Pick<BaseVersion, 'files'>): BaseVersion['files'] =>
  files.filter(({ path }) => !NOT_READ.test(path));

export const isAdapter = ({ files }: Pick<BaseVersion, 'files'>): boolean =>
  files.some(({ path }) => path === 'adapter_config.json');

/** What of a checkpoint belongs to its trainer alone: a version is the model. */
const TRAINERS_OWN = /^(optimizer|scheduler|scaler|rng_state.*|trainer_state|training_args)\.(pt|pth|bin|json)$/;

export const isOfModel = ({ path }: { path: string }): boolean => !TRAINERS_OWN.test(path);
