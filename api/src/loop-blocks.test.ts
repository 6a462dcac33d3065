// The rule of this room: nothing that a tenant sends blocks the loop that serves everybody for more than 50 ms. A whole gateway, in a
// process of its own, gets every hostile body that we know, and says what the CPU time of its longest turn was. Time that other
// programs of the machine take is not in it, and on a slower processor a turn may take as much longer as work that is always the same;
// of three rounds the best counts, since a block that is no accident is in all of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { micros } from '@gantry/contract/fields/money.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ENGINE_FACTS } from '@gantry/contract/models/engines.ts';
import { OBJECT_METRIC_NAMES } from '@gantry/contract/monitor/metrics.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import { ggufFile } from '../../hack/gguf-file.ts';
import { endingWithUs } from '../../test/support/ending-with-us.ts';
import { eventually } from '../../test/support/eventually.ts';
import { freePorts } from '../../test/support/free-ports.ts';
import { type ObjectStore, startObjectStore } from '../../test/support/object-store.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts';
import { MIGRATED, migratedPostgres } from '../../test/support/prepared-databases.ts';
import { inTurn } from '../../test/support/soak.ts';
import { sound } from '../../test/support/sound/container-service.ts';
import { safetensorsFile } from './areas/models/testing/model-files.ts';
import { column, i32, page, parquetFile } from './core/tables/testing/parquet-file.ts';
import { openDatabase, type Sql } from './platform/db/open.ts';
import { datasetProfiles, datasets, datasetVersions, type TablePart } from './platform/db/schema/datasets.ts';
import { blobs, files } from './platform/db/schema/files.ts';
import { kubeconfigs } from './platform/db/schema/keys.ts';
import { accounts } from './platform/db/schema/people.ts';
import { tokenTotals } from './platform/db/schema/tokens.ts';
import { ObjectStore as Objects } from './platform/object-store/object-store.ts';
import { sha256 } from './platform/secrets.ts';

const MOST_MS = 50;
/** CPU time of the watched gateway's reference on the machine that the 50 ms are of: a quiet core of 2.1 GHz. */
const REFERENCE_MS = 4;
const ROUNDS = 3;
/** On a busy machine a processor is slower: a block that is too long is measured again, so often at most. */
const MOST_ROUNDS = 8;
/** The status of an answer after its deadline has passed. */
const LATE = 503;
const KIB = 1024;
const MIB = 1024 * KIB;
/** A token of this test alone, since the port is the engine's own. */
const KUBECONFIG_TOKEN = 'token-of-a-kubeconfig';
const ENGINE = '127.0.7.34';

let database: PostgresServer;
let store: ObjectStore;
let engine: Server;
let apiServer: Server;
let prometheus: Server;
let child: ChildProcess;
let lines: Interface;
let address: string;
let token: string;
/** The answer of Prometheus. */
let grown = '';
/** The answer of the engine, and of the API server. */
let said: (res: ServerResponse) => Promise<void>;
/** The behaviour of a shell, until it ends. */
let shell: (socket: WebSocket) => void = () => {};
let kubernetes: string;

beforeAll(async () => {
  database = await startPostgres({ from: await migratedPostgres() });
  store = await startObjectStore();
  engine = createServer(async (req, res) => {
    await text(req);
    // A client that has enough of it leaves.
    await said(res).catch(() => res.destroy());
  }).listen(ENGINE_FACTS.vllm.port, ENGINE);
  await once(engine, 'listening');
  apiServer = createServer(async (req, res) => {
    await req.resume().toArray();
    await said(res).catch(() => res.destroy());
  }).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });
  apiServer.on('upgrade', (req, socket, head) => sockets.handleUpgrade(req, socket, head, (open) => shell(open)));
  await once(apiServer, 'listening');
  prometheus = createServer(async (req, res) => {
    await text(req);
    res.writeHead(200, { 'content-type': 'application/json' }).end(req.url?.endsWith('_range') ? grown : NOW);
  }).listen(0, '127.0.0.1');
  await once(prometheus, 'listening');
  const program = fileURLToPath(new URL('../../test/support/watched-gateway.ts', import.meta.url));
  const { port } = prometheus.address() as AddressInfo;
  const [kubernetesPort] = await freePorts(1);
  const flags = [
    `--prometheus-url=http://127.0.0.1:${port}`,
    `--object-store-url=${store.endpoint}`,
    `--object-store-credentials-file=${store.credentialsFile}`,
    `--kubernetes-port=${kubernetesPort}`,
  ];
  kubernetes = `http://127.0.0.1:${kubernetesPort}`;
  const server = `http://127.0.0.1:${(apiServer.address() as AddressInfo).port}`;
  const args = [program, database.url(MIGRATED), ENGINE, server, ...flags];
  child = spawn(...endingWithUs(process.execPath, ['--no-warnings', ...args]), { stdio: ['pipe', 'pipe', 'inherit'] });
  lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const { url, tokens } = (await nextLine()) as { url: string; tokens: Record<string, string> };
  address = url;
  token = tokens.administrator ?? '';
  await fillLists();
}, 120_000);

