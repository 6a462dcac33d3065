// Row F3: recording usage intervals, each reported twice, beside pgbench that writes the same rows into the same table by INSERT
// … ON CONFLICT, batch for batch; its rows are made in the database, ours come from outside. The second time our process
// remembers what it wrote; a conflict of the peer asks its database.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@gantry/kube/clock.ts';
import pino from 'pino';
import { Meter } from '../../api/src/core/billing/metering/meter.ts';
import type { Seen } from '../../api/src/core/billing/metering/seen.ts';
import { Discounts, PriceTable } from '../../api/src/core/billing/prices/price-table.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import type { Pair } from './measure.ts';
import { type Cost, startMeasuredPostgres } from './measured-postgres.ts';
import { sized } from './stage.ts';
import { pairsOf } from './wire.ts';

const PAIRS = 5;
const BATCH = 1_000;
const BATCHES = sized(20);
const TOLD = 2;
const FROM = Date.parse('2026-01-01T00:00:00Z');

const USES = [
  { resource: 'gpu', model: 'NVIDIA-H200', quantity: 1 },
  { resource: 'cpu', quantity: 16 },
  { resource: 'memory', quantity: 128 },
  { resource: 'disk', quantity: 100 },
];

const batchOf = (pair: number, batch: number): Seen[] =>
  Array.from({ length: BATCH }, (_one, index) => ({
    uid: `3f1e2a9c-5e5e-4a7c-${pair}-${batch}-${index}`,
    seq: 1,
    organizationId: `t${index % 200}`,
    region: 'r1',
    kind: 'GpuInstance',
    name: `ins-${index}`,
    accountId: 'a1b2c3d4',
    subjectUid: `pod-${pair}-${batch}-${index}`,
    uses: USES,
    from: FROM,
    to: FROM + 3_600_000,
  }));

/** A batch is one statement, and sent twice. */
const SCRIPT = `\\set batch random(1, 1000000000)
${Array.from(
  { length: TOLD },
  () => `INSERT INTO meters (uid, seq, org_id, region, kind, name, account_id, subject_uid, uses, "from", "to", settled_to, cost)
  SELECT 'peer-' || :batch || '-' || g, 1, 't' || g % 200, 'r1', 'GpuInstance', 'ins-' || g, 'a1b2c3d4', 'pod-' || :batch || '-' || g,
    '${JSON.stringify(USES)}'::jsonb, '2026-01-01', '2026-01-01 01:00', '2026-01-01', '[]'::jsonb
  FROM generate_series(1, ${BATCH}) g
  ON CONFLICT (uid, seq) DO UPDATE SET "to" = excluded."to" WHERE meters."to" IS NULL;`,
).join('\n')}
`;

export interface IntakeSpeeds {
  /** Intervals for each CPU-second of this process and the database's. */
  readonly perCpuSecond: readonly Pair[];
  readonly perSecond: readonly Pair[];
}

export async function intervalsIn(): Promise<IntakeSpeeds> {
  const server = await startMeasuredPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'gantry-intake-'));
  const url = await server.createDatabase('intake');
  const db = await openDatabase({ url });
  try {
    const script = join(folder, 'insert.sql');
    await writeFile(script, SCRIPT);
    const tariff = { prices: new PriceTable([]), discounts: new Discounts([]), region: 'r1', currency: 'USD' };
    const meter = new Meter({
      db,
      clock: systemClock,
      log: pino({ enabled: false }),
      wallets: { charge: async () => new Set() },
      tariffs: { of: (organizationId) => ({ ...tariff, organizationId }) },
    });
    const play: Record<keyof Pair, (pair: number) => Promise<Cost>> = {
      ours: (pair) =>
        server.cost(async () => {
          for (let batch = 0; batch < BATCHES; batch++)
            for (let round = 0; round < TOLD; round++) await meter.record(batchOf(pair, batch));
        }),
      peer: () =>
        server.cost(async () => {
          await promisify(execFile)('pgbench', ['-n', '-t', `${BATCHES}`, '-f', script, url]);
        }),
    };
    const perSecond: { ours: number; peer: number }[] = Array.from({ length: PAIRS }, () => ({ ours: 0, peer: 0 }));
    const turn = (who: keyof Pair) => async (pair: number) => {
      const { cpuMs, ms } = await play[who](pair);
      const intervals = BATCHES * BATCH * TOLD;
      const speeds = perSecond[pair];
      if (speeds) speeds[who] = (1_000 * intervals) / ms;
      return (1_000 * intervals) / cpuMs;
    };
    for (const who of ['ours', 'peer'] as const) await play[who](PAIRS);
    return { perCpuSecond: await pairsOf(PAIRS, { ours: turn('ours'), peer: turn('peer') }), perSecond };
  } finally {
    await db.close();
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}
