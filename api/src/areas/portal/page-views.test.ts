// Page views: numbers by page, day and language, while staff have them on, and nothing else.
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { pageViews } from '../../platform/db/schema/portal.ts';
import { PageViews } from './page-views.ts';

const log = { warn: () => undefined };
const ALL: AdminQuery = { sort: ['page', 'ASC'], range: [0, 99], filter: {} };
const DAY_MS = 86_400_000;

forEachDatabase((open) => {
  let db: Database;
  const views = async (isOn: () => boolean, clock = new SteppedClock()) => {
    db = open();
    await db.sql.delete(pageViews);
    return [new PageViews({ db, clock, log, isOn }), new PageViews({ db, clock, log, isOn })] as const;
  };

  test('what several gateways counted is one number for each page, day and language', async () => {
    const clock = new SteppedClock();
    const [one, other] = await views(() => true, clock);
    for (const each of [one, other]) {
      each.count('/home', 'en');
      each.count('/home', 'zh');
      await each.write();
    }
    one.count('/home', 'en');
    await clock.step(DAY_MS);
    one.count('/home', 'en');
    await one.write();
    const { items, total } = await one.page({ ...ALL, sort: ['id', 'ASC'] });
    expect(total).toBe(3);
    expect(items.map(({ id: _, ...row }) => row)).toEqual([
      { day: '2026-01-01', page: '/home', language: 'en', views: 3 },
      { day: '2026-01-01', page: '/home', language: 'zh', views: 2 },
      { day: '2026-01-02', page: '/home', language: 'en', views: 1 },
    ]);
  });

  test('nothing is counted while it is off', async () => {
    let isOn = false;
    const [one] = await views(() => isOn);
    one.count('/about', 'en');
    isOn = true;
    await one.write();
    expect((await one.page(ALL)).items).toEqual([]);
  });

  test('made-up pages take no more than so much memory, and a day is forgotten after 400', async () => {
    const clock = new SteppedClock();
    const [one] = await views(() => true, clock);
    for (let n = 0; n < 6_000; n++) one.count(`/helpCenter/${n}`, 'ja');
    await one.write();
    expect((await one.page(ALL)).total).toBe(5_000);
    await clock.step(400 * DAY_MS);
    one.count('/home', 'ja');
    await one.write();
    expect((await one.page(ALL)).items).toMatchObject([{ page: '/home', views: 1 }]);
  });
});
