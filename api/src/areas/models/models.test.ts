// Models on a real S3 store and a stand-in of a hub at the wire: uploads in pieces that go on after a break, facts from headers,
// equal files once, refusals, imports that resume, and what is removed with a version.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Place } from '@gantry/contract/models/choose-setup.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { ggufFile } from '../../../../hack/gguf-file.ts';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { startObjectStore, type ObjectStore as TestStore } from '../../../../test/support/object-store.ts';
import { HUB_TOKEN } from '../../core/files/sources/sealed-credentials.ts';
import { PlayedDisk } from '../../core/files/sources/testing/played-disk.ts';
import { type PlayedHub, playHub } from '../../core/files/sources/testing/played-hub.ts';
import { openStoredFiles, type StoredFiles } from '../../core/files/stored-files.ts';
import { Lineage } from '../../core/lineage/lineage.ts';
import type { Database } from '../../platform/db/open.ts';
import { modelVersions } from '../../platform/db/schema/models.ts';
import { accounts, memberships, organizations, platformGrants } from '../../platform/db/schema/people.ts';
import { wasTakenOff } from '../../platform/db/taken-off.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { digestOfVersion, readVersion, type Version } from './deployed.ts';
import type { GateScores } from './gate.ts';
import { type OpenModels, openModels } from './open-models.ts';
import { safetensorsFile, tinyLlama } from './testing/model-files.ts';

let store: TestStore;
let hub: PlayedHub;
beforeAll(async () => {
  store = await startObjectStore();
  hub = await playHub();
}, 60_000);
afterAll(async () => {
  await store?.end();
  hub?.server.close();
});

/** The patience on a machine with much else to do. */
const PATIENCE_MS = 120_000;
jest.setTimeout(2 * PATIENCE_MS);

const WEIGHTS = safetensorsFile({ 'a.weight': ['BF16', [64, 64]] });
const CONFIG = Buffer.from(
  JSON.stringify({
    architectures: ['LlamaForCausalLM'],
    max_position_embeddings: 4096,
    num_hidden_layers: 2,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    hidden_size: 64,
  }),
);
const ALL = { page: 1, size: 10, order_by: 'name', order_type: 'asc' } as const;
const WISH = { license: null, language: [], tags: [], card: '' };
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const callerOf = (organization: string): Caller =>
  ({
    account: { id: `acc-${organization}`, name: organization, email: null, locale: 'en', platformRoles: [] },
    organization: { id: organization, role: 'owner', namespace: `org-${organization}` },
    session: { id: 's', kind: 'session', scopes: [], expiresAt: 0 },
  }) as Caller;
const acme = callerOf('acme');
const other = callerOf('other');

