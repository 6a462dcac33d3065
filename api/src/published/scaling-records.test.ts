// What is recorded of replicas: one line a change, whoever made it, and none twice.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../test/support/database.ts';
import { ScalingRecords, type WantedOf } from './scaling-records.ts';

const START = Date.UTC(2026, 10, 10);
const secondsAfter = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

forEachDatabase((database) => {
  const clock = new SteppedClock();
  let all: WantedOf[];
  const open = () => new ScalingRecords({ db: database(), clock, log: { warn: () => undefined }, list: () => all });
  /** It is to have so many replicas, as a decision at that second says; without one a person says so. */
  const wanted = (
    replicas: number,
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
});
