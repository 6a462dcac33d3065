// Uploads of datasets through a gateway in a process of its own, over a real object store and PostgreSQL: the store breaks off, fails, is
// full or slow, the gateway is killed and the database dies, at each of their steps. Whatever happens, all of it goes on by itself, a ready
// version has every byte, and what is deleted leaves nothing.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CutDatabase, cutDatabase } from '../support/cut-database.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { eventually } from '../support/eventually.ts';
import { type CallInput, HttpClient } from '../support/http-client.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { inTurn, isSoak } from '../support/soak.ts';
import { type StoreTrouble, type TroubledStore, troubledStore } from '../support/troubled-store.ts';

/** The gateway's own choice. */
const BUCKET = 'gantry';
const PATIENCE_MS = 120_000;
const SLOW_MS = isSoak ? 20_000 : 2_000;
/** Of one upload until its version is ready, and about as many packets to the database: points beyond them trouble nothing. */
const CALLS = 16;
const PACKETS = 280;
/** Runs that include all points; none has more than four. */
const TURNS = 61;
/** More than the client of a store tries by itself, twice. */
const CALLS_IN_TROUBLE = 7;

interface Point {
  readonly name: string;
  readonly store?: StoreTrouble;
  readonly cut?: { at: number; when: 'before' | 'after'; isKill: boolean; isRestart: boolean };
}

let store: ObjectStore;
let postgres: PostgresServer;
let between: TroubledStore;
let database: CutDatabase;
let gateway: ChildProcess | undefined;
let address = '';
let client: HttpClient;

beforeAll(async () => {
  [store, postgres] = await Promise.all([startObjectStore(), startPostgres()]);
  between = await troubledStore(store.endpoint, SLOW_MS);
  database = await cutDatabase(await postgres.createDatabase('datasets'));
  client = new HttpClient(() => address, await startGateway());
}, 180_000);

afterAll(async () => {
  await killGateway();
  await Promise.all([between?.close(), database?.close()]);
  await Promise.all([store?.end(), postgres?.end()]);
});

/** Resolves with a member's token. */
async function startGateway(): Promise<string> {
  const program = fileURLToPath(new URL('../bench/dataset-gateway.ts', import.meta.url));
  const args = [program, database.url, between.url, store.credentialsFile];
  gateway = spawn(...endingWithUs(process.execPath, args), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: gateway.stdout as NodeJS.ReadableStream }), 'line');
  const said = JSON.parse(`${line}`) as { url: string; token: string };
  address = said.url;
  return said.token;
}

async function killGateway(): Promise<void> {
  if (!gateway || gateway.exitCode !== null || gateway.signalCode !== null) return;
  const ended = once(gateway, 'exit');
  gateway.kill('SIGKILL');
  await ended;
}

