// The cost of one object: its newest intervals, and the sum of everything billed for it, corrections included.
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../../test/support/database.ts';
import type { Database } from '../../../platform/db/open.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { meters, slices } from '../../../platform/db/schema/usage.ts';
import { costOf } from './object-cost.ts';

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
  await db.sql.insert(organizations).values({
    ...{ id: 'acmeorgs', name: 'acme', currency: 'EUR', revision: 1, projected: 1 },
    createdAt: new Date('2026-11-01T00:00:00Z'),
  });
  const meter = (uid: string, seq: number, from: string, to: string | null) => ({
    ...{ uid, seq, organizationId: 'acmeorgs', region: 'r', kind: 'GpuInstance', name: 'dev', subjectUid: 's' },
    uses: [{ resource: 'gpu' as const, model: 'H100', quantity: 2 }],
    from: new Date(from),
    to: to === null ? null : new Date(to),
    settledTo: new Date(to ?? from),
    cost: [],
  });
  await db.sql
    .insert(meters)
    .values([
      meter('u-1', 1, '2026-11-01T00:00:00Z', '2026-11-01T02:00:00Z'),
      meter('u-1', 2, '2026-11-02T00:00:00Z', null),
      meter('u-2', 1, '2026-11-01T00:00:00Z', null),
    ]);
  const slice = (uid: string, seq: number, hour: number, net: string, isCorrection = false) => ({
    ...{ uid, seq, use: 0, isCorrection, organizationId: 'acmeorgs', sku: 'gpu/H100' },
    from: new Date(Date.UTC(2026, 10, 1, hour)),
    to: new Date(Date.UTC(2026, 10, 1, hour + 1)),
    quantityMilli: 2000n,
    discountBasisPoints: 0,
    list: parseMoney('10'),
    net: parseMoney(net),
  });
  await db.sql
    .insert(slices)
    .values([
      slice('u-1', 1, 0, '8.50'),
      slice('u-1', 1, 1, '8.50'),
      slice('u-1', 1, 1, '-3', true),
      slice('u-2', 1, 0, '99'),
    ]);
});
afterAll(() => db.close());

test('the newest interval first, each with what it has cost so far', async () => {
  const { intervals, cost } = await costOf(db.sql, 'u-1');
  expect(intervals.map(({ seq, to, net }) => [seq, to, net])).toEqual([
    [2, null, '0.00'],
    [1, '2026-11-01T02:00:00.000Z', '14.00'],
  ]);
  expect(intervals[0]?.uses).toEqual([{ resource: 'gpu', model: 'H100', quantity: 2 }]);
  expect(cost).toEqual({ currency: 'EUR', list: '30.00', net: '14.00' });
});

test('an object that nobody was ever billed for', async () => {
  expect(await costOf(db.sql, 'u-3')).toEqual({ intervals: [], cost: null });
});