forEachDatabase((open) => {
  let db: Database;
  let models: OpenModels;
  let quotaGi: number;
  const deployed = new Map<string, ModelDeployment>();
  /** By the names of evaluations. */
  const shown = new Map<string, GateScores>();
  let receiver: PlayedReceiver | undefined;
  let disk: PlayedDisk;
  let turnMs: number;
  let windowMs: number;
  let hasGroups: boolean;
  let places: readonly Place[];
  /** Nodes that have files, by organisation and digest. */
  const cached = new Map<string, number>();
  beforeEach(async () => {
    db = open();
    quotaGi = 1;
    deployed.clear();
    hub.reset();
    disk = new PlayedDisk('data');
    turnMs = 600_000;
    windowMs = 600_000;
    hasGroups = true;
    places = [];
    const createdAt = new Date();
    for (const id of ['acme', 'other']) {
      await db.sql.insert(accounts).values({ id: `acc-${id}`, name: id, createdAt });
      await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt });
      await db.sql.insert(memberships).values({ organizationId: id, accountId: `acc-${id}`, role: 'owner', createdAt });
    }
    const bucket = `b${Math.random().toString(36).slice(2, 12)}`;
    const objects = new ObjectStore({
      url: store.endpoint,
      accessKey: store.credentials.accessKeyId,
      secretKey: store.credentials.secretAccessKey,
      ...{ bucket, region: 'us-east-1' },
    });
    await objects.open();
    objectsIn = async () =>
      (await readdir(`${store.data}/${bucket}`, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort();
    // Looks at what waits at once.
    const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(Math.min(ms, 20), run) };
    const log = { info() {}, warn() {} };
    stored = openStoredFiles({
      ...{ db, clock, log, store: objects, quotaGi: () => quotaGi, turnMs: () => turnMs, windowMs: () => windowMs },
      storage: { priceOf: () => undefined, charge: async () => {} },
    });
    models = openModels({
      cluster: {
        list: () => [...deployed.values()],
        write: async (object, status) => {
          // One that is gone meanwhile takes no status.
          if (deployed.has(object.metadata.uid ?? ''))
            deployed.set(object.metadata.uid ?? '', { ...object, status: { ...object.status, ...status } });
        },
        places: () => places,
        nodeCaches: () => [],
        filler: () => 'none',
        hasGroups: async () => hasGroups,
        waiting: () => (receiver?.isDone() === false ? [{ name: 'chat-model-1', ip: '127.0.0.1' }] : []),
        receiver: () => ({ host: '127.0.0.1', port: receiver?.port }),
      },
      deployment: (namespace, name) =>
        [...deployed.values()].find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      scoresOf: async (organization, name) => (organization === 'acme' ? shown.get(name) : undefined),
      hasDeployment: (organization, name) => organization === 'acme' && name === 'chat',
      engineImages: { 'llama.cpp': 'mirror.test/llama:9' },
      cachedOn: (organization, digest) => ({ nodes: cached.get(`${organization} ${digest}`) ?? 0, of: 5, copying: 0 }),
      disks: disk,
      usedBy: (model, version) =>
        [...deployed.values()]
          .filter(({ spec }) => spec.model === model && (version ?? spec.version) === spec.version)
          .map(({ metadata }) => ({ organizationId: 'acme', name: metadata.name })),
      db,
      ...{ clock, stored, log },
      hubUrl: hub.url,
      secrets: { seal: (_, text) => `sealed ${text}`, open: (_, text) => text.slice('sealed '.length) },
    });
    models.start();
    stored.start();
  });
  afterEach(async () => {
    await models.stop();
    await stored.stop();
  });
  let stored: StoredFiles;
  /** Names of the objects in the store. */
  let objectsIn: () => Promise<string[]>;

  const create = (name: string, caller = acme) => models.models.create(caller, { ...WISH, name });
  const versionOf = async (id: string, name: string, caller = acme) => {
    const { versions } = await models.models.get(caller, id, 'en');
    return versions.find((version) => version.name === name);
  };
  const settled = (id: string, name: string, caller = acme) =>
    eventually(
      `${name} to arrive`,
      async () => {
        const version = await versionOf(id, name, caller);
        return version?.state === 'ready' || version?.state === 'failed' ? version : undefined;
      },
      PATIENCE_MS,
    );
  const put = (id: string, version: string, path: string, bytes: Uint8Array, offset = 0, caller = acme) =>
    models.uploads.put(
      caller,
      { id, version, path, offset, length: bytes.length },
      Readable.from([bytes], { objectMode: false }),
    );
  async function upload(id: string, version: string, files: Record<string, Uint8Array>, caller = acme) {
    const listed = Object.entries(files).map(([path, bytes]) => ({ path, size_bytes: bytes.length }));
    await models.uploads.beginUpload(caller, id, { version, files: listed });
    for (const [path, bytes] of Object.entries(files)) await put(id, version, path, bytes, 0, caller);
    return settled(id, version, caller);
  }

  test('an uploaded model has its facts, and its bytes come back as they were', async () => {
    const id = await create('tiny');
    const version = await upload(id, '1.0', { 'model.safetensors': WEIGHTS, 'config.json': CONFIG });
    expect(version).toMatchObject({
      ...{ state: 'ready', format: 'safetensors', structure: 'LlamaForCausalLM', parameters: 4096 },
      ...{ quantisation: 'BF16', context_length: 4096, weight_bytes: 8192, kv_token_bytes: 2 * 4 * 16 * 2 },
    });
    expect(version?.files.map(({ path, sha256: digest }) => [path, digest])).toEqual([
      ['config.json', sha256(CONFIG)],
      ['model.safetensors', sha256(WEIGHTS)],
    ]);
    const signal = new AbortController().signal;
    const of = { id, version: '1.0', path: 'model.safetensors' };
    const whole = await models.downloads.open(acme, of, { range: undefined, signal });
    expect(Buffer.compare(await buffer(whole.body), WEIGHTS)).toBe(0);
    const part = await models.downloads.open(acme, of, { range: 'bytes=2-5', signal });
    expect([...(await buffer(part.body))]).toEqual([...WEIGHTS.subarray(2, 6)]);
    const { items, extra } = await models.models.space(acme, ALL);
    expect(items).toMatchObject([{ name: 'tiny', state: 'ready', latest_version: '1.0', downloads: 1 }]);
    expect(extra).toMatchObject({
      facets: { structure: [{ value: 'LlamaForCausalLM', count: 1 }], quantisation: [{ value: 'BF16', count: 1 }] },
      used_bytes: WEIGHTS.length + CONFIG.length,
    });
    const narrowed = await models.models.space(acme, { ...ALL, quantisation: 'Q4_K' });
    expect(narrowed).toMatchObject({ items: [], extra: { facets: { quantisation: [{ value: 'BF16', count: 1 }] } } });
  });

  test('a version is in the lineage from the moment it is ready, and stays there with its name and digest when it is gone', async () => {
    const lineage = new Lineage({
      db,
      isRunning: () => false,
      taskName: () => undefined,
      shown: { model: (shown) => models.models.ownerOfShown(shown) },
    });
    const nodesOf = async (caller = acme) =>
      (await lineage.of(caller, LINEAGE_ROUTES.getLineage.query.parse({ kind: 'model', id }))).nodes.map(
        ({ name, version, digest, gone_time }) => ({ name, version, digest, isGone: gone_time !== null }),
      );
    const id = await create('tiny');
    await models.uploads.beginUpload(acme, id, { version: '1', files: [{ path: 'm.safetensors', size_bytes: 5 }] });
    await expect(nodesOf()).rejects.toMatchObject({ problem: 'not_found' });
    await models.models.removeVersion(acme, id, '1');
    await upload(id, '1', { 'm.safetensors': WEIGHTS });
    const [first] = await nodesOf();
    expect(first).toEqual({
      name: 'tiny',
      version: '1',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      isGone: false,
    });
    await models.models.edit(acme, id, { ...WISH, name: 'small' });
    await expect(nodesOf(other)).rejects.toMatchObject({ problem: 'not_found' });
    await models.models.removeVersion(acme, id, '1');
    await upload(id, '1', { 'm.safetensors': WEIGHTS, 'config.json': CONFIG });
    const [second, gone] = await nodesOf();
    expect(gone).toEqual({ ...first, name: 'small', isGone: true });
    expect({ ...second, digest: '' }).toEqual({ name: 'small', version: '1', digest: '', isGone: false });
    expect(second?.digest).not.toBe(gone?.digest);
    await models.models.remove(acme, id);
    expect(await nodesOf()).toEqual([{ ...second, isGone: true }, gone]);
  });

  test('an upload in pieces goes on where it stands, and refuses pieces from elsewhere', async () => {
    const id = await create('large');
    const large = Buffer.concat([
      ggufFile({ metadata: { 'general.license': 'apache-2.0' }, tensors: { t: [0, [4]] } }),
      Buffer.alloc(PIECE_BYTES, 7),
    ]);
    const files = [{ path: 'model.gguf', size_bytes: large.length, sha256: sha256(large) }];
    await models.uploads.beginUpload(acme, id, { version: '1', files });
    const of = { id, version: '1', path: 'model.gguf' };
    await expect(put(id, '1', 'model.gguf', large.subarray(0, 5))).rejects.toMatchObject({
      problem: 'model_piece_size',
      args: { wanted: PIECE_BYTES },
    });
    // A connection that breaks within a piece: nothing of it counts.
    const broken = Readable.from(
      (async function* () {
        yield large.subarray(0, 100_000);
        throw new Error('gone');
      })(),
      { objectMode: false },
    );
    await expect(models.uploads.put(acme, { ...of, offset: 0, length: PIECE_BYTES }, broken)).rejects.toMatchObject({
      problem: 'upload_not_understood',
    });
    expect(await models.uploads.progress(acme, of)).toEqual({ offset: 0, complete: false });
    await put(id, '1', 'model.gguf', large.subarray(0, PIECE_BYTES));
    expect(await models.uploads.progress(acme, of)).toEqual({ offset: PIECE_BYTES, complete: false });
    await expect(put(id, '1', 'model.gguf', large.subarray(0, PIECE_BYTES))).rejects.toMatchObject({
      problem: 'upload_offset',
      args: { offset: PIECE_BYTES },
    });
    await put(id, '1', 'model.gguf', large.subarray(PIECE_BYTES), PIECE_BYTES);
    expect(await settled(id, '1')).toMatchObject({
      state: 'ready',
      format: 'gguf',
      files: [{ sha256: sha256(large) }],
    });
    await expect(put(id, '1', 'model.gguf', large.subarray(0, 1))).rejects.toMatchObject({
      problem: 'model_not_uploading',
    });
    expect(await models.models.get(acme, id, 'en')).toMatchObject({ license: 'apache-2.0' });
  });

  test('equal files are stored and counted once, and go with the last version that has them', async () => {
    const id = await create('twice');
    await upload(id, '1', { 'a.safetensors': WEIGHTS });
    await upload(id, '2', { 'b.safetensors': WEIGHTS });
    expect(await objectsIn()).toEqual([sha256(WEIGHTS)]);
    expect((await models.models.space(acme, ALL)).extra).toMatchObject({ used_bytes: WEIGHTS.length });
    await models.models.removeVersion(acme, id, '1');
    expect((await versionOf(id, '2'))?.state).toBe('ready');
    expect(await objectsIn()).toEqual([sha256(WEIGHTS)]);
    await models.models.remove(acme, id);
    await eventually('an empty store', async () => (await objectsIn()).length === 0, PATIENCE_MS);
  });

  test('what is no sound model is refused with a sentence, and leaves nothing behind', async () => {
    const id = await create('bad');
    await expect(
      models.uploads.beginUpload(acme, id, { version: '0', files: [{ path: 'a/model.pt', size_bytes: 3 }] }),
    ).rejects.toMatchObject({ problem: 'model_pickle' });
    await models.uploads.beginUpload(acme, id, { version: '1', files: [{ path: 'pytorch_model.bin', size_bytes: 5 }] });
    await expect(put(id, '1', 'pytorch_model.bin', new Uint8Array([0x80, 2, 0x7d, 0x71, 0]))).rejects.toMatchObject({
      problem: 'model_pickle',
    });
    expect(await upload(id, '2', { 'model.safetensors': WEIGHTS.subarray(0, 100) })).toMatchObject({
      state: 'failed',
      problem: {
        error: 'model_header',
        message: expect.stringContaining('model.safetensors is not a valid model file: its'),
      },
    });
    expect(await upload(id, '3', { 'm-00001-of-00002.safetensors': WEIGHTS })).toMatchObject({
      problem: { error: 'model_shard_missing', message: expect.stringContaining('m-00002-of-00002.safetensors') },
    });
    const files = [{ path: 'm.safetensors', size_bytes: WEIGHTS.length, sha256: '0'.repeat(64) }];
    await models.uploads.beginUpload(acme, id, { version: '4', files });
    await put(id, '4', 'm.safetensors', WEIGHTS);
    expect(await settled(id, '4')).toMatchObject({ problem: { error: 'model_hash' } });
    expect((await models.models.get(acme, id, 'en')).state).toBe('arriving');
    await models.models.removeVersion(acme, id, '1');
    expect((await models.models.get(acme, id, 'en')).state).toBe('abnormal');
    await eventually('an empty store', async () => (await objectsIn()).length === 0, PATIENCE_MS);
  });

  test('the quota counts what is on its way, and names its numbers', async () => {
    const id = await create('full');
    const files = (name: string) => [{ path: name, size_bytes: 600 * 1024 ** 2 }];
    await models.uploads.beginUpload(acme, id, { version: '1', files: files('a') });
    await expect(models.uploads.beginUpload(acme, id, { version: '2', files: files('b') })).rejects.toMatchObject({
      problem: 'model_quota',
      args: { wanted: 0.59, used: 0.59, limit: 1 },
    });
    await models.models.removeVersion(acme, id, '1');
    await models.uploads.beginUpload(acme, id, { version: '2', files: files('b') });
  });

  test('a model of another organisation does not exist, until the library shows it', async () => {
    const id = await create('secret');
    await upload(id, '1', { 'm.safetensors': WEIGHTS });
    await models.uploads.beginUpload(acme, id, { version: '2', files: [{ path: 'x', size_bytes: 1 }] });
    const of = { id, version: '1', path: 'm.safetensors' };
    const gone = { problem: 'not_found' };
    const read = { range: undefined, signal: new AbortController().signal };
    await expect(models.models.get(other, id, 'en')).rejects.toMatchObject(gone);
    await expect(models.downloads.open(other, of, read)).rejects.toMatchObject(gone);
    await expect(models.shelf.set(id, true, 'acc-staff')).rejects.toMatchObject({ problem: 'model_of_tenant' });
    await db.sql.insert(platformGrants).values({ accountId: 'acc-acme', role: 'catalogue', createdAt: new Date() });
    await models.shelf.set(id, true, 'acc-acme');
    expect(await models.models.get(other, id, 'en')).toMatchObject({
      ...{ is_own: false, shelved: true, version_count: 1 },
      versions: [{ name: '1', creator: null }],
    });
    expect((await models.models.library(other, ALL)).items).toMatchObject([{ name: 'secret' }]);
    expect((await models.models.space(other, ALL)).items).toEqual([]);
    await models.downloads.open(other, of, read).then(({ body }) => body.destroy());
    for (const write of [
      () => models.models.edit(other, id, { ...WISH, name: 'mine' }),
      () => models.models.remove(other, id),
      () => models.models.removeVersion(other, id, '1'),
      () => models.uploads.beginUpload(other, id, { version: '3', files: [{ path: 'x', size_bytes: 1 }] }),
      () => models.uploads.progress(other, { id, version: '2', path: 'x' }),
      () => put(id, '2', 'x', new Uint8Array(1), 0, other),
    ])
      await expect(write()).rejects.toMatchObject(gone);
    await expect(models.models.remove(acme, id)).rejects.toMatchObject({ problem: 'model_shelved' });
    await expect(models.models.removeVersion(acme, id, '1')).rejects.toMatchObject({ problem: 'model_shelved' });
    expect(await wasTakenOff(db, 'model', id)).toBe(false);
    await models.shelf.set(id, false, 'acc-acme');
    await expect(models.models.get(other, id, 'en')).rejects.toMatchObject(gone);
    expect(await wasTakenOff(db, 'model', id)).toBe(true);
  });

  test('a model without a sound version can be neither shelved nor unshelved', async () => {
    const id = await create('empty');
    for (const is of [true, false])
      await expect(models.shelf.set(id, is, 'acc-acme')).rejects.toMatchObject({ problem: 'model_abnormal' });
  });

  test('a model of the library is fitted onto each GPU model by itself, with what a replica there uses', async () => {
    const id = await create('fitted');
    await upload(id, '1', { 'model.safetensors': WEIGHTS, 'config.json': CONFIG });
    const spec = { model: id, version: '1', task: 'Generate', engine: 'auto', setup: 'Automatic' } as const;
    const fits = () => models.deployments.fitsOn(nobody, spec, ['H100', 'L4', 'A100'], 'en');
    const nobody = { organization: { id: '', role: 'viewer', namespace: '' } } as Caller;
    const place = { cards: 8, free: 0, cores: 6, memoryGi: 60 };
    places = [
      { ...place, model: 'H100', cardBytes: 80 * 1024 ** 3 },
      { ...place, model: 'L4', cardBytes: 1024 ** 2 },
    ];
    // It is nobody else's until staff show it.
    expect([...(await fits())]).toEqual([]);
    await db.sql.insert(platformGrants).values({ accountId: 'acc-acme', role: 'catalogue', createdAt: new Date() });
    await models.shelf.set(id, true, 'acc-acme');
    const found = await fits();
    expect([...found.keys()]).toEqual(['H100', 'L4']);
    expect(found.get('H100')).toMatchObject({
      fit: { fits: true, gpu: { model: 'H100', count: 1 }, arithmetic: expect.arrayContaining([expect.any(String)]) },
      uses: [{ resource: 'gpu', model: 'H100', quantity: 1 }, { resource: 'cpu' }, { resource: 'memory' }],
    });
    expect(found.get('L4')).toMatchObject({ fit: { fits: false, reason: 'DoesNotFit' }, uses: [] });
  });

  let generation = 0;
  const deploy = (spec: object) =>
    deployed.set('uid', {
      metadata: { name: 'chat', namespace: 'org-acme', uid: 'uid', generation: ++generation },
      spec: { task: 'Generate', engine: 'auto', setup: 'Automatic', version: '1', ...spec },
    } as unknown as ModelDeployment);
  const told = (wants: (status: NonNullable<ModelDeployment['status']>) => boolean | undefined) =>
    eventually('the deployment to be told', async () => {
      const status = deployed.get('uid')?.status;
      return status && wants(status) ? status : undefined;
    });

  test('a deployment is told what it serves and how, and its replica gets the files, checked', async () => {
    const id = await create('tiny');
    const adapter = await create('lora');
    await upload(id, '1', { 'tiny.gguf': tinyLlama(), 'notes/README.md': Buffer.from('a tiny model') });
    await upload(adapter, '2', { 'lora.gguf': tinyLlama() });
    receiver = await playReceiver();
    try {
      deploy({ model: id, adapters: [{ name: 'legal', model: adapter, version: '2' }] });
      const { weights, setup, conditions } = await told((status) => status.setup !== undefined);
      expect(weights).toMatchObject({
        name: 'tiny',
        files: 3,
        entry: 'tiny.gguf',
        adapterEntries: { legal: 'lora.gguf' },
      });
      expect(setup).toMatchObject({ engine: 'llama.cpp', generation, contextLength: 512, gpu: null });
      expect(conditions).toMatchObject([{ type: 'SetupChosen', status: 'True', observedGeneration: generation }]);
      await eventually('the files to be there', async () => receiver?.isDone());
      expect(receiver.list && sha256(Buffer.from(receiver.list))).toBe(weights?.digest);
      expect([...receiver.files].map(([path, bytes]) => [path, sha256(bytes)])).toEqual([
        ['model/notes/README.md', sha256(Buffer.from('a tiny model'))],
        ['model/tiny.gguf', sha256(tinyLlama())],
        ['adapters/legal/lora.gguf', sha256(tinyLlama())],
      ]);
    } finally {
      receiver.server.close();
      receiver = undefined;
    }
  });

  test('another version is served once an evaluation has shown that it is not worse, and then stays', async () => {
    const id = await create('gated');
    await upload(id, '1', { 'tiny.gguf': tinyLlama() });
    await upload(id, '2', { 'tiny.gguf': tinyLlama(), 'notes/README.md': Buffer.from('another one') });
    deploy({ model: id });
    const { status } = { status: await told((now) => now.setup !== undefined) };
    const gate = { evaluation: 'evl-1', metric: 'F1', margin: 0.01 };
    const goes = (spec: object) => {
      deploy({ model: id, gate, ...spec });
      const object = deployed.get('uid') as ModelDeployment;
      deployed.set('uid', { ...object, status: { ...status, ...object.status } } as ModelDeployment);
    };
    // What is served already needs no evaluation.
    goes({ version: '1', replicas: 2 });
    await told(({ setup }) => setup?.generation === generation);
    goes({ version: '2' });
    const refused = async (reason: string) =>
      told(({ conditions }) => conditions?.some((one) => one.status === 'False' && one.reason === reason));
    await refused('GateNotEvaluated');
    const weightsOf = async (version: string) => {
      const found = await readVersion(db.sql, 'acme', id, version);
      return { model: id, version, weights: digestOfVersion(found as Version), adapterWeights: null };
    };
    const comparison = { subject: 1, task: 0, low: -0.02, high: 0.3 };
    const scores: GateScores = {
      ...{ subjects: [await weightsOf('1'), await weightsOf('2')], tasks: [{ metric: 'F1' }], baseline: 0 },
      ...{ scores: [{ subject: 1, task: 0, value: 0.9 }], comparisons: [comparison] },
    };
    shown.set('evl-1', scores);
    goes({ version: '2' });
    const { conditions } = await refused('GateNotPassed');
    expect(conditions?.find(({ type }) => type === 'SetupChosen')?.args).toMatchObject({
      ...{ value: '0.9', low: '−0.02', margin: '0.01', baseline: `${id} 1` },
    });
    shown.set('evl-1', { ...scores, comparisons: [{ ...comparison, low: -0.01 }] });
    goes({ version: '2' });
    const served = await told(({ setup }) => setup?.generation === generation);
    expect(served.weights?.version).toBe('2');
  });

  test('a version is copied from a folder of a disk, and goes on where its connection broke off', async () => {
    const id = await create('from-disk');
    const large = Buffer.concat([tinyLlama(), Buffer.alloc(2 * PIECE_BYTES, 7)]);
    disk.files = {
      '/runs/7/model.gguf': large,
      '/runs/7/notes/README.md': Buffer.from('a tiny model'),
      '/runs/7/optimizer.pt': Buffer.from('a pickle'),
      '/runs/7/.git/config': Buffer.from('hidden'),
      '/runs/7/empty': Buffer.alloc(0),
      '/runs/8/other.gguf': tinyLlama(),
    };
    disk.breaksAfter = PIECE_BYTES + 1000;
    const wish = { version: '1', disk: 'data', folder: '/runs/7', include: [] };
    await models.uploads.beginDiskImport(acme, id, wish);
    const version = await settled(id, '1');
    expect(version).toMatchObject({ state: 'ready', source: 'disk', repository: 'data', revision: '/runs/7' });
    expect(version?.files.map(({ path, sha256: digest }) => [path, digest])).toEqual([
      ['model.gguf', sha256(large)],
      ['notes/README.md', sha256(Buffer.from('a tiny model'))],
    ]);
    expect(disk.continued).toEqual([PIECE_BYTES]);
    await models.uploads.beginDiskImport(acme, id, { ...wish, version: '2', folder: '/', include: ['*/8/*'] });
    expect((await settled(id, '2'))?.files.map(({ path }) => path)).toEqual(['runs/8/other.gguf']);
  });

  test('a shelved model does not tell others which disk it came from', async () => {
    const id = await create('from a disk');
    disk.files = { '/private/model.gguf': tinyLlama() };
    const wish = { version: '1', disk: 'data', folder: '/private', include: [] };
    await models.uploads.beginDiskImport(acme, id, wish);
    expect(await settled(id, '1')).toMatchObject({ state: 'ready', repository: 'data', revision: '/private' });
    await db.sql.insert(platformGrants).values({ accountId: 'acc-acme', role: 'catalogue', createdAt: new Date() });
    await models.shelf.set(id, true, 'acc-acme');
    const seen = await models.models.get(other, id, 'en');
    expect(seen.versions).toMatchObject([{ source: 'disk', repository: null, revision: null }]);
    expect(JSON.stringify(seen)).not.toContain('private');
  });

  test.each([
    ['a disk', 300, 'files_unavailable', 'its turn is over'],
    ['a disk that is asked once its turn is over', 1, 'files_unavailable', 'its turn is over'],
    ['a hub', 300, 'model_hub_answer', 'lab/tiny'],
  ])('an import from %s that never ends is given up, and says why', async (from, longestTurnMs, error, said) => {
    const id = await create('never');
    turnMs = longestTurnMs;
    if (from !== 'a hub') {
      disk.files = { '/model.gguf': tinyLlama() };
      disk.isSilent = true;
      await models.uploads.beginDiskImport(acme, id, { version: '1', disk: 'data', folder: '/', include: [] });
    } else {
      hub.serve('lab/tiny', { 'm.gguf': Buffer.alloc(100) });
      hub.breaksAfter = 10;
      hub.isStuck = true;
      await importing(id);
    }
    await db.sql.update(modelVersions).set({ tries: 400 });
    const { state, problem: why } = (await settled(id, '1')) ?? {};
    expect([state, why?.error]).toEqual(['failed', error]);
    expect(why?.message).toContain(said);
    expect(why?.message).toContain('its turn is over');
  });

  test('a hub that hardly sends is given up after a few tries, and says why', async () => {
    const id = await create('slow');
    windowMs = 1_000;
    hub.serve('lab/tiny', { 'm.gguf': Buffer.alloc(100) });
    hub.breaksAfter = 10;
    hub.isStuck = true;
    await importing(id);
    await db.sql.update(modelVersions).set({ tries: 5 });
    const { state, problem: why } = (await settled(id, '1')) ?? {};
    expect([state, why?.error]).toEqual(['failed', 'model_hub_answer']);
    expect(why?.message).toContain('it sends less than 1 MiB in 1 seconds');
  });

  test('imports that hang hold one place of an organisation, and another one has its turn beside them', async () => {
    const id = await create('hangs');
    disk.files = { '/model.gguf': tinyLlama() };
    disk.isSilent = true;
    for (const version of ['1', '2', '3', '4'])
      await models.uploads.beginDiskImport(acme, id, { version, disk: 'data', folder: '/', include: [] });
    await eventually('one is under way', async () => disk.silences > 0 || undefined, PATIENCE_MS);
    const theirs = await create('theirs', other);
    expect(await upload(theirs, '1', { 'model.safetensors': WEIGHTS }, other)).toMatchObject({ state: 'ready' });
    expect(disk.silences).toBe(1);
  });

  test('an import from a disk that never answers is given up, and nobody is told to try again', async () => {
    const id = await create('mute');
    disk.files = { '/model.gguf': tinyLlama() };
    disk.read = () => Promise.reject(problem('unavailable', { seconds: 2 }));
    await models.uploads.beginDiskImport(acme, id, { version: '1', disk: 'data', folder: '/', include: [] });
    await db.sql.update(modelVersions).set({ tries: 400 });
    expect(await settled(id, '1')).toMatchObject({
      state: 'failed',
      problem: { error: 'files_unavailable', message: 'The files cannot be served: its server did not answer' },
    });
  });

  test('a disk that somebody takes or that ends early is waited for, and what was copied stays', async () => {
    const id = await create('taken');
    disk.files = { '/model.gguf': Buffer.concat([tinyLlama(), Buffer.alloc(2 * PIECE_BYTES, 7)]) };
    disk.throws.list = problem('files_in_use', { by: 'dev' });
    disk.throws.lastRead = problem('files_unavailable', { detail: 'it starts' });
    await models.uploads.beginDiskImport(acme, id, { version: '1', disk: 'data', folder: '/', include: [] });
    expect(await settled(id, '1')).toMatchObject({ state: 'ready' });
    expect(disk.continued).toEqual([2 * PIECE_BYTES]);
  });

  test('disks that send nothing hold their places for a turn, not for good', async () => {
    const id = await create('silent');
    disk.files = { '/model.gguf': tinyLlama() };
    disk.isSilent = true;
    turnMs = 500;
    for (const version of ['1', '2', '3'])
      await models.uploads.beginDiskImport(acme, id, { version, disk: 'data', folder: '/', include: [] });
    const tries = async () =>
      Math.min(...(await db.sql.select({ tries: modelVersions.tries }).from(modelVersions)).map((one) => one.tries));
    await eventually('each has had a turn', async () => (await tries()) > 0, PATIENCE_MS);
    const loud = await create('loud');
    expect(await upload(loud, '1', { 'model.safetensors': WEIGHTS })).toMatchObject({ state: 'ready' });
    disk.isSilent = false;
    turnMs = 600_000;
    expect(await settled(id, '3')).toMatchObject({ state: 'ready' });
  });

  test('a server that sends a last byte without end is not listened to', async () => {
    const id = await create('endless');
    disk.files = { '/model.gguf': tinyLlama() };
    disk.endless = 0;
    await models.uploads.beginDiskImport(acme, id, { version: '1', disk: 'data', folder: '/', include: [] });
    expect(await settled(id, '1')).toMatchObject({ state: 'ready' });
    expect(disk.endless).toBeLessThan(100);
  });

  test('a file of whole pieces that changes before its end was checked is refused', async () => {
    const id = await create('even');
    const model = tinyLlama();
    disk.files = { '/model.gguf': Buffer.concat([model, Buffer.alloc(2 * PIECE_BYTES - model.length, 7)]) };
    disk.throws.lastRead = problem('unavailable', { seconds: 1 });
    const { read } = disk;
    disk.read = async (...asked) => {
      const isLast = asked[2].from === 2 * PIECE_BYTES - 1;
      try {
        return await read(...asked);
      } finally {
        if (isLast) disk.edition = 2;
      }
    };
    await models.uploads.beginDiskImport(acme, id, { version: '1', disk: 'data', folder: '/', include: [] });
    expect((await settled(id, '1'))?.problem).toMatchObject({ error: 'model_disk_changed' });
  });

  test('a file that changes while it is copied, an empty folder and a missing one are said', async () => {
    const id = await create('changing');
    const wish = { disk: 'data', folder: '/', include: [] };
    const problemOf = async (version: string, more: object = {}) => {
      await models.uploads.beginDiskImport(acme, id, { ...wish, version, ...more });
      return (await settled(id, version))?.problem;
    };
    disk.files = { '/model.gguf': Buffer.concat([tinyLlama(), Buffer.alloc(2 * PIECE_BYTES, 7)]) };
    disk.breaksAfter = PIECE_BYTES + 1;
    disk.broken = () => {
      disk.edition++;
    };
    expect(await problemOf('1')).toEqual({
      error: 'model_disk_changed',
      message: 'model.gguf changed while it was being copied. Import it again once nothing writes to it.',
    });
    expect(await problemOf('2', { folder: '/absent' })).toMatchObject({ error: 'model_disk_unknown' });
    disk.files = { '/README.md': Buffer.from('a tiny model'), '/model.pt': Buffer.from('a pickle') };
    expect(await problemOf('3')).toMatchObject({ error: 'model_disk_empty' });
    disk.files = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`/${i}.gguf`, tinyLlama()]));
    expect(await problemOf('4')).toMatchObject({ error: 'model_disk_too_large' });
    expect(await objectsIn()).toEqual([]);
    const elsewhere = { ...wish, version: '5', disk: 'others' };
    await expect(models.uploads.beginDiskImport(acme, id, elsewhere)).rejects.toMatchObject({
      problem: 'no_such_reference',
    });
    await expect(models.uploads.beginDiskImport(other, id, { ...wish, version: '6' })).rejects.toMatchObject({
      problem: 'not_found',
    });
  });

  test('a version says how many nodes have the files that a deployment of it takes in', async () => {
    const id = await create('cached');
    await upload(id, '1', { 'tiny.gguf': tinyLlama(), 'README.md': Buffer.from('a tiny model') });
    expect((await versionOf(id, '1'))?.cached_on).toEqual({ nodes: 0, of: 5, copying: 0 });
    deploy({ model: id });
    const { weights, setup } = await told(({ weights }) => weights?.model === id);
    expect(setup).toMatchObject({ engine: 'llama.cpp', image: 'mirror.test/llama:9' });
    cached.set(`acme ${weights?.digest}`, 2);
    expect((await versionOf(id, '1'))?.cached_on).toEqual({ nodes: 2, of: 5, copying: 0 });
  });

  test('a deployment is told why it cannot be served, in the words of its kind', async () => {
    const id = await create('words');
    deploy({ model: id });
    const reasonIs = (reason: string) => told(({ conditions }) => conditions?.some((one) => one.reason === reason));
    await reasonIs('VersionNotFound');
    deploy({ model: 'mdl-nobody' });
    await reasonIs('ModelNotFound');
    await upload(id, '1', { 'model.safetensors': WEIGHTS, 'config.json': CONFIG });
    deploy({ model: id, engine: 'llama.cpp' });
    await reasonIs('FormatUnsupported');
    const fitOf = (wish: object) => models.deployments.fit(acme, { model: id, version: '1', ...wish } as never, 'zh');
    expect(await fitOf({ task: 'Generate', engine: 'llama.cpp', setup: 'Automatic' })).toMatchObject({
      fits: false,
      reason: 'FormatUnsupported',
      message: expect.stringContaining('safetensors'),
    });
    const card = { model: 'H100', count: 1 };
    expect(await fitOf({ task: 'Generate', engine: 'auto', setup: 'Automatic', gpu: card })).toMatchObject({
      fits: true,
      engine: 'vllm',
      arithmetic: [expect.stringContaining('权重'), expect.anything(), expect.anything(), expect.anything()],
    });
    const spread = { task: 'Generate', engine: 'auto', setup: 'Automatic', gpu: card, nodesPerReplica: 2 };
    expect(await fitOf(spread)).toMatchObject({ fits: true, nodes_per_replica: 2 });
    hasGroups = false;
    expect(await fitOf(spread)).toMatchObject({
      fits: false,
      reason: 'NeedsGroups',
      message: expect.stringContaining('2 个节点'),
    });
    expect(await fitOf({ ...spread, nodesPerReplica: 1 })).toMatchObject({ fits: true });
    const demand = models.deployments.demandFit(acme, { model: id, version: '2' }, 'en');
    await expect(demand).rejects.toMatchObject({
      problem: 'deployment_unservable',
      args: { why: expect.stringContaining(`${id} has no version 2`) },
    });
    deploy({ model: id });
    expect((await reasonIs('DoesNotFit')).conditions?.[0]?.message).toContain('No node has enough');
  });

  test('what a deployment has collected is in the store, counts in the quota, and is deleted', async () => {
    const { collector, collected } = models;
    const of = { organizationId: 'acme', deployment: 'chat', dataset: 'sea' };
    for (const text of ['mail ann@example.com', 'über']) collector.offer(of, () => ({ text }));
    await new Promise((resolve) => setImmediate(resolve));
    await collector.flush(0);
    const { signal } = new AbortController();
    const { size, body } = await collected.open(of, signal);
    const content = await buffer(body);
    expect(content.toString()).toBe('{"text":"mail [email]"}\n{"text":"über"}\n');
    expect(size).toBe(content.length);
    const { extra } = await models.models.space(acme, ALL);
    expect(extra).toMatchObject({ used_bytes: size });
    expect((await objectsIn()).length).toBeGreaterThan(0);
    await collected.remove(of);
    expect(await objectsIn()).toEqual([]);
  });

  test('what a deployment serves is not deleted, and the refusal says which', async () => {
    const id = await create('served');
    await upload(id, '1', { 'tiny.gguf': tinyLlama() });
    await upload(id, '2', { 'tiny.gguf': tinyLlama() });
    deploy({ model: id });
    const refused = { problem: 'model_in_use', args: { users: 'chat' } };
    await expect(models.models.remove(acme, id)).rejects.toMatchObject(refused);
    await expect(models.models.removeVersion(acme, id, '1')).rejects.toMatchObject(refused);
    expect(await models.models.get(acme, id, 'en')).toMatchObject({ deployed: true });
    await models.models.removeVersion(acme, id, '2');
    deployed.clear();
    expect(await models.models.get(acme, id, 'en')).toMatchObject({ deployed: false });
    await models.models.remove(acme, id);
  });

  const importing = (id: string, wish: object = {}) =>
    models.uploads.beginImport(acme, id, {
      ...{ version: '1', repository: 'lab/tiny', revision: 'main', include: [] },
      ...wish,
    });

  test('an import goes on after a break, checks every hash, and takes the card along', async () => {
    const weights = Buffer.concat([
      ggufFile({ metadata: { 'general.license': 'apache-2.0' }, tensors: { t: [0, [4]] } }),
      Buffer.alloc(PIECE_BYTES + 5000),
    ]);
    hub.serve('lab/tiny', {
      'model.gguf': weights,
      'README.md': Buffer.from('---\nlicense: mit\n---\n# Tiny\n'),
      'old.pt': Buffer.from('x'),
    });
    hub.breaksAfter = PIECE_BYTES + 1000;
    const id = await create('imported');
    await importing(id);
    expect(await settled(id, '1')).toMatchObject({
      state: 'ready',
      revision: 'c'.repeat(40),
      files: [{ path: 'README.md' }, { path: 'model.gguf', sha256: sha256(weights) }],
    });
    expect(hub.ranges).toEqual([`bytes=${PIECE_BYTES}-`]);
    expect(await models.models.get(acme, id, 'en')).toMatchObject({ card: '# Tiny', license: 'mit', tags: ['chat'] });
  });

  test.each([
    [
      'with other bytes than its hash',
      () =>
        hub.serve(
          'lab/tiny',
          { 'm.gguf': Buffer.from(ggufFile({ metadata: {}, tensors: { t: [0, [4]] } })) },
          { wrongHash: true },
        ),
      'model_hash',
    ],
    ['with pickles alone', () => hub.serve('lab/tiny', { 'pytorch_model.bin': Buffer.from('x') }), 'model_hub_empty'],
    ['that is not there', () => undefined, 'model_hub_unknown'],
    [
      'that sends more than it says',
      () => hub.serve('lab/tiny', { 'm.gguf': Buffer.alloc(100) }, { sends: 200 }),
      'model_hub_answer',
    ],
  ])('an import %s fails with a sentence', async (_, play, error) => {
    play();
    const id = await create('failing');
    await importing(id);
    expect(await settled(id, '1')).toMatchObject({ state: 'failed', problem: { error } });
  });

  test('a gated model comes with the token of the organisation, and the token never comes back', async () => {
    hub.serve('lab/tiny', { 'm.safetensors': Buffer.from(WEIGHTS) }, { token: 'hf_secret' });
    const id = await create('gated');
    await importing(id);
    expect(await settled(id, '1')).toMatchObject({ problem: { error: 'model_hub_gated' } });
    await models.sources.credentials.set(acme, HUB_TOKEN, 'hf_secret');
    await importing(id, { version: '2' });
    expect(await settled(id, '2')).toMatchObject({ state: 'ready' });
    expect(JSON.stringify(await models.models.get(acme, id, 'en'))).not.toContain('hf_secret');
    expect(await models.sources.credentials.read('other', HUB_TOKEN)).toBeUndefined();
  });

  test('patterns choose among the files of a repository', async () => {
    const gguf = Buffer.from(ggufFile({ metadata: {}, tensors: { t: [0, [4]] } }));
    hub.serve('lab/tiny', { 'm-Q4.gguf': gguf, 'm-Q8.gguf': gguf, 'README.md': Buffer.from('# x') });
    const id = await create('chosen');
    await importing(id, { include: ['*-Q4.gguf'] });
    expect((await settled(id, '1'))?.files.map(({ path }) => path)).toEqual(['m-Q4.gguf']);
  });

  test('a version that is deleted while it is fetched leaves nothing behind', async () => {
    hub.serve('lab/tiny', { 'm.gguf': Buffer.alloc(3 * PIECE_BYTES) });
    hub.breaksAfter = PIECE_BYTES + 1;
    hub.isStuck = true;
    const id = await create('dropped');
    await importing(id);
    await eventually('a piece', async () => ((await versionOf(id, '1'))?.received_bytes ?? 0) > 0);
    await models.models.remove(acme, id);
    hub.isStuck = false;
    await eventually('an empty store', async () => (await objectsIn()).length === 0, PATIENCE_MS);
  });
});