const DAY = '2026-11-20';
const USAGE_ROWS = 5_001;
const PEOPLE = 5_000;
const AT_ONCE = 1_000;
/** Fills the lists that pages and files of rows show. */
async function fillLists(): Promise<void> {
  const db = await openDatabase({ url: database.url(MIGRATED) });
  const usage = Array.from({ length: USAGE_ROWS }, (_, at) => ({
    ...{ day: DAY, organizationId: 'acmeorgs', accountId: 'acc-owner', tokenId: '', modelUid: `uid-${at}` },
    ...{ model: `model-${at}`, requests: 1, prompt: 100, cached: 40, completion: 10, doubtful: 0 },
    ...{ list: micros(2), net: micros(1) },
  }));
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    ...{ id: `acc-many-${at}`, name: `=${filled('"', 50)}${at}`, email: `${at}@example.net`, createdAt: new Date() },
  }));
  for (let at = 0; at < usage.length; at += AT_ONCE)
    await db.sql.insert(tokenTotals).values(usage.slice(at, at + AT_ONCE));
  for (let at = 0; at < people.length; at += AT_ONCE)
    await db.sql.insert(accounts).values(people.slice(at, at + AT_ONCE));
  await db.sql.insert(kubeconfigs).values({
    ...{ id: 'kcf-hostile', accountId: 'acc-administrator', organizationId: 'acmeorgs', remark: 'hostile' },
    ...{
      tokenHash: sha256(KUBECONFIG_TOKEN),
      secretUid: 'uid',
      createdAt: new Date(),
      expiresAt: new Date('2099-01-01'),
    },
  });
  await db.sql.transaction((tx) => fillDatasets(tx));
  await db.sql.transaction((tx) => fillShelf(tx));
  await db.close();
}

/** An organisation has 1,000 models at most, and other rows upload theirs. */
const SHELVED = 990;
/** Words that stand nowhere. */
const NEARLY = Array.from({ length: 8 }, (_, at) => `abcdef01${at}`).join('%20');
/** A shelf whose cards have words that no other has, in letters with spaces and without. */
async function fillShelf(tx: Sql): Promise<void> {
  await tx.execute(sql`
    insert into models (id, organization_id, name, card, creator_id, shelved_at, created_at, updated_at)
    select 'mdl-shelf-' || n, 'acmeorgs', 'shelf ' || md5(n::text),
      (select string_agg(left(md5((n * 1000 + w)::text), 9) || chr(19968 + (n * 7 + w * 13) % 20000), ' ') from generate_series(1, 330) w),
      'acc-owner', now(), now(), now() from generate_series(1, ${sql.raw(`${SHELVED}`)}) n`);
}

