// The gateway's side of a data server against the real one: what arrives becomes parts, and the parts answer.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataServers } from '../../api/src/core/data-server/data-servers.ts';
import {
  ID,
  MemoryStore,
  ServedOrganization,
  TOKEN,
} from '../../api/src/core/data-server/testing/served-organization.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { DATA_WORKER_LOCK } from '../../hack/images/data-worker.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { pythonWith } from '../support/python-with.ts';

let python: string;
let folder: string;
let server: ChildProcess;
let acme: ServedOrganization;
let servers: DataServers;
const store = new MemoryStore();
const never = new AbortController().signal;

beforeAll(async () => {
  const digest = createHash('sha256')
    .update(await readFile(DATA_WORKER_LOCK))
    .digest('hex')
    .slice(0, 12);
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', DATA_WORKER_LOCK];
  python = await pythonWith(`data-worker-${digest}`, options);
  folder = await mkdtemp(join(tmpdir(), 'gantry-data-server-'));
  await writeFile(`${folder}/token`, TOKEN);
  acme = new ServedOrganization(0);
  acme.port = await serve();
  servers = new DataServers({ cluster: acme, store, aside, clock: systemClock });
}, 300_000);
afterAll(async () => {
  servers?.stop();
  acme?.stop();
  await kill();
  await rm(folder, { recursive: true, force: true });
});

async function serve(): Promise<number> {
  const args = ['-m', 'gantry_worker', 'serve', `--root=${folder}/data`, `--token-file=${folder}/token`];
  const [program, words] = endingWithUs(python, [...args, '--listen=127.0.0.1:0']);
  server = spawn(program, words, { cwd: 'data-worker', stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(server.stdout as NodeJS.ReadableStream)) {
    const port = /^listens on .*:(\d+)$/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error('the data server ended');
}

async function kill(): Promise<void> {
  if (server?.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

const PEOPLE = 'id,name,city\n1,Ann,Oslo\n2,Bo,Bergen\n3,Cy,Oslo\n';
const CHANGED = 'id,name,city\n1,Ann,Oslo\n2,Bo,Oslo\n4,Di,Narvik\n';
const LINES = '{"id": 1, "text": "first"}\n{"id": 2, "text": "second"}\nno JSON at all\n';

const wishOf = (out: string, ...files: [name: string, content: string][]) => ({
  out,
  inputs: files.map(([name, content]) => ({ name, ...store.add(Buffer.from(content)) })),
});

/** Reads a version, and keeps its parts as others do. */
async function kept(wish: ReturnType<typeof wishOf>) {
  const steps: string[] = [];
  const facts = await servers.profile(ID, wish, ({ step }) => steps.push(step), never);
  const parts = [];
  for (const part of facts.parts) {
    const stored = store.add(await buffer(servers.part(ID, part.path, 0, never)));
    expect(stored).toMatchObject({ sha256: part.sha256, bytes: part.bytes });
    parts.push({ ...part, ...stored });
  }
  return { facts, steps, parts, data: parts.filter(({ kind }) => kind === 'data') };
}

test('a CSV and a table of JSON Lines become parts with facts, and what could not be read is kept beside them', async () => {
  const people = await kept(wishOf('out/people', ['people.csv', PEOPLE]));
  expect(people.facts).toMatchObject({ kind: 'csv', rows: 3, rejected: 0 });
  expect(people.facts.columns.map(({ name }) => name)).toEqual(['id', 'name', 'city']);
  expect(people.steps).toContain('sending');
  const lines = await kept(wishOf('out/lines', ['lines.jsonl', LINES]));
  expect(lines.facts).toMatchObject({ kind: 'jsonl', rows: 2, rejected: 1 });
  expect(lines.parts.map(({ kind }) => kind).toSorted()).toEqual(['data', 'rejected']);
});

test('parts of the store answer queries, searches and differences, whether the server has them or not', async () => {
  const [before, after] = [
    await kept(wishOf('out/before', ['people.csv', PEOPLE])),
    await kept(wishOf('out/after', ['people.csv', CHANGED])),
  ];
  const table = { data: before.data };
  const sql = 'SELECT city, count(*) AS n FROM data GROUP BY city ORDER BY city';
  const asked = () => servers.query(ID, table, sql, never);
  expect(await asked()).toMatchObject({
    rows: [
      ['Bergen', 1],
      ['Oslo', 2],
    ],
    more: false,
  });
  expect(await servers.search(ID, before.data, { text: 'berg', from: 0, limit: 10 }, never)).toMatchObject({
    numbers: [1],
    next: null,
  });
  const difference = await servers.diff(ID, before.data, after.data, { key: ['id'], limit: 10 }, never);
  expect(difference.rows).toEqual({ added: 1, removed: 1, changed: 1, same: 1, before: 3, after: 3 });
  expect(difference.changedColumns).toEqual({ city: 1 });
  await rm(`${folder}/data/in`, { recursive: true });
  expect(await asked()).toMatchObject({ more: false });
});

test.each([
  [
    'several statements',
    'SELECT 1; SELECT 2',
    'dataset_query_refused',
    'A query is one SELECT, which changes nothing.',
  ],
  ['a file', "SELECT * FROM read_csv('/etc/passwd')", 'dataset_query_refused', 'A query reads its tables'],
  ['what is not SQL', 'SELEC', 'dataset_query_refused', 'syntax error'],
])('a query of %s is refused with the reason', async (_, sql, code, why) => {
  const { data } = await kept(wishOf('out/people', ['people.csv', PEOPLE]));
  const refused = { problem: code, args: { why: expect.stringContaining(why) } };
  await expect(servers.query(ID, { data }, sql, never)).rejects.toMatchObject(refused);
});

test('data that is no table says so', async () => {
  const wish = wishOf('out/none', ['none.jsonl', '']);
  await expect(servers.profile(ID, wish, () => {}, never)).rejects.toMatchObject({ problem: 'dataset_profile_failed' });
});

test('a server that is killed while it reads is asked again, and goes on with what it has', async () => {
  const rows = Array.from({ length: 200_000 }, (_, id) => `${id},name ${id},${id % 7}`);
  const wish = wishOf('out/large', ['large.csv', `id,name,city\n${rows.join('\n')}\n`]);
  let kills = 0;
  const steps: string[] = [];
  const facts = await servers.profile(
    ID,
    wish,
    ({ step }) => {
      steps.push(step);
      if (step === 'sending' || kills++ > 0) return;
      void kill().then(async () => {
        acme.port = await serve();
        acme.answers();
      });
    },
    never,
  );
  expect(kills).toBeGreaterThan(0);
  expect(facts).toMatchObject({ rows: 200_000, rejected: 0 });
  // What it had was not sent again: nothing of it, all of it, and once more that all of it is there.
  expect(steps.filter((step) => step === 'sending')).toHaveLength(3);
});

test('what a version has left there is removed', async () => {
  const wish = wishOf('out/people', ['people.csv', PEOPLE]);
  await kept(wish);
  await servers.forget(ID, wish);
  const left = await Promise.all(['in', 'out'].map((name) => readdir(`${folder}/data/${name}`)));
  expect(left.flat()).not.toContain('people');
});
