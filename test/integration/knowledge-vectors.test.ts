// Search in knowledge bases, the same whichever finds the nearest vectors: the data server, which compares all, or pgvector's index. And
// what becomes of the index when files are hostile, gateways die or its database is away.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { KnowledgeBases, type SearchedBase } from '../../api/src/areas/datasets/knowledge-bases.ts';
import { callerOf } from '../../api/src/areas/datasets/testing/stage.ts';
import { DataServers } from '../../api/src/core/data-server/data-servers.ts';
import {
  ID,
  MemoryStore,
  ServedOrganization,
  TOKEN,
} from '../../api/src/core/data-server/testing/served-organization.ts';
import { LargeVectors } from '../../api/src/core/vectors/large-vectors.ts';
import { PgVectors } from '../../api/src/core/vectors/pg-vectors.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { type Database, openDatabase } from '../../api/src/platform/db/open.ts';
import { datasets, datasetVersions, type KnowledgeBase } from '../../api/src/platform/db/schema/datasets.ts';
import { accounts, organizations } from '../../api/src/platform/db/schema/people.ts';
import { runCommand } from '../support/command.ts';
import { dataWorkerPython, serveData } from '../support/data-worker.ts';
import { eventually } from '../support/eventually.ts';
import { startPgvector } from '../support/pgvector-server.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { migratedPglite } from '../support/prepared-databases.ts';

const ROWS = 2_000;
const DIMENSIONS = 32;
const never = new AbortController().signal;
const acme = callerOf(ID);
const quiet = { info() {}, warn() {} };
/** Nobody waits for its pauses. */
const hurried = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(Math.min(ms, 50), run) };

const store = new MemoryStore();
let folder: string;
let worker: ChildProcess;
let served: ServedOrganization;
let data: DataServers;
let postgres: PostgresServer;
let db: Database;
let sql: pg.Client;
let made: Pick<KnowledgeBase, 'parts'>;
const indexed = new Map<string, PgVectors>();

