// Jobs and services at the gate: lines of jobs that wait for credit, and services that scale.
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../../test/support/database.ts';
import type { Database } from '../../../platform/db/open.ts';
import type { CostlyFacts } from '../../kinds/billed-objects.ts';
import { kindObject } from '../../kinds/testing/memory-kinds.ts';
import { writeCaps } from './caps.ts';
import { Stage, soon } from './testing/stage.ts';

const MINUTE_MS = 60_000;

let db: Database;
let stage: Stage;
beforeAll(async () => {
  db = await migratedDatabase();
}, 60_000);
afterAll(() => db.close());
beforeEach(() => {
  stage = new Stage(db);
});
afterEach(() => stage.end());

const JOB = job.kind;
const SERVICE = containerService.kind;

/** A job that costs 1.00 an hour for each worker. */
const ofJob = (spec: object = {}, more: object = {}) => ({ spec: { cores: 1, creator: 'ann', ...spec }, ...more });
const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString().replace('.000Z', 'Z');
const since = (ms: number) => new Date(ms).toISOString().slice(0, 19).concat('Z');
const used = (seq: number, cores: number, more: object = {}) => ({
  seq,
  subjectUID: 'pods',
  from: since(stage.clock.now()),
  uses: [{ resource: 'cpu', quantity: cores }],
  ...more,
});
const runningJob = (cores: number) => ({
  phase: 'running',
  run: { seq: 1, cause: 'first', runCount: 0, startedAt: since(stage.clock.now()) },
  intervals: [used(1, cores)],
});
const endedJob = (cores: number) => ({
  phase: 'succeeded',
  run: { seq: 1, cause: 'first', runCount: 0, endedAt: since(stage.clock.now()) },
  intervals: [used(1, cores, { to: since(stage.clock.now()) })],
});
const replicas = (name: string) =>
  (stage.find(SERVICE, name).status?.credit as { replicas?: number } | undefined)?.replicas;
const writesOf = (name: string) => stage.kinds.cluster.writes.filter((write) => write.includes(` ${name}`));
const states = (names: readonly string[]) => names.filter((name) => stage.credit(name, JOB).status === 'True');

