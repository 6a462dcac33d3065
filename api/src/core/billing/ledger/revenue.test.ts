// Charges by day and month, out of books that were really kept.
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { Ledger } from './ledger.ts';
import { Revenue, spansOf } from './revenue.ts';
import { Wallets } from './wallets.ts';

const $ = parseMoney;

test('the same moment of a shorter month is on its last day', () => {
  const { lastMonth, sameDay, sameMoment } = spansOf(Date.UTC(2026, 2, 31, 9, 30));
  expect([lastMonth, sameDay, sameMoment]).toEqual([
    Date.UTC(2026, 1, 1),
    Date.UTC(2026, 1, 28),
    Date.UTC(2026, 1, 28, 9, 30),
  ]);
});

forEachDatabase((database) => {
  let clock: SteppedClock;
  let wallets: Wallets;
  let revenue: Revenue;
  beforeEach(async () => {
    clock = new SteppedClock();
    clock.set(Date.UTC(2026, 2, 15, 9, 30));
    wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    revenue = new Revenue({ db: database(), clock, currency: 'USD' });
    await database()
      .sql.insert(organizations)
      .values({ id: 'aaa', name: 'aaa', currency: 'USD', createdAt: new Date(0) });
    await wallets.open('aaa', 'USD');
  });
  const charge = (key: string, at: number, net: string, list = net) =>
    wallets.charge([
      {
        key,
        organizationId: 'aaa',
        list: $(list),
        net: $(net),
        at: new Date(at),
        bill: { id: `bill-${key}`, type: 'consumption', source: 'container_rent', reference: 'GpuInstance/ins-1' },
      },
    ]);

  describe('revenue', () => {
    test('is nothing, in the installation’s currency, where nothing was charged', async () => {
      expect(await revenue.read()).toMatchObject([{ currency: 'USD', today: 0n, month: 0n, monthBefore: 0n }]);
    });

    test('counts what was charged, without discounts, up to the same moment of last month', async () => {
      const now = clock.now();
      const { month, lastMonth, sameMoment } = spansOf(now);
      await charge('now', now - 1_000, '3', '5');
      await charge('this-month', month, '10');
      await charge('first-of-last', lastMonth, '100');
      await charge('just-before', sameMoment - 1_000, '1000');
      await charge('just-after', sameMoment + 1_000, '5000');
      await charge('long-ago', lastMonth - 1_000, '9000');
      expect(await revenue.read()).toMatchObject([
        { today: $('3'), month: $('13'), todayBefore: $('1000'), monthBefore: $('1100') },
      ]);
    });

    test('falls by what is given back, and says what credits paid', async () => {
      await wallets.grant({ key: 'gift', organizationId: 'aaa', amount: $('4'), at: new Date(clock.now()) });
      await charge('used', clock.now() - 1_000, '6');
      expect(await revenue.read()).toMatchObject([{ month: $('6'), monthByCredits: $('4') }]);
    });

    test('is read again, and once only, as time goes on', async () => {
      await charge('one', clock.now() - 1_000, '1');
      expect(await revenue.read()).toMatchObject([{ today: $('1') }]);
      await charge('two', clock.now() - 1_000, '2');
      expect(await revenue.read()).toMatchObject([{ today: $('3') }]);
      expect(await revenue.read()).toMatchObject([{ today: $('3') }]);
    });
  });
});
