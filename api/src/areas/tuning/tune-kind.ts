// Fine-tuning as a kind of task: what its runs take in, how far they are, and how what they have made becomes a version of a model.
import { createHash } from 'node:crypto';
import { MI } from '@gantry/contract/fields/quantity.ts';
import { TASK_FILES } from '@gantry/contract/kinds/data-task.ts';
import { type FineTune, fineTune, formOf } from '@gantry/contract/kinds/fine-tune.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { User } from '../../core/files/demand-unused.ts';
import type { Checkpoints } from '../../core/tasks/checkpoints.ts';
import type { PresentRun } from '../../core/tasks/present-run.ts';
import { changesOf, inFolder, listedTables, readyVersion, workerProblem } from '../../core/tasks/run-facts.ts';
import type { Chosen, Done, Kept, NotNow, RunKind } from '../../core/tasks/run-kind.ts';
import type { Point, TaskPoints } from '../../core/tasks/task-points.ts';
import type { RunRow } from '../../core/tasks/task-store.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { baseFiles, isAdapter, recipeOf, trainingOf } from './recipe.ts';
import type { BaseVersion, TrainedOn, TunedDatasets, TunedModels } from './tuning-parts.ts';

export interface TuneParts {
  clock: Clock;
  points: Pick<TaskPoints, 'last'>;
  checkpoints: Pick<Checkpoints, 'newest'>;
  models: TunedModels;
  datasets: TunedDatasets;
}

type Run = PresentRun<FineTune>;
type Status = NonNullable<FineTune['status']>;
type Told = Pick<Status, 'progress' | 'training' | 'checkpoint' | 'rehearsal' | 'outcome'>;

/** As the status takes them. */
const MOST_VALUE = 1_000_000_000;
const MOST_NAME = 63;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const tuneKind = (parts: TuneParts): RunKind<FineTune> => ({
  facts: fineTune,
  workOf: ({ status }) => status?.output?.model,
  ownerOf: ({ taskUid }) => ({ kind: 'task', id: taskUid }),
  choose: (of, caller) => choose(parts, of, caller),
  progress: (of, row) => progressOf(parts, of, row),
  keep: (of, caller, said, signal) => keep(parts, of, caller, said, signal),
});

/** Those of these runs that read the version, or write the model. */
export const tuneUsers = (runs: readonly Run[], model: string, version?: string): readonly User[] =>
  runs.flatMap(({ object: { metadata, spec, status }, organizationId }) => {
    const { model: base, version: of } = status?.inputs ?? spec.base;
    const isBase = base === model && (version === undefined || of === version);
    const isOutput = version === undefined && (status?.output?.model ?? spec.output.model) === model;
    return isBase || isOutput ? [{ organizationId, name: metadata.name }] : [];
  });

/** Those of these runs that read the dataset, or the version of it. */
export const trainedUsers = (runs: readonly Run[], dataset: string, version?: number): readonly User[] =>
  runs.flatMap(({ object: { metadata, spec, status }, organizationId }) => {
    const wished = [...spec.datasets, ...(spec.evalDataset ? [spec.evalDataset] : [])];
    const read: readonly { dataset: string; version?: number | undefined }[] = status?.inputs?.datasets ?? wished;
    const isRead = read.some(
      (one) =>
        one.dataset === dataset && (version === undefined || one.version === undefined || one.version === version),
    );
    return isRead ? [{ organizationId, name: metadata.name }] : [];
  });

/** The model that gets what the task makes. */
export const outputOf = (
  { models }: Pick<TuneParts, 'models'>,
  caller: Caller,
  { metadata, spec }: Pick<FineTune, 'metadata' | 'spec'>,
): Promise<string | NotNow> => models.output(caller, spec.output, sha256(`model of ${metadata.uid}`));

async function choose(parts: TuneParts, of: Run, caller: Caller | undefined): Promise<NotNow | Chosen> {
  const { models, datasets } = parts;
  const { spec } = of.object;
  const { model, version } = spec.base;
  if (!caller) return { reason: 'InputsGone', args: { what: `${model} ${version}` } };
  const base = await models.base(caller, spec.base);
  if ('reason' in base) return base;
  if (isAdapter(base))
    return { reason: 'InputsUnreadable', args: { detail: `${model} ${version} is an adapter: its base is trained` } };
  const read: TrainedOn[] = [];
  for (const wish of [...spec.datasets, ...(spec.evalDataset ? [spec.evalDataset] : [])]) {
    const found = await datasets.input(caller, wish);
    // Its sentence names a dataset; this kind's one names any input.
    if ('reason' in found) return { ...found, args: { ...found.args, what: wish.dataset } };
    read.push(found);
  }
  const output = await outputOf(parts, caller, of.object);
  if (typeof output !== 'string') return output;
  const baseBytes = baseFiles(base).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    work: output,
    inputs: {
      ...{ model, name: base.name, version, baseBytes },
      datasets: read.map(({ dataset, version: number }) => ({ dataset, version: number })),
    },
    output: { model: output, version: null, digest: null, form: null, ended: null },
    files: () => filesFor(parts, of, base, read),
  };
}

