import { ApiError } from '@gantry/kube/api-error.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { detectQueue } from './detect-queue.ts';

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

test.each([
  ['a cluster with Kueue has a queue', list(...KINDS, 'topologies', 'workloads/status'), 'kueue'],
  ['a cluster without Kueue has none', failure(404, 'NotFound'), 'none'],
  ['a Kueue that lacks a kind is none', list('clusterqueues', 'localqueues', 'workloads'), 'none'],
])('%s', async (_, answer, found) => {
  const { raw, asked } = answering(answer);
  expect(await detectQueue({ raw }, new SteppedClock(), log)).toBe(found);
  expect(asked).toEqual(['/apis/kueue.x-k8s.io/v1beta2']);
});

test('an API server that is not there yet is asked again', async () => {
  const clock = new SteppedClock();
  const { raw } = answering(failure(503, 'ServiceUnavailable'), list(...KINDS));
  const found = detectQueue({ raw }, clock, log);
  await clock.step(500);
  expect(await found).toBe('kueue');
});

test('a refusal is reported, and no reason to go on without a queue', async () => {
  await expect(detectQueue(answering(failure(403, 'Forbidden')), new SteppedClock(), log)).rejects.toThrow('Forbidden');
});