interface PlayedReceiver {
  server: Server;
  port: number;
  list: string | undefined;
  files: Map<string, Uint8Array>;
  isDone(): boolean;
}

/** A container that takes files in, as far as its calls go: it looks at first at what it has, and the first call of each file breaks off. */
async function playReceiver(): Promise<PlayedReceiver> {
  const files = new Map<string, Uint8Array>();
  const wanted = () => JSON.parse(played.list ?? '[]') as { path: string; bytes: number }[];
  const have = (path: string) => files.get(path)?.length ?? 0;
  let isChecking = false;
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
    const path = searchParams.get('path') ?? '';
    if (pathname === '/missing') {
      const checking = isChecking;
      isChecking = false;
      if (checking) return res.end(JSON.stringify({ hasList: true, checking, files: [] }));
      const missing = wanted().filter((file) => have(file.path) < file.bytes);
      return res.end(
        JSON.stringify({ hasList: true, files: missing.map((file) => ({ path: file.path, have: have(file.path) })) }),
      );
    }
    const isFirst = pathname === '/file' && !files.has(path) && path.endsWith('.gguf');
    const body = await buffer(req);
    if (pathname === '/list') {
      isChecking = played.list === undefined;
      played.list = body.toString();
    } else if (Number(searchParams.get('offset')) !== have(path)) return res.writeHead(409).end();
    else files.set(path, Buffer.concat([files.get(path) ?? Buffer.alloc(0), isFirst ? body.subarray(0, 100) : body]));
    if (isFirst) return req.socket.destroy();
    return res.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const played: PlayedReceiver = {
    server,
    port: (server.address() as AddressInfo).port,
    list: undefined,
    files,
    isDone: () => played.list !== undefined && wanted().every((file) => have(file.path) === file.bytes),
  };
  return played;
}