beforeAll(async () => {
  const python = await dataWorkerPython();
  folder = await mkdtemp(join(tmpdir(), 'gantry-vectors-'));
  await writeFile(`${folder}/token`, TOKEN);
  const program = [
    'import sys; from pathlib import Path; from tests.base import base_of',
    'base_of(Path(sys.argv[1]), tuple(f"Row {n} tells of Place{n}." for n in range(int(sys.argv[2]))))',
  ].join('\n');
  const { code, stderr } = await runCommand(python, ['-c', program, `${folder}/made`, `${ROWS}`], {
    cwd: 'data-worker',
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const stored = async (name: string) => store.add(await readFile(`${folder}/made/in/base/${name}`));
  made = {
    parts: [
      { kind: 'chunks', ...(await stored('chunks.parquet')) },
      { kind: 'words', ...(await stored('words.sqlite')) },
    ],
  };
  const { server, port } = await serveData(python, folder);
  worker = server;
  served = new ServedOrganization(port);
  data = new DataServers({ cluster: served, blobs: store, aside, clock: systemClock });
  postgres = await startPgvector();
  sql = new pg.Client(await postgres.createDatabase('vectors'));
  await sql.connect();
  db = await openDatabase({ memory: true, from: await migratedPglite() });
  await db.sql.insert(accounts).values({ id: `acc-${ID}`, name: ID, createdAt: new Date() });
  await db.sql.insert(organizations).values({ id: ID, name: ID, currency: 'USD', createdAt: new Date() });
}, 300_000);
afterAll(async () => {
  for (const one of indexed.values()) await one.close();
  data?.stop();
  served?.stop();
  worker?.kill('SIGKILL');
  await sql?.end();
  await db?.close();
  await postgres?.end();
  await rm(folder, { recursive: true, force: true });
});

/** The same numbers in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 31 - 1;
  }
}

function vectorsOf(rows: number, dimensions: number, seed = 1): Float32Array[] {
  const from = numbers(seed);
  return Array.from({ length: rows }, () => {
    const one = Array.from({ length: dimensions }, () => Number(from.next().value));
    const length = Math.hypot(...one);
    return Float32Array.from(one, (value) => value / length);
  });
}

function npyOf(vectors: readonly Float32Array[], shape = `(${vectors.length}, ${vectors[0]?.length ?? 0})`): Buffer {
  const text = `${`{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117)}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  const rows = vectors.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength));
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(text, 'latin1'), ...rows]);
}

/** By comparing all, best first, and by their numbers where they are equally near. */
const bruteForce = (vectors: readonly Float32Array[], question: Float32Array, k: number) =>
  vectors
    .map((one, chunk) => ({ chunk, score: one.reduce((sum, value, at) => sum + value * (question[at] ?? 0), 0) }))
    .toSorted((a, b) => b.score - a.score || a.chunk - b.chunk)
    .slice(0, k);

let count = 0;

/** A dataset whose version is a base with these vectors. */
async function dataset(vectors: Buffer, knowledge: Pick<KnowledgeBase, 'dimensions' | 'chunks'>): Promise<string> {
  const id = `dst-${++count}`;
  const now = { createdAt: new Date(), updatedAt: new Date() };
  await db.sql
    .insert(datasets)
    .values({ id, organizationId: ID, name: id, type: 'rag', creatorId: `acc-${ID}`, ...now });
  const parts = [...made.parts, { kind: 'vectors' as const, ...store.add(vectors) }];
  await db.sql.insert(datasetVersions).values({
    ...({ id: `${id}-1`, datasetId: id, number: 1, state: 'ready', source: 'process' } as const),
    ...{ knowledge: { model: 'embedder', ...knowledge, parts }, createdAt: new Date(), readyAt: new Date() },
    ...{ message: '', creatorId: `acc-${ID}` },
  });
  return id;
}

function index(from = 1, url = postgres.url('vectors')): LargeVectors {
  const held = indexed.get(url) ?? new PgVectors(url);
  indexed.set(url, held);
  return new LargeVectors({ pg: held, blobs: store, clock: hurried, log: quiet, from });
}

const bases = (large?: LargeVectors) => new KnowledgeBases({ db, data, large });

/** As the gateway whose turn it is does. */
async function working<T>(large: LargeVectors, during: () => Promise<T>): Promise<T> {
  const end = new AbortController();
  const work = large.work((all) => bases().areUsed(all), end.signal);
  try {
    return await during();
  } finally {
    end.abort();
    await work;
  }
}

async function found(knowledge: KnowledgeBases, id: string): Promise<SearchedBase> {
  const base = await knowledge.find(acme, { dataset: id, version: undefined });
  if (!base) throw new Error('it is no knowledge base');
  return base;
}

const tables = async (): Promise<string[]> =>
  (await sql.query(`select tablename from pg_tables where schemaname = 'gantry_vectors' order by 1`)).rows.map(
    ({ tablename }) => tablename,
  );
const tableOf = (vectors: Buffer) => `v_${store.add(vectors).sha256.slice(0, 32)}`;

const HALVES = { 'the data server': () => undefined, pgvector: () => index() };
const LEAST_RECALL = { 'the data server': 1, pgvector: 0.95 };

describe.each(Object.keys(HALVES) as (keyof typeof HALVES)[])('nearest by %s', (name) => {
  const searched = async (vectors: readonly Float32Array[], over: Partial<KnowledgeBase> = {}) => {
    const large = HALVES[name]();
    const knowledge = { dimensions: vectors[0]?.length ?? 0, chunks: vectors.length, ...over };
    const base = await found(bases(large), await dataset(npyOf(vectors), knowledge));
    const ready = () => eventually('a base that can be searched', () => base.bring(never).then(() => true), 60_000);
    await (large ? working(large, ready) : ready());
    return base;
  };
  const nearest = async (base: SearchedBase, vector: Float32Array, k: number) =>
    (await base.search({ vector: [...vector], k }, never)).map(({ chunk, vector: half }) => ({
      chunk,
      score: half?.score,
    }));

  test('they are those of a comparison with all, best first, with their cosines', async () => {
    const vectors = vectorsOf(ROWS, DIMENSIONS);
    const base = await searched(vectors);
    let hits = 0;
    const questions = vectorsOf(20, DIMENSIONS, 7);
    for (const question of questions) {
      const wanted = bruteForce(vectors, question, 10);
      const got = await nearest(base, question, 10);
      expect(got).toHaveLength(10);
      expect(got.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))).toEqual(got);
      for (const { chunk, score } of got)
        expect(score).toBeCloseTo(bruteForce([vectors[chunk] as Float32Array], question, 1)[0]?.score ?? 9, 4);
      hits += got.filter(({ chunk }) => wanted.some((one) => one.chunk === chunk)).length;
    }
    expect(hits / (10 * questions.length)).toBeGreaterThanOrEqual(LEAST_RECALL[name]);
    const scans = `select sum(idx_scan)::int as n from pg_stat_user_indexes where relname = $1`;
    const used = async () => (await sql.query(scans, [tableOf(npyOf(vectors))])).rows[0].n >= questions.length;
    if (name === 'pgvector') await eventually('its index was used by each question', used);
  });

  test('a base with fewer rows than are asked for gives all, and equal ones by their numbers', async () => {
    const [one, two] = vectorsOf(2, DIMENSIONS, 3) as [Float32Array, Float32Array];
    const base = await searched([two, one, one, two, one]);
    const got = await nearest(base, one, 100);
    expect(got.map(({ chunk }) => chunk)).toEqual([1, 2, 4, 0, 3]);
    expect(got[0]?.score).toBeCloseTo(1, 5);
  });

  test('rows that are no vectors are near to nothing', async () => {
    const [one] = vectorsOf(1, DIMENSIONS, 4) as [Float32Array];
    const base = await searched([one.map(() => Number.NaN), one, one.map(() => Number.POSITIVE_INFINITY)]);
    expect((await nearest(base, one, 10)).map(({ chunk }) => chunk)).toEqual([1]);
  });

  test('a vector of another length, or without a direction, is refused', async () => {
    const base = await searched(vectorsOf(3, DIMENSIONS, 5));
    for (const vector of [new Float32Array(DIMENSIONS + 1).fill(1), new Float32Array(DIMENSIONS)])
      await expect(nearest(base, vector, 1)).rejects.toMatchObject({ problem: 'dataset_query_refused' });
  });

  test('words are merged with them by the same rule', async () => {
    const vectors = vectorsOf(50, DIMENSIONS, 6);
    const base = await searched(vectors);
    const question = vectors[7] as Float32Array;
    const asked = { vector: [...question], text: 'Place9', k: 10 };
    const merged = await base.search(asked, never);
    expect(merged.find(({ chunk }) => chunk === 9)).toMatchObject({ words: { rank: 1 } });
    expect(merged.find(({ chunk }) => chunk === 7)).toMatchObject({ vector: { rank: 1 } });
    const near = bruteForce(vectors, question, 50).findIndex(({ chunk }) => chunk === 9) + 1;
    expect(merged[0]).toMatchObject({ chunk: 9, vector: { rank: near }, words: { rank: 1 } });
    expect(merged[0]?.score).toBeCloseTo(1 / 61 + 1 / (60 + near), 6);
    expect((await base.search({ text: 'Place9', k: 1 }, never)).map(({ chunk }) => chunk)).toEqual([9]);
  });

  test.each([
    [2_001, 'where an index has half the precision'],
    [4_001, 'where no index takes them'],
  ])('vectors of %d numbers are searched too, %s', async (dimensions) => {
    const vectors = vectorsOf(20, dimensions, 8);
    const base = await searched(vectors);
    const question = vectors[5] as Float32Array;
    const got = await nearest(base, question, 20);
    expect(got.map(({ chunk }) => chunk)).toEqual(bruteForce(vectors, question, 20).map(({ chunk }) => chunk));
    if (name === 'pgvector') expect((await tables()).includes(tableOf(npyOf(vectors)))).toBe(dimensions < 4_000);
  });

  test('a base that was deleted is gone', async () => {
    const vectors = vectorsOf(3, DIMENSIONS, 9);
    const base = await searched(vectors);
    await db.sql.delete(datasetVersions).where(eq(datasetVersions.datasetId, `dst-${count}`));
    const again = { dataset: `dst-${count}`, version: base.version };
    await expect(bases(HALVES[name]()).find(acme, again)).rejects.toMatchObject({ problem: 'not_found' });
    if (name === 'pgvector') {
      expect(await tables()).toContain(tableOf(npyOf(vectors)));
      await working(index(), () =>
        eventually('a table that is dropped', async () => !(await tables()).includes(tableOf(npyOf(vectors)))),
      );
      // Others' stay.
      expect((await tables()).length).toBeGreaterThan(1);
    }
  });
});

