// The watch on real SQL: one warning an episode, a stop after the grace, restarts in between, and what was saved.
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { policyOf, savingsOf, setPolicy } from './idle-rows.ts';
import { type Candidate, type IdleNotice, IdleWatch } from './idle-watch.ts';
import { Visits } from './visits.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 10, 10);

forEachDatabase((database) => {
  const clock = new SteppedClock();
  let notices: IdleNotice[] = [];
  let rested: string[] = [];
  let running: Candidate[] = [];
  let fails = false;
  const made = () =>
    new IdleWatch({
      db: database(),
      clock,
      log: { warn: () => undefined },
      candidates: async () => running,
      exists: () => true,
      async rest({ name }) {
        if (fails) throw new Error('the API server is away');
        rested.push(name);
        running = running.filter((one) => one.name !== name);
        return 'hibernated';
      },
      tell: async (_tx, notice) => void notices.push(notice),
    });
  const dev = (changes: Partial<Candidate> = {}): Candidate => ({
    ...{ uid: 'uid-dev', organizationId: 'acme', kind: 'GpuInstance', name: 'dev', title: 'dev', creator: 'ann' },
    seen: { cpu: 'quiet' },
    usedAt: START,
    perHour: micros(2_000_000),
    currency: 'USD',
    ...changes,
  });
  const pass = async (minutes: number, watch = made()) => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.set(clock.now() + MINUTE_MS);
      await watch.step();
    }
  };
  const told = () => notices.map(({ what }) => what);

  beforeEach(() => {
    clock.set(START);
    [notices, rested, running, fails] = [[], [], [dev()], false];
  });

  test('by default it warns once an episode, and stops nothing', async () => {
    await pass(200);
    expect([told(), rested]).toEqual([['warn'], []]);
    expect(notices[0]?.args).toMatchObject({ name: 'dev', rate: '2.00', currency: 'USD' });
    running = [dev({ seen: { cpu: 'busy' } })];
    await pass(1);
    running = [dev()];
    await pass(62);
    expect(told()).toEqual(['warn', 'warn']);
  });

  test('what is not known never counts', async () => {
    running = [dev({ seen: { cpu: 'quiet', gpu: 'unknown' }, policy: { does: 'Act', afterMinutes: 5 } })];
    await pass(120);
    expect([told(), rested]).toEqual([[], []]);
  });

  test('the policy of an object precedes that of its organisation', async () => {
    await setPolicy(database(), 'acme', { does: 'Act', afterMinutes: 5 });
    running = [dev({ policy: { does: 'Nothing', afterMinutes: 5 } })];
    await pass(60);
    expect(told()).toEqual([]);
    expect(await policyOf(database(), 'acme')).toEqual({ does: 'Act', after_minutes: 5, is_default: false });
  });

  test('after the warning and a quarter of an hour it is stopped, over restarts, and what that saves is counted until it runs again', async () => {
    await setPolicy(database(), 'acme', { does: 'Act', afterMinutes: 30 });
    for (let minute = 0; minute < 50; minute++) await pass(1);
    expect([told(), rested]).toEqual([['warnAct', 'hibernated'], ['dev']]);
    await pass(60);
    const now = clock.now();
    const { saved, objects } = await savingsOf(database(), 'acme', now);
    const hours = (now - Date.parse(objects[0]?.stop_time ?? '')) / 3_600_000;
    expect(saved[0]?.currency).toBe('USD');
    expect(Number(saved[0]?.amount)).toBeCloseTo(2 * hours, 3);
    running = [dev({ seen: { cpu: 'busy' } })];
    await pass(2);
    const ended = await savingsOf(database(), 'acme', clock.now());
    await pass(60);
    expect(await savingsOf(database(), 'acme', clock.now())).toEqual(ended);
    expect(told()).toEqual(['warnAct', 'hibernated']);
  });

  test('a stop that fails is tried again, and told once it is done', async () => {
    await setPolicy(database(), 'acme', { does: 'Act', afterMinutes: 30 });
    fails = true;
    await pass(60);
    expect(told()).toEqual(['warnAct']);
    fails = false;
    await pass(1);
    expect([told(), rested]).toEqual([['warnAct', 'hibernated'], ['dev']]);
  });

  test('two at once warn once', async () => {
    await pass(60);
    clock.set(clock.now() + 5 * MINUTE_MS);
    await Promise.all([made().step(), made().step()]);
    await pass(3);
    expect(told()).toEqual(['warn']);
  });

  test('a gap in what is known begins anew', async () => {
    await pass(50);
    clock.set(clock.now() + 30 * MINUTE_MS);
    await pass(30);
    expect(told()).toEqual([]);
    await pass(40);
    expect(told()).toEqual(['warn']);
  });

  test('of several visits the latest is kept, whichever gateway saw it', async () => {
    const visits = [0, 1].map(() => new Visits({ db: database(), clock, log: { warn: () => undefined } }));
    for (const one of visits) {
      one.note('org-acme', 'dev');
      clock.set(clock.now() + MINUTE_MS);
    }
    for (const one of [...visits].reverse()) await one.flush();
    const { rows } = (await database().sql.execute('select at from idle_visits')) as { rows: { at: string | Date }[] };
    expect(rows.map(({ at }) => new Date(at).getTime())).toEqual([START + MINUTE_MS]);
  });
});
