// Mistakes in billing that others shipped, each tried on the real meter, price list, wallets and books put together.

import { micros, parseMoney } from '@gantry/contract/fields/money.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { Ledger } from '../../api/src/core/billing/ledger/ledger.ts';
import { Wallets } from '../../api/src/core/billing/ledger/wallets.ts';
import { Meter } from '../../api/src/core/billing/metering/meter.ts';
import type { Seen } from '../../api/src/core/billing/metering/seen.ts';
import { Tariffs } from '../../api/src/core/billing/prices/tariffs.ts';
import type { Database } from '../../api/src/platform/db/open.ts';
import { rowsOf } from '../../api/src/platform/db/rows-of.ts';
import { bills } from '../../api/src/platform/db/schema/ledger.ts';
import { organizations } from '../../api/src/platform/db/schema/people.ts';
import { creditOf } from '../../operator/src/credit.ts';
import { migratedDatabase, resetDatabase } from '../support/database.ts';

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;
const GPU = { resource: 'gpu', model: 'NVIDIA-H200', quantity: 1 };

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
}, 60_000);
afterAll(() => db.close());

describe('mistakes that others shipped', () => {
  let clock: SteppedClock;
  let wallets: Wallets;
  let tariffs: Tariffs;
  let meter: Meter;

  beforeEach(async () => {
    await resetDatabase(db);
    clock = new SteppedClock();
    const log = pino({ enabled: false });
    wallets = new Wallets({ db, clock, ledger: new Ledger({ db, clock }) });
    tariffs = new Tariffs({ db, clock, region: 'r1', currency: 'USD', noticeMs: 0 });
    meter = new Meter({ db, clock, log, wallets, tariffs });
    const createdAt = new Date(clock.now());
    await db.sql.insert(organizations).values({ id: 'acme', name: 'acme', currency: 'USD', createdAt });
    await wallets.open('acme', 'USD');
    await tariffs.setPrice({ sku: 'gpu/any', amount: parseMoney('2') }, 'staff');
  });

  const runs = (from: number, to?: number, more: Partial<Seen> = {}): Seen => ({
    uid: 'u1',
    seq: 1,
    organizationId: 'acme',
    region: 'r1',
    kind: 'GpuInstance',
    name: 'ins-1',
    subjectUid: 'pod-1',
    uses: [GPU],
    from,
    ...(to !== undefined && { to }),
    ...more,
  });
  /** Time goes by, and all that was used in it is posted. */
  async function later(ms: number): Promise<void> {
    clock.set(clock.now() + ms);
    await tariffs.refresh();
    await meter.settle(clock.now());
  }
  const owed = async () => (await wallets.balances('acme')).debt;
  const grant = (key: string, amount: string) =>
    wallets.grant({ key, organizationId: 'acme', amount: parseMoney(amount), at: new Date(clock.now()) });

  test('entering debt resets nothing: a dollar of credit pays a dollar of it, again and again', async () => {
    const from = clock.now();
    await meter.record([runs(from)]);
    await later(5 * HOUR);
    expect(await owed()).toBe(parseMoney('10'));
    for (const [index, left] of ['9', '8', '7'].entries()) {
      await grant(`g${index}`, '1');
      expect(await wallets.balances('acme')).toMatchObject({ debt: parseMoney(left), credits: 0n, cash: 0n });
    }
    // Usage meanwhile is added.
    await later(HOUR);
    expect(await owed()).toBe(parseMoney('9'));
    const answer = await wallets.hold({
      organizationId: 'acme',
      subject: 'u2',
      amount: micros(1),
      until: new Date(clock.now() + HOUR),
    });
    expect(answer).toEqual({ held: false, wanted: 1n, available: parseMoney('-9') });
  });

  test('a row that is never closed: what vanished without its end is billed until it was last seen, and no month after', async () => {
    await meter.record([runs(clock.now())]);
    await later(HOUR);
    const lastSeen = clock.now();
    clock.set(lastSeen + HOUR);
    await meter.closeOpen('u1', lastSeen, 'vanished');
    for (let month = 0; month < 3; month++) await later(MONTH);
    expect(await owed()).toBe(parseMoney('2'));
    expect(await meter.isAllPosted('u1')).toBe(true);
    expect(await meter.openUids('r1')).toEqual([]);
  });

  test('a run that follows on one without an end ends it: two runs of one instance are never paid for at once', async () => {
    const from = clock.now();
    clock.set(from + 3 * HOUR);
    await meter.record([runs(from), runs(from + HOUR, from + 2 * HOUR, { seq: 2, subjectUid: 'pod-2' })]);
    await later(MONTH);
    expect(await owed()).toBe(parseMoney('4'));
  });

  test('repricing that changes the past: an hour costs what it cost, whenever it is posted', async () => {
    const from = clock.now();
    await meter.record([runs(from)]);
    clock.set(from + HOUR);
    // Nothing of that hour is posted yet.
    await tariffs.setPrice({ sku: 'gpu/any', amount: parseMoney('1000') }, 'staff');
    await meter.record([runs(from, from + HOUR)]);
    await later(HOUR);
    expect(await owed()).toBe(parseMoney('2'));
    await expect(
      tariffs.setPrice({ sku: 'gpu/any', amount: parseMoney('5'), validFrom: from }, 'staff'),
    ).rejects.toMatchObject({ problem: 'price_in_past' });
    await expect(db.sql.execute(sql`update prices set amount = 0`)).rejects.toThrow();
    await expect(db.sql.execute(sql`update slices set net = 0`)).rejects.toThrow();
    expect(
      await rowsOf(db.sql, sql`select distinct p.amount::text from slices s join prices p on p.id = s.price_id`),
    ).toEqual([{ amount: `${parseMoney('2')}` }]);
  });

  test.each([
    [0.25, '0.50'],
    [0.001, '0.002'],
    [0.5, '1.00'],
    [3, '6.00'],
  ])('a share of a GPU costs its share: %d of one for an hour', async (quantity, costs) => {
    const from = clock.now();
    clock.set(from + HOUR);
    await meter.record([runs(from, from + HOUR, { uses: [{ ...GPU, quantity }] })]);
    await later(HOUR);
    expect(await owed()).toBe(parseMoney(costs));
    expect(await db.sql.select({ total: bills.total }).from(bills)).toEqual([{ total: parseMoney(costs) }]);
  });
});