test('few chunks are compared, however they are asked for', async () => {
  const vectors = npyOf(vectorsOf(3, DIMENSIONS, 20));
  const base = await found(bases(index(4)), await dataset(vectors, { dimensions: DIMENSIONS, chunks: 3 }));
  expect(await base.search({ vector: [...(vectorsOf(1, DIMENSIONS)[0] ?? [])], k: 5 }, never)).toHaveLength(3);
  expect(await tables()).not.toContain(tableOf(vectors));
});

test('a file that is not what its version says is compared, and a broken one says so', async () => {
  const vectors = vectorsOf(3, DIMENSIONS, 21);
  const large = index();
  const question = { vector: [...(vectors[0] as Float32Array)], k: 3 };
  const honest = await dataset(npyOf(vectors), { dimensions: DIMENSIONS, chunks: 3 });
  // It says what it likes of the same bytes, and changes nothing for others.
  const liar = await dataset(npyOf(vectors), { dimensions: DIMENSIONS, chunks: 1_000 });
  const shorter = await dataset(npyOf(vectors), { dimensions: DIMENSIONS - 1, chunks: 3 });
  const short = await dataset(npyOf(vectors, `(4, ${DIMENSIONS})`), { dimensions: DIMENSIONS, chunks: 4 });
  const search = async (id: string) => (await found(bases(large), id)).search(question, never);
  await working(large, async () => {
    await eventually('all are searched', async () => {
      expect(await search(honest)).toHaveLength(3);
      expect(await search(liar)).toHaveLength(3);
      const cut = { ...question, vector: question.vector.slice(1) };
      const refused = (await found(bases(large), shorter)).search(cut, never);
      await expect(refused).rejects.toMatchObject({ problem: 'dataset_query_refused' });
      return true;
    });
    await eventually('it is refused', () =>
      expect(search(short))
        .rejects.toMatchObject({ problem: 'dataset_query_refused' })
        .then(() => true),
    );
  });
});

