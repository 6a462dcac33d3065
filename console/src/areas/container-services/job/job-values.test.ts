// The bodies that a job's form makes: the contract accepts what the form starts with, and a change is what was changed.
import { job } from '@gantry/contract/kinds/job.ts';
import { expect, test } from '@jest/globals';
import { emptyJob, type JobValues, jobBody, jobChange, jobValuesOf } from './job-values.ts';

const filled = (more: Partial<JobValues> = {}): JobValues => ({
  ...emptyJob(),
  displayName: 'train',
  image: 'pytorch/pytorch:2.4.0',
  command: `python train.py --name 'two words'`,
  ...more,
});

test('what the form begins with, and a name and an image, is a job', () => {
  expect(job.api.writes.create.safeParse(jobBody(filled())).error).toBeUndefined();
  expect(jobBody(filled()).command).toEqual(['python', 'train.py', '--name', 'two words']);
  expect(jobBody(filled())).not.toHaveProperty('schedule');
});

test('a schedule is one too; spaces in its fields do not matter', () => {
  const body = jobBody(filled({ execution: 'scheduled', schedule: { ...emptyJob().schedule, cron: ' 0  3 * * * ' } }));
  expect(job.api.writes.create.safeParse(body).error).toBeUndefined();
  expect(body.schedule?.cron).toBe('0 3 * * *');
});

test('a number that was emptied is refused, and not the default', () => {
  expect(job.api.writes.create.safeParse(jobBody(filled({ workers: undefined }))).success).toBe(false);
});

test('the values of a job make the same job again', () => {
  const values = filled({
    mounts: [{ from: 'dsk-1', as: 'ReadOnly', mountPath: '/data' }],
    maxRunMinutes: 60,
    tracking: true,
  });
  const { displayName = '', ...spec } = job.api.writes.create.parse(jobBody(values));
  const again = jobValuesOf({ id: 'job-1', name: displayName, spec });
  expect(jobChange(values, again)).toEqual({});
});

test('a change has only what was changed, and null for what was removed', () => {
  const before = filled({ maxRunMinutes: 60 });
  expect(jobChange(before, { ...before, maxRunMinutes: undefined, retries: 2 })).toEqual({
    maxRunMinutes: null,
    retries: 2,
  });
  expect(jobChange({ ...before, tracking: true }, before)).toEqual({ tracking: null });
});
