import type { Job, JobStatus } from '@gantry/contract/kinds/job.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { jobController } from './plan.ts';
import { childName, dueOf } from './schedule.ts';
import { at, context, job, START, seen, settings } from './testing/fixtures.ts';

const MINUTE = 60_000;
const berlin = (cron: string) => ({ cron, timeZone: 'Europe/Berlin' });
const utc = (cron: string) => ({ cron, timeZone: 'UTC' });
const ms = (text: string) => Date.parse(text);

describe('Due times', () => {
  const table: Record<string, [ReturnType<typeof dueOf>, Parameters<typeof dueOf>]> = {
    'nothing is due before its time': [
      { missed: 0, nextAt: ms('2026-01-01T00:05:00Z') },
      [utc('*/5 * * * *'), ms('2026-01-01T00:05:00Z'), 10 * MINUTE, ms('2026-01-01T00:04:00Z')],
    ],
    'the newest of several is due, the others are missed': [
      {
        at: ms('2026-01-01T00:15:00Z'),
        missed: 2,
        missedAt: ms('2026-01-01T00:10:00Z'),
        nextAt: ms('2026-01-01T00:20:00Z'),
      },
      [utc('*/5 * * * *'), ms('2026-01-01T00:05:00Z'), 20 * MINUTE, ms('2026-01-01T00:16:00Z')],
    ],
    'one that is too old is missed': [
      { missed: 1, missedAt: ms('2026-01-01T00:00:00Z'), nextAt: ms('2026-01-02T00:00:00Z') },
      [utc('0 0 * * *'), ms('2026-01-01T00:00:00Z'), 10 * MINUTE, ms('2026-01-01T01:00:00Z')],
    ],
    'a clock that jumps a year ahead counts a bounded number': [
      {
        at: ms('2027-01-01T00:00:00Z'),
        missed: 201 + 8,
        missedAt: ms('2026-12-31T23:59:00Z'),
        nextAt: ms('2027-01-01T00:01:00Z'),
      },
      [utc('* * * * *'), ms('2026-01-01T00:00:00Z'), 10 * MINUTE, ms('2027-01-01T00:00:30Z')],
    ],
    'a clock that was set back finds nothing due': [
      { missed: 0, nextAt: ms('2025-12-01T00:05:00Z') },
      [utc('*/5 * * * *'), ms('2026-01-01T00:05:00Z'), 10 * MINUTE, ms('2025-12-01T00:04:00Z')],
    ],
    'a day that never comes is never due': [{ missed: 0 }, [utc('0 0 30 2 *'), undefined, 10 * MINUTE, START]],
    'a minute 61 cannot be read': [undefined, [utc('61 * * * *'), undefined, 10 * MINUTE, START]],
    'a time that is left out when clocks go forward comes once they have': [
      { at: ms('2026-03-29T01:00:00Z'), missed: 0, nextAt: ms('2026-03-30T00:30:00Z') },
      [berlin('30 2 * * *'), ms('2026-03-29T01:00:00Z'), 60 * MINUTE, ms('2026-03-29T01:31:00Z')],
    ],
    'a time that is there twice when clocks go back comes once': [
      { at: ms('2026-10-25T00:30:00Z'), missed: 0, nextAt: ms('2026-10-26T01:30:00Z') },
      [berlin('30 2 * * *'), ms('2026-10-25T00:00:00Z'), 120 * MINUTE, ms('2026-10-25T01:45:00Z')],
    ],
  };
  test.each(Object.entries(table))('%s', (_, [due, inputs]) => expect(dueOf(...inputs)).toEqual(due));
});

const schedule = (more: Partial<NonNullable<Job['spec']['schedule']>> = {}) =>
  ({ cron: '*/5 * * * *', timeZone: 'UTC', concurrency: 'Forbid', startWithinMinutes: 3, keep: 1, ...more }) as const;
const child = (name: string, phase: string, createdAt = 0): Job => {
  const one = job({
    name,
    status: {
      phase,
      ...(phase === 'running' ? {} : { run: { seq: 1, cause: 'first', endedAt: at(1), exit: 'exit code 0' } }),
    },
  });
  return { ...one, metadata: { ...one.metadata, creationTimestamp: at(createdAt) } };
};
const due = childName('train', START + 5 * MINUTE);

interface Law {
  spec?: Partial<Job['spec']>;
  status?: JobStatus['schedule'];
  children?: Job[];
  seconds?: number;
  gate?: 'required';
  refusals?: Parameters<typeof context>[1] extends infer C ? NonNullable<C>['refusals' & keyof C] : never;
  outOfCredit?: string;
  creates?: string[];
  removes?: string[];
  patches?: object[];
  schedule?: object;
  phase?: string;
  reason?: string;
}

