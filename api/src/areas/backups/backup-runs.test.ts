// Backups by schedule and by command, with the clock stepped by hand: each becomes a row, also one that fails or is cut off.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Database } from '../../platform/db/open.ts';
import { backups } from '../../platform/db/schema/operation.ts';
import type { BackupParts } from './backup.ts';
import { BackupRuns, type BackupRunsParts } from './backup-runs.ts';
import type { Manifest } from './manifest.ts';

const ALL = { sort: ['asked_at', 'DESC'], range: [0, 99], filter: {} } as const;
const MINUTE_MS = 60_000;

let db: Database;
let clock: SteppedClock;
let runs: BackupRuns;
let held: Manifest[];
let failure: Error | undefined;
/** A backup that is made waits for this. */
let gate: Promise<void> | undefined;

beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await resetDatabase(db);
  clock = new SteppedClock();
  held = [];
  failure = undefined;
  gate = undefined;
});
afterEach(() => runs.stop());

const manifest = (id: string, at: number): Manifest => ({
  ...{ gantryBackup: 1, id, at: new Date(at).toISOString(), version: '1', bytes: 7, sha256: '' },
  counts: { rows: 3, objects: 2, companions: 0, references: 0 },
});

function begin(parts: Partial<BackupRunsParts> = {}, isStarted = true): void {
  runs = new BackupRuns({
    ...{ db, clock, log: { info: () => undefined, warn: () => undefined } },
    vault: {
      async make(_what: BackupParts, id = '') {
        await gate;
        if (failure) throw failure;
        const made = manifest(id, clock.now());
        held.push(made);
        return made;
      },
      list: async () => held,
      tidy: async () => [],
    },
    ...{ what: () => ({}) as BackupParts, schedule: '17 2 * * *', keepDays: 30 },
    ...parts,
  });
  if (isStarted) runs.start();
}

const states = async () => (await runs.page(ALL as never)).items.map(({ state }) => state);
const become = (wanted: string[]) =>
  eventually(`the rows are ${wanted}`, async () => {
    await clock.step(5_000);
    return `${await states()}` === `${wanted}` || undefined;
  });

test('one is made when the schedule comes round, and the next is planned', async () => {
  begin();
  const [first] = (await runs.page(ALL as never)).items;
  expect(first).toMatchObject({ id: 'next', state: 'planned', asked_at: '2026-01-01T02:17:00.000Z' });
  await clock.step(138 * MINUTE_MS);
  await become(['planned', 'whole']);
  const [next, made] = (await runs.page(ALL as never)).items;
  expect(next?.asked_at).toBe('2026-01-02T02:17:00.000Z');
  expect(made).toMatchObject({ bytes: 7, rows: 3, objects: 2, asked_by: null, failure: null });
  expect(await runs.status()).toMatchObject({ isConfigured: true, hasFailed: false, isLate: false });
});

test('they are late once the schedule has come round twice without one', async () => {
  const at = (hours: number) => new Date(clock.now() - hours * 60 * MINUTE_MS);
  await db.sql.insert(backups).values({ id: 'old', askedAt: at(24), begunAt: at(24), endedAt: at(24), bytes: 1 });
  begin({}, false);
  expect(await runs.status()).toMatchObject({ isLate: false, lastAt: at(24) });
  await db.sql.update(backups).set({ askedAt: at(47) });
  expect(await runs.status()).toMatchObject({ isLate: true });
});

test('one that is asked for is made at once, one at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  begin({ schedule: '' });
  const id = await runs.ask('acc-1');
  await expect(runs.ask('acc-1')).rejects.toMatchObject({ problem: 'backup_running' });
  resolve();
  await become(['whole']);
  expect((await runs.page(ALL as never)).items).toMatchObject([{ id, asked_by: 'acc-1' }]);
});

test('one that fails says why, and the next is tried by the schedule', async () => {
  failure = new Error('the bucket "b" does not exist: make it first');
  begin({ schedule: '' });
  await runs.ask('acc-1');
  await become(['failed']);
  expect((await runs.page(ALL as never)).items).toMatchObject([{ failure: failure.message }]);
  expect(await runs.status()).toMatchObject({ hasFailed: true });
});

test('one whose gateway ended is told as cut off; what the bucket holds besides is listed, what it lost is not', async () => {
  const at = new Date(clock.now() - MINUTE_MS);
  await db.sql.insert(backups).values([
    { id: 'cut', askedAt: at, begunAt: at },
    { id: 'lost', askedAt: new Date(at.getTime() - MINUTE_MS), begunAt: at, endedAt: at, bytes: 1 },
  ]);
  held = [manifest('theirs', clock.now() - 3 * MINUTE_MS)];
  begin({ schedule: '' });
  await become(['failed', 'removed', 'whole']);
  const [cut] = (await runs.page(ALL as never)).items;
  expect(cut?.failure).toMatch(/ended before it was whole/);
});

test('without a bucket none is made', async () => {
  begin({ vault: undefined });
  await expect(runs.ask('acc-1')).rejects.toMatchObject({ problem: 'backup_off' });
  expect(await states()).toEqual([]);
  expect(await runs.status()).toMatchObject({ isConfigured: false });
});
