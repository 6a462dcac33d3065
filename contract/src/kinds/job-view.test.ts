// The runs of a job as a view has them: the newest one keeps what its record leaves out.
import { expect, test } from '@jest/globals';
import { type Job, job } from './job.ts';
import { jobRunsOf } from './job-view.ts';

const RUN = { seq: 2, cause: 'again', runCount: 1, queuedAt: '2026-11-01T00:00:00Z' } as const;
const ADMITTED = { admittedAt: '2026-11-01T00:00:01Z' };
const ended = (seq: number) => ({
  ...{ seq, cause: 'again', endedAt: '2026-11-01T00:01:00Z', exit: 'Completed', exitCode: 0 },
  workers: [{ index: 0, pod: `train-${seq}-0`, exitCode: 0 }],
});
const statusOf = (status: object) => status as Job['status'];

test('a newest run that has ended says where its workers ran and when it was admitted', () => {
  const workers = [{ index: 0, pod: 'train-2-0', node: 'node-a', phase: 'succeeded' }];
  const [newest, older] = jobRunsOf(statusOf({ run: { ...RUN, ...ADMITTED }, workers, runs: [ended(2), ended(1)] }));
  expect(newest).toMatchObject({ seq: 2, ...ADMITTED, workers: [{ index: 0, node: 'node-a', exitCode: 0 }] });
  expect(older).toEqual(ended(1));
});

test('a run that goes on comes before those that are recorded', () => {
  const workers = [{ index: 0, pod: 'train-2-0', node: 'node-a', phase: 'running' }];
  expect(jobRunsOf(statusOf({ run: RUN, workers, runs: [ended(1)] })).map(({ seq }) => seq)).toEqual([2, 1]);
});

test('a record of an older schema shows what it has', () => {
  const [only] = jobRunsOf(statusOf({ run: RUN, workers: 'none', runs: [{ ...ended(2), workers: null }] }));
  expect(only).toMatchObject({ seq: 2, workers: [] });
  expect(job.api.runs.of({ status: { run: RUN, runs: [ended(2)] } } as never)).toHaveLength(1);
});