test('while it is filled it is being prepared; a gateway that dies leaves nothing behind, and the next one begins again', async () => {
  const vectors = vectorsOf(ROWS, 1_024, 22);
  const file = npyOf(vectors);
  const base = await found(bases(index()), await dataset(file, { dimensions: 1_024, chunks: ROWS }));
  const question = { vector: [...(vectors[11] as Float32Array)], k: 1 };
  const preparing = (percent: unknown) => ({ problem: 'dataset_preparing', args: { percent } });
  // Its second half does not come.
  const { promise: half, resolve: arrived } = Promise.withResolvers<void>();
  const stuck = new (class extends MemoryStore {
    override async read(digest: string, range: { from: number; to: number }) {
      if (range.from < file.length / 2) return store.read(digest, range);
      arrived();
      return new Promise<never>(() => {});
    }
    override size = (digest: string) => store.size(digest);
  })();
  await expect(base.bring(never)).rejects.toMatchObject(preparing(0));
  const dying = new PgVectors(postgres.url('vectors'));
  const end = new AbortController();
  const work = new LargeVectors({ pg: dying, blobs: stuck, clock: hurried, log: quiet, from: 1 }).work(
    async (all) => new Set(all),
    end.signal,
  );
  void work;
  await half;
  await expect(base.search(question, never)).rejects.toMatchObject(preparing(expect.any(Number)));
  expect(await tables()).not.toContain(tableOf(file));
  // The other one has it.
  const { sha256, sizeBytes } = store.add(file);
  const read = () => Promise.reject(new Error('nobody reads'));
  expect(await indexed.get(postgres.url('vectors'))?.fill({ sha256, sizeBytes, read }, never)).toBe(false);
  const pids = await sql.query(`select filler from gantry_vectors.bases where sha256 = $1`, [sha256]);
  await sql.query('select pg_terminate_backend($1)', [pids.rows[0].filler]);
  end.abort();
  await eventually('nobody fills it', async () => {
    const { rows } = await sql.query('select from pg_stat_activity where pid = $1', [pids.rows[0].filler]);
    return rows.length === 0;
  });
  expect(await tables()).not.toContain(tableOf(file));
  await expect(base.search(question, never)).rejects.toMatchObject({
    problem: expect.stringMatching(/^(dataset_preparing|unavailable)$/),
  });
  await working(index(), () =>
    eventually('it is whole', async () => (await base.search(question, never))[0]?.chunk === 11, 60_000),
  );
  expect(await tables()).toContain(tableOf(file));
  await dying.close();
});

