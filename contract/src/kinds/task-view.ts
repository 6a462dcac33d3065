// A task in the API: its size, its runs with their workers, its place in the queue, and what it costs.
import * as z from 'zod';
import type { Language } from '../fields/language.ts';
import { listOf, oneOf, wordOf } from '../fields/stored.ts';
import { PRIORITIES, type Task, type TaskRun, type TaskStatus, workersOf } from '../fields/task.ts';
import { gpuName } from '../gpu-name.ts';
import {
  type Beside,
  bytes,
  type CommonView,
  commonView,
  type KindRuns,
  type KindUsage,
  price,
  time,
  tone,
} from '../kind-api.ts';
import { lastExitInWords } from './exits.ts';
import { coresText } from './gpu-instance-words.ts';
import { BASIS_WORDS, RUN_CAUSE_WORDS, WORKER_PHASES } from './job-words.ts';

const worker = z.object({
  rank: z.int(),
  phase: z.string(),
  phase_label: z.string(),
  tone,
  pod: z.string().nullable(),
  node: z.string().nullable(),
  start_time: time.nullable(),
  end_time: time.nullable(),
  exit: z.string().nullable(),
  exit_label: z.string().nullable(),
  exit_code: z.int().nullable(),
  log_bytes: bytes.nullable().meta({ description: 'What is kept of its log since it ended.' }),
});

const run = z.object({
  number: z.int(),
  cause: z.string(),
  cause_label: z.string(),
  queue_time: time.nullable().meta({ description: 'When it was put into the queue.' }),
  admit_time: time.nullable().meta({ description: 'When the queue let it in; known of the newest run alone.' }),
  start_time: time.nullable().meta({ description: 'When all of its workers were ready.' }),
  end_time: time.nullable(),
  exit: z.string().nullable(),
  exit_label: z.string().nullable(),
  exit_code: z.int().nullable(),
  workers: z.array(worker),
});

/** The fields that the views of all tasks have. */
export const taskView = commonView.extend({
  status: z.string(),
  specification: z.string().meta({ description: 'Cards, cores and memory of one worker, in one line.' }),
  gpu: z.object({ model: z.string(), count: z.int() }).nullable(),
  workers: z.int(),
  cards: z.int().meta({ description: 'Of all workers together.' }),
  priority: z.enum(PRIORITIES),
  host: z.string().nullable(),
  price: price.meta({ description: 'While all of its workers run.' }),
  cost: z.string().nullable().meta({ description: 'What has been billed for it so far, with its currency.' }),
  start_time: time.nullable().meta({ description: 'When the newest run started.' }),
  end_time: time.nullable().meta({ description: 'When it ended.' }),
  running_seconds: z.number().nullable().meta({ description: 'How long the newest run took; null while it runs.' }),
  queue: z
    .object({
      position: z.int(),
      ahead_gpus: z.int(),
      start_time: time.nullable().meta({ description: 'When it is expected to start; null if nothing says.' }),
      basis: z.string(),
      basis_label: z.string(),
      time,
    })
    .nullable()
    .meta({ description: 'While it waits in the queue.' }),
  excluded_nodes: z.array(z.string()),
  runs: z.array(run).meta({ description: 'Newest first; the present one included.' }),
});
type TaskView = z.input<typeof taskView>;

export function showTask({ spec, status }: Task, common: CommonView, { language, price }: Beside): TaskView {
  const { gpu, cores, memoryGi } = spec;
  const workers = workersOf(spec);
  const cards = gpu ? [`${gpu.count} × ${gpuName(gpu.model)}`] : [];
  const newest = status?.run;
  return {
    ...common,
    status: common.phase,
    specification: [...cards, coresText(cores, language), `${memoryGi} GiB`].join(', '),
    gpu: gpu ?? null,
    workers,
    cards: (gpu?.count ?? 0) * workers,
    priority: spec.priority,
    host: spec.host ?? null,
    price,
    cost: status?.credit?.cost ?? null,
    start_time: newest?.startedAt ?? null,
    end_time: newest?.endedAt ?? null,
    running_seconds: secondsOf(newest),
    queue: queueOf(status, language),
    excluded_nodes: [status?.excludedNodes ?? []].flat(),
    runs: taskRunsOf(status).map((one) => runOf(one, language)),
  };
}

const secondsOf = (run: TaskStatus['run']): number | null =>
  run?.startedAt === undefined || run.endedAt === undefined
    ? null
    : Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000;

function queueOf(status: Task['status'], language: Language): TaskView['queue'] {
  const queue = status?.queue;
  if (!queue) return null;
  return {
    position: queue.position,
    ahead_gpus: queue.aheadGpus,
    start_time: queue.startsAt ?? null,
    basis: queue.basis,
    basis_label: wordOf(BASIS_WORDS, queue.basis, language),
    time: queue.at,
  };
}

