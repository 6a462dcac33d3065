import { ApiError } from '@gantry/kube/api-error.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { detectKinds, GROUPS, QUEUE } from './detect-kinds.ts';

const log = pino({ level: 'silent' });
const KINDS = ['clusterqueues', 'localqueues', 'workloads', 'resourceflavors', 'cohorts', 'workloadpriorityclasses'];
const list = (...names: string[]) => ({ resources: names.map((name) => ({ name })) });
const failure = (code: number, reason: string) => new ApiError(code, { reason, message: reason });

/** Each look is answered with the next of these; an error is thrown. */
function answering(...answers: unknown[]) {
  const asked: string[] = [];
  const raw = async <T>(path: string): Promise<T> => {
    asked.push(path);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer as T;
  };
  return { raw, asked };
}

const QUEUES = '/apis/kueue.x-k8s.io/v1beta2';
const SETS = '/apis/leaderworkerset.x-k8s.io/v1';

test.each([
  ['a cluster with Kueue has a queue', QUEUE, list(...KINDS, 'topologies', 'workloads/status'), true, QUEUES],
  ['a cluster without Kueue has none', QUEUE, failure(404, 'NotFound'), false, QUEUES],
  ['a Kueue that lacks a kind is none', QUEUE, list('clusterqueues', 'localqueues', 'workloads'), false, QUEUES],
  ['a cluster with LeaderWorkerSet spreads', GROUPS, list('leaderworkersets', 'leaderworkersets/status'), true, SETS],
  ['a cluster without LeaderWorkerSet does not', GROUPS, failure(404, 'NotFound'), false, SETS],
])('%s', async (_, what, answer, found, path) => {
  const { raw, asked } = answering(answer);
  expect(await detectKinds(what, { raw }, new SteppedClock(), log)).toBe(found);
  expect(asked).toEqual([path]);
});

test('an API server that is not there yet is asked again', async () => {
  const clock = new SteppedClock();
  const { raw } = answering(failure(503, 'ServiceUnavailable'), list(...KINDS));
  const found = detectKinds(QUEUE, { raw }, clock, log);
  await clock.step(500);
  expect(await found).toBe(true);
});

test('a refusal is reported, and no reason to go on without it', async () => {
  const refused = detectKinds(QUEUE, answering(failure(403, 'Forbidden')), new SteppedClock(), log);
  await expect(refused).rejects.toThrow('Forbidden');
});
