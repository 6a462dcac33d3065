// Data processing as a kind of task: what its runs take in, how far they are, and how what they have made becomes a version of a dataset.
import { createHash } from 'node:crypto';
import { type DataProcess, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { TASK_FILES } from '@gantry/contract/kinds/data-task.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { User } from '../../core/files/demand-unused.ts';
import { firstTry, type PresentRun } from '../../core/tasks/present-run.ts';
import { inFolder, listedTables, readyVersion, saysTheSame, workerProblem } from '../../core/tasks/run-facts.ts';
import type { Chosen, Done, Kept, NotNow, RunKind } from '../../core/tasks/run-kind.ts';
import { type RunRow, type TaskStore, workOwner } from '../../core/tasks/task-store.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { InputVersion, ProcessedDatasets } from './processing-parts.ts';
import { asksModels, datasetTypeOf, recipeOf } from './recipe.ts';

interface Parts {
  clock: Clock;
  store: Pick<TaskStore, 'keptFor' | 'countsOf' | 'tokensSince'>;
  datasets: ProcessedDatasets;
}

type Run = PresentRun<DataProcess>;
type Progress = NonNullable<NonNullable<DataProcess['status']>['progress']>;
type Outcome = NonNullable<NonNullable<DataProcess['status']>['outcome']>;

/** Digits of a digest that name a file: the list has all of them. */
const DIGITS = 32;
/** As the status takes them. */
const MOST_COUNTED = 32;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const processKind = (parts: Parts): RunKind<DataProcess> => ({
  facts: dataProcess,
  workOf: ({ status }) => status?.output?.dataset,
  ownerOf: (_, work) => workOwner(work),
  choose: (of, caller) => choose(parts, of, caller),
  progress: (of, row) => progressOf(parts, of, row),
  keep: (of, caller, said, signal) => keep(parts, of, caller, said, signal),
});

/** Those of these runs that read or write the dataset. */
export const processUsers = (runs: readonly Run[], dataset: string, version?: number): readonly User[] =>
  runs.flatMap(({ object: { metadata, spec, status }, organizationId }) => {
    const { inputs, output } = status ?? {};
    const isRead = (inputs?.dataset ?? spec.input.dataset) === dataset;
    const isInput = isRead && (version === undefined || inputs === undefined || inputs.version === version);
    const isOutput = version === undefined && (output?.dataset ?? spec.output.dataset) === dataset;
    return isInput || isOutput ? [{ organizationId, name: metadata.name }] : [];
  });

async function choose({ datasets, store }: Parts, of: Run, caller: Caller | undefined): Promise<NotNow | Chosen> {
  const { spec } = of.object;
  const { dataset, version } = spec.input;
  if (!caller) return { reason: 'InputsGone', args: { dataset, version: `${version ?? '–'}` } };
  const input = await datasets.input(caller, spec.input);
  if ('reason' in input) return input;
  const made = {
    type: datasetTypeOf(spec),
    key: sha256(`dataset of ${of.taskUid}`),
    managersOnly: input.managersOnly,
  };
  const output = await datasets.output(caller, spec.output, made);
  if (typeof output !== 'string') return output;
  return {
    work: output,
    inputs: { dataset: input.dataset, name: input.name, version: input.version },
    output: { dataset: output, version: null, digest: null, rows: null, ended: null },
    files: () => filesFor(store, of, output, input),
  };
}

async function filesFor(
  store: Parts['store'],
  of: Run,
  work: string,
  input: InputVersion,
): ReturnType<Chosen['files']> {
  const { spec } = of.object;
  const tables = listedTables('tables', input.parts);
  const kept = asksModels(spec) ? await store.keptFor(work) : [];
  const parts = kept.map(({ part, sizeBytes, units }) => {
    return { path: `parts/${part.slice(0, DIGITS)}.parquet`, sha256: part, bytes: sizeBytes, units };
  });
  const below = (file: { path: string }) => ({ path: inFolder(file) });
  const spent = await store.tokensSince({ taskUid: of.taskUid, run: firstTry(of) });
  const recipe = recipeOf(spec, { kind: input.kind, parts: tables.map(below) }, spent);
  const done = parts.map((part) => ({ ...below(part), units: part.units }));
  return {
    texts: {
      [TASK_FILES.recipe]: Buffer.from(JSON.stringify(recipe)),
      [TASK_FILES.done]: Buffer.from(JSON.stringify(done)),
    },
    stored: [...tables, ...parts].map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
  };
}

async function keep(
  { datasets, clock }: Parts,
  { object: { metadata, spec, status }, taskUid, run }: Run,
  caller: Caller,
  said: Done,
  signal: AbortSignal,
): Promise<Kept> {
  const { inputs, output } = status ?? {};
  if (!inputs || !output) throw new Error('it is not known what the run reads and makes');
  const by = {
    ...{ source: 'process' as const, include: [], task: metadata.name, taskUid, run },
    from: { dataset: inputs.dataset, version: inputs.version },
    ...(spec.type === 'KnowledgeBase' && spec.model !== undefined && { model: spec.model }),
  };
  const version = await datasets.made(caller, output.dataset, by, sha256(`version of ${taskUid} ${run}`));
  const find = () => datasets.version(output.dataset, version);
  const { digest } = await readyVersion(find, { clock, what: `${version}` }, signal);
  return { output: { dataset: output.dataset, version, digest, rows: said.rows, ended: said.ended ?? null } };
}

async function progressOf({ store, clock }: Parts, of: Run, row: RunRow): Promise<object | undefined> {
  const counts = await store.countsOf(of);
  const tokens = await store.tokensSince(of);
  const known = of.object.status?.progress;
  const outcome = outcomeIn(row, of.run);
  const next: Omit<Progress, 'at'> = {
    run: of.run,
    ...(row.step !== null && { step: row.step }),
    ...countsIn(row, counts),
    rejected: row.said?.type === 'done' ? row.said.rejected : counts.rejected,
    tokens,
  };
  const isKnown = of.object.status?.outcome?.run === of.run || outcome === undefined;
  if (saysTheSame(next, known) && isKnown) return undefined;
  return {
    progress: { step: null, ...next, at: rfc3339(clock.now()) },
    ...(outcome && { outcome }),
  };
}

/** Of work in units those that are done; of other work what the worker says. */
function countsIn(
  { units, kept, done, of }: RunRow,
  counts: { done: number; failed: number; skipped: number },
): Pick<Progress, 'done' | 'of' | 'failed' | 'skipped'> {
  if (units === null) return { done: done ?? 0, of: of ?? 0, failed: 0, skipped: 0 };
  const { failed, skipped } = counts;
  return { done: Math.min((kept ?? 0) + counts.done, units), of: units, failed, skipped };
}

/** The last word of its worker, as far as anybody needs it; undefined where it has none. */
function outcomeIn({ said }: RunRow, run: number): Outcome | undefined {
  if (said?.type === 'done') {
    const [removed, masked] = [firstOf(said.removed), firstOf(said.masked)];
    return removed || masked ? { run, ...(removed && { removed }), ...(masked && { masked }) } : undefined;
  }
  if (said?.type !== 'failed') return undefined;
  return { run, problem: workerProblem(said) };
}

/** As many as a status takes; undefined where there are none. */
function firstOf<T>(named: Readonly<Record<string, T>>): Record<string, T> | undefined {
  const entries = Object.entries(named).slice(0, MOST_COUNTED);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