test('what a database has lost is filled again', async () => {
  const vectors = vectorsOf(5, DIMENSIONS, 24);
  const large = index();
  const base = await found(bases(large), await dataset(npyOf(vectors), { dimensions: DIMENSIONS, chunks: 5 }));
  const search = () => base.search({ vector: [...(vectors[3] as Float32Array)], k: 1 }, never);
  const isFound = () => eventually('it is found', async () => (await search())[0]?.chunk === 3);
  await working(large, isFound);
  await sql.query('drop schema gantry_vectors cascade');
  await expect(search()).rejects.toMatchObject({ problem: 'unavailable' });
  await expect(search()).rejects.toMatchObject({ problem: 'dataset_preparing' });
  await working(large, isFound);
  expect(await tables()).toEqual(['bases', tableOf(npyOf(vectors))]);
});

test('a file that the store has not is no broken one: it is asked for again', async () => {
  const vectors = vectorsOf(5, DIMENSIONS, 25);
  let isThere = false;
  const late = new (class extends MemoryStore {
    override read = store.read.bind(store);
    override size = async (digest: string) => (isThere ? store.size(digest) : undefined);
  })();
  const held = new PgVectors(postgres.url('vectors'));
  const large = new LargeVectors({ pg: held, blobs: late, clock: hurried, log: quiet, from: 1 });
  const base = await found(bases(large), await dataset(npyOf(vectors), { dimensions: DIMENSIONS, chunks: 5 }));
  const search = () => base.search({ vector: [...(vectors[3] as Float32Array)], k: 1 }, never);
  await working(large, async () => {
    await eventually('it fails', () =>
      expect(search())
        .rejects.toMatchObject({ problem: 'unavailable' })
        .then(() => true),
    );
    isThere = true;
    await eventually('it is found', async () => (await search())[0]?.chunk === 3);
  });
  await held.close();
});

test('one whose file never comes does not keep another one from being tried again', async () => {
  const [gone, late] = [vectorsOf(5, DIMENSIONS, 26), vectorsOf(5, DIMENSIONS, 27)];
  const there = new Set<string>();
  const blobs = new (class extends MemoryStore {
    override read = store.read.bind(store);
    override size = async (digest: string) => (there.has(digest) ? store.size(digest) : undefined);
  })();
  const held = new PgVectors(postgres.url('vectors'));
  const large = new LargeVectors({ pg: held, blobs, clock: hurried, log: quiet, from: 1 });
  const searchOf = async (vectors: Float32Array[]) => {
    const base = await found(bases(large), await dataset(npyOf(vectors), { dimensions: DIMENSIONS, chunks: 5 }));
    return () => base.search({ vector: [...(vectors[3] as Float32Array)], k: 1 }, never);
  };
  const [first, second] = [await searchOf(gone), await searchOf(late)];
  await expect(first()).rejects.toMatchObject({ problem: 'dataset_preparing' });
  await expect(second()).rejects.toMatchObject({ problem: 'dataset_preparing' });
  await working(large, async () => {
    for (const search of [first, second])
      await eventually('it fails', () =>
        expect(search())
          .rejects.toMatchObject({ problem: 'unavailable' })
          .then(() => true),
      );
    there.add(store.add(npyOf(late)).digest);
    await eventually('it is found', async () => (await second())[0]?.chunk === 3);
  });
  await held.close();
});

test('a database that is away, silent or without pgvector delays a question by seconds, and takes nothing else with it', async () => {
  const silent: Server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port: none } = closed.address() as { port: number };
  closed.close();
  const vectors = vectorsOf(3, DIMENSIONS, 23);
  const id = await dataset(npyOf(vectors), { dimensions: DIMENSIONS, chunks: 3 });
  for (const url of [`postgres://x:secret@127.0.0.1:${port}/x`, `postgres://x:secret@127.0.0.1:${none}/x`]) {
    const said: string[] = [];
    const note = (facts: object, text: string) =>
      void said.push(`${JSON.stringify(facts)} ${(facts as { err?: Error }).err} ${text}`);
    const away = new PgVectors(url);
    const large = new LargeVectors({
      pg: away,
      blobs: store,
      clock: hurried,
      log: { info: note, warn: note },
      from: 1,
    });
    const base = await found(bases(large), id);
    const began = performance.now();
    const asked = base.search({ vector: [...(vectors[0] as Float32Array)], text: 'Place1', k: 1 }, never);
    await expect(asked).rejects.toMatchObject({ problem: 'unavailable', retryAfterSeconds: 3 });
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(await base.search({ text: 'Place1', k: 1 }, never)).toMatchObject([{ chunk: 1 }]);
    await working(large, () => eventually('a line of the log', () => said.length > 0));
    expect(said).toHaveLength(1);
    expect(said.join()).not.toContain('secret');
    await away.close();
  }
  silent.close();
});
