// Availability: one look a minute, days, and what is forgotten.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { marketDays } from '../../platform/db/schema/portal.ts';
import { MarketLooks } from './market-looks.ts';

const log = { warn: () => undefined };
const [MINUTE, DAY] = [60_000, 86_400_000];

forEachDatabase((open) => {
  test('a model that could be had at three of four looks was available for 75 percent of the time', async () => {
    const [db, clock] = [open(), new SteppedClock()];
    const looks = new MarketLooks({ db, clock, log });
    expect((await looks.byModel()).size).toBe(0);
    for (const isAvailable of [true, false, true, true]) {
      await looks.count([{ model: 'H200', isAvailable }]);
      await clock.step(MINUTE);
    }
    expect((await looks.byModel()).get('H200')).toEqual({
      all: { since: '2026-01-01', percent: 75, looks: 4, available_looks: 3 },
      days: [{ day: '2026-01-01', percent: 75 }],
    });
  });

  test('two gateways that look in one minute count once', async () => {
    const [db, clock] = [open(), new SteppedClock()];
    const both = [new MarketLooks({ db, clock, log }), new MarketLooks({ db, clock, log })];
    for (const looks of both) await looks.count([{ model: 'A100', isAvailable: true }]);
    expect((await both[0]?.byModel())?.get('A100')?.all).toMatchObject({ looks: 1, available_looks: 1 });
  });

  test('the thirty-first day is forgotten', async () => {
    const [db, clock] = [open(), new SteppedClock()];
    const looks = new MarketLooks({ db, clock, log });
    await looks.count([{ model: 'L4', isAvailable: true }]);
    await clock.step(29 * DAY);
    await looks.count([{ model: 'L4', isAvailable: false }]);
    expect((await looks.byModel()).get('L4')?.all).toMatchObject({ since: '2026-01-01', percent: 50 });
    await clock.step(DAY);
    await looks.count([{ model: 'L4', isAvailable: false }]);
    expect((await looks.byModel()).get('L4')?.all).toMatchObject({ since: '2026-01-30', percent: 0 });
    expect((await db.sql.select().from(marketDays)).map(({ day }) => day)).not.toContain('2026-01-01');
  });
});