const DATASET = '/api/data/v1/data/dataset/dst-large/version';
/** As many as a version may have. */
const DATASET_FILES = 20_000;
const PAGE_ROWS = 100;
/** Two versions of many files that all differ, the second with a table whose pages have as much text as an answer, and long statistics. */
async function fillDatasets(tx: Sql): Promise<void> {
  const at = new Date();
  const objects = new Objects({
    ...{ url: store.endpoint, bucket: 'gantry', region: 'us-east-1' },
    ...{ accessKey: store.credentials.accessKeyId, secretKey: store.credentials.secretAccessKey },
  });
  await objects.open();
  const words = Buffer.alloc(PAGE_ROWS * 4_100, 'w');
  for (let row = 0; row < PAGE_ROWS; row++) words.writeUInt32LE(4_096, row * 4_100);
  const text = page({ body: words, values: PAGE_ROWS });
  const columns = Array.from({ length: 10 }, (_, number) => [column(`c${number}`, 6, 0, UTF8), text] as const);
  const table = parquetFile(columns, PAGE_ROWS);
  const stored = [Buffer.from('a'), table].map((bytes) => ({ bytes, digest: digestOf(bytes) }));
  for (const { bytes, digest } of stored) await objects.put(`blobs/sha256/${digest.slice(0, 2)}/${digest}`, bytes);
  objects.close();
  await tx.insert(blobs).values(stored.map(({ bytes, digest }) => ({ digest, sizeBytes: bytes.length, storedAt: at })));
  const made = { creatorId: 'acc-owner', createdAt: at };
  await tx.insert(datasets).values({
    ...{ id: 'dst-large', organizationId: 'acmeorgs', name: 'large', type: 'file', lastVersion: 2, updatedAt: at },
    ...made,
  });
  const [file, part] = stored;
  for (const number of [1, 2]) {
    const id = `dsv-${number}`;
    await tx.insert(datasetVersions).values({
      ...{ id, datasetId: 'dst-large', number, state: 'ready', source: 'upload', message: '', readyAt: at },
      ...made,
    });
    await tx.execute(sql`
      insert into files (id, owner_kind, owner_id, org_id, path, size_bytes, state, received_bytes, digest, kept_at)
      select ${id} || '-' || n, 'dataset', ${id}, 'acmeorgs', ${number === 1 ? 'a' : 'b'} || lpad(n::text, 200, 'é'), 1, 'ready',
        1, ${file?.digest}, now() from generate_series(1, ${sql.raw(`${DATASET_FILES}`)}) n`);
  }
  const facts = {
    columns: Array.from({ length: 1_000 }, (_, number) => ({ name: `c${number}`, note: filled('a', 250) })),
  };
  const parts = [
    { kind: 'data', path: 'p', firstRow: 0, rows: PAGE_ROWS, bytes: table.length, sha256: part?.digest ?? '' },
  ];
  await tx.insert(files).values({
    ...{ id: 'fil-part', ownerKind: 'dataset', ownerId: 'dsv-2.table', organizationId: 'acmeorgs', path: 'p' },
    ...{ sizeBytes: table.length, receivedBytes: table.length, state: 'ready', digest: part?.digest, keptAt: at },
  });
  await tx
    .insert(datasetProfiles)
    .values({ versionId: 'dsv-2', state: 'ready', facts, parts: parts as TablePart[], createdAt: at });
}
const UTF8 = { 6: i32(0) };
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Of an answer without end its beginning suffices. */
async function begun(path: string): Promise<number> {
  const answer = await fetch(`${address}${path}`, { headers: { 'x-token': token } });
  await answer.body?.cancel();
  return answer.status;
}

afterAll(async () => {
  child?.kill('SIGKILL');
  prometheus.closeAllConnections();
  prometheus.close();
  engine.closeAllConnections();
  engine.close();
  apiServer.closeAllConnections();
  apiServer.close();
  await store.end();
  await database.end();
});

const nextLine = (): Promise<unknown> =>
  new Promise((resolve, reject) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', () => reject(new Error('the gateway has ended')));
  });

/** Since the last time that it was asked: milliseconds of the machine of `REFERENCE_MS`. */
async function longestBlock(): Promise<number> {
  const answer = nextLine();
  child.stdin?.write('\n');
  const { cpuMs, referenceMs } = (await answer) as { cpuMs: number; referenceMs: number };
  return cpuMs / Math.max(1, referenceMs / REFERENCE_MS);
}

async function send(method: string, path: string, body?: string | Uint8Array, headers = {}): Promise<number> {
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { 'x-token': token, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: body as string }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const filled = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length));
const list = (piece: string, bytes: number) => `[${filled(`${piece},`, bytes)}${piece}]`;

/** The answer of Prometheus about one moment. */
const NOW = JSON.stringify({
  status: 'success',
  data: {
    resultType: 'vector',
    result: Array.from({ length: 200 }, (_, at) => ({
      metric: { t: filled('a', 4_000), n: `${at}` },
      value: [1, '1'],
    })),
  },
});

/** A value for every field of a body at once, so many bytes together. */
const BODY = 250 * KIB;
/** The size of a file of people that staff import: nearly all that is allowed. */
const FILE = 260_000;
const HOSTILE: Readonly<Record<string, (bytes: number) => string>> = {
  'a long text': (bytes) => `"${filled('a', bytes)}"`,
  digits: (bytes) => `"${filled('1', bytes)}"`,
  'blanks and dashes': (bytes) => `"${filled(' -', bytes)}"`,
  'many lines': (bytes) => `"${filled('a\\n', bytes)}"`,
  'many commas': (bytes) => `"${filled(',', bytes)}"`,
  'many quotes': (bytes) => `"${filled('\\"', bytes)}"`,
  'many brackets in a text': (bytes) => `"${filled('((', bytes)}"`,
  'a list of numbers': (bytes) => list('0', bytes),
  'a list of texts': (bytes) => list('"a"', bytes),
  'a list of objects': (bytes) => list('{}', bytes),
  'an object of many members': (bytes) =>
    `{${Array.from({ length: bytes / 12 }, (_, at) => `"k${at}":"v"`).join(',')}}`,
  'deep lists': (bytes) => `${filled('[', bytes / 2)}${filled(']', bytes / 2)}`,
};

