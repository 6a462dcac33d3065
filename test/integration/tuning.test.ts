// Fine-tuning by the real agent and a played trainer: curves, checkpoints that are stored as it goes on, a kill after which the next run
// goes on from the newest one, and versions of the model, with their lineage. The database breaks off at any statement, and gateways end there.
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { acme, openStage, other, PATIENCE_MS, type Stage } from '../../api/src/areas/datasets/testing/stage.ts';
import { findWeights } from '../../api/src/areas/models/deployed.ts';
import { ModelOwner } from '../../api/src/areas/models/model-owner.ts';
import { Models } from '../../api/src/areas/models/models.ts';
import { safetensorsFile } from '../../api/src/areas/models/testing/model-files.ts';
import { Tuned } from '../../api/src/areas/models/tuned.ts';
import { Uploads } from '../../api/src/areas/models/uploads.ts';
import { Saves } from '../../api/src/areas/tuning/saves.ts';
import { madeSource } from '../../api/src/areas/tuning/task-source.ts';
import { trainedUsers, tuneKind, tuneUsers } from '../../api/src/areas/tuning/tune-kind.ts';
import { Blobs } from '../../api/src/core/files/blobs.ts';
import { SealedCredentials } from '../../api/src/core/files/sources/sealed-credentials.ts';
import { PlayedDisk } from '../../api/src/core/files/sources/testing/played-disk.ts';
import { StoredBlobs } from '../../api/src/core/files/stored-blobs.ts';
import { blobKey } from '../../api/src/core/files/stored-objects.ts';
import { memberCaller } from '../../api/src/core/identity/people/member-caller.ts';
import { Lineage } from '../../api/src/core/lineage/lineage.ts';
import { Checkpoints } from '../../api/src/core/tasks/checkpoints.ts';
import { Runs } from '../../api/src/core/tasks/runs.ts';
import { TaskPoints } from '../../api/src/core/tasks/task-points.ts';
import { TaskScores } from '../../api/src/core/tasks/task-scores.ts';
import { TaskStore } from '../../api/src/core/tasks/task-store.ts';
import { Tasks } from '../../api/src/core/tasks/tasks.ts';
import { aside } from '../../api/src/platform/aside/aside.ts';
import { type Database, openDatabase } from '../../api/src/platform/db/open.ts';
import { datasetProfiles, datasetVersions } from '../../api/src/platform/db/schema/datasets.ts';
import { buildAgent } from '../../hack/images/build.ts';
import { cutDatabase } from '../support/cut-database.ts';
import { forEachDatabase, resetDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { MIGRATED, migratedPostgres } from '../support/prepared-databases.ts';
import { inTurn } from '../support/soak.ts';
import { PlayedRun } from './tasks/played-run.ts';

jest.setTimeout(4 * PATIENCE_MS);

const TRAINER = join(import.meta.dirname, 'tasks', 'played-trainer.ts');
const WEIGHTS = safetensorsFile({ 'a.weight': ['BF16', [64, 64]] });
const CONFIG = Buffer.from(JSON.stringify({ architectures: ['LlamaForCausalLM'] }));
const TEMPLATE = JSON.stringify({ chat_template: '{{ messages }}' });
const ROWS = Buffer.from('rows of a table');
const PACKETS_APART = 70;
const WISH = { license: null, language: [], tags: [], card: '' };
/** Of what is said to the database in a run, evenly. */
const BREAKS = Array.from({ length: 20 }, (_, of) => 1 + of * PACKETS_APART).flatMap((at) =>
  (['before', 'after'] as const).flatMap((when) => [false, true].map((ends) => ({ at, when, ends }))),
);
const BREAK_TURNS = 40;
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
let agent: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-tuning-'));
  agent = await buildAgent({ dir: folder }, 'agent');
  await cp(TRAINER, join(folder, 'trainer.ts'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

forEachDatabase((database) => {
  let stage: Stage;
  let models: Models;
  let uploads: Uploads;
  let tuned: Tuned;
  let runs: Runs<FineTune>;
  let checkpoints: Checkpoints;
  let points: TaskPoints;
  let played: PlayedRun<FineTune>;
  let end: AbortController;
  let working: Promise<unknown>;

  let db: Database;
  let blobs: StoredBlobs;
  let store: TaskStore;

  beforeEach(() => open(database()));
  afterEach(close);

  /** On a database without rows. */
  async function open(on: Database): Promise<void> {
    db = on;
    played = new PlayedRun({ agent, folder });
    stage = await openStage(db, {
      hasData: false,
      usedBy: (dataset, version) => trainedUsers(runs.present(), dataset, version),
    });
    const { stored, store: storage } = stage;
    const clock = systemClock;
    blobs = new StoredBlobs({ db, store: storage.store });
    store = new TaskStore({
      ...{ db, clock, quotaGi: () => stage.quota.gi },
      blobs: new Blobs({ db, clock, store: storage.store }),
    });
    points = new TaskPoints({ db, clock });
    checkpoints = new Checkpoints({ db, clock, aside, store, wayTo });
    const usedBy: ConstructorParameters<typeof Models>[0]['usedBy'] = (...of) => tuneUsers(runs.present(), ...of);
    models = new Models({
      ...{ db, clock, usedBy, quotaGi: () => stage.quota.gi, wake: stored.wake },
      cachedOn: () => ({ nodes: 0, of: 0, copying: 0 }),
    });
    const disks = new PlayedDisk('data');
    uploads = new Uploads({ db, clock, stored, disks, hasHub: false });
    tuned = new Tuned({ db, models, uploads });
    const secrets = { seal: (_: string, text: string) => text, open: (_: string, text: string) => text };
    stored.addOwner(
      new ModelOwner({
        ...{ db, clock, store: storage.store, blobs, hub: undefined, disks },
        credentials: new SealedCredentials({ db, clock, secrets }),
        made: async (made, signal) => madeSource({ store, aside, wayTo, checkpoints, blobs }, made, signal),
      }),
    );
    stored.addOwner(checkpoints);
    serve();
  }

  const wayTo = (uid: string, run: number) => runs.wayTo(uid, run);

  /** A gateway that remembers nothing. */
  function serve(): void {
    const [clock, log] = [systemClock, { info() {}, warn() {} }];
    const callerOf = (accountId: string, organizationId: string) => memberCaller(db.sql, { accountId, organizationId });
    runs = new Runs({
      kind: tuneKind({ clock, points, checkpoints, models: tuned, datasets: stage.all.processed }),
      ...{ clock, log, store, blobs, callerOf },
      keyed: (text) => sha256(`key ${text}`),
      ask: async () => ({ status: 404, body: '{}' }),
      cluster: played.cluster,
    });
    const tasks = new Tasks({ store, points, checkpoints, scores: new TaskScores({ db }), aside, clock, log });
    tasks.addKind(runs);
    const saves = new Saves({ clock, log, models: tuned, checkpoints, points, runs, callerOf });
    end = new AbortController();
    working = Promise.all([runs.work(end.signal), tasks.work(end.signal), saves.work(end.signal)]);
  }

  async function leave(): Promise<void> {
    end.abort();
    await working;
  }

  async function close(): Promise<void> {
    end.abort();
    played.stop();
    await working;
    await stage.stored.stop();
  }

  /** A model with a ready version `v1`. */
  async function baseModel(name = 'base', more: Readonly<Record<string, Uint8Array | string>> = {}): Promise<string> {
    const id = await models.create(acme, { ...WISH, name });
    const files = {
      ...{ 'model.safetensors': WEIGHTS, 'config.json': CONFIG, 'tokenizer_config.json': TEMPLATE },
      ...more,
    };
    const bytesOf = (path: string) => Buffer.from(files[path as keyof typeof files] ?? '');
    const listed = Object.keys(files).map((path) => ({ path, size_bytes: bytesOf(path).length }));
    await uploads.beginUpload(acme, id, { version: 'v1', files: listed });
    for (const { path, size_bytes: length } of listed)
      await uploads.put(acme, { id, version: 'v1', path, offset: 0, length }, Readable.from([bytesOf(path)]));
    await ready(id, 'v1');
    return id;
  }

  const ready = (id: string, name: string) =>
    eventually(
      `version ${name} that is ready`,
      async () => {
        const found = await tuned.version(id, name);
        expect(found?.problem ?? null).toBeNull();
        return found?.state === 'ready' ? found : undefined;
      },
      PATIENCE_MS,
    );

  /** A dataset with a version whose table is there. */
  async function table(name: string): Promise<string> {
    const id = await stage.created(name);
    const { version } = await stage.uploaded(id, { 'rows.jsonl': `{"question":"${name}"}\n` });
    const digest = sha256(ROWS);
    stage.store.objects.set(blobKey(digest), ROWS);
    const { id: versionId = '' } =
      (await db.sql.select().from(datasetVersions)).find(
        (one) => one.datasetId === id && `${one.number}` === version,
      ) ?? {};
    const part = { kind: 'data' as const, path: 'data-0.parquet', firstRow: 0, rows: 3, bytes: ROWS.length };
    const parts = [{ ...part, sha256: digest }];
    const facts = { columns: [{ name: 'question' }, { name: 'answer' }] };
    await db.sql.insert(datasetProfiles).values({ versionId, state: 'ready', parts, facts, createdAt: new Date() });
    return id;
  }

  const begin = (spec: object) =>
    played.begin('FineTune', 'ftn-1', {
      ...{ saveCount: 0, objective: 'SFT', method: 'Full', cores: 0.5, output: { name: 'tuned', gguf: false } },
      ...{ checkpoints: { keep: 2 }, parameters: { batch: 1, seed: 0 } },
      ...spec,
    });

  /** A run from its record to its end; resolves with the exit code of its Pod. */
  const run = (
    seq: number,
    cause: 'first' | 'again' | 'retry',
    { diesAfter = 0, waits = 0 }: { diesAfter?: number; waits?: number } = {},
  ) =>
    played.run(seq, cause, (root) => [process.execPath, join(folder, 'trainer.ts'), root, `${diesAfter}`, `${waits}`]);

  test('killed after a checkpoint it goes on from there, and what it makes is a version with its sources', async () => {
    const [model, dataset] = [await baseModel(), await table('questions')];
    begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }] });
    expect(await run(1, 'first', { diesAfter: 7 })).toBe(137);
    const { status } = played.object;
    expect(status?.inputs).toMatchObject({
      run: 1,
      model,
      name: 'base',
      version: 'v1',
      datasets: [{ dataset, version: 1 }],
    });
    expect(status?.checkpoint).toMatchObject({ run: 1, step: 6 });
    expect(status?.training).toMatchObject({ run: 1, step: 7, of: 10, loss: 1 / 7, tokens: 700 });
    expect(status?.rehearsal).toMatchObject({ run: 1, peakMemoryMi: 3, secondsPerStep: 0.5, longest: 12 });
    expect((await checkpoints.list({ taskUid: 'uid-1' })).map(({ step }) => step)).toEqual([6, 4]);
    // What is stored, the Pod does not keep.
    expect(await readdir(`${played.root}/out`, { recursive: true })).not.toContain('checkpoint-2/optimizer.pt');

    expect(await run(2, 'retry')).toBe(0);
    const { output, outcome, checkpoint } = played.object.status ?? {};
    expect(await readFile(`${played.root}/in/checkpoint/optimizer.pt`, 'latin1')).toContain('optimizer after 6');
    expect(output).toMatchObject({ run: 2, version: 'ftn-1-2', form: 'Merged' });
    expect(outcome).toMatchObject({ run: 2, rows: 8, rejected: 1 });
    expect(checkpoint).toMatchObject({ run: 2, step: 10 });
    const curve = await points.list('uid-1', [1, 2]);
    expect(curve.map(({ step, run: of }) => [step, of])).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((step) => [step, 1]),
      ...[7, 8, 9, 10].map((step) => [step, 2]),
    ]);
    const made = await ready(output?.model ?? '', 'ftn-1-2');
    expect(made).toMatchObject({ source: 'task', repository: 'ftn-1', revision: 'run 2', digest: output?.digest });
    const answer = (of: object) => findWeights(db.sql, 'acme', { model, version: 'v1', ...of });
    const tuned = { model: output?.model ?? '', version: 'ftn-1-2' };
    for (const argument of ['--chat_template=x', '--no-jinja'])
      expect(await answer({ ...tuned, extraArgs: [argument] })).toMatchObject({ reason: 'TemplateGiven' });
    expect(await answer({ ...tuned, extraArgs: ['--threads=1'] })).not.toHaveProperty('reason');
    expect(await answer({ extraArgs: ['--chat-template=x'] })).not.toHaveProperty('reason');
    const lineage = new Lineage({
      db,
      ...{ shown: {}, isRunning: () => false, taskName: () => undefined },
    });
    const asked = { kind: 'model', id: output?.model ?? '', version: 'ftn-1-2', direction: 'up', depth: 2 } as const;
    const { nodes } = await lineage.of(acme, asked);
    expect(nodes.map(({ kind, name, version, level }) => `${level} ${kind} ${name} ${version}`).sort()).toEqual([
      ...['-1 finetune ftn-1 2', '-2 dataset questions 1', '-2 model base v1', '0 model tuned ftn-1-2'],
    ]);
  });

  test('a checkpoint is saved as a version of the model alone, once, while it trains', async () => {
    const [model, dataset] = [await baseModel(), await table('questions')];
    begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }] });
    const running = run(1, 'first', { waits: 500 });
    await eventually('a checkpoint', async () => played.object.status?.checkpoint, PATIENCE_MS);
    played.change({ saveCount: 1 });
    const saved = await eventually(
      'a version of it',
      async () => (played.object.status?.saved?.digest === undefined ? undefined : played.object.status.saved),
      PATIENCE_MS,
    );
    expect(await running).toBe(0);
    const { versions } = await models.get(acme, saved.model, 'en');
    const { files = [], ...version } = versions.find(({ name }) => name === saved.version) ?? {};
    expect(version).toMatchObject({ state: 'ready', source: 'task', name: `ftn-1-1-step-${saved.step}` });
    expect(files.map(({ path }) => path)).toEqual(['config.json', 'model.safetensors']);
    expect(versions.map(({ name }) => name)).toHaveLength(2);
  });

  test('with other parameters it begins anew, and with the same ones from its checkpoint', async () => {
    const [model, dataset] = [await baseModel(), await table('questions')];
    begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }] });
    await run(1, 'first', { diesAfter: 5 });
    played.change({ parameters: { ...played.object.spec.parameters, seed: 1 } });
    await run(2, 'again', { diesAfter: 3 });
    expect(JSON.parse(await readFile(`${played.root}/in/recipe.json`, 'utf8'))).not.toHaveProperty('checkpoint');
    played.change({ parameters: { ...played.object.spec.parameters, seed: 0 } });
    await run(3, 'again', { diesAfter: 6 });
    expect(await readFile(`${played.root}/in/checkpoint/trainer_state.json`, 'utf8')).toBe('4');
  });

  test('a store that is full keeps no checkpoint, and the training goes on', async () => {
    const [model, dataset] = [await baseModel(), await table('questions')];
    begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }] });
    const running = run(1, 'first', { waits: 300, diesAfter: 9 });
    await eventually('its first steps', async () => played.object.status?.training, PATIENCE_MS);
    stage.quota.gi = 0;
    expect(await running).toBe(137);
    const states = (await checkpoints.list({ taskUid: 'uid-1' })).map(({ state, problem }) => [state, problem]);
    expect(states).toContainEqual(['failed', 'model_quota']);
    expect(played.object.status?.training).toMatchObject({ step: 9 });
  });

  test('what a run uses is not deleted, and another organisation’s base or rows do not exist for it', async () => {
    const [model, dataset] = [await baseModel(), await table('questions')];
    begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }] });
    const running = run(1, 'first', { waits: 300 });
    await eventually('its first steps', async () => played.object.status?.training, PATIENCE_MS);
    await expect(models.remove(acme, model)).rejects.toMatchObject({ problem: 'model_in_use' });
    await expect(stage.all.datasets.remove(acme, dataset)).rejects.toMatchObject({ problem: 'model_in_use' });
    await running;
    const strange = await tuned.base(other, { model, version: 'v1' });
    expect(strange).toMatchObject({ reason: 'InputsGone' });
    const hidden = await models.create(other, { ...WISH, name: 'hidden' });
    expect(await tuned.output(acme, { model: hidden }, 'key')).toMatchObject({ reason: 'OutputTaken' });
  });

  test('an adapter of another chat template than its base has is not served beside it', async () => {
    const [model, like, unlike] = [
      await baseModel('base'),
      await baseModel('like'),
      await baseModel('unlike', { 'tokenizer_config.json': '{}', 'chat_template.jinja': '{{ other }}' }),
    ];
    const beside = (adapter: string) =>
      findWeights(db.sql, 'acme', {
        ...{ model, version: 'v1' },
        adapters: [{ name: 'one', model: adapter, version: 'v1' }],
      });
    expect(await beside(like)).not.toHaveProperty('reason');
    const args = { adapter: 'one', model: 'base', version: 'v1' };
    expect(await beside(unlike)).toEqual({ reason: 'TemplateDiffers', args });
  });

  test('a database that breaks off at a statement, and a gateway that ends there, cost no step and make no second version', async () => {
    const server = await startPostgres({ from: await migratedPostgres() });
    const way = await cutDatabase(server.url(MIGRATED));
    await close();
    const broken = await openDatabase({ url: way.url });
    await open(broken);
    try {
      const [model, dataset] = [await baseModel(), await table('questions')];
      for (const [n, point] of [undefined, ...inTurn('breaks of a run', BREAKS, BREAK_TURNS)].entries()) {
        begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }], output: { name: `tuned-${n}` } });
        const uid = `uid-${n}`;
        played.object = { ...played.object, metadata: { ...played.object.metadata, uid, name: `ftn-${n}` } };
        let next: Promise<void> | undefined;
        const also = async () => {
          next = leave().then(serve);
        };
        way.cut(point && { at: point.at, when: point.when, ...(point.ends && { also }) });
        expect(await run(1, 'first')).toBe(0);
        way.cut(undefined);
        await next;
        const { output } = played.object.status ?? {};
        await ready(output?.model ?? '', output?.version ?? '');
        expect((await models.get(acme, output?.model ?? '', 'en')).versions).toHaveLength(1);
        expect((await points.list(uid, [1])).map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        const kept = await checkpoints.list({ taskUid: uid });
        expect(kept.map(({ step, state }) => [step, state])).toEqual([
          [10, 'kept'],
          [8, 'kept'],
        ]);
      }
    } finally {
      await close();
      await broken.close();
      await way.close();
      await server.end();
      await resetDatabase(database());
      await open(database());
    }
  });

  test('the last checkpoints of a task that is gone go', async () => {
    const [model, dataset] = [await baseModel(), await table('questions')];
    begin({ base: { model, version: 'v1' }, datasets: [{ dataset, weight: 1 }] });
    await run(1, 'first', { diesAfter: 3 });
    const [begun, later] = [new Date(0), new Date(Date.now() + 60_000)];
    const left = async () => [
      (await checkpoints.list({ taskUid: 'uid-1' })).length,
      (await points.list('uid-1', [1])).length,
    ];
    for (const [live, before] of [['uid-1', later] as const, ['uid-2', begun] as const]) {
      await checkpoints.forgetOthers(new Set([live]), before);
      await points.forgetOthers(new Set([live]), before);
      expect(await left()).toEqual([1, 3]);
    }
    await checkpoints.forgetOthers(new Set(['uid-2']), later);
    await points.forgetOthers(new Set(['uid-2']), later);
    expect(await left()).toEqual([0, 0]);
  });
});