const TABLE: Record<string, Law> = {
  'a new schedule says when it is next due, and makes nothing': {
    seconds: 10,
    creates: [],
    phase: 'scheduled',
    reason: 'Scheduled',
    schedule: { runCount: 0, nextAt: at(300) },
  },
  'a due run is made, and its time stays open until it is seen': {
    status: { nextAt: at(300) },
    creates: [due],
    schedule: { runCount: 0, nextAt: at(300) },
  },
  'a run that is there is written down, and not made again': {
    status: { nextAt: at(300) },
    children: [child(due, 'running')],
    creates: [],
    schedule: { runCount: 0, nextAt: at(600), lastAt: at(300), lastRun: due },
  },
  'with Forbid, a run is left out while another runs': {
    status: { nextAt: at(300) },
    children: [child('train-1', 'running')],
    creates: [],
    reason: 'RunMissed',
    schedule: { runCount: 0, nextAt: at(600), missed: 1, missedAt: at(300), missedBecause: 'Overlap' },
  },
  'with Allow, both run': {
    spec: { schedule: schedule({ concurrency: 'Allow' }) },
    status: { nextAt: at(300) },
    children: [child('train-1', 'running')],
    creates: [due],
    patches: [],
  },
  'with Replace, the old one is stopped': {
    spec: { schedule: schedule({ concurrency: 'Replace' }) },
    status: { nextAt: at(300) },
    children: [child('train-1', 'running')],
    creates: [due],
    patches: [{ spec: { power: 'Stopped' } }],
  },
  'without credit nothing is made, and the time stays open': {
    status: { nextAt: at(300) },
    outOfCredit: 'nothing is left',
    creates: [],
    reason: 'OutOfCredit',
    schedule: { runCount: 0, nextAt: at(300), waitsFor: 'OutOfCredit' },
  },
  'without credit for too long the run is missed, and says why': {
    status: { nextAt: at(300), waitsFor: 'OutOfCredit' },
    outOfCredit: 'nothing is left',
    seconds: 300 + 3 * 60 + 1,
    creates: [],
    schedule: { runCount: 0, nextAt: at(600), missed: 1, missedAt: at(300), missedBecause: 'OutOfCredit' },
  },
  'the gate holds at each tick': {
    status: { nextAt: at(300) },
    gate: 'required',
    creates: [],
    reason: 'WaitingForCredit',
  },
  'an operator that was away misses what is too old': {
    status: { nextAt: at(300) },
    seconds: 3000 - 60,
    creates: [],
    schedule: { runCount: 0, nextAt: at(3000), missed: 9, missedAt: at(2700), missedBecause: 'OperatorAway' },
  },
  'a suspended schedule makes nothing, and misses nothing': {
    spec: { power: 'Suspended' },
    status: { nextAt: at(300) },
    creates: [],
    phase: 'suspended',
    schedule: { runCount: 0 },
  },
  'a raised runCount runs it now': {
    spec: { runCount: 3 },
    status: { runCount: 2, nextAt: at(600) },
    creates: ['train-r3'],
    schedule: { runCount: 2, nextAt: at(600) },
  },
  'a run that was asked for is made once': {
    spec: { runCount: 3 },
    status: { runCount: 2, nextAt: at(600) },
    children: [child('train-r3', 'running')],
    creates: [],
    schedule: { runCount: 3, nextAt: at(600), lastRun: 'train-r3' },
  },
  'the oldest ended runs beyond those kept are deleted': {
    status: { nextAt: at(600) },
    children: [
      child('train-1', 'succeeded', 1),
      child('train-3', 'failed', 3),
      child('train-2', 'stopped', 2),
      child('train-0', 'running'),
    ],
    removes: ['train-2', 'train-1'],
  },
  'a schedule that cannot be read says so': {
    spec: { schedule: schedule({ cron: '61 * * * *' }) },
    creates: [],
    reason: 'ScheduleUnreadable',
  },
  'a schedule without further times says so': {
    spec: { schedule: schedule({ cron: '0 0 30 2 *' }) },
    reason: 'NoMoreRuns',
  },
};

describe('A schedule', () => {
  test.each(Object.entries(TABLE))('%s', (_, law) => {
    const owner = job({
      spec: { schedule: schedule(), ...law.spec },
      ...(law.status && { status: { schedule: { runCount: 0, ...law.status } } }),
    });
    const plan = jobController.plan(
      owner,
      seen({
        children: law.children ?? [],
        namespace: { isGoing: false, ...(law.outOfCredit !== undefined && { outOfCredit: law.outOfCredit }) },
      }),
      context(law.seconds ?? 301, { settings: { ...settings, creditGate: law.gate ?? 'off' } }),
    );
    if (law.creates) expect((plan.create ?? []).map(({ metadata }) => metadata.name)).toEqual(law.creates);
    if (law.removes) expect((plan.remove ?? []).map(({ name }) => name)).toEqual(law.removes);
    if (law.patches) expect((plan.patch ?? []).map(({ body }) => body)).toEqual(law.patches);
    if (law.schedule) expect(plan.status?.schedule).toEqual(law.schedule);
    if (law.phase) expect(plan.status?.phase).toBe(law.phase);
    if (law.reason) expect(plan.status?.reason).toBe(law.reason);
  });

  test('passes its fields on to a run, which is its own', () => {
    const spec = { schedule: schedule(), creator: 'ann', startedBy: 'bob', command: ['true'], retries: 2 };
    const plan = jobController.plan(job({ spec, status: { schedule: { nextAt: at(300) } } }), seen(), context(301));
    expect(plan.create?.[0]).toMatchObject({
      metadata: { labels: { [LABEL.schedule]: 'train' }, ownerReferences: [{ uid: 'uid-train', controller: true }] },
      spec: {
        creator: 'ann',
        startedBy: 'bob',
        command: ['true'],
        retries: 2,
        power: 'Running',
        runCount: 0,
        workers: 2,
      },
    });
    expect(plan.create?.[0]).not.toHaveProperty('spec.schedule');
  });

  test('makes one run for each due time, however often its leader dies between two writes', () => {
    const made = new Set<string>();
    let status: JobStatus = {};
    for (let second = 0; second <= 3600; second += 20) {
      const children = [...made].map((name) => child(name, 'succeeded'));
      const owner = job({ spec: { schedule: schedule({ keep: 50 }) }, status });
      const plan = jobController.plan(owner, seen({ children }), context(second));
      // Half of the statuses are lost, and every creation is carried out.
      if (second % 40 === 0 || !plan.create?.length) status = plan.status ?? {};
      for (const { metadata } of plan.create ?? []) {
        expect(made).not.toContain(metadata.name);
        made.add(metadata.name);
      }
    }
    expect(made.size).toBe(12);
  });
});
