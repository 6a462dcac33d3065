// Keeping files: each hour once, equal files of an organisation once, by kind of owner, with its cost in real books.
import type { FileOwner } from '@gantry/contract/billing/storage.ts';
import { micros, parseMoney } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { blobs, files, storedHours } from '../../platform/db/schema/files.ts';
import { accounts, organizations } from '../../platform/db/schema/people.ts';
import { Ledger } from '../billing/ledger/ledger.ts';
import { verifyBooks } from '../billing/ledger/verify-books.ts';
import { Wallets } from '../billing/ledger/wallets.ts';
import { chargeStorage } from '../billing/tokens/storage-charges.ts';
import { GIB, usedBytes } from './quota.ts';
import { StorageMeter, type StoragePrice } from './storage-meter.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const createdAt = new Date(NOON);

forEachDatabase((database) => {
  let wallets: Wallets;
  let meter: StorageMeter;
  let now: number;
  let price: StoragePrice | undefined;

  beforeEach(async () => {
    const db = database();
    now = NOON + 60_000;
    price = undefined;
    wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
    await db.sql.insert(accounts).values({ id: 'acc-ann', name: 'ann', createdAt });
    await db.sql.insert(organizations).values({ id: 'acme', name: 'acme', currency: 'USD', createdAt });
    await wallets.open('acme', 'USD');
    await wallets.grant({ key: 'start', organizationId: 'acme', amount: parseMoney('1.00'), at: createdAt });
    meter = new StorageMeter({
      db,
      clock: { ...systemClock, now: () => now },
      priceOf: () => price,
      charge: (charges, also) => chargeStorage(wallets, charges, also),
      log: { warn: (facts) => process.emitWarning(JSON.stringify(facts)) },
    });
    for (const digest of ['a', 'b', 'c'])
      await db.sql.insert(blobs).values({ digest, sizeBytes: GIB, storedAt: createdAt });
    // Two versions with the same weights, and one that has not arrived.
    await version('1', 'ready', ['a', 'b']);
    await version('2', 'ready', ['a']);
    await version('3', 'arriving', ['c']);
  });

  async function version(
    name: string,
    state: 'ready' | 'arriving',
    digests: readonly string[],
    ownerKind: FileOwner = 'model',
  ): Promise<void> {
    for (const digest of digests)
      await database()
        .sql.insert(files)
        .values({
          ...{ id: `${ownerKind}-${name}-${digest}`, ownerKind, ownerId: `ver-${name}`, organizationId: 'acme' },
          ...{ path: digest, sizeBytes: GIB, digest, state },
        });
  }
  const recorded = () => database().sql.select().from(storedHours).orderBy(storedHours.hour);
  const balance = async () => (await wallets.balances('acme')).balance;

  test('an hour that has ended is recorded once, with equal files once, and is free without a price', async () => {
    await meter.record();
    await meter.record();
    expect(await recorded()).toMatchObject([
      { hour: new Date(NOON - HOUR_MS), organizationId: 'acme', bytes: 2 * GIB, net: 0n, transferKey: null },
    ]);
    expect(await balance()).toBe(parseMoney('1.00'));
  });

  test('hours cost what a month does in 730 parts, and missed ones are made up for', async () => {
    price = { amount: micros(73_000_000), left: 9_000n };
    await meter.record();
    now += 3 * HOUR_MS;
    await meter.record();
    // 2 GiB at 73 a month: 0.20 an hour, less a tenth.
    expect((await recorded()).map(({ list, net }) => [list, net])).toEqual(
      Array.from({ length: 4 }, () => [200_000n, 180_000n]),
    );
    expect(await balance()).toBe(parseMoney('0.28'));
    expect((await verifyBooks(database(), new Date(now))).faults).toEqual([]);
  });

  test('models and datasets are metered apart, and bytes that both have once, as the model’s', async () => {
    await version('4', 'ready', ['a', 'c'], 'dataset');
    price = { amount: micros(73_000_000), left: 10_000n };
    await meter.record();
    const said = (await recorded()).map(({ ownerKind, bytes, list, transferKey }) => [
      ownerKind,
      bytes,
      list,
      transferKey,
    ]);
    const hour = new Date(NOON - HOUR_MS).toISOString();
    expect(said.toSorted()).toEqual([
      ['dataset', GIB, 100_000n, `dataset-storage/acme/${hour}`],
      ['model', 2 * GIB, 200_000n, `model-storage/acme/${hour}`],
    ]);
    expect(await balance()).toBe(parseMoney('0.70'));
    expect(await usedBytes(database().sql, 'acme')).toBe(3 * GIB);
    expect((await verifyBooks(database(), new Date(now))).faults).toEqual([]);
  });

  test('a database that fails on the way loses nothing and posts nothing twice', async () => {
    price = { amount: micros(73_000_000), left: 10_000n };
    const broken = new StorageMeter({
      ...{ db: database(), clock: { ...systemClock, now: () => now }, priceOf: () => price, log: { warn() {} } },
      charge: async (charges, also) => {
        await chargeStorage(wallets, charges, also);
        throw new Error('the connection is lost');
      },
    });
    await expect(broken.record()).rejects.toThrow('lost');
    await meter.record();
    expect(await recorded()).toHaveLength(1);
    expect(await balance()).toBe(parseMoney('0.80'));
  });

  test('the books say so where an hour and its transfer differ', async () => {
    price = { amount: micros(73_000_000), left: 10_000n };
    await meter.record();
    await database()
      .sql.update(storedHours)
      .set({ list: micros(1) });
    expect((await verifyBooks(database(), new Date(now))).faults.join()).toContain('its hour of stored data of 1');
  });
});
