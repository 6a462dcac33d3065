// A row of the table besides the real ones: a kind that has one worker, words of its own for the stages, inputs that somebody lists for
// each run, and exit codes that mean something.
import type { Words } from '@gantry/contract/define-kind.ts';
import type { Task } from '@gantry/contract/fields/task.ts';
import { job as jobFacts } from '@gantry/contract/kinds/job.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { at, batch, context, job, seen, settings, worker } from '../kinds/job/testing/fixtures.ts';
import { strictCachesOf } from '../testing/caches-of.ts';
import { desiredBatchJob } from './desired.ts';
import { planTask } from './plan-task.ts';
import { type Ran, type RunningReason, STAGES } from './ran.ts';
import { readsOf } from './reads.ts';

const OWN = ['InputsArriving', 'InputsGone', 'TooManyRejected', 'ResultsNotFetched'] as unknown as RunningReason[];
const [ARRIVING, GONE, REJECTED, NOT_FETCHED] = OWN as [RunningReason, RunningReason, RunningReason, RunningReason];
const PHASES: Partial<Record<string, string>> = { starting: 'preparing', running: 'processing', succeeded: 'success' };

const statusOf = (task: Task) => (task.status ?? {}) as { inputs?: { run: number }; rejected?: number };
const digest: Ran = {
  facts: { ...jobFacts, kind: 'Digest', plural: 'digests' },
  reasons: {
    ...jobFacts.reasons,
    ...(Object.fromEntries(OWN.map((reason) => [reason, { en: `${reason}.`, zh: '', ja: '' }])) as Record<
      RunningReason,
      Words
    >),
  },
  phase: (stage) => PHASES[stage] ?? stage,
  dress: () => ({
    containers: [{ name: 'main', image: 'library/digest:1' }],
    volumes: [],
    terminationGracePeriodSeconds: 120,
  }),
  trouble: ({ metadata }) => (metadata.labels?.inputs === 'gone' ? { reason: GONE, args: {} } : undefined),
  waitsFor: (task) =>
    statusOf(task).inputs?.run === task.status?.run?.seq ? undefined : { reason: ARRIVING, args: {} },
  exits: {
    65: { reason: REJECTED, args: (task) => ({ rejected: String(statusOf(task).rejected) }), isRetried: false },
    75: { reason: NOT_FETCHED, isRetried: true },
  },
};

function task(status: object = {}, labels: Record<string, string> = {}): Task {
  const { workers: _workers, image: _image, gpu: _gpu, ...spec } = job().spec;
  const { metadata } = job();
  return {
    ...job(),
    kind: 'Digest',
    metadata: { ...metadata, labels },
    spec: { ...spec, retries: 2 },
    status,
  } as unknown as Task;
}
const run = (more: object = {}) => ({
  seq: 1,
  cause: 'first',
  runCount: 0,
  queuedAt: at(1),
  admittedAt: at(1),
  ...more,
});
const planned = (owner: Task, more: Parameters<typeof seen>[0] = {}, seconds = 10) =>
  planTask(digest, owner, seen(more), context(seconds));
/** Its worker has ended with this code. */
const ended = (exitCode: number, status: object = {}) =>
  planned(
    task({ run: run({ startedAt: at(6) }), inputs: { run: 1 }, rejected: 7, ...status }),
    { batchJobs: [batch({ completions: 1 })], pods: [worker('finished', { exitCode })] },
    61,
  );

test('a job has the stages as its phases, in their order', () => {
  expect(Object.keys(jobFacts.phases)).toEqual(STAGES);
});

describe('a kind of tasks', () => {
  test('has its own words for the stages', () => {
    const running = { batchJobs: [batch({ completions: 1 })], pods: [worker('ready')] };
    expect(planned(task({ run: run(), inputs: { run: 1 } }), running).status).toMatchObject({
      phase: 'processing',
      reason: 'Running',
    });
    expect(ended(0).status).toMatchObject({ phase: 'success', reason: 'Succeeded' });
  });

  test('records its run first, and begins it once what it waits for is there', () => {
    const waiting = planned(task());
    expect(waiting.status).toMatchObject({ phase: 'preparing', reason: ARRIVING, run: { seq: 1, cause: 'first' } });
    expect(waiting.create).toEqual([]);
    const recorded = { run: { seq: 1, cause: 'first', runCount: 0 } };
    expect(planned(task({ ...recorded, inputs: { run: 1 } })).create).toMatchObject([{ kind: 'Job' }]);
    // A list for an earlier run is not this one's.
    expect(planned(task({ ...recorded, inputs: { run: 0 } })).create).toEqual([]);
  });

  test('holds no credit while a fault keeps it from starting', () => {
    const { status, create } = planned(task({}, { inputs: 'gone' }));
    expect(status).toMatchObject({ phase: 'preparing', reason: GONE });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'CanStart', status: 'False', reason: GONE }),
    );
    expect(create).toEqual([]);
  });

  test('ends at an exit code that no other try would change, with its numbers', () => {
    const { status } = ended(65);
    expect(status).toMatchObject({ phase: 'failed', reason: REJECTED, reasonArgs: { rejected: '7' }, run: { seq: 1 } });
  });

  test('tries again after an exit code that another try may change, and says why', () => {
    const { status } = ended(75);
    expect(status).toMatchObject({
      phase: 'preparing',
      reason: NOT_FETCHED,
      reasonArgs: { try: '2', tries: '3' },
      run: { seq: 2, cause: 'retry', failures: 1 },
    });
  });

  test('tries again after any other failure, as a job does', () => {
    expect(ended(1).status).toMatchObject({ reason: 'RetryAt', run: { seq: 2, failures: 1 } });
  });

  test('has one worker where its spec names no number, and dresses its Pod itself', () => {
    const { metadata, spec } = desiredBatchJob(digest, task(), { seq: 1, cause: 'first' }, seen(), settings);
    expect(metadata.labels).toMatchObject({ [LABEL.kind]: 'Digest', [LABEL.run]: '1' });
    expect(spec).toMatchObject({ completions: 1, parallelism: 1 });
    expect(spec.template.spec).toMatchObject({
      containers: [{ image: 'library/digest:1' }],
      terminationGracePeriodSeconds: 120,
    });
    expect(spec.template.spec).not.toHaveProperty('subdomain');
  });

  test('has no worker of a job of the same name', () => {
    const { pods } = readsOf<Task>(digest).reads;
    const own = worker('ready');
    const labels = { ...own.metadata.labels, [LABEL.kind]: 'Digest' };
    const relabelled: Pod = { ...own, metadata: { ...own.metadata, uid: 'uid-digest', labels } };
    const caches = strictCachesOf([pods.of, ...(pods.also ?? [])], new Map([[pods.of, [own, relabelled]]]));
    expect(pods.find(task(), caches).map(({ metadata }) => metadata.uid)).toEqual(['uid-digest']);
    expect(pods.wakes?.({ after: own }, caches)).toEqual([]);
    expect(pods.wakes?.({ after: relabelled }, caches)).toEqual([{ name: 'train', namespace: 'org-acme' }]);
  });
});
