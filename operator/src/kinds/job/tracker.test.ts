// The agent beside a program that logs by MLflow's calls.
import type { Job } from '@gantry/contract/kinds/job.ts';
import { asks } from '@gantry/kube/asks.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { initFailure } from '../../pod-progress.ts';
import { desiredBatchJob } from '../../running/desired.ts';
import { usesOf } from '../../running/workers.ts';
import { jobController } from './plan.ts';
import { ran } from './ran.ts';
import { at, batch, context, job, seen, settings, worker } from './testing/fixtures.ts';
import { trackerOf } from './tracker.ts';

const DOOR = 'ab'.repeat(32);
const first = { seq: 1, cause: 'first', runCount: 0 } as const;
const running = { ...first, queuedAt: at(1), admittedAt: at(1), startedAt: at(6) };
const tracked = (spec: Partial<Job['spec']> = {}, status: Job['status'] = {}) =>
  job({
    spec: { workers: 1, tracking: true, ...spec },
    status: { run: first, tracking: { run: 1, door: DOOR }, ...status },
  });
const podOf = (owner: Job) => desiredBatchJob(ran, owner, first, seen(), settings).spec.template.spec;
const environmentOf = (owner: Job) =>
  Object.fromEntries(
    (podOf(owner).containers as { env: { name: string; value?: string }[] }[])[0]?.env.map(({ name, value }) => [
      name,
      value,
    ]) ?? [],
  );

test('the agent is a closed container that starts before the program and ends after it', () => {
  expectGolden(new URL('golden/tracker.yaml', import.meta.url), [...(podOf(tracked()).initContainers ?? [])]);
});

test('the program finds the agent, unless the tenant sends it elsewhere', () => {
  expect(environmentOf(tracked()).MLFLOW_TRACKING_URI).toBe('http://127.0.0.1:8089');
  const own = { env: [{ name: 'MLFLOW_TRACKING_URI', value: 'http://mlflow:5000' }] };
  expect(environmentOf(tracked(own)).MLFLOW_TRACKING_URI).toBe('http://mlflow:5000');
});

test('a run that nobody tracks has no agent and no address of one', () => {
  const plain = job({ spec: { workers: 1 }, status: { run: first } });
  expect(podOf(plain).initContainers).toBeUndefined();
  expect(environmentOf(plain)).not.toHaveProperty('MLFLOW_TRACKING_URI');
});

test('a run keeps what was decided for it when the spec changes meanwhile', () => {
  expect(trackerOf(tracked({ tracking: false }), 1, settings)).toBeDefined();
  expect(trackerOf(tracked(), 2, settings)).toBeUndefined();
});

test.each([
  ['no door yet', undefined],
  ['the door of an earlier run', { run: 1, door: DOOR }],
])('a run that is to be tracked waits while there is %s', (_, tracking) => {
  const owner = tracked({}, { run: { ...first, seq: 2, cause: 'again' }, ...{ tracking } });
  const plan = jobController.plan(owner, seen(), context(70));
  expect(plan.create).toEqual([]);
  expect(plan.status).toMatchObject({ phase: 'preparing', reason: 'TrackingNotReady' });
});

test('a run begins once the door of its agent is known', () => {
  const plan = jobController.plan(tracked(), seen(), context(70));
  expect(plan.create?.map(({ metadata }) => metadata.name)).toEqual(['train-1']);
});

test('the agent is neither paid for nor counted against a quota', () => {
  const of = (owner: Job) => ({ spec: podOf(owner), metadata: {} }) as unknown as Pod;
  const plain = of(job({ spec: { workers: 1 }, status: { run: first } }));
  const beside = of(tracked());
  expect(usesOf(beside, 1)).toEqual(usesOf(plain, 1));
  expect(asks(beside.spec)).toEqual(asks(plain.spec));
});

/** Its program has ended; the agent waits for the gateway, or was killed while it did. */
function ending(exitCode: number, agent: object): Pod {
  const pod = worker('finished', { exitCode });
  return {
    ...pod,
    spec: { ...pod.spec, initContainers: [{ name: 'tracking', restartPolicy: 'Always' }] },
    status: { ...pod.status, phase: 'Running', initContainerStatuses: [{ name: 'tracking', state: agent }] },
  } as Pod;
}

test.each([
  ['succeeded', 0, { running: { startedAt: at(4) } }],
  ['succeeded', 0, { terminated: { exitCode: 137, reason: 'Error' } }],
  ['failed', 3, { running: { startedAt: at(4) } }],
])('a run has %s with exit code %d of its program, whatever its agent does: %j', (phase, exitCode, agent) => {
  const owner = tracked({}, { run: running });
  const sees = seen({ pods: [ending(exitCode, agent)], batchJobs: [batch({ completions: 1 })] });
  const { status } = jobController.plan(owner, sees, context(70));
  expect(status).toMatchObject({ phase, run: { exitCode, endedAt: at(60) } });
  expect(status?.intervals?.at(-1)).toMatchObject({ to: at(60) });
});

test('an agent that was killed is no container that failed before the program', () => {
  expect(initFailure(ending(0, { terminated: { exitCode: 137, reason: 'OOMKilled' } }))).toBeUndefined();
});
