// The meter on both databases, with the real wallets.
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { rowsOf } from '../../db/rows-of.ts';
import { organizations } from '../../db/schema/people.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Wallets } from '../ledger/wallets.ts';
import { Discounts, type Price, PriceTable } from '../prices/price-table.ts';
import { Meter } from './meter.ts';
import type { Seen } from './seen.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(`2026-01-01T${text}Z`);

forEachDatabase((database) => {
  let clock: SteppedClock;
  let wallets: Wallets;
  let prices: Price[];
  let meter: Meter;
  const price = (sku: string, amount: number, validFrom = 0): Price => ({
    id: BigInt(prices.length + 1),
    sku,
    region: '*',
    currency: 'USD',
    amount: micros(amount),
    validFrom,
  });
  const tariffs = {
    of: (organizationId: string) => ({
      prices: new PriceTable(prices),
      discounts: new Discounts([]),
      region: 'r1',
      currency: 'USD',
      organizationId,
    }),
  };

  beforeEach(async () => {
    clock = new SteppedClock();
    prices = [];
    prices.push(price('gpu/any', 3_600_000));
    wallets = new Wallets({ db: database(), clock, ledger: new Ledger({ db: database(), clock }) });
    await database()
      .sql.insert(organizations)
      .values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: new Date(START) });
    await wallets.open('acme', 'USD');
    meter = new Meter({ db: database(), clock, log: pino({ enabled: false }), wallets, tariffs });
  });

  const seen = (from: string, to?: string, changes: Partial<Seen> = {}): Seen => ({
    uid: 'u1',
    seq: 1,
    organizationId: 'acme',
    region: 'r1',
    kind: 'GpuInstance',
    name: 'ins-1',
    accountId: 'ann',
    subjectUid: 'pod-1',
    uses: [{ resource: 'gpu', model: 'H200', quantity: 1 }],
    from: at(from),
    ...(to !== undefined && { to: at(to) }),
    ...changes,
  });
  const now = (time: string) => clock.set(at(time));
  const owed = async () => (await wallets.balances('acme')).debt;

  test('an instance that runs for a minute costs a minute', async () => {
    now('00:02:00');
    await meter.record([seen('00:00:30', '00:01:30')]);
    await meter.settle(clock.now());
    expect(await owed()).toBe(60_000n);
  });
});
