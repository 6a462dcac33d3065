// Backup and verification beside a gateway with the embedded database, without a gateway, and unknown commands.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { migratedDatabase } from '../../test/support/database.ts';
import { readArchive } from './areas/backups/archive.ts';
import { answersTo, type CommandParts, runCommand } from './commands.ts';
import type { Database } from './platform/db/open.ts';
import { openPrivateDoor } from './platform/private-door.ts';

let folder: string;
let db: Database;
let closeDoor: () => Promise<void>;
const memory = new MemoryCluster([], { fieldManager: 'test' });
const cluster = Object.assign(memory, { as: () => memory }) as unknown as KubeClient & MemoryCluster;
let config: CommandParts['config'];
const said: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-commands-'));
  db = await migratedDatabase();
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, 'a key of thirty-two letters or so\n');
  config = {
    ...{ databaseUrl: '', dataDir: join(folder, 'data'), from: 'latest', intoExisting: false },
    ...{ platformKeyFile: '', platformKeySecret: '' },
    ...{ backupBucket: '', backupEndpoint: '', backupRegion: 'us-east-1', backupPrefix: '' },
    ...{ backupCredentialsFile: '', backupKeyFile: keyFile },
  };
  closeDoor = await openPrivateDoor(join(folder, 'data'), answersTo(db, config, cluster));
});
afterAll(async () => {
  await closeDoor();
  await db.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => void said.splice(0));

const run = (...words: string[]) =>
  runCommand(words, {
    config,
    cluster: () => {
      throw new Error('the gateway reads the cluster');
    },
    say: (line) => void said.push(line),
  });

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test('the gateway is asked for a backup, which its owner alone may read', async () => {
  cluster.put({ apiVersion: 'gantry.dev/v1alpha1', kind: 'Organization', metadata: { name: 'aaa' } });
  const file = join(folder, 'backup');
  expect(await run('backup', file)).toBe(0);
  let last: unknown;
  for await (const line of readArchive(file, ['a key of thirty-two letters or so'])) last = line;
  expect(last).toEqual({ end: { rows: 0, objects: 1, companions: 0, references: 0 } });
  expect([await modeOf(file), await modeOf(join(folder, 'data.sock'))]).toEqual(['600', '600']);
  expect(said).toEqual([
    `${file} is a backup`,
    'not in a backup: what disks, the registry and the bucket for models hold',
  ]);
  said.splice(0);
  config = { ...config, from: file };
  expect(await run('backups', 'verify')).toBe(0);
  expect(said[0]).toMatch(/ is whole: 0 rows, 1 objects, made by version /);
});

test('a folder whose socket would have too long a path is refused with a sentence', async () => {
  const sentence = /^--data-dir: ".*long\.sock" has \d+ bytes, and a socket's path at most 107$/;
  const long = join(folder, 'x'.repeat(100), 'long');
  await expect(openPrivateDoor(long, {})).rejects.toThrow(sentence);
  const parts = { config: { ...config, dataDir: long }, cluster: () => cluster, say: () => undefined };
  await expect(runCommand(['audit', 'verify'], parts)).rejects.toThrow(sentence);
});

test('the gateway is asked to verify its audit log', async () => {
  await db.sql.execute(sql`insert into audit_blocks (organization_id, seq, from_id, to_id, entries, previous_hash, hash, sealed_at)
    values ('aaa', 2, 1, 1, '[]', '', '', now())`);
  expect(await run('audit', 'verify')).toBe(1);
  expect(said).toEqual(['organisation aaa: block 1 is missing', '0 entries, 0 not sealed yet, 1 broken chains']);
});

test('the gateway is asked to prove its books', async () => {
  await db.sql.execute(sql`insert into postings (transfer_id, leg, debit, credit, amount)
    values (7, 0, 'platform/promotions/USD', 'aaa/credits/USD', 5000000)`);
  expect(await run('books', 'verify')).toBe(1);
  expect(said).toEqual([
    'platform/promotions/USD -5.00',
    'organisation aaa has 0 in its wallet as credits, and 5000000 in the books',
    'posting 7/0 is of no transfer',
    'account aaa/credits/USD was posted to and never opened',
    'account platform/promotions/USD was posted to and never opened',
    '0 transfers, 0 not sealed yet, 4 faults',
  ]);
});

test('without a bucket the commands for it say what is missing', async () => {
  await expect(run('backups', 'list')).rejects.toThrow('--backup-bucket: must name the bucket for backups');
});

test.each([[['backups']], [['restore', 'a']], [['audit', 'burn']], [['books', 'burn']], [['serve', 'me']]])(
  '%s is no command',
  async (words) => {
    await expect(async () => run(...words)).rejects.toThrow(/is no command/);
  },
);

test('nothing is restored, and no database opened, while a gateway is a Pod', async () => {
  const kept = {
    config: { ...config, dataDir: join(folder, 'restored') },
    say: (line: string) => void said.push(line),
  };
  const name = 'gantry-gateway-0';
  const labels = { 'app.kubernetes.io/name': 'gantry-gateway' };
  cluster.put({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: PLATFORM_NAMESPACE, name, labels } });
  expect(await runCommand(['restore'], { ...kept, cluster: () => cluster })).toBe(75);
  expect(said).toEqual([`the gateway ${name} runs: it must be gone before anything is restored`]);
  await expect(stat(kept.config.dataDir)).rejects.toThrow('ENOENT');
});
