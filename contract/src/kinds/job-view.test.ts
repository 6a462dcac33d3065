// The runs of a job as a view has them: the newest one keeps what its record leaves out.
import { expect, test } from '@jest/globals';
import { type Job, job } from './job.ts';
import { showJob } from './job-view.ts';
import { taskRunsOf } from './task-view.ts';

const RUN = { seq: 2, cause: 'again', runCount: 1, queuedAt: '2026-11-01T00:00:00Z' } as const;
const ADMITTED = { admittedAt: '2026-11-01T00:00:01Z' };
const ended = (seq: number) => ({
  ...{ seq, cause: 'again', endedAt: '2026-11-01T00:01:00Z', exit: 'Completed', exitCode: 0 },
  workers: [{ index: 0, pod: `train-${seq}-0`, exitCode: 0 }],
});
const statusOf = (status: object) => status as Job['status'];

test('a newest run that has ended says where its workers ran and when it was admitted', () => {
  const workers = [{ index: 0, pod: 'train-2-0', node: 'node-a', phase: 'succeeded' }];
  const [newest, older] = taskRunsOf(statusOf({ run: { ...RUN, ...ADMITTED }, workers, runs: [ended(2), ended(1)] }));
  expect(newest).toMatchObject({ seq: 2, ...ADMITTED, workers: [{ index: 0, node: 'node-a', exitCode: 0 }] });
  expect(older).toEqual(ended(1));
});

test('a run that goes on comes before those that are recorded', () => {
  const workers = [{ index: 0, pod: 'train-2-0', node: 'node-a', phase: 'running' }];
  expect(taskRunsOf(statusOf({ run: RUN, workers, runs: [ended(1)] })).map(({ seq }) => seq)).toEqual([2, 1]);
});

test('a record of an older schema shows what it has', () => {
  const [only] = taskRunsOf(statusOf({ run: RUN, workers: 'none', runs: [{ ...ended(2), workers: null }] }));
  expect(only).toMatchObject({ seq: 2, workers: [] });
  expect(job.api.runs.of({ status: { run: RUN, runs: [ended(2)] } } as never)).toHaveLength(1);
});

test.each([
  ['a running first worker', [{ index: 0, phase: 'running', podIP: '10.0.0.7' }], 'http://10.0.0.7:8080'],
  ['one with an address of IPv6', [{ index: 0, phase: 'running', podIP: 'fd00::7' }], 'http://[fd00::7]:8080'],
  ['one that has ended', [{ index: 0, phase: 'succeeded' }], null],
  ['none yet', undefined, null],
])('the port of a job with %s says where it answers', (_, workers, url) => {
  const spec = { ports: [{ name: 'web', port: 8080 }], workers: 1, cores: 1, memoryGi: 1, image: 'a/b:1' };
  const shown = showJob({ metadata: {}, spec, status: { workers } } as never, {} as never, { language: 'en' } as never);
  expect(shown.ports).toEqual([{ name: 'web', port: 8080, url }]);
});