const withBodies = Object.values(ROUTES).filter(({ body }) => body instanceof z.ZodObject);
const bodyOf = ({ body }: RouteFacts, piece: (bytes: number) => string): string => {
  const names = Object.keys((body as z.ZodObject).shape);
  const each = Math.max(16, Math.floor(BODY / Math.max(1, names.length)) - 80);
  return `{${names.map((name) => `${JSON.stringify(name)}:${piece(each)}`).join(',')}}`;
};
const pathOf = ({ path }: RouteFacts) => `/api${path.replaceAll(/\{\w+\}/g, 'ins-00000000')}`;

const START = 1_767_225_600;
/** Answers are kept: each window is another one. */
let windows = 0;
const window = () => {
  const from = START + 300 * windows++;
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
  return { start: at(from), end: at(from + 7 * 86_400), step: 300 };
};
const matrix = (series: number, samples: number) =>
  JSON.stringify({
    status: 'success',
    data: {
      resultType: 'matrix',
      result: Array.from({ length: series }, (_, at) => ({
        metric: { t: `${at}` },
        values: Array.from({ length: samples }, (__, step) => [START + step * 300, '1.5']),
      })),
    },
  });
/** As Prometheus answers a trial, whose window ends now. */
const trial = async (series: number, samples: number) => {
  const end = Math.floor(Date.now() / 75_000) * 75;
  const answer = matrix(series, samples);
  grown = answer.replaceAll(/\[(\d{10}),/g, (_, at) => `[${end - ((Number(at) - START) / 300) * 75},`);
  const policy = {
    ...{ displayName: 'trial', objects: { kind: 'GpuInstance' }, query: 'count_values("t", vector(time()))' },
    ...{ aggregation: 'Last', periodSeconds: 75, begins: { met: 1, of: 1 }, endsAfter: 1 },
    rules: [{ type: 'Threshold', compare: 'Above', value: 1, level: 'Critical' }],
    convergence: { waitSeconds: 0, repeatMinutes: 0, mostPerHour: 20 },
    channels: [{ type: 'Bell', afterMinutes: 0 }],
  };
  return send('POST', '/api/monitor/v1/alert/policies/test', JSON.stringify(policy));
};

/** A file of a model, as its owner uploads it, until it has been looked at. Says 200 where it is accepted. */
async function uploaded(path: string, bytes: Uint8Array): Promise<number> {
  const headers = { 'x-token': token, 'content-type': 'application/json' };
  const json = async (way: string, body?: object) => {
    const asked = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
    const answer = await fetch(`${address}/api/model/v1/model${way}`, asked);
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { result: { id: string; versions: { state: string }[] } }).result;
  };
  const { id } = await json('', { name: 'hostile' });
  await json(`/${id}/version`, { version: '1', files: [{ path, size_bytes: bytes.length }] });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const way = `/api/model/v1/model/${id}/version/1/upload?path=${path}&offset=${at}`;
    expect(await send('PUT', way, bytes.subarray(at, at + PIECE_BYTES))).toBe(200);
  }
  let state = '';
  const isOver = async () => {
    state = (await json(`/${id}`)).versions[0]?.state ?? '';
    return state === 'ready' || state === 'failed';
  };
  await eventually('a file that was looked at', isOver, 120_000);
  await send('DELETE', `/api/model/v1/model/${id}`);
  return state === 'ready' ? 200 : 422;
}
const lazily = <T>(make: () => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
const manyTensors = lazily(() =>
  safetensorsFile(Object.fromEntries(Array.from({ length: 199_000 }, (_, at) => [`t${at}`, ['F32', [0]]] as const))),
);
const longGguf = lazily(() =>
  ggufFile({
    metadata: {
      'general.architecture': 'llama',
      'tokenizer.ggml.tokens': Array.from({ length: 1_900_000 }, (_, at) => `token-of-16-${at}`),
    },
    tensors: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`t${at}`, [0, [1]]] as const)),
  }),
);

/** Nearly the largest event that is read. */
const EVENT = MIB - 100;