async function filesFor(
  { checkpoints }: TuneParts,
  of: Run,
  base: BaseVersion,
  read: readonly TrainedOn[],
): ReturnType<Chosen['files']> {
  const { spec } = of.object;
  const data = read.slice(0, spec.datasets.length);
  const measured = read.slice(spec.datasets.length);
  const training = trainingOf(spec, base, data);
  const checkpoint = await checkpoints.newest(of, training);
  const trained = data.map(({ parts }, at) => listedTables(`data/${at}`, parts));
  const evaluated = measured.flatMap(({ parts }) => listedTables('eval', parts));
  const pathsOf = (files: readonly { path: string }[]) => files.map(inFolder);
  const recipe = recipeOf(spec, {
    data: trained.map(pathsOf),
    eval: pathsOf(evaluated),
    hasCheckpoint: checkpoint !== undefined,
  });
  return {
    texts: { [TASK_FILES.recipe]: Buffer.from(JSON.stringify(recipe)) },
    stored: [
      ...baseFiles(base).map((file) => ({ ...file, path: `base/${file.path}` })),
      ...trained.flat(),
      ...evaluated,
      ...(checkpoint?.files ?? []).map((file) => ({ ...file, path: `checkpoint/${file.path}` })),
    ],
    checkpoints: { of: training, kept: spec.checkpoints.keep },
  };
}

async function keep(
  { models, clock }: TuneParts,
  { object: { metadata, spec, status }, taskUid, run }: Run,
  caller: Caller,
  said: Done,
  signal: AbortSignal,
): Promise<Kept> {
  const { inputs, output } = status ?? {};
  if (!inputs || !output) throw new Error('it is not known what the run reads and makes');
  const made = { task: metadata.name, taskUid, run, from: sourcesOf(inputs) };
  const name = versionName(metadata.name, `-${run}`);
  const version = await models.made(caller, output.model, { name, made }, sha256(`version of ${taskUid} ${run}`));
  const find = () => models.version(output.model, version);
  const { digest } = await readyVersion(find, { clock, what: version }, signal);
  return { output: { model: output.model, version, digest, form: formOf(spec), ended: said.ended ?? null } };
}

/** What the lineage has of a run's inputs. */
export const sourcesOf = ({ model, version, datasets }: NonNullable<Status['inputs']>) => ({
  base: { model, version },
  datasets: datasets.map((one) => ({ dataset: one.dataset, version: one.version })),
});

export const versionName = (task: string, suffix: string): string =>
  `${task.slice(0, MOST_NAME - suffix.length)}${suffix}`;

async function progressOf(parts: TuneParts, of: Run, row: RunRow): Promise<object | undefined> {
  const { clock, points, checkpoints } = parts;
  const { status } = of.object;
  const last = await points.last(of);
  const kept = await checkpoints.newest(of);
  const at = rfc3339(clock.now());
  const next: Told = {
    progress: {
      ...{ run: of.run, ...(row.step !== null && { step: row.step }) },
      ...{ done: row.done ?? 0, of: row.of ?? 0, at },
    },
    ...(last && { training: trainingAt(last, row) }),
    ...(kept && {
      checkpoint: {
        ...{ run: kept.run, step: kept.step, at: rfc3339(kept.keptAt?.getTime() ?? clock.now()) },
        bytes: kept.files.reduce((sum, { bytes }) => sum + bytes, 0),
      },
    }),
    ...rehearsalIn(row, of.run),
    ...outcomeIn(row, of.run),
  };
  return changesOf(status, next);
}

function trainingAt(last: Point, { of }: RunRow): NonNullable<Told['training']> {
  const { run, step, epoch, loss, evalLoss, learningRate, tokens, tokensPerSecond, secondsLeft, at } = last;
  const values = { epoch, loss, evalLoss, learningRate, tokens, tokensPerSecond, secondsLeft };
  const told = Object.entries(values).filter(([, value]) => value !== undefined && Math.abs(value) <= MOST_VALUE);
  return { run, step, of: last.of ?? of ?? step, ...Object.fromEntries(told), at: rfc3339(at.getTime()) };
}

function rehearsalIn({ trained: { rehearsal } }: RunRow, run: number): Pick<Told, 'rehearsal'> {
  if (!rehearsal) return {};
  const { peakBytes, secondsPerStep, longest } = rehearsal;
  return {
    rehearsal: {
      ...{ run, peakMemoryMi: Math.ceil(peakBytes / MI), longest },
      secondsPerStep: Math.min(secondsPerStep, MOST_VALUE),
    },
  };
}

/** The last word of its trainer, as far as anybody needs it. */
function outcomeIn({ said }: RunRow, run: number): Pick<Told, 'outcome'> {
  if (said?.type === 'done') return { outcome: { run, rows: said.rows, rejected: said.rejected } };
  if (said?.type !== 'failed') return {};
  return { outcome: { run, problem: workerProblem(said) } };
}