describe('a job', () => {
  test('has credit for all of its workers before any starts, for its generation', async () => {
    await stage.open();
    await stage.fund('10');
    stage.put(job, 'train', ofJob({ workers: 3 }));
    await soon(() => expect(stage.credit('train', JOB)).toMatchObject({ status: 'True', generation: 1, minutes: 60 }));
    expect(await stage.held()).toEqual(['3000000']);
  });

  test('that cannot be paid for says what is missing, and has credit once money comes', async () => {
    await stage.open();
    await stage.fund('2.50');
    stage.put(job, 'train', ofJob({ workers: 3 }));
    await soon(() =>
      expect(stage.credit('train', JOB)).toMatchObject({
        status: 'False',
        reason: 'OutOfCredit',
        message: 'needs $3.00 for the next hour, $2.50 available',
      }),
    );
    await stage.fund('1');
    await soon(() => expect(stage.credit('train', JOB)).toMatchObject({ status: 'True', minutes: 60 }));
  });

  test('counts against the cap of the member who started it', async () => {
    await stage.open();
    await stage.fund('100');
    await writeCaps(db, 'acme', { members: { ann: parseMoney('2') } });
    stage.put(job, 'train', ofJob({ workers: 3, creator: 'bob', startedBy: 'ann' }));
    await soon(() => expect(stage.credit('train', JOB)).toMatchObject({ status: 'False', reason: 'SpendCapReached' }));
    stage.put(job, 'other', ofJob({ workers: 3, creator: 'ann', startedBy: 'bob' }));
    await soon(() => expect(stage.credit('other', JOB).status).toBe('True'));
  });

  test('that has no price does not start', async () => {
    await stage.open([], { cpu: '1', memory: '0' });
    await stage.fund('100');
    stage.put(job, 'train', ofJob({ gpu: { model: 'H100', count: 1 } }));
    await soon(() => expect(stage.credit('train', JOB)).toMatchObject({ status: 'False', reason: 'NoPrice' }));
  });

  test('of a schedule costs nothing, and is told so once', async () => {
    await stage.open();
    stage.put(job, 'nightly', ofJob({ schedule: { cron: '0 3 * * *', timeZone: 'UTC' } }));
    await soon(() => expect(stage.credit('nightly', JOB)).toMatchObject({ status: 'True' }));
    expect(await stage.held()).toEqual([]);
    expect(writesOf('nightly')).toEqual([`patch ${JOB} nightly status`]);
  });

  test('that runs out is out of credit at its end, and not sooner', async () => {
    await stage.open();
    await stage.fund('1');
    stage.put(job, 'train', ofJob());
    await soon(() => expect(stage.credit('train', JOB).minutes).toBe(60));
    stage.change(JOB, 'train', { status: runningJob(1) });
    await stage.quiet();
    for (const minute of [30, 59]) {
      stage.used = [
        {
          uid: stage.find(JOB, 'train').metadata.uid ?? '',
          accountId: 'ann',
          net: parseMoney(`${(minute / 60).toFixed(4)}`),
        },
      ];
      await stage.step((minute === 30 ? 30 : 29) * MINUTE_MS);
      expect([minute, stage.credit('train', JOB).status]).toEqual([minute, 'True']);
    }
    stage.used = [{ uid: stage.find(JOB, 'train').metadata.uid ?? '', accountId: 'ann', net: parseMoney('1') }];
    await stage.step(2 * MINUTE_MS);
    await soon(() => expect(stage.credit('train', JOB)).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
  });

  test('costs one write for its credit, one with what is posted, and none when it has ended', async () => {
    await stage.open();
    await stage.fund('10');
    stage.put(job, 'train', ofJob({}, { metadata: { finalizers: ['gantry.dev/billing'] } }));
    await soon(() => expect(stage.credit('train', JOB).status).toBe('True'));
    for (const phase of ['queued', 'starting']) stage.change(JOB, 'train', { status: { phase } });
    stage.change(JOB, 'train', { status: runningJob(1) });
    await stage.quiet();
    stage.change(JOB, 'train', { status: endedJob(1) });
    await stage.quiet();
    expect(await stage.held()).toEqual(['1000000']);
    const found = stage.kinds.billed.list(JOB)[0];
    if (found) await stage.kinds.billed.writePosted(found, 1, '0.10 USD');
    await soon(async () => expect(await stage.held()).toEqual([]));
    await stage.step(3 * 60 * MINUTE_MS);
    expect(writesOf('train')).toEqual([`patch ${JOB} train status`, `patch ${JOB} train status`]);
    expect(stage.find(JOB, 'train').status?.credit).toMatchObject({ postedSeq: 1, cost: '0.10 USD' });
  });
});

describe('a line of jobs', () => {
  const names = Array.from({ length: 120 }, (_one, index) => `job-${index}`);

  async function submit(): Promise<void> {
    await stage.open();
    await stage.fund('10.50');
    for (const [index, name] of names.entries())
      stage.put(
        job,
        name,
        ofJob({ priority: index === 119 ? 'High' : 'Normal' }, { metadata: { creationTimestamp: at(index) } }),
      );
    await soon(() => {
      for (const name of names) expect(stage.credit(name, JOB).status).toBeDefined();
    });
    await stage.quiet();
  }

  test('has credit for as many as the balance pays for; the others say what is missing', async () => {
    await submit();
    expect(states(names)).toHaveLength(10);
    expect((await stage.wallets.balances('acme')).available).toBe(parseMoney('0.50'));
    const refused = names.filter((name) => stage.credit(name, JOB).status === 'False');
    for (const name of refused)
      expect(stage.credit(name, JOB).message).toMatch(/^needs \$1\.00 for the next hour, \$\d/);
  });

  test('moves up when one ends, by priority and then by age, with two writes and no more', async () => {
    await submit();
    const before = stage.kinds.cluster.writes.length;
    const first = states(names)[0] ?? '';
    stage.change(JOB, first, { status: runningJob(1) });
    await stage.quiet();
    stage.change(JOB, first, {
      status: { ...endedJob(1), credit: { ...stage.find(JOB, first).status?.credit, postedSeq: 1 } },
    });
    await soon(() => expect(states(names)).toHaveLength(11));
    expect(states(names)).toContain('job-119');
    const writes = stage.kinds.cluster.writes.slice(before);
    // The one that gets credit, and the front of the line with current numbers.
    expect(writes.length).toBeLessThanOrEqual(3);
  });

  test('holds nothing that what runs needs: the last of it waits again', async () => {
    await stage.open();
    await stage.fund('3');
    for (const [index, name] of ['run', 'next', 'last'].entries())
      stage.put(job, name, ofJob({}, { metadata: { creationTimestamp: at(index) } }));
    await soon(() => expect(states(['run', 'next', 'last'])).toHaveLength(3));
    stage.change(JOB, 'run', { status: runningJob(1) });
    for (const name of ['next', 'last']) stage.change(JOB, name, { status: { phase: 'queued' } });
    await stage.quiet();
    stage.used = [{ uid: stage.find(JOB, 'run').metadata.uid ?? '', accountId: 'ann', net: parseMoney('0.5') }];
    await stage.step(31 * MINUTE_MS);
    await soon(() => expect(stage.credit('last', JOB)).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
    await soon(() => expect(stage.credit('run', JOB).minutes).toBeGreaterThan(55));
    expect(stage.credit('next', JOB).status).toBe('True');
    expect((await stage.wallets.balances('acme')).available >= 0n).toBe(true);
    // Its hold was not given to what else waits.
    await stage.step(MINUTE_MS);
    expect(states(['run', 'next', 'last'])).toEqual(['run', 'next']);
  });

  test('of a hundred at once and ten services never exceeds the balance by one', async () => {
    await stage.open();
    await stage.fund('41');
    for (let index = 0; index < 100; index++) stage.put(job, `job-${index}`, ofJob({ workers: 1 + (index % 3) }));
    for (let index = 0; index < 10; index++)
      stage.put(containerService, `web-${index}`, { spec: { cores: 1, creator: 'ann', replicas: 2 } });
    await soon(() => {
      for (let index = 0; index < 100; index++) expect(stage.credit(`job-${index}`, JOB).status).toBeDefined();
    });
    await stage.quiet();
    const held = (await stage.held()).reduce((sum, one) => sum + BigInt(one), 0n);
    expect(held <= parseMoney('41')).toBe(true);
    expect(held >= parseMoney('40')).toBe(true);
  });
});

describe('a service', () => {
  const web = (spec: object = {}) => ({ spec: { cores: 1, creator: 'ann', ...spec } });
  const scaled = (count: number) => ({
    scaling: { replicas: count, because: 'Request', at: since(stage.clock.now()) },
  });
  const auto = { autoscaling: { min: 0, max: 8, scaleDownSeconds: 300, idleSeconds: 600 } };

  test('has credit for its replicas, and for as many as can be paid if it scales up', async () => {
    await stage.open();
    await stage.fund('5');
    stage.put(containerService, 'web', web(auto));
    await soon(() => expect(replicas('web')).toBe(1));
    stage.change(SERVICE, 'web', { status: { ...scaled(1), intervals: [used(1, 1)] } });
    stage.change(SERVICE, 'web', { status: scaled(8) });
    await soon(() => expect(replicas('web')).toBe(5));
    expect(stage.credit('web', SERVICE)).toMatchObject({
      status: 'True',
      message: 'Credit covers 5 of 8 replicas: needs $3.00 for the next hour, $0.00 available',
    });
    expect(await stage.held()).toEqual(['5000000']);
    const before = writesOf('web').length;
    await stage.step(MINUTE_MS);
    expect(writesOf('web').length - before).toBe(0);
    await stage.fund('10');
    await soon(() => expect(replicas('web')).toBe(8));
    expect(stage.warnings).toEqual([]);
    expect(stage.credit('web', SERVICE).message).toBe('Credit is reserved.');
  });

  test('that scales down is told first, and frees its money then', async () => {
    await stage.open();
    await stage.fund('5');
    stage.put(containerService, 'web', web(auto));
    stage.change(SERVICE, 'web', { status: scaled(4) });
    await soon(() => expect(replicas('web')).toBe(4));
    const { minutes } = stage.credit('web', SERVICE);
    stage.change(SERVICE, 'web', { status: scaled(2) });
    await soon(async () => expect([replicas('web'), await stage.held()]).toEqual([2, ['2000000']]));
    expect(stage.credit('web', SERVICE).minutes).toBe(minutes);
  });

  test('asleep holds nothing, and has credit some ten milliseconds after it is woken', async () => {
    await stage.open();
    await stage.fund('5');
    stage.put(containerService, 'web', web(auto));
    await soon(() => expect(replicas('web')).toBe(1));
    stage.change(SERVICE, 'web', { status: scaled(0) });
    await soon(async () => expect([replicas('web'), await stage.held()]).toEqual([0, []]));
    const took: number[] = [];
    for (let turn = 0; turn < 9; turn++) {
      const from = performance.now();
      stage.change(SERVICE, 'web', { status: scaled(1) });
      while (replicas('web') !== 1) await new Promise((resolve) => setImmediate(resolve));
      took.push(performance.now() - from);
      stage.change(SERVICE, 'web', { status: scaled(0) });
      await soon(async () => expect([replicas('web'), await stage.held()]).toEqual([0, []]));
    }
    const [median = Number.POSITIVE_INFINITY] = took.sort((a, b) => a - b).slice(4);
    console.log(`woken services have credit after ${median.toFixed(1)} ms`);
    expect(median).toBeLessThan(250);
  });

  test('asleep wakes with nothing where the money went meanwhile', async () => {
    await stage.open();
    await stage.fund('1');
    stage.put(containerService, 'web', web(auto));
    await soon(() => expect(replicas('web')).toBe(1));
    stage.change(SERVICE, 'web', { status: scaled(0) });
    await soon(async () => expect([replicas('web'), await stage.held()]).toEqual([0, []]));
    stage.put(job, 'train', ofJob());
    await soon(() => expect(stage.credit('train', JOB).status).toBe('True'));
    stage.change(SERVICE, 'web', { status: scaled(1) });
    await soon(() => expect(stage.credit('web', SERVICE)).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
    expect(replicas('web')).toBeUndefined();
  });

  test('that is stopped holds nothing, and is written no more', async () => {
    await stage.open();
    await stage.fund('5');
    stage.put(containerService, 'web', web({ replicas: 2 }));
    await soon(() => expect(replicas('web')).toBe(2));
    const before = writesOf('web').length;
    stage.change(SERVICE, 'web', { spec: { power: 'Stopped' } });
    await soon(async () => expect(await stage.held()).toEqual([]));
    await stage.quiet();
    expect(writesOf('web').length).toBe(before);
  });

  test('whose money runs out keeps its running replicas to the end, and scales no further', async () => {
    await stage.open();
    await stage.fund('2');
    stage.put(containerService, 'web', web({ replicas: 2 }));
    await soon(() => expect(replicas('web')).toBe(2));
    stage.change(SERVICE, 'web', { status: { intervals: [used(1, 2)] } });
    await stage.quiet();
    const uid = stage.find(SERVICE, 'web').metadata.uid ?? '';
    stage.used = [{ uid, accountId: 'ann', net: parseMoney('1') }];
    await stage.step(30 * MINUTE_MS);
    expect(stage.credit('web', SERVICE)).toMatchObject({ status: 'True' });
    stage.used = [{ uid, accountId: 'ann', net: parseMoney('2') }];
    await stage.step(31 * MINUTE_MS);
    await soon(() => expect(stage.credit('web', SERVICE)).toMatchObject({ status: 'False', reason: 'OutOfCredit' }));
  });

  test('whose last credit is half over when a gateway starts is not decided on again and again', async () => {
    await stage.open();
    await stage.fund('2');
    stage.put(containerService, 'web', web({ replicas: 2 }));
    await soon(() => expect(replicas('web')).toBe(2));
    stage.change(SERVICE, 'web', { status: { intervals: [used(1, 2)] } });
    await stage.quiet();
    stage.used = [{ uid: stage.find(SERVICE, 'web').metadata.uid ?? '', accountId: 'ann', net: parseMoney('1') }];
    const before = stage.asks;
    await stage.leap(30 * MINUTE_MS);
    expect(stage.credit('web', SERVICE)).toMatchObject({ status: 'True', minutes: 30 });
    expect(stage.asks - before).toBeLessThan(20);
  });
});

describe('an estimate', () => {
  const estimate = async (facts: typeof job | typeof containerService, spec: object) => {
    await stage.open();
    await stage.fund('100');
    const object = kindObject(facts, 'estimate', { spec: { cores: 1, creator: 'ann', ...spec } });
    const answer = await stage.asked.checks.estimate(
      { organizationId: 'acme', accountId: 'ann' },
      { facts: facts as CostlyFacts, object },
    );
    return [answer.per_hour, answer.least_per_hour, answer.most_per_hour, answer.most_in_all, answer.needed];
  };

  test.each([
    ['a job without a limit', job, { workers: 3 }, ['3.00', '3.00', '3.00', null, '3.00']],
    ['a job with one', job, { workers: 3, maxRunMinutes: 90 }, ['3.00', '3.00', '3.00', '4.50', '3.00']],
    ['a job that is tried again', job, { maxRunMinutes: 60, retries: 2 }, ['1.00', '1.00', '1.00', '3.00', '1.00']],
    [
      'a schedule, whose runs cost',
      job,
      { workers: 2, maxRunMinutes: 30, schedule: { cron: '0 3 * * *', timeZone: 'UTC' } },
      ['2.00', '2.00', '2.00', '1.00', '0.00'],
    ],
    ['a service', containerService, { replicas: 2 }, ['2.00', '2.00', '2.00', null, '2.00']],
    [
      'a service that sleeps and scales',
      containerService,
      { autoscaling: { min: 0, max: 8 } },
      ['1.00', '0.00', '8.00', null, '1.00'],
    ],
    [
      'a job on a host that is paid',
      job,
      { workers: 3, host: 'own', maxRunMinutes: 90 },
      ['0.00', '0.00', '0.00', '0.00', '0.00'],
    ],
  ])('of %s', async (_title, facts, spec, expected) => {
    expect(await estimate(facts, spec)).toEqual(expected);
  });
});