/** So many bytes, piece by piece. */
function* pieces(piece: string, bytes: number): Generator<Buffer> {
  const block = Buffer.from(filled(piece, Math.max(piece.length, 64 * KIB)));
  for (let sent = 0; sent < bytes; sent += block.length) yield block;
}
const says = (type: string, begin: string, piece: string, bytes: number, end: string) => {
  said = async (res) => {
    res.writeHead(200, { 'content-type': type });
    await pipeline(Readable.from([Buffer.from(begin), ...pieces(piece, bytes), Buffer.from(end)]), res);
  };
};
const embedded = (begin: string, piece: string, bytes: number, end: string) => () => {
  says('application/json', begin, piece, bytes, end);
  return send('POST', '/v1/embeddings', JSON.stringify({ model: 'embed', input: 'a' }));
};
const streamed = (isStream: boolean, piece: string, bytes: number) => () => {
  says('text/event-stream', '', piece, bytes, STREAM_END);
  const asked = { model: 'chat', prompt: 'a', max_tokens: 30_000, stream: isStream };
  return send('POST', '/v1/completions', JSON.stringify(asked));
};
const STREAM_END = 'data: [DONE]\n\n';
const event = (said: string) => `data: {"choices":[{"index":0,"text":${said}}]}\n\n`;
/** The log probability of one token, with five others. */
const LIKELY = `{"token":"a","logprob":-1.5,"bytes":[97],"top_logprobs":${list('{"token":"a","logprob":-1.5,"bytes":[97]}', 160)}}`;
const likely = (content: string) => `data: {"choices":[{"index":0,"text":"a","logprobs":{"content":${content}}}]}\n\n`;
const VECTOR = '{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[0';
const END_OF_VECTOR = ']}],"usage":{"prompt_tokens":1,"total_tokens":1}}';

/** The requests by name, each with the status of its answer. */
const ROWS: Readonly<Record<string, readonly [status: number, ask: () => Promise<number>]>> = {
  'a control: a list of nothing': [200, () => send('GET', '/api/develop/v1/instance')],
  'a trial that answers 8,065 series of one sample': [422, () => trial(8_065, 1)],
  'a trial with all the points that are allowed': [200, () => trial(120, 8_065)],
  'a chart with all the points that are allowed': [
    200,
    () => {
      grown = matrix(200, 2_000);
      return send('POST', '/api/monitor/v1/query', JSON.stringify({ query: 'up', ...window() }));
    },
  ],
  'usage of objects with all the points that are allowed': [
    200,
    () => {
      grown = matrix(50, 2_000);
      const asked = { metrics: OBJECT_METRIC_NAMES.slice(0, 4), type: 'instance', timeShift: 86_400, ...window() };
      return send('POST', '/api/monitor/v1/overall-query/', JSON.stringify(asked));
    },
  ],
  'usage of objects with more points than are allowed': [
    422,
    () => {
      grown = matrix(50, 2_000);
      const asked = { metrics: OBJECT_METRIC_NAMES, type: 'instance', timeShift: 86_400, ...window() };
      return send('POST', '/api/monitor/v1/overall-query/', JSON.stringify(asked));
    },
  ],
  'a query of PromQL that nests deep': [
    422,
    () => send('POST', '/api/monitor/v1/query', JSON.stringify({ query: `${filled('(', 3_000)}up`, ...window() })),
  ],
  ...Object.fromEntries(
    Object.entries<[status: number, rows: string]>({
      'of many rows': [413, filled('Ann,a@example.org\\n', FILE)],
      'of empty rows': [200, filled('\\n', FILE)],
      'of one row of many cells': [400, filled(',', FILE)],
      'of quotes': [200, filled('\\"', FILE)],
      'of a cell that does not end': [400, `\\"${filled('a', FILE)}`],
    }).map(([name, [status, rows]]) => {
      const body = `{"reason":"trial","csv":"name,email\\n${rows}"}`;
      return [`an import of people ${name}`, [status, () => send('POST', '/api/admin/users/import', body)] as const];
    }),
  ),
  'NUL in JSON in a query': [
    400,
    () => send('GET', `/api/admin/users?filter=${encodeURIComponent('{"q":"\\u0000"}')}`),
  ],
  'depth in JSON in a query': [
    400,
    () => send('GET', `/api/admin/users?filter=${encodeURIComponent(filled('[', 3_000))}`),
  ],
  ...Object.fromEntries(
    Object.entries<[status: number, body: string]>({
      'a prompt of ten megabytes of tokens': [400, `{"model":"m","prompt":${list('1', 9.9e6)}}`],
      'a prompt of nearly all the tokens that are allowed': [404, `{"model":"m","prompt":${list('123456', 2e6)}}`],
      'a prompt of ten megabytes of text': [404, `{"model":"m","prompt":"${filled('a', 9.9e6)}"}`],
      'a prompt of ten megabytes of escapes': [404, `{"model":"m","prompt":"${filled('\\u6a21', 9.9e6)}"}`],
      'a prompt of halves of letters': [404, `{"model":"m","prompt":"${filled('\\ud83d', 9.9e6)}"}`],
      'objects of many members': [
        400,
        `{"model":"m","prompt":[${Array.from({ length: 400_000 }, (_, at) => `{"k${at}":1}`).join(',')}]}`,
      ],
      'ten megabytes of brackets': [400, filled('[', 9.9e6)],
      'ten megabytes of empty objects': [400, `{"model":"m","prompt":${list('{}', 9.9e6)}}`],
    }).map(([name, [status, body]]) => [name, [status, () => send('POST', '/v1/completions', body)] as const]),
  ),
};

