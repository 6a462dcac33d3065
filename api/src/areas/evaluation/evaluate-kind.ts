// Evaluation as a kind of task: what its runs ask of whom, how far they are, and how their scores and examples are kept.
import { problem } from '@gantry/contract/http/problem.ts';
import { TASK_FILES } from '@gantry/contract/kinds/data-task.ts';
import { askedModel, type Evaluation, evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import type { User } from '../../core/files/demand-unused.ts';
import type { Tables } from '../../core/tables/tables.ts';
import { firstTry, type PresentRun } from '../../core/tasks/present-run.ts';
import { changesOf, inFolder, listedTables, workerProblem } from '../../core/tasks/run-facts.ts';
import type { Chosen, Done, Kept, NotNow, RunKind } from '../../core/tasks/run-kind.ts';
import type { TaskScores } from '../../core/tasks/task-scores.ts';
import type { RunRow, TaskStore } from '../../core/tasks/task-store.ts';
import type { ExamplePlaces, ServedSubject } from '../../platform/db/schema/evaluations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AskedRows, EvaluatedDatasets, EvaluatedModels, Served, TokensCost } from './evaluation-parts.ts';
import { type EvaluationRun, type EvaluationStore, examplesId } from './evaluation-store.ts';
import { placesIn } from './examples.ts';
import { EXAMPLES } from './examples-owner.ts';
import { answeringOf, askedTasks, recipeOf, sameIn, workOf } from './recipe.ts';
import type { ServedVersions } from './served-versions.ts';

export interface EvaluateParts {
  clock: Clock;
  store: Pick<TaskStore, 'keptFor' | 'tokensSince' | 'outputs'>;
  scores: Pick<TaskScores, 'of' | 'priced'>;
  runs: EvaluationStore;
  models: EvaluatedModels;
  versions: Pick<ServedVersions, 'serve'>;
  datasets: Pick<EvaluatedDatasets, 'input'>;
  costs: TokensCost;
  tables: Pick<Tables, 'pageOf' | 'linesOf'>;
  /** The file of that owner, as tables are read. */
  fileOf(ownerId: string): Promise<{ key: string; bytes: number } | undefined>;
  /** Something waits to be fetched. */
  wake(): void;
}

type Run = PresentRun<Evaluation>;
type Status = NonNullable<Evaluation['status']>;
type Told = Pick<Status, 'progress' | 'outcome'>;

const EVERY_MS = 1_000;
/** Digits of a digest that name a file: the list has all of them. */
const DIGITS = 32;

export const evaluateKind = (parts: EvaluateParts): RunKind<Evaluation> => ({
  facts: evaluation,
  workOf: ({ status }) => status?.inputs?.work,
  ownerOf: ({ taskUid }) => ownerOf(taskUid),
  choose: (of, caller) => choose(parts, of, caller),
  progress: (of, row) => progressOf(parts, of, row),
  keep: (of, _, said, signal) => keep(parts, of, said, signal),
});

const ownerOf = (taskUid: string) => ({ kind: 'task' as const, id: taskUid });

/** Those of these runs that read the dataset, or the version of it. */
export const askedUsers = (runs: readonly Run[], dataset: string, version?: number): readonly User[] =>
  runs.flatMap(({ object: { metadata, spec, status }, organizationId }) => {
    const read: readonly { dataset: string; version?: number | undefined }[] = status?.inputs?.datasets ?? spec.tasks;
    const isRead = read.some(
      (one) =>
        one.dataset === dataset && (version === undefined || one.version === undefined || one.version === version),
    );
    return isRead ? [{ organizationId, name: metadata.name }] : [];
  });

async function choose(parts: EvaluateParts, of: Run, caller: Caller | undefined): Promise<NotNow | Chosen> {
  const { models, datasets } = parts;
  const { object, organizationId, taskUid } = of;
  const { spec } = object;
  if (!caller) return { reason: 'InputsGone', args: { what: 'the account that began the run' } };
  const served: Served[] = [];
  for (const one of spec.subjects) {
    const found = await servedSubject(parts, of, caller, one);
    if ('reason' in found) return found;
    served.push(found);
  }
  const judging = spec.judge && (await models.served(organizationId, { deployment: spec.judge.deployment }));
  if (judging && 'reason' in judging) return judging;
  const read: AskedRows[] = [];
  for (const wish of spec.tasks) {
    const found = await datasets.input(caller, wish);
    // Its sentence names a dataset; this kind's one names any input.
    if ('reason' in found) return { ...found, args: { ...found.args, what: wish.dataset } };
    read.push(found);
  }
  const answering = answeringOf(spec, served, judging);
  const work = workOf(taskUid, answering);
  return {
    work,
    inputs: {
      work,
      subjects: served.map(({ model, version, name }) => ({ model, version, name })),
      datasets: read.map(({ dataset, name, version }) => ({ dataset, name, version })),
    },
    output: { examples: null },
    // Those of the run before are not this one's.
    also: { scores: null },
    files: () => filesFor(parts, of, { served, judging, read, answering, work }),
  };
}

/** A version is deployed for the run where no deployment is named. */
async function servedSubject(
  { models, versions }: Pick<EvaluateParts, 'models' | 'versions'>,
  of: Run,
  caller: Caller,
  { deployment, adapter, model = '', version = '' }: Evaluation['spec']['subjects'][number],
): Promise<Served | NotNow> {
  if (deployment !== undefined) return models.served(of.organizationId, { deployment, adapter });
  const serving = await versions.serve(of, caller, { model, version });
  if ('reason' in serving) return serving;
  const found = await models.served(of.organizationId, serving);
  if ('reason' in found) return { reason: 'VersionStarting', args: { model, version, detail: serving.detail } };
  return found;
}

interface Asked {
  served: readonly Served[];
  judging: Served | undefined;
  read: readonly AskedRows[];
  answering: Record<string, string>;
  work: string;
}

async function filesFor(
  { store, runs }: EvaluateParts,
  of: Run,
  { served, judging, read, answering, work }: Asked,
): ReturnType<Chosen['files']> {
  const { object, organizationId, taskUid, run } = of;
  const { spec } = object;
  const subjects = served.map((one) => ({ ...one, stamp: { ...one.stamp, seed: spec.seed } }));
  const baseline = spec.baseline ?? null;
  const tasks = askedTasks(spec, read, judging, subjects[baseline ?? -1]);
  await runs.begin({ taskUid, run, organizationId, work, answering, subjects, tasks, baseline });
  const tables = read.map(({ parts }, at) => listedTables(`tables/${at}`, parts));
  const kept = await Promise.all(
    (await runs.works(taskUid)).map((one) =>
      store.keptFor(one.work, { owner: ownerOf(taskUid), asked: sameIn(one.answering, answering) }),
    ),
  );
  // One file may have the units of several.
  const parts = [...Map.groupBy(kept.flat(), ({ part }) => part)].map(([part, some]) => ({
    ...{ path: `parts/${part.slice(0, DIGITS)}.parquet`, sha256: part, bytes: some[0]?.sizeBytes ?? 0 },
    units: some.flatMap(({ units }) => units),
  }));
  const recipe = recipeOf(
    spec,
    served,
    {
      tables: tables.map((files) => files.map(inFolder)),
      done: parts.map((part) => ({ path: inFolder(part), units: part.units })),
    },
    await store.tokensSince({ taskUid, run: firstTry(of) }),
  );
  return {
    texts: { [TASK_FILES.recipe]: Buffer.from(JSON.stringify(recipe)) },
    stored: [...tables.flat(), ...parts.map(({ path, sha256, bytes }) => ({ path, sha256, bytes }))],
  };
}

async function keep(parts: EvaluateParts, of: Run, _said: Done, signal: AbortSignal): Promise<Kept> {
  const { scores, runs } = parts;
  const row = await runs.of(of);
  if (!row) throw problem('not_found', { what: of.object.metadata.name });
  const { examples, count } = await keepExamples(parts, of, row, signal);
  const told = (await scores.of(of)).scores.filter(({ subject, task }) => row.subjects[subject] && row.tasks[task]);
  for (const one of told) {
    const { subject, task, promptTokens: prompt, completionTokens: completion } = one;
    const model = askedModel(row.subjects[subject] as ServedSubject);
    const cost = parts.costs(of.organizationId, model, { prompt, completion });
    if (cost !== undefined && one.costMicros === null) await scores.priced(of, { subject, task }, Number(cost));
  }
  const { taskUid, run, object } = of;
  await runs.scored(
    { taskUid, run, task: object.metadata.name },
    { examples, subjects: await lookedAtAgain(parts, of, row) },
  );
  return {
    output: { examples: count },
    also: {
      scores: told.map(({ subject, task, metric, value, low, high, n }) => ({
        ...{ subject, task, metric, value, low, high, n },
      })),
    },
  };
}

/** Their file is stored, and it is known where those of each task lie. Throws the Problem for which they cannot be kept. */
async function keepExamples(
  { store, runs, tables, fileOf, wake, clock }: EvaluateParts,
  of: Run,
  { examples, subjects }: EvaluationRun,
  signal: AbortSignal,
): Promise<{ examples: readonly ExamplePlaces[]; count: number }> {
  const output = (await store.outputs(of)).find(({ kind, name }) => kind === 'output' && name === EXAMPLES);
  if (!output) return { examples: [], count: 0 };
  await runs.fetch(of);
  wake();
  for (;;) {
    signal.throwIfAborted();
    const now = await runs.of(of);
    if (!now || now.state === 'failed')
      throw now?.problem ? problem(now.problem, now.problemArgs ?? {}) : problem('task_files_gone');
    if (now.state === 'kept') break;
    await pause(clock, EVERY_MS, signal);
  }
  const file = await fileOf(examplesId(of));
  if (!file) throw problem('task_files_gone');
  const part = { ...file, firstRow: 0, rows: output.rows ?? 0 };
  const reading = { tables, part, subjects: subjects.length };
  const places = examples ?? (await placesIn(reading, { lane: of.organizationId, signal }));
  return { examples: places, count: places.reduce((sum, { rows }) => sum + rows * subjects.length, 0) };
}

/** A deployment that was changed meanwhile answered some questions otherwise than others. */
async function lookedAtAgain(
  { models }: Pick<EvaluateParts, 'models'>,
  { organizationId }: Run,
  { subjects, answering }: EvaluationRun,
): Promise<ServedSubject[]> {
  return Promise.all(
    subjects.map(async (one) => {
      const asked = wishOf(one);
      const now = await models.served(organizationId, asked);
      const isSame = !('reason' in now) && sameIn(answeringOf({}, [now], undefined), answering).length > 0;
      return isSame ? one : { ...one, isChanged: true };
    }),
  );
}

const wishOf = ({ deployment, adapter }: ServedSubject) => ({ deployment, ...(adapter !== null && { adapter }) });

async function progressOf({ store, clock }: EvaluateParts, of: Run, row: RunRow): Promise<object | undefined> {
  const { status } = of.object;
  const next: Told = {
    progress: {
      ...{ run: of.run, ...(row.step !== null && { step: row.step }) },
      ...{ done: row.done ?? 0, of: row.of ?? 0, tokens: await store.tokensSince(of), at: rfc3339(clock.now()) },
    },
    ...outcomeIn(row, of.run),
  };
  return changesOf(status, next);
}

/** The last word of its worker, as far as anybody needs it. */
function outcomeIn({ said }: RunRow, run: number): Pick<Told, 'outcome'> {
  if (said?.type === 'done') return { outcome: { run, rows: said.rows, rejected: said.rejected } };
  return said?.type === 'failed' ? { outcome: { run, problem: workerProblem(said) } } : {};
}