/** As often as it takes: nobody answers, or somebody who says that it is not now. */
const says = <F extends RouteFacts>(
  route: F,
  input: CallInput<F>,
): Promise<Awaited<ReturnType<typeof client.must<F>>>> =>
  eventually(
    `an answer to ${route.id}`,
    async () => {
      const answer = await client.call(route, input).catch(() => undefined);
      if (!answer || answer.status >= 500) return undefined;
      if (answer.status >= 400) throw new Error(`${route.id}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return { said: answer.body.result ?? answer.body.data ?? answer.body };
    },
    PATIENCE_MS,
  ).then(({ said }) => said);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Two pieces, one piece, small ones, and equal ones. Some say their SHA-256. */
function someFiles(): { path: string; bytes: Buffer; says: boolean }[] {
  const row = Buffer.from(`{"a":"${randomUUID()}"}\n`);
  return [
    { path: 'large.bin', bytes: Buffer.concat([randomBytes(PIECE_BYTES), Buffer.from('end')]), says: true },
    { path: 'piece.bin', bytes: randomBytes(1_200_000), says: false },
    { path: 'rows.jsonl', bytes: row, says: true },
    { path: 'same.jsonl', bytes: row, says: false },
  ];
}

async function send(params: { id: string; version: number }, path: string, bytes: Buffer): Promise<void> {
  const progress = async () => (await says(DATASET_ROUTES.getDatasetUpload, { params, query: { path } })).offset;
  for (let offset = await progress(); offset < bytes.length; offset = await progress()) {
    const query = new URLSearchParams({ path, offset: `${offset}` });
    const body = bytes.subarray(offset, offset + PIECE_BYTES);
    await client
      .fetch(`/api/data/v1/data/dataset/${params.id}/version/${params.version}/upload?${query}`, {
        method: 'PUT',
        body,
      })
      .then((answer) => answer.text())
      .catch(() => undefined);
  }
}

/** Files of the bucket: objects, and pieces of those that never came to be. */
const stored = async (): Promise<string[]> =>
  (await readdir(join(store.data, BUCKET), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Whichever objects have them. */
async function expectStored(wanted: readonly Buffer[]): Promise<void> {
  const found = new Set<string>();
  // What was given up may be removed meanwhile.
  for (const file of await stored()) found.add(sha256(await readFile(file).catch(() => Buffer.alloc(0))));
  for (const bytes of wanted) expect(found).toContain(sha256(bytes));
}

/** Uploads a version, whatever happens meanwhile, and deletes it again. */
async function life(): Promise<void> {
  const contents = someFiles();
  const key = () => ({ headers: { 'idempotency-key': randomUUID() } });
  const { id } = await says(DATASET_ROUTES.createDataset, { body: { name: `d-${randomUUID()}` }, ...key() });
  const { version } = await says(DATASET_ROUTES.createDatasetVersion, { params: { id }, body: {}, ...key() });
  const params = { id, version };
  const files = contents.map(({ path, bytes, says: isSaid }) => ({
    ...{ path, size_bytes: bytes.length, ...(isSaid && { sha256: sha256(bytes) }) },
  }));
  await says(DATASET_ROUTES.addDatasetFiles, { params, body: { files } });
  for (const { path, bytes } of contents) await send(params, path, bytes);
  await says(DATASET_ROUTES.completeDatasetVersion, { params });
  await eventually(
    'it is ready',
    async () => {
      const { state, problem } = await says(DATASET_ROUTES.getDatasetVersion, { params });
      if (state === 'failed') throw new Error(`it failed: ${JSON.stringify(problem)}`);
      return state === 'ready';
    },
    PATIENCE_MS,
  );
  await expectStored(contents.map(({ bytes }) => bytes));
  between.trouble(undefined);
  database.cut(undefined);
  for (const { path, bytes } of contents) {
    const answer = await client.open(DATASET_ROUTES.downloadDatasetFile, { params, query: { path } });
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(bytes));
  }
  const versions = await says(DATASET_ROUTES.listDatasetVersions, { params: { id } });
  expect(versions).toHaveLength(1);
  await says(DATASET_ROUTES.deleteDataset, { params: { id } });
  const isEmpty = async () => {
    expect(await stored()).toEqual([]);
    return true;
  };
  await eventually('nothing is left in the store', isEmpty, PATIENCE_MS);
}

/** The gateway is started again as often as it is killed. */
async function startedAgain(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && gateway) {
    const isGone = gateway.exitCode !== null || gateway.signalCode !== null;
    if (!isGone) await once(gateway, 'exit', { signal }).catch(() => undefined);
    if (isGone || !signal.aborted) await startGateway();
  }
}

async function survives({ name, store: trouble, cut }: Point): Promise<void> {
  const isOver = new AbortController();
  const goesOn = startedAgain(isOver.signal);
  if (trouble) between.trouble(trouble);
  if (cut) {
    const also = cut.isKill
      ? killGateway
      : cut.isRestart
        ? async () => {
            await postgres.kill();
            await postgres.start();
          }
        : undefined;
    database.cut({ at: cut.at, when: cut.when, also });
  }
  try {
    await life();
  } catch (error) {
    throw new Error(name, { cause: error });
  } finally {
    between.trouble(undefined);
    database.cut(undefined);
    isOver.abort();
    await goesOn;
  }
}

const CUTS = {
  cut: { isKill: false, isRestart: false },
  restarted: { isKill: false, isRestart: true },
  killed: { isKill: true, isRestart: false },
};
/** Of all that is said to the database, evenly. */
const CUT_AT = 10;

function pointsOf(calls: number, packets: number): Point[] {
  const points: Point[] = [];
  for (const when of ['before', 'after'] as const) {
    for (let from = 1; from <= calls; from++) {
      for (const how of ['cut', 'fails', 'full', 'slow'] as const)
        points.push({ name: `store ${how} ${when} call ${from}`, store: { from, calls: CALLS_IN_TROUBLE, when, how } });
      const also = killGateway;
      points.push({ name: `killed ${when} call ${from}`, store: { from, calls: 1, when, how: 'cut', also } });
    }
    for (let of = 0; of < CUT_AT; of++)
      for (const [name, fault] of Object.entries(CUTS)) {
        const at = 1 + Math.floor((of * packets) / CUT_AT);
        points.push({ name: `database ${name} ${when} packet ${at}`, cut: { at, when, ...fault } });
      }
  }
  return points;
}

test(
  'no trouble of store, gateway or database loses a byte of a dataset, or leaves one',
  async () => {
    between.trouble(undefined);
    database.cut(undefined);
    await life();
    const points = inTurn('troubles of an upload', pointsOf(CALLS, PACKETS), TURNS);
    for (const point of points) await survives(point);
  },
  isSoak ? 3 * 3_600_000 : 170_000,
);
