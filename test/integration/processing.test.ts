// Data processing by the real agent and the real worker, whose models are played: documents become pairs and a knowledge base; a kill and
// a new version of the input cost what they have to, and no more.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import { OUTPUT_MADE, TASK_EXITS } from '@gantry/contract/kinds/data-task.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { acme, openStage, PATIENCE_MS, type Stage } from '../../api/src/areas/datasets/testing/stage.ts';
import { processKind, processUsers } from '../../api/src/areas/processing/process-kind.ts';
import type { MadeBy } from '../../api/src/areas/processing/processing-parts.ts';
import { taskSource } from '../../api/src/areas/processing/task-source.ts';
import { Blobs } from '../../api/src/core/files/blobs.ts';
import { StoredBlobs } from '../../api/src/core/files/stored-blobs.ts';
import { blobKey } from '../../api/src/core/files/stored-objects.ts';
import { memberCaller } from '../../api/src/core/identity/people/member-caller.ts';
import { Checkpoints } from '../../api/src/core/tasks/checkpoints.ts';
import type { RunPod } from '../../api/src/core/tasks/run-cluster.ts';
import { Runs } from '../../api/src/core/tasks/runs.ts';
import { TaskPoints } from '../../api/src/core/tasks/task-points.ts';
import { TaskScores } from '../../api/src/core/tasks/task-scores.ts';
import { TaskStore } from '../../api/src/core/tasks/task-store.ts';
import { Tasks } from '../../api/src/core/tasks/tasks.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { datasetProfiles, datasetVersions } from '../../api/src/platform/db/schema/datasets.ts';
import { taskUnits } from '../../api/src/platform/db/schema/tasks.ts';
import { buildAgent } from '../../hack/images/build.ts';
import { DATA_WORKER_LOCK } from '../../hack/images/data-worker.ts';
import { forEachDatabase } from '../support/database.ts';
import { endingWithUs } from '../support/ending-with-us.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { pythonWith } from '../support/python-with.ts';
import { exitOf } from './tasks/exit-of.ts';
import { merged } from './tasks/merged.ts';

jest.setTimeout(4 * PATIENCE_MS);

const TEXTS = {
  'harbour.md':
    '# Where is the harbour?\n\nThe harbour is in the north of the town.\n\n# When does it open?\n\nIt opens at six.\n',
  '港口.md': '# 港口在哪里?\n\n港口在城市的北边。\n',
  '港.md': '# 港はどこですか?\n\n港は町の北にあります。\n',
};
/** What the played model finds in any text. */
const FOUND = {
  entities: ['Harbour', 'Town'].map((name) => ({ name, type: 'place', description: `The ${name}.` })),
  relations: [{ source: 'harbour', target: 'TOWN', type: 'lies in', description: 'It is in the north.' }],
};
const DOCUMENTS = `import duckdb, json, sys
rows = [{"file": name, "kind": "markdown", "page": 1, "text": text} for name, text in json.loads(sys.argv[1]).items()]
open(sys.argv[2] + ".jsonl", "w").write("".join(json.dumps(row) + "\\n" for row in rows))
known = "{file: 'VARCHAR', kind: 'VARCHAR', page: 'BIGINT', text: 'VARCHAR'}"
duckdb.sql(f"COPY (FROM read_json('{sys.argv[2]}.jsonl', format = 'newline_delimited', columns = {known})) TO '{sys.argv[2]}' (FORMAT parquet)")`;
const ROWS = 'import duckdb, sys\nprint(duckdb.sql(f"SELECT {sys.argv[2]} FROM \'{sys.argv[1]}\'").fetchall())';

let folder: string;
let agent: string;
let python: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-processing-'));
  agent = await buildAgent({ dir: folder }, 'agent');
  const digest = createHash('sha256')
    .update(await readFile(DATA_WORKER_LOCK, 'utf8'))
    .digest('hex')
    .slice(0, 12);
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', DATA_WORKER_LOCK];
  python = await pythonWith(`data-worker-${digest}`, options);
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