/** Answers of an engine that its owner has written. */
const ENGINES: typeof ROWS = {
  'an engine that answers 60 MiB of numbers': [200, embedded(VECTOR, ',0.5', 60 * MIB, END_OF_VECTOR)],
  'an engine that answers 60 MiB of text': [200, embedded('{"data":"', 'a', 60 * MIB, '"}')],
  // A thread that read it would end the process.
  'an engine that answers 60 MiB of empty lists': [502, embedded('{"data":[', '[],', 60 * MIB, '[]]}')],
  'an engine that answers 65 MiB': [502, embedded(VECTOR, ',0.5', 65 * MIB, END_OF_VECTOR)],
  'an engine that answers in chunks of one byte': [
    200,
    () => {
      said = async (res) => {
        const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
        const chunks = filled('1\r\n:\r\n', 2 * MIB);
        const end = `${(STREAM_END.length + 2).toString(16)}\r\n\n\n${STREAM_END}\r\n0\r\n\r\n`;
        await pipeline(Readable.from([head, chunks, end]), res.socket as Socket);
      };
      return send('POST', '/v1/completions', JSON.stringify({ model: 'chat', prompt: 'a', stream: true }));
    },
  ],
  'an engine that answers a stream in one piece': [502, streamed(false, '[0],', 4 * MIB)],
  ...Object.fromEntries(
    [true, false].flatMap((isStream) =>
      Object.entries<[status: number, piece: string, bytes: number]>({
        'events of the largest size': [502, event(`"${filled('a', EVENT)}"`), 16 * MIB],
        'events of escapes': [502, event(`"${filled('\\u6a21', EVENT)}"`), 32 * MIB],
        'as much as is put together': [200, event(`"${filled('a', EVENT)}"`), 5 * MIB],
        'letters that are escaped again, as many as are put together': [
          200,
          event(`"${filled('\\u0001', EVENT)}"`),
          5 * MIB,
        ],
        'more letters that are escaped again': [502, event(`"${filled('\\u0001', EVENT)}"`), 24 * MIB],
        'log probabilities, nearly as many as are put together': [200, likely(list(LIKELY, 32 * KIB)), 2.5 * MIB],
        'log probabilities of nothing, as many': [200, likely(list('{}', 32 * KIB)), 0.33 * MIB],
        'log probabilities of nothing at one token, as many': [
          200,
          likely(`[{"top_logprobs":${list('{}', 32 * KIB)}}]`),
          0.33 * MIB,
        ],
        'more log probabilities of nothing': [400, likely(list('{}', 32 * KIB)), 4 * MIB],
        'events of objects': [502, event(list('{}', EVENT)), 16 * MIB],
        'more tiny events than tokens': [502, event('"a"'), 2 * MIB],
        'tiny events': [200, event('"a"'), MIB],
        'events of nothing': [200, 'data: {}\n\n', 4 * MIB],
        comments: [200, ':\n\n', 4 * MIB],
        'empty lines': [200, '\n\n', 4 * MIB],
        'empty lines that end with carriage returns': [200, '\r\n\r\n', 4 * MIB],
        'events of many lines': [200, `${filled('data:\n', 9_000 * 6)}\n`, 4 * MIB],
      }).map(([name, [status, piece, bytes]]) => [
        `a stream of ${name}, for a client that asked for ${isStream ? 'one' : 'none'}`,
        // An answer that breaks off after it has begun does so in the stream.
        [isStream ? 200 : status, streamed(isStream, piece, bytes)] as const,
      ]),
    ),
  ),
};

const [REPLICA] = sound.status.pods as { name: string }[];
const LOG = `/api/deploy/v1/service/largest-0/replica/${REPLICA?.name}/log`;
const logged =
  (piece: string, bytes: number, query = '') =>
  () => {
    says('text/plain', '', piece, bytes, '');
    return send('GET', `${LOG}?${query}`);
  };
