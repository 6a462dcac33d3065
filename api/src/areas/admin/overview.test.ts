// One computation per interval, however many look; and an answer that changes only with what is shown.
import { ZERO } from '@gantry/contract/fields/money.ts';
import type { AdminMenu } from '@gantry/contract/roles.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { Overview } from './overview.ts';

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());

let clock: SteppedClock;
let counted: { census: number; hours: number; revenue: number };
let free: number;
let isBroken: boolean;
let overview: Overview;
beforeEach(() => {
  clock = new SteppedClock();
  counted = { census: 0, hours: 0, revenue: 0 };
  free = 3;
  isBroken = false;
  overview = new Overview({
    db,
    clock,
    census() {
      counted.census++;
      return {
        gpus: [{ model: 'T4', name: 'T4', total: 4, used: 4 - free, free, broken: 0, reserved: 0 }],
        requested: [],
      };
    },
    list: () => [],
    measured: async () => ({ gpu: 40, cpu: null, memory: 12.5 }),
    staleSince: () => undefined,
    async hours() {
      counted.hours++;
      if (isBroken) throw new Error('the database has gone');
      return [];
    },
    async revenue() {
      counted.revenue++;
      const nothing = { today: ZERO, todayBefore: ZERO, month: ZERO, monthBefore: ZERO, monthByCredits: ZERO };
      return [{ currency: 'USD', ...nothing, since: new Date(0) }];
    },
    alarms: async () => ({ alarms: [], firing: 2 }),
  });
});

const all = () => true;
const only =
  (...menus: AdminMenu[]) =>
  (menu: AdminMenu) =>
    menus.includes(menu);

describe('the overview', () => {
  test('is computed once for all who look within an interval', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => overview.read(all, 'en')));
    expect(new Set(answers.map(({ bytes }) => bytes)).size).toBe(1);
    expect(counted).toEqual({ census: 1, hours: 1, revenue: 1 });
    await clock.step(3_000);
    await overview.read(all, 'en');
    expect(counted).toEqual({ census: 2, hours: 1, revenue: 1 });
    await clock.step(60_000);
    await overview.read(only('billing'), 'en');
    expect(counted).toEqual({ census: 2, hours: 1, revenue: 2 });
  });

  test('keeps its ETag until something that is shown has changed', async () => {
    const { etag } = await overview.read(all, 'en');
    await clock.step(3_000);
    expect((await overview.read(all, 'en')).etag).toBe(etag);
    free = 2;
    await clock.step(3_000);
    expect((await overview.read(all, 'en')).etag).not.toBe(etag);
  });

  test('is another one for other menus and languages', async () => {
    const readers = [
      await overview.read(all, 'en'),
      await overview.read(all, 'ja'),
      await overview.read(only('billing'), 'en'),
      await overview.read(only(), 'en'),
    ];
    const bodies = readers.map(({ bytes }) => JSON.parse(bytes.toString()));
    expect(
      bodies.map(({ computing, revenue, organizations }) => [computing, revenue, organizations].map(Boolean)),
    ).toEqual([
      [true, true, true],
      [true, true, true],
      [false, true, false],
      [false, false, false],
    ]);
  });

  test('a failure is forgotten at once', async () => {
    isBroken = true;
    await expect(overview.read(all, 'en')).rejects.toThrow('the database has gone');
    isBroken = false;
    expect((await overview.read(all, 'en')).etag).toBeTruthy();
  });
});
