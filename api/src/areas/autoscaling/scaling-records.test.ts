// The records of replicas: one line a change, whoever made it, and none twice.
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { idleEpisodes } from '../../platform/db/schema/idle.ts';
import { accounts } from '../../platform/db/schema/people.ts';
import { scalingRecords, scalingWishes } from '../../platform/db/schema/traffic.ts';
import { ScalingRecords } from './scaling-records.ts';
import type { WantedOf } from './wanted-replicas.ts';

const START = Date.UTC(2026, 10, 10);
const secondsAfter = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

forEachDatabase((database) => {
  const clock = new SteppedClock();
  let all: WantedOf[];
  const open = () => new ScalingRecords({ db: database(), clock, log: { warn: () => undefined }, list: () => all });
  /** It is to have so many replicas, as a decision at that second says; without one a person says so. */
  const wanted = (
    replicas: number | undefined,
    decided?: { at: number; because: string; value?: number; replicas?: number },
    uid = 'uid-a',
  ) => ({
    object: {
      ...{ apiVersion: 'gantry.dev/v1alpha1', kind: 'ContainerService', metadata: { name: 'a', uid } },
      ...(decided && { status: { scaling: { replicas, ...decided, at: secondsAfter(decided.at) } } }),
    } as WantedOf['object'],
    replicas,
  });
  const lines = async (one = open(), uid = 'uid-a') =>
    (await one.of(uid)).map(({ at, before, replicas, because, value }) =>
      `${(at.getTime() - START) / 1_000}: ${before ?? '–'} → ${replicas} ${because ?? 'by hand'} ${value ?? ''}`.trim(),
    );
  /** At a second, the objects are these. */
  const at = async (one: ScalingRecords, seconds: number, ...objects: WantedOf[]) => {
    clock.set(START + seconds * 1_000);
    all = objects;
    await one.look();
  };

  beforeEach(() => clock.set(START));

  test('each change is a line, by the system with its reason, or by hand', async () => {
    const one = open();
    await one.open();
    await at(one, 1, wanted(1));
    await at(one, 2, wanted(1));
    await at(one, 10, wanted(3, { at: 9, because: 'CPU', value: 240 }));
    // It goes on measuring, and nothing changes.
    await at(one, 20, wanted(3, { at: 19, because: 'InFlight', value: 7 }));
    // Somebody stops it, and starts it again: the decision is an old one.
    await at(one, 30, wanted(0, { at: 19, because: 'InFlight', replicas: 3 }));
    await at(one, 40, wanted(3, { at: 19, because: 'InFlight' }));
    await at(one, 50, wanted(0, { at: 50, because: 'Idle' }));
    expect(await lines(one)).toEqual([
      '50: 3 → 0 Idle',
      '40: 0 → 3 by hand',
      '30: 3 → 0 by hand',
      '9: 1 → 3 CPU 240',
      '1: – → 1 by hand',
    ]);
  });

  test('a gateway that takes over records nothing twice, and what changed meanwhile', async () => {
    const first = open();
    await first.open();
    await at(first, 1, wanted(1), wanted(2, undefined, 'uid-b'));
    const second = open();
    await second.open();
    await at(second, 60, wanted(4, { at: 45, because: 'Schedule' }), wanted(2, undefined, 'uid-b'));
    expect([await lines(second), await lines(second, 'uid-b')]).toEqual([
      ['45: 1 → 4 Schedule', '1: – → 1 by hand'],
      ['1: – → 2 by hand'],
    ]);
  });

  test('a change that could not be written is one still', async () => {
    const one = open();
    await one.open();
    const { sql } = database();
    let isAway = true;
    const fails = new ScalingRecords({
      ...{ clock, log: { warn: () => undefined }, list: () => all },
      db: {
        get sql() {
          if (isAway) throw new Error('away');
          return sql;
        },
      },
    });
    await expect(at(fails, 5, wanted(2))).rejects.toThrow('away');
    isAway = false;
    await at(fails, 6, wanted(2));
    expect(await lines()).toEqual(['6: – → 2 by hand']);
  });

  test('what the idle policy stops is stopped by the system, and what a person stops after that is not', async () => {
    const one = open();
    await one.open();
    await at(one, 1, wanted(2));
    const since = { uid: 'uid-a', since: new Date(START) };
    await database()
      .sql.insert(idleEpisodes)
      .values({
        ...{ ...since, organizationId: 'acme', kind: 'ContainerService', name: 'a', warnedAt: new Date(START) },
        ...{ actedAt: new Date(START + 9_000), currency: 'CNY', perHour: micros(0) },
      });
    await at(one, 10, wanted(0));
    await at(one, 20, wanted(2));
    await at(one, 21, wanted(0));
    expect(await lines(one)).toEqual(['21: 2 → 0 by hand', '20: 0 → 2 by hand', '10: 2 → 0 Idle', '1: – → 2 by hand']);
  });

  describe('by hand', () => {
    /** An object of that generation, started last by that account. */
    const made = (replicas: number, generation: number, startedBy?: string): WantedOf => {
      const { object } = wanted(replicas);
      return { object: { ...object, metadata: { ...object.metadata, generation }, spec: { startedBy } }, replicas };
    };
    const people = async () =>
      (await open().of('uid-a')).map(({ before, replicas, accountName }) => `${before} → ${replicas} ${accountName}`);
    beforeEach(async () => {
      await database()
        .sql.insert(accounts)
        .values(['anna', 'ben'].map((name) => ({ id: `acc-${name}`, name, createdAt: new Date(START) })));
    });

    test('whoever changed it through the API is named, whichever gateway saw the change first', async () => {
      const [one, other] = [open(), open()];
      await one.open();
      await at(one, 1, made(1, 1));
      await other.note(made(3, 2), made(1, 1), 'acc-anna');
      await at(one, 2, made(3, 2));
      await at(one, 3, made(0, 4));
      await other.note(made(0, 3), made(3, 2), 'acc-ben');
      // A wish for another number, one of staff, and one that changed nothing of it.
      await other.note(made(2, 5), made(0, 4), 'acc-anna');
      await other.note(made(4, 6), made(2, 5), undefined);
      await other.note(made(4, 7), made(4, 6), 'acc-ben');
      await at(one, 4, made(4, 7));
      // With kubectl.
      await at(one, 5, made(3, 8));
      expect(await people()).toEqual(['4 → 3 null', '0 → 4 null', '3 → 0 ben', '1 → 3 anna', 'undefined → 1 null']);
    });

    test('a wish from before an equal number is not the reason for it, and one of the system has no person', async () => {
      const one = open();
      await one.open();
      await at(one, 1, made(1, 1));
      await one.note(made(3, 2), made(1, 1), 'acc-anna');
      await at(one, 2, made(3, 2));
      await at(one, 3, made(1, 3));
      await at(one, 4, made(3, 4));
      const { object, replicas } = wanted(5, { at: 5, because: 'CPU' });
      await one.note(made(5, 5), made(3, 4), 'acc-anna');
      await at(one, 6, { object: { ...object, metadata: { ...object.metadata, generation: 5 } }, replicas });
      expect(await people()).toEqual([
        ...['3 → 5 null', '1 → 3 null', '3 → 1 null', '1 → 3 anna', 'undefined → 1 null'],
      ]);
    });

    test('whoever starts more replicas without the API is named if it says so anew', async () => {
      const one = open();
      await one.open();
      await at(one, 1, made(1, 1, 'acc-anna'));
      await at(one, 2, made(3, 2, 'acc-ben'));
      // A lower number starts nothing, and an account that stood there before may be another's leftover.
      await at(one, 3, made(1, 3, 'acc-ben'));
      await at(one, 4, made(2, 4, 'acc-ben'));
      const taken = open();
      await taken.open();
      await at(taken, 5, made(4, 5, 'acc-anna'));
      await at(taken, 6, made(5, 6, 'acc-gone'));
      expect(await people()).toEqual([
        ...['4 → 5 null', '2 → 4 null', '1 → 2 null', '3 → 1 null', '1 → 3 ben', 'undefined → 1 null'],
      ]);
    });
  });

  test('of what nobody can say yet, nothing is recorded, and nothing forgotten', async () => {
    const one = open();
    await one.open();
    await at(one, 1, wanted(undefined));
    await at(one, 2, wanted(1));
    await at(one, 3, wanted(undefined));
    await at(one, 4, wanted(1));
    expect(await lines(one)).toEqual(['2: – → 1 by hand']);
  });

  test('a sweep keeps the newest two hundred, the last one of what is there, and nothing old of what is gone', async () => {
    const one = open();
    await one.open();
    await at(one, 0, wanted(1, undefined, 'uid-gone'), wanted(1, undefined, 'uid-still'));
    for (let second = 1; second <= 250; second++) {
      await at(one, second, wanted(second, undefined, 'uid-busy'), wanted(1, undefined, 'uid-still'));
      const { object } = wanted(second, undefined, 'uid-busy');
      const after = { object: { ...object, metadata: { ...object.metadata, generation: second } }, replicas: second };
      await one.note(after, wanted(0), 'acc-anna');
    }
    await one.sweep();
    const count = (uid: string) => database().sql.$count(scalingRecords, eq(scalingRecords.objectUid, uid));
    const wishes = () => database().sql.$count(scalingWishes);
    expect([await count('uid-busy'), await count('uid-gone'), await count('uid-still')]).toEqual([201, 1, 1]);
    expect(await wishes()).toBe(201);
    const busy = await one.of('uid-busy');
    expect([busy.length, busy.at(-1)?.before]).toEqual([200, 50]);
    clock.set(START + 91 * 86_400_000);
    await one.sweep();
    expect([await count('uid-busy'), await count('uid-gone'), await count('uid-still')]).toEqual([1, 0, 1]);
    expect(await wishes()).toBe(0);
  });

  test('a database that is away at the start is asked again, and the loop goes on', async () => {
    const { sql } = database();
    let isAway = true;
    const warned: unknown[] = [];
    all = [wanted(1)];
    const one = new ScalingRecords({
      ...{ clock, log: { warn: (facts) => void warned.push(facts) }, list: () => all },
      db: {
        get sql() {
          if (isAway) throw new Error('away');
          return sql;
        },
      },
    });
    const end = new AbortController();
    const running = one.run(end.signal);
    await eventually('it has failed, and waits', () => warned.length > 0 && clock.waitingMs.length > 0);
    isAway = false;
    await clock.step(1_000);
    await eventually('it is recorded', async () => (await lines()).length === 1);
    await eventually('it waits', () => clock.waitingMs.length > 0);
    end.abort();
    await running;
  });
});