const LOG_LINE = '2026-11-21T10:00:00.123456789Z ';

/** A terminal from its ticket to its end, whichever side has something to say. Says 1000 where it ends as it should; throws where it never began. */
const terminal = (inside: (socket: WebSocket) => void, browser: (socket: WebSocket) => void) => async () => {
  shell = inside;
  const path = '/api/develop/v1/instance/largest-0/terminal';
  const answer = await fetch(`${address}${path}`, { method: 'POST', headers: { 'x-token': token } });
  const { result } = (await answer.json()) as { result: { url: string } };
  const socket = new WebSocket(`${address.replace('http', 'ws')}${result.url}`);
  let isConnected = false;
  socket.on('message', (message: Buffer, isBinary) => {
    if (isBinary || !message.includes('"connected"')) return;
    isConnected = true;
    browser(socket);
  });
  const [code] = (await once(socket, 'close')) as [number];
  if (!isConnected) throw new Error('the terminal was not connected');
  return code;
};
/** As the agent frames what a shell shows: kind and length. */
const frame = (kind: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
};
const EXIT = frame(4, Buffer.alloc(4));
/** Messages of the largest size that kubelets send, and at last the end of the shell. */
const shows = (payload: Buffer, bytes: number) => (socket: WebSocket) => {
  const message = Buffer.concat([
    Buffer.of(1),
    Buffer.from(payload.toString('latin1').repeat(32_768 / payload.length), 'latin1'),
  ]);
  for (let sent = 0; sent < bytes; sent += message.length) socket.send(message);
  socket.send(Buffer.concat([Buffer.of(1), EXIT]));
  socket.close(1000);
};
const manyTimes = (count: number, say: (socket: WebSocket) => void) => (socket: WebSocket) => {
  for (let at = 0; at < count; at++) say(socket);
  socket.close(1000);
};
const nothing = () => {};
const takesAll = (socket: WebSocket) => void socket.resume();

const kubectl = (method: string, body: () => AsyncIterable<Buffer> | Iterable<Buffer> | undefined) => async () => {
  const source = body();
  const headers = { authorization: `Bearer ${KUBECONFIG_TOKEN}` };
  const path = '/api/v1/namespaces/org-acmeorgs/pods';
  const asked = request(`${kubernetes}${path}`, { method, headers });
  const answering = once(asked, 'response') as Promise<[IncomingMessage]>;
  if (source) await pipeline(Readable.from(source), asked);
  else asked.end();
  const [answer] = await answering;
  await answer.resume().toArray();
  return answer.statusCode ?? 0;
};
const inKubectl = (type: string, piece: string, bytes: number) => {
  const ask = kubectl('GET', () => undefined);
  return () => {
    says(type, '', piece, bytes, '');
    return ask();
  };
};

/** The output of a program in a Pod, or a person's input to it. */
const PODS: typeof ROWS = {
  'a log of empty lines': [200, logged('\n', 2 * MIB)],
  'a log of empty lines that is searched': [200, logged('\n', 2 * MIB, 'search=x')],
  'a log of short lines that is searched': [
    200,
    logged(`${LOG_LINE}\n`, 2 * MIB, 'search=x&since=2026-11-20T10:00:00Z'),
  ],
  'a log of one line that is searched': [200, logged('a', 2 * MIB, 'search=x')],
  'a terminal that shows frames of nothing': [1000, terminal(shows(frame(0, Buffer.alloc(0)), 4 * MIB), nothing)],
  'a terminal that shows frames of one byte': [1000, terminal(shows(frame(0, Buffer.alloc(1)), 2 * MIB), nothing)],
  'a terminal that takes nothing many times': [1000, terminal(shows(frame(3, Buffer.alloc(4)), 4 * MIB), nothing)],
  'a terminal of many messages of one byte': [
    1000,
    terminal((socket) => {
      for (let at = 0; at < 100_000; at++) socket.send(Buffer.of(1));
      socket.send(Buffer.concat([Buffer.of(1), EXIT]));
      socket.close(1000);
    }, nothing),
  ],
  'a browser that types nothing many times': [
    1000,
    terminal(
      takesAll,
      manyTimes(200_000, (socket) => socket.send(Buffer.alloc(0))),
    ),
  ],
  'a browser that resizes many times': [
    1000,
    terminal(
      takesAll,
      manyTimes(50_000, (socket) => socket.send('{"type":"resize","cols":80,"rows":24}')),
    ),
  ],
  'a browser that pings many times': [
    1000,
    terminal(
      takesAll,
      manyTimes(20_000, (socket) => socket.ping()),
    ),
  ],
  'an answer of 64 MiB to kubectl': [200, inKubectl('application/json', 'a', 64 * MIB)],
  'a body of 64 MiB of kubectl': [
    200,
    () => {
      says('application/json', '', 'a', 1, '');
      return kubectl('POST', () => pieces('a', 64 * MIB))();
    },
  ],
};