describe('a resume path without the credit check', () => {
  const facts = KINDS.gpuInstance;
  const at = (power: string) =>
    ({ metadata: { name: 'dev', generation: 1 }, spec: { power, rebootCount: 0 } }) as unknown as GpuInstance;
  const starts = Object.entries(facts.actions).filter(([, { does }]) => {
    if (typeof does !== 'function') return false;
    const { spec = {} } = does(at('Stopped')) as { spec?: { power?: string; rebootCount?: number } };
    return spec.power === 'Running' || spec.rebootCount !== undefined;
  });

  test('whatever makes something run again is marked as spending, which the gateway asks the wallet about', () => {
    expect(starts.map(([name]) => name).sort()).toEqual(['hardReboot', 'restore', 'resume', 'start']);
    expect(starts.filter(([, { spends }]) => !spends)).toEqual([]);
  });

  test.each(['Stopped', 'ShutDown', 'Hibernated'])(
    'a reservation from before it was %s, or one that has ended, lets no later wish start',
    (power) => {
      const now = Date.parse('2026-01-01T00:00:00Z');
      const reserved = (observedGeneration: number, until: number) =>
        creditOf(
          {
            ...at(power),
            metadata: { name: 'dev', generation: 2 },
            status: {
              conditions: [
                {
                  type: 'CreditReserved',
                  status: 'True',
                  reason: 'Reserved',
                  message: '',
                  observedGeneration,
                  lastTransitionTime: new Date(now - HOUR).toISOString(),
                },
              ],
              credit: { until: new Date(until).toISOString() },
            },
          } as never,
          'required',
          now,
        ).trouble?.reason;
      expect(reserved(1, now + HOUR)).toBe('WaitingForCredit');
      expect(reserved(2, now)).toBe('WaitingForCredit');
      expect(reserved(2, now + 1)).toBeUndefined();
    },
  );
});