forEachDatabase((database) => {
  const http = new Agent({ keepAlive: true });
  const programs: ChildProcess[] = [];
  let stage: Stage;
  let store: TaskStore;
  let processing: Runs<DataProcess>;
  let object: DataProcess;
  let pod: RunPod | undefined;
  let ports: { receive: number; task: number };
  let end: AbortController;
  let working: Promise<unknown>;
  /** What models were asked, and as whom. */
  let asked: string[];
  let askers: Set<string>;
  let killAt: number | undefined;

  beforeEach(async () => {
    const db = database();
    [asked, askers, killAt, pod] = [[], new Set(), undefined, undefined];
    const made = async (by: MadeBy, { signal }: { signal: AbortSignal }) =>
      taskSource({ store, aside, wayTo: (uid, run) => processing.wayTo(uid, run) }, by, signal);
    stage = await openStage(db, {
      ...{ hasData: false, made },
      usedBy: (dataset, version) => processUsers(processing.present(), dataset, version),
    });
    const log = { info() {}, warn() {} };
    const blobs = new Blobs({ db, clock: systemClock, store: stage.store.store });
    store = new TaskStore({ db, clock: systemClock, blobs, quotaGi: () => 1 });
    processing = new Runs({
      kind: processKind({ clock: systemClock, store, datasets: stage.all.processed }),
      ...{ clock: systemClock, log, store, blobs: new StoredBlobs({ db, store: stage.store.store }) },
      callerOf: (accountId, organizationId) => memberCaller(db.sql, { accountId, organizationId }),
      keyed: (text) => createHash('sha256').update(`key ${text}`).digest('hex'),
      async ask({ account }, task, { path, body }) {
        askers.add(`${account.id} ${task} ${path}`);
        if (path === '/v1/chat/completions') {
          const content = JSON.stringify(FOUND);
          const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
          return { status: 200, body: JSON.stringify({ choices, usage: { prompt_tokens: 9, completion_tokens: 9 } }) };
        }
        const { input } = JSON.parse(body) as { input: string[] };
        asked.push(...input);
        if (killAt !== undefined && asked.length >= killAt) {
          killAt = undefined;
          await kill();
        }
        const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
        return { status: 200, body: JSON.stringify({ data, usage: { prompt_tokens: 9 } }) };
      },
      cluster: {
        list: () => [object],
        isWhole: () => true,
        async write(_, status) {
          object = { ...object, status: merged(object.status ?? {}, status) } as DataProcess;
        },
        pods: () => (pod ? [pod] : []),
        receiver: () => ({ host: '127.0.0.1', port: ports.receive }),
        way: (_, __, token) => ({ id: 'acme', host: '127.0.0.1', port: ports.task, agent: http, token }),
      },
    });
    const points = new TaskPoints({ db, clock: systemClock });
    const checkpoints = new Checkpoints({ db, clock: systemClock, aside, store, wayTo: () => undefined });
    const tasks = new Tasks({
      store,
      points,
      checkpoints,
      scores: new TaskScores({ db }),
      aside,
      clock: systemClock,
      log,
    });
    tasks.addKind(processing);
    end = new AbortController();
    object = { metadata: {}, spec: {} } as unknown as DataProcess;
    working = Promise.all([processing.work(end.signal), tasks.work(end.signal)]);
  });
  afterEach(async () => {
    end.abort();
    for (const program of programs.splice(0)) program.kill('SIGKILL');
    await working;
    await stage.stored.stop();
  });
  afterAll(() => http.destroy());

  const begin = (spec: object) => {
    object = {
      apiVersion: 'gantry.dev/v1alpha1',
      kind: 'DataProcess',
      metadata: { name: 'dpr-1', namespace: 'org-acme', uid: 'uid-1', generation: 1 },
      spec: { power: 'Running', creator: 'acc-acme', maxRejectedPercent: 10, ...spec },
    } as unknown as DataProcess;
  };

  /** A version of the dataset, with its table as a data server would have made it. */
  async function documents(id: string, texts: Readonly<Record<string, string>>): Promise<void> {
    const { version } = await stage.uploaded(id, texts);
    const path = join(folder, `${id}-${version}.parquet`);
    await output(python, ['-c', DOCUMENTS, JSON.stringify(texts), path]);
    const bytes = await readFile(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    stage.store.objects.set(blobKey(sha256), bytes);
    const db = database().sql;
    const versions = await db.select().from(datasetVersions);
    const { id: versionId = '' } = versions.find((one) => one.datasetId === id && `${one.number}` === version) ?? {};
    const parts = [
      { kind: 'data' as const, path: 'data-0.parquet', firstRow: 0, rows: 3, bytes: bytes.length, sha256 },
    ];
    const facts = { columns: ['file', 'kind', 'page', 'text'].map((name) => ({ name })) };
    await db.insert(datasetProfiles).values({ versionId, state: 'ready', parts, facts, createdAt: new Date() });
  }

  /** A run from its record to its end; resolves with the exit code of its Pod. */
  async function run(seq: number, cause: 'first' | 'again' | 'retry'): Promise<number> {
    const before = object.status ?? {};
    object = { ...object, status: { ...before, run: { seq, cause } } } as unknown as DataProcess;
    const { digest, bytes } = await eventually(
      'inputs that are listed',
      async () => (object.status?.inputs?.run === seq ? object.status.inputs : undefined),
      PATIENCE_MS,
    );
    const root = await mkdtemp(join(folder, 'pod-'));
    for (const name of ['in', 'out', 'tmp']) await mkdir(`${root}/${name}`);
    const [receive = 0, task = 0, ask = 0] = await freePorts(3);
    ports = { receive, task };
    const wanted = ['--manifest', digest, '--bytes', `${bytes}`, '--listen', `127.0.0.1:${receive}`];
    const receiver = started(agent, ['receive', ...wanted, `${root}/in`]);
    pod = { name: `dpr-1-${seq}`, ip: '127.0.0.1', phase: 'Pending', index: 0 };
    expect(await exitOf(receiver)).toBe(0);
    const words = [`--root=${root}`, `--listen=127.0.0.1:${task}`, `--ask=127.0.0.1:${ask}`, '--hold=1m'];
    const worker = [python, '-m', 'gantry_worker', 'task', `--root=${root}`, `--ask=http://127.0.0.1:${ask}`];
    const main = started(agent, ['task', ...words, '--', ...worker]);
    pod = { ...pod, phase: 'Running' };
    const code = await exitOf(main);
    pod = undefined;
    object = {
      ...object,
      status: { ...object.status, run: { seq, cause, endedAt: '2026-11-30T00:00:00Z' } },
    } as DataProcess;
    return code;
  }

  function started(program: string, args: string[]): ChildProcess {
    const [file, words] = endingWithUs(program, args);
    const child = spawn(file, words, { stdio: ['ignore', 'inherit', 'pipe'], cwd: 'data-worker' });
    createInterface(child.stderr as NodeJS.ReadableStream).on('line', () => {});
    programs.push(child);
    return child;
  }

  /** The worker, as the kernel kills one: its agent stays. */
  async function kill(): Promise<void> {
    const tasks = `/proc/${programs.at(-1)?.pid}/task`;
    const lists = await Promise.all((await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/children`, 'utf8')));
    const children = lists.flatMap((list) => list.match(/\d+/g) ?? []);
    expect(children).toHaveLength(1);
    for (const pid of children) process.kill(Number(pid), 'SIGKILL');
  }

  /** Of a file of a ready version, by its path. */
  async function rowsOf(version: number, path: string, columns: string): Promise<string> {
    const at = join(folder, `${randomUUID()}.parquet`);
    await writeFile(at, await bytesOf(version, path));
    return output(python, ['-c', ROWS, at, columns]);
  }
  async function bytesOf(version: number, path: string): Promise<Buffer> {
    const id = object.status?.output?.dataset ?? '';
    const files = await stage.all.versions.files(acme, { id, version: `${version}` }, { page: 1, size: 20 });
    const { digest } = (await stage.all.versions.get(acme, { id, version: `${version}` }, 'en')) ?? {};
    expect(digest).toBe(object.status?.output?.digest);
    const { sha256 } = files.items.find((file) => file.path === path) ?? {};
    return Buffer.from(stage.store.objects.get(await keyOf(`${sha256}`)) ?? '');
  }
  const keyOf = (sha256: string) => new StoredBlobs({ db: database(), store: stage.store.store }).keyOf(sha256);

  test('documents in three languages become pairs by their headings, as a version of a dataset of its own', async () => {
    const dataset = await stage.created('harbours');
    await documents(dataset, TEXTS);
    begin({
      ...{ type: 'QaPairs', qa: { pairsPerChunk: 3, rules: 'Headings' } },
      ...{ input: { dataset }, output: { name: 'pairs' } },
    });
    expect(await run(1, 'first')).toBe(0);
    const { status } = object;
    expect(status?.inputs).toMatchObject({ run: 1, dataset, name: 'harbours', version: 1 });
    expect(status?.output).toMatchObject({ run: 1, version: 1, rows: 4 });
    const made = await stage.all.versions.get(acme, { id: status?.output?.dataset ?? '', version: '1' }, 'en');
    expect(made).toMatchObject({ state: 'ready', source: 'process', source_ref: 'dpr-1', rows: 4 });
    const pairs = await rowsOf(1, 'qa-00000.parquet', 'question, answer');
    expect(pairs).toContain("('When does it open?', 'It opens at six.')");
    expect(pairs).toContain('港口在城市的北边。');
    expect(pairs).toContain('港は町の北にあります。');
    expect(asked).toEqual([]);
  });

  test('a knowledge base survives a kill of its worker, and a new version of its input costs the difference', async () => {
    const dataset = await stage.created('harbours');
    const many = Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [`${at}.md`, `Text ${at} is about harbours.`]),
    );
    await documents(dataset, many);
    begin({
      ...{ type: 'KnowledgeBase', chunks: { maxTokens: 64, overlap: 0 }, model: 'tiny-embed' },
      ...{ input: { dataset }, output: { name: 'base' } },
    });
    killAt = 40;
    expect(await run(1, 'first')).toBe(137);
    expect(object.status?.output?.version).toBeUndefined();
    expect(await run(2, 'retry')).toBe(0);
    expect([...asked].sort()).toEqual(Object.values(many).sort());
    expect(object.status).toMatchObject({
      output: { run: 2, version: 1, rows: 90 },
      progress: { run: 2, done: 90, of: 90, failed: 0 },
    });
    expect([...askers]).toEqual(['acc-acme uid-1 /v1/embeddings']);
    const id = object.status?.output?.dataset ?? '';
    const { items } = await stage.all.versions.files(acme, { id, version: '1' }, { page: 1, size: 20 });
    expect(items.map(({ path }) => path)).toEqual([
      'chunks-00000.parquet',
      'vectors/vectors.npy',
      'words/words.sqlite',
    ]);

    asked = [];
    await documents(dataset, { ...many, '7.md': 'Something else stands here.', '90.md': 'One more.' });
    expect(await run(3, 'again')).toBe(0);
    expect([...asked].sort()).toEqual(['One more.', 'Something else stands here.']);
    expect(object.status?.inputs?.version).toBe(2);
    expect(object.status?.output).toMatchObject({ run: 3, dataset: id, version: 2, rows: 91 });
    expect(await rowsOf(2, 'chunks-00000.parquet', 'text')).toContain('Something else stands here.');
    expect((await database().sql.select().from(taskUnits)).every(({ state }) => state === 'done')).toBe(true);
  });

  test('cleaning counts what it removed and masked, and a version that it reads is not deleted meanwhile', async () => {
    const dataset = await stage.created('people');
    const number = '123456789018';
    await documents(dataset, {
      'a.md': `Reach me at ann@example.org, my number is ${number}.`,
      'b.md': 'The harbour opens at six.',
      'c.md': 'The harbour opens at six.',
    });
    begin({
      ...{ type: 'Clean', clean: { duplicates: 'Exact', maskPersonalData: true, minChars: 0 } },
      ...{ input: { dataset }, output: { name: 'clean' } },
    });
    const running = run(1, 'first');
    await eventually('a Pod', async () => pod, PATIENCE_MS);
    const used = { problem: 'model_in_use', args: { users: 'dpr-1' } };
    await expect(stage.all.datasets.removeVersion(acme, dataset, 1)).rejects.toMatchObject(used);
    await expect(stage.all.datasets.remove(acme, dataset)).rejects.toMatchObject(used);
    expect(await running).toBe(0);
    expect(object.status).toMatchObject({
      output: { run: 1, version: 1, rows: 2 },
      outcome: { run: 1, removed: { Duplicate: 1 }, masked: { email: 1, 'my-number': 1 } },
    });
    await stage.all.datasets.removeVersion(acme, dataset, 1);
  });

  test('a graph has what is named alike once, and the relations between', async () => {
    const dataset = await stage.created('harbours');
    await documents(dataset, TEXTS);
    begin({
      ...{ type: 'KnowledgeGraph', graph: { entityTypes: ['place'] }, model: 'acme/chat' },
      ...{ input: { dataset }, output: { name: 'graph' } },
    });
    expect(await run(1, 'first')).toBe(0);
    expect([...askers]).toEqual(['acc-acme uid-1 /v1/chat/completions']);
    expect(object.status).toMatchObject({
      output: { run: 1, version: 1, rows: 2 },
      progress: { done: 3, of: 3, failed: 0 },
    });
    expect(await rowsOf(1, 'entities-00000.parquet', 'name, type, mentions')).toContain("('Harbour', 'place', 3)");
    expect(await rowsOf(1, 'graph/relations-00000.parquet', 'source, target, type, mentions')).toContain(
      "('Harbour', 'Town', 'lies in', 3)",
    );
  });

  test('a split has each row in one of its parts', async () => {
    const dataset = await stage.created('harbours');
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.md`, `Text ${at}.`]));
    await documents(dataset, many);
    const parts = ['train', 'test'].map((name, at) => ({ name, percent: at === 0 ? 80 : 20 }));
    begin({ type: 'Split', split: { parts, seed: 0 }, input: { dataset }, output: { name: 'parts' } });
    expect(await run(1, 'first')).toBe(0);
    const split = () => Promise.all(parts.map(({ name }) => rowsOf(1, `${name}-00000.parquet`, 'text')));
    const [train = '', other = ''] = await split();
    const textsIn = (rows: string) => rows.match(/Text \d+\./g) ?? [];
    expect(textsIn(other).length).toBeGreaterThan(0);
    expect([...textsIn(train), ...textsIn(other)].sort()).toEqual(Object.values(many).sort());
    expect(asked).toEqual([]);
  });

  test('a conversion has the chosen columns in their order', async () => {
    const dataset = await stage.created('harbours');
    await documents(dataset, TEXTS);
    begin({
      ...{ type: 'Convert', convert: { format: 'Csv', columns: ['text', 'file'] } },
      ...{ input: { dataset }, output: { name: 'as-csv' } },
    });
    expect(await run(1, 'first')).toBe(0);
    const lines = (await bytesOf(1, 'data.csv')).toString('utf8');
    expect(lines).toMatch(/^\uFEFFtext,file\r\n/);
    for (const file of Object.keys(TEXTS)) expect(lines).toContain(`,${file}\r\n`);
    expect(asked).toEqual([]);
  });

  test('results that the quota has no room for end the run at once, with what the quota says', async () => {
    const dataset = await stage.created('harbours');
    await documents(dataset, TEXTS);
    begin({
      ...{ type: 'QaPairs', qa: { pairsPerChunk: 3, rules: 'Headings' } },
      ...{ input: { dataset }, output: { name: 'pairs' } },
    });
    const running = run(1, 'first');
    await eventually('listed inputs', async () => object.status?.inputs, PATIENCE_MS);
    stage.quota.gi = 0;
    expect(await running).toBe(TASK_EXITS.quotaExceeded);
    expect(object.status?.conditions?.find(({ type }) => type === OUTPUT_MADE)).toMatchObject({
      ...{ status: 'False', reason: 'StorageFull', args: { limit: '0' } },
      message: expect.stringContaining('of the organisation’s 0 GiB'),
    });
    stage.quota.gi = 1;
    expect(await run(2, 'again')).toBe(0);
    expect(object.status?.conditions?.some(({ type }) => type === OUTPUT_MADE)).toBe(false);
  });

  test('a run whose input is gone, or whose output is taken, is told why and gets nothing', async () => {
    const dataset = await stage.created('harbours');
    begin({
      ...{ type: 'QaPairs', qa: { pairsPerChunk: 3, rules: 'Headings' } },
      ...{ input: { dataset, version: 7 }, output: { name: 'harbours' } },
    });
    object = { ...object, status: { run: { seq: 1, cause: 'first' } } } as unknown as DataProcess;
    const reason = () => eventually('a reason', async () => object.status?.conditions?.[0]?.reason, PATIENCE_MS);
    expect(await reason()).toBe('InputsGone');
    await documents(dataset, TEXTS);
    object = { ...object, spec: { ...object.spec, input: { dataset } } } as DataProcess;
    await eventually(
      'another reason',
      async () => (object.status?.conditions?.[0]?.reason === 'OutputTaken' ? true : undefined),
      PATIENCE_MS,
    );
    expect(object.status?.inputs).toBeUndefined();
  });
});

const vectorOf = (text: string): number[] =>
  [...createHash('sha256').update(text).digest().subarray(0, 8)].map((byte) => (byte - 127.5) / 100);

async function output(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  expect(await exitOf(child)).toBe(0);
  return text;
}