/** A view made for one reader is kept for others of the same role and language: each of these has another view. */
const READERS = ['owner', 'admin', 'member', 'viewer'].flatMap((role) =>
  ['en', 'zh', 'ja'].map((language) => ({ 'x-token': `token-of-${role}`, 'accept-language': language })),
);
let readers = 0;
const nextReader = () => READERS[readers++ % READERS.length];

/** Answers that show data stored before. */
const STORED: typeof ROWS = {
  'a SafeTensors header of 199,000 empty tensors': [200, () => uploaded('a.safetensors', manyTensors())],
  'a GGUF header of 59 MB': [200, () => uploaded('a.gguf', longGguf())],
  'tokens used, of many rows': [200, () => send('GET', `/api/model/v1/usage?from=${DAY}&to=${DAY}`)],
  'a version of 20,000 files as one archive': [200, () => begun(`${DATASET}/2/archive`)],
  'the difference of two versions of 20,000 files': [200, () => send('GET', `${DATASET}/2/diff?with=1`)],
  'a page of 4 MiB of cells': [200, () => send('GET', `${DATASET}/2/row?size=${PAGE_ROWS}`)],
  'a cell of a table with long statistics': [200, () => send('GET', `${DATASET}/2/cell?row=1&column=c1`)],
  'a search of a shelf of 990 models, which has to be read first': [
    200,
    () => send('GET', `/api/portal/v1/models?search=${NEARLY}&size=100`),
  ],
  'people as a CSV file of many rows': [200, () => send('GET', '/api/admin/users/export')],
  ...Object.fromEntries(
    Object.values(KINDS)
      .filter(({ scope }) => scope === 'Namespaced')
      .flatMap(({ kind, collection }) => [
        [
          `the list of the largest objects of ${kind}`,
          [200, () => send('GET', `/api/${collection}?size=1000`, undefined, nextReader())] as const,
        ],
        [`one of the largest objects of ${kind}`, [200, () => send('GET', `/api/${collection}/largest-0`)] as const],
      ]),
  ),
};

/** The least of a few rounds; a block that is no accident is in all of them. Rounds that are answered otherwise do not count. */
async function blockOf(ask: () => Promise<number>, status?: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; best > MOST_MS / 2 && round < (best < MOST_MS ? ROUNDS : MOST_ROUNDS); round++) {
    await longestBlock();
    const answered = await ask();
    const ms = await longestBlock();
    if (status === undefined || answered === status) best = Math.min(best, ms);
  }
  return best;
}

/** A busy machine may not answer within the gateway's own deadlines: such an answer is asked for again. */
async function answerOf(ask: () => Promise<number>): Promise<number> {
  let answered = await ask();
  for (let round = 1; answered === LATE && round < MOST_ROUNDS; round++) answered = await ask();
  return answered;
}

const say = (name: string, ms: number, more = '') =>
  process.stdout.write(`${ms.toFixed(1).padStart(8)} ms: ${name}${more}\n`);

test.each(inTurn('hostile requests', Object.entries({ ...ROWS, ...ENGINES, ...PODS, ...STORED }), 3, 1))(
  '%s does not block the loop',
  async (name, [status, ask]) => {
    // Code that runs for the first time is compiled, for whomever.
    expect(await answerOf(ask)).toBe(status);
    const ms = await blockOf(ask, status);
    say(name, ms);
    expect(ms).toBeLessThan(MOST_MS);
  },
);

test.each(inTurn('hostile values', Object.entries(HOSTILE), 3, 1))(
  '%s in every field of every body does not block the loop',
  async (name, piece) => {
    const blocks: [string, number][] = [];
    for (const route of withBodies) {
      const ms = await blockOf(() => send(route.method, pathOf(route), bodyOf(route, piece)));
      blocks.push([`${route.method} ${route.path}`, ms]);
    }
    const [worst, ms] = blocks.reduce((one, other) => (other[1] > one[1] ? other : one));
    say(`${name} in every field of every body`, ms, `, at ${worst}`);
    expect(blocks.filter(([, block]) => block > MOST_MS)).toEqual([]);
  },
);