type EndedWorker = NonNullable<TaskRun['workers']>[number] & { node?: string | undefined };

interface AnyRun extends Omit<TaskRun, 'endedAt' | 'exit' | 'workers'> {
  admittedAt?: string | undefined;
  endedAt?: string | undefined;
  exit?: string | undefined;
  workers?: TaskStatus['workers'] | readonly EndedWorker[];
}

/** Newest first, the present one included, with its workers. */
export function taskRunsOf(status: Task['status']): readonly AnyRun[] {
  const { run, workers } = status ?? {};
  const runs = listOf(status?.runs);
  if (!run) return runs;
  const ended = runs.find(({ seq }) => seq === run.seq);
  if (!ended) return [{ ...run, workers }, ...runs];
  // A record of a run is shorter than what the newest one still says of itself.
  const nodes = new Map(listOf(workers).map(({ index, node }) => [index, node]));
  const whole: AnyRun = {
    ...ended,
    admittedAt: run.admittedAt,
    workers: listOf(ended.workers).map((one) => ({ ...one, node: nodes.get(one.index) })),
  };
  return runs.map((one) => (one === ended ? whole : one));
}

function runOf(one: AnyRun, language: Language): TaskView['runs'][number] {
  return {
    number: one.seq,
    cause: one.cause,
    cause_label: wordOf(RUN_CAUSE_WORDS, one.cause, language),
    queue_time: one.queuedAt ?? null,
    admit_time: one.admittedAt ?? null,
    start_time: one.startedAt ?? null,
    end_time: one.endedAt ?? null,
    ...exitOf(one, language),
    workers: listOf<AnyWorker>(one.workers).map((each) => workerOf(each, language)),
  };
}

const exitOf = (
  { exit, exitCode }: { exit?: string | undefined; exitCode?: number | undefined },
  language: Language,
) => ({
  exit: exit ?? null,
  exit_label: exit === undefined ? null : lastExitInWords(exit, language),
  exit_code: exitCode ?? null,
});

const TONES = {
  waiting: 'progress',
  starting: 'progress',
  running: 'good',
  succeeded: 'good',
  failed: 'bad',
  stopped: 'neutral',
  lost: 'bad',
} as const;

type AnyWorker = NonNullable<AnyRun['workers']>[number];

function workerOf(one: AnyWorker, language: Language): TaskView['runs'][number]['workers'][number] {
  const phase = 'phase' in one ? one.phase : endedPhase(one);
  return {
    rank: one.index,
    phase,
    phase_label: wordOf(WORKER_PHASES, phase, language),
    tone: oneOf<TaskView['tone']>(TONES, phase, 'neutral'),
    pod: one.pod ?? null,
    node: one.node ?? null,
    start_time: one.startedAt ?? null,
    end_time: one.endedAt ?? null,
    ...exitOf(one, language),
    log_bytes: one.log?.bytes ?? null,
  };
}

function endedPhase({ exit, exitCode }: AnyWorker): keyof typeof TONES {
  if (exitCode === 0) return 'succeeded';
  return exit === 'Stopped' ? 'stopped' : 'failed';
}

/** A worker of a run has a number of its own among them: what a log belongs to. */
export const taskRuns: KindRuns = {
  hasParts: true,
  of: (object) =>
    taskRunsOf((object as Task).status).flatMap((run) =>
      listOf<AnyWorker>(run.workers).map((each) => ({
        seq: run.seq,
        part: each.index,
        cause: run.cause,
        ...(each.startedAt !== undefined && { startedAt: each.startedAt }),
        ...(each.endedAt !== undefined && { endedAt: each.endedAt }),
        ...(each.exit !== undefined && { exit: each.exit }),
        ...(each.exitCode !== undefined && { exitCode: each.exitCode }),
        ...(each.log && { log: each.log }),
      })),
    ),
  podOf: (object, seq, part = 0) => {
    const { status } = object as Task;
    const run = taskRunsOf(status).find((one) => one.seq === seq);
    const pod = listOf<AnyWorker>(run?.workers).find(({ index }) => index === part)?.pod;
    return pod === undefined ? undefined : { pod, container: 'main' };
  },
};

/** Its workers, each with the Pod of the present run. */
export const taskUsage: KindUsage = {
  partsOf(object) {
    const { spec, status } = object as Task;
    return listOf(status?.workers).flatMap(({ index, pod, phase }) =>
      pod !== undefined && phase === 'running'
        ? [{ name: `worker-${index}`, of: { pod }, volumes: [], hasGpu: spec.gpu !== undefined }]
        : [],
    );
  },
};
