// The kinds over real HTTP, on an API server in memory: one describe per status. What only a real API server decides (rights,
// quotas, policies, schemas) is in test/integration/gateway-kinds.test.ts.
import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CATALOGUE_ROUTES, MOUNT_ROUTES } from '@gantry/contract/areas/kinds/catalogue.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { envelopeOf } from '@gantry/contract/http/envelope.ts';
import { KIND_ROUTES, KIND_ROUTES_BY_ID } from '@gantry/contract/http/kind-routes.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { OrgRole, Right } from '@gantry/contract/roles.ts';
import { ApiError, NoAnswer } from '@gantry/kube/api-error.ts';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import pino from 'pino';
import { frameParts } from '../../../../test/support/frame-parts.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { routerOf, runnablesOf } from '../../platform/http/routes-of.ts';
import type { AuditEntry } from '../../platform/http/run-route.ts';
import { kindRoutes } from './kind-routes.ts';
import { KindStore } from './kind-store.ts';
import { kindObject, type MemoryKinds, memoryKinds } from './testing/memory-kinds.ts';

const log = pino({ level: 'silent' });
const audited: AuditEntry[] = [];
let kinds: MemoryKinds;
let server: Server;
let url: string;

/** `<role>@<organisation>` is a token here; `reader@…` is an API token of a member, narrowed to reading. */
function callerOf(token: string): Caller | undefined {
  const [role, id] = token.split('@');
  if (!role || !id) return undefined;
  return {
    account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
    organization: { id, role: role === 'reader' ? 'member' : (role as OrgRole), namespace: `org-${id}` },
    session: {
      id: 's',
      kind: role === 'reader' ? 'apiToken' : 'session',
      scopes: ['view'],
      expiresAt: Number.MAX_SAFE_INTEGER,
    },
  };
}

const node = (name: string, labels: object, gpus: number) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [LABEL.gpuModel]: 'H100', [LABEL.gpuMemory]: '81559', ...labels } },
  status: {
    allocatable: { 'nvidia.com/gpu': `${gpus}`, cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
});
const pod = (name: string, nodeName: string, gpus: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'org-other', labels: { [LABEL.organization]: 'other' } },
  spec: {
    nodeName,
    containers: [{ name: 'main', resources: { requests: { 'nvidia.com/gpu': `${gpus}`, cpu: '8' } } }],
  },
  status: { phase: 'Running' },
});
const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'compute', namespace: 'org-acme' },
  spec: { hard: { 'requests.nvidia.com/gpu': '8' } },
  status: { used: { 'requests.nvidia.com/gpu': '2' } },
};

const running = {
  phase: 'running',
  health: 'normal',
  run: { seq: 1, cause: 'first', readyAt: '2026-11-01T00:01:00Z' },
};
const atRest = (name: string, at: object = {}) =>
  kindObject(gpuInstance, name, {
    spec: { power: 'ShutDown', ...at },
    status: { phase: 'shutDown', settledPower: 'ShutDown' },
  });

beforeAll(async () => {
  kinds = await memoryKinds([
    kindObject(gpuInstance, 'ins-run', {
      spec: { displayName: 'alpha', creator: 'acc-ann' },
      status: {
        ...running,
        history: [
          { phase: 'running', reason: 'Running', since: running.run.readyAt },
          { phase: 'creating', since: running.run.readyAt },
        ],
      },
    }),
    atRest('ins-rest'),
    kindObject(gpuInstance, 'ins-foreign', { namespace: 'org-other', status: running }),
    kindObject(gpuHost, 'hst-big', {
      spec: { displayName: 'big', tags: ['train'], disks: [{ name: 'dsk-kept', mountPath: '/data' }] },
      status: { phase: 'active', nodes: [{ name: 'n-host', ready: true, gpus: 8 }] },
      metadata: { uid: 'uid-host' },
    }),
    kindObject(gpuInstance, 'ins-host', {
      spec: {
        host: 'hst-big',
        gpu: { model: 'H100', count: 6 },
        disks: [
          { name: 'dsk-held', mountPath: '/mnt' },
          { name: 'dsk-soon', mountPath: '/new' },
        ],
      },
      status: { ...running, node: 'n-host' },
    }),
    kindObject(dataDisk, 'dsk-free', { status: { phase: 'active' } }),
    kindObject(dataDisk, 'dsk-kept', {
      status: { phase: 'mounted', mountedBy: [{ kind: 'GpuHost', name: 'hst-big' }] },
    }),
    kindObject(dataDisk, 'dsk-held', {
      status: { phase: 'mounted', mountedBy: [{ kind: 'GpuInstance', name: 'ins-host' }] },
    }),
    kindObject(dataDisk, 'dsk-soon', {
      status: { phase: 'mounted', mountedBy: [{ kind: 'GpuInstance', name: 'ins-host', atNextStart: true }] },
    }),
    kindObject(image, 'img-own', { status: { phase: 'ready' } }),
    kindObject(image, 'img-official', {
      namespace: 'gantry-system',
      spec: { displayName: 'base', official: true, creator: 'acc-staff' },
      status: { phase: 'ready' },
    }),
    kindObject(image, 'img-staff', { namespace: 'gantry-system', status: { phase: 'ready' } }),
    kindObject(snapshot, 'snp-one', {
      spec: { instance: 'ins-run', of: 'Root', target: 'registry.gantry.internal/org-acme/x:1' },
      status: { phase: 'ready' },
    }),
    node('n-host', { [LABEL.nodeHost]: 'uid-host' }, 8),
    node('n-pool', {}, 8),
    pod('busy', 'n-pool', 5),
    quota,
  ]);
  const app = express();
  const parts = frameParts({
    log,
    authenticate: async (token: string) => callerOf(token),
    audit: async (entry: AuditEntry) => void audited.push(entry),
    idempotency: { once: async ({ key }, _signal, work) => ({ ...(await work(key)), isReplay: false }) },
  });
  const served = kindRoutes(kinds.store);
  // Served by log-routes.ts and usage-routes.ts, with tests of their own.
  const elsewhere = new Set(
    Object.values<Partial<Record<string, RouteFacts>>>(KIND_ROUTES).flatMap(({ runs, log, replicaLog, usage }) => [
      runs,
      log,
      replicaLog,
      usage,
    ]),
  );
  const runnables = runnablesOf(
    parts,
    ROUTES.filter((route) => !elsewhere.has(route)),
    served,
  );
  app.use(
    '/api',
    routerOf(runnables, () => false),
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
afterAll(async () => {
  kinds.stop();
  await new Promise((resolve) => server.close(resolve));
});
afterEach(() => {
  kinds.cluster.refuse = () => undefined;
});

const ROUTES: readonly RouteFacts[] = Object.values({ ...MOUNT_ROUTES, ...CATALOGUE_ROUTES, ...KIND_ROUTES_BY_ID });

interface Said {
  code: number;
  error?: string;
  field?: string;
  message: string;
  args?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  data?: any;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  paginated?: any;
}

/** Every success has the shape that its route promises, and nothing beside it. */
function expectAsPromised(method: string, path: string, said: unknown): void {
  const [plain = ''] = path.split('?');
  const fits = ROUTES.filter(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain),
  );
  const route = fits.find((one) => one.path === plain) ?? fits[0];
  if (!route) throw new Error(`no route for ${method} ${path}`);
  expect(envelopeOf(route)?.parse(said)).toEqual(said);
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-token': 'member@acme',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status < 300) expectAsPromised(method, path, JSON.parse(text));
  return { status: answer.status, headers: answer.headers, said: (text ? JSON.parse(text) : {}) as Said };
}
const get = (path: string, headers: Record<string, string> = {}) => ask('GET', path, undefined, headers);

const INSTANCE = '/develop/v1/instance';
const HOST = '/elnode/v1/instance';
const DISK = '/stor/v1/data-disk';
const NEW = { displayName: 'mine', image: 'pytorch/pytorch:2.4.0' };

describe('200: lists', () => {
  test('instances of the organisation alone, with their words and what may be done', async () => {
    const { status, said } = await get(INSTANCE, { 'accept-language': 'zh' });
    expect(status).toBe(200);
    expect(said.paginated).toMatchObject({ page: 1, size: 10, total_page: 1 });
    expect(said.data.map(({ id }: { id: string }) => id)).not.toContain('ins-foreign');
    const [alpha] = said.data.filter(({ id }: { id: string }) => id === 'ins-run');
    expect(alpha).toMatchObject({
      name: 'alpha',
      status: 'running',
      phase_label: '运行中',
      health: 'normal',
      payment: 'usage',
      specification: '2 核, 4 GiB',
      image_type: 'base',
    });
    expect(alpha.actions.map(({ action }: { action: string }) => action)).toContain('stop');
  });

  test('a read that waits for nothing makes no abort signal', async () => {
    const made = jest.spyOn(globalThis, 'AbortController');
    // Unlike fetch, this makes none itself.
    const request = httpGet(`${url}${INSTANCE}/ins-run`, { headers: { 'x-token': 'member@acme' } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    expect(answer.statusCode).toBe(200);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  test.each(['viewer', 'reader'])('a %s is offered no action', async (role) => {
    const { said } = await get(`${INSTANCE}/ins-run`, { 'x-token': `${role}@acme` });
    expect(said.result.actions).toEqual([]);
  });

  test('the states that one was in, newest first; of those of another organisation nothing', async () => {
    const since = '2026-11-01T00:01:00Z';
    const { said } = await get(`${INSTANCE}/ins-run/history`, { 'accept-language': 'zh' });
    const running = { phase: 'running', phase_label: '运行中', tone: 'good', reason: 'Running', since };
    expect(said.data).toEqual([
      { ...running, message: gpuInstance.reasons.Running.zh },
      { ...running, phase: 'creating', phase_label: '创建中', tone: 'progress', reason: null, message: null },
    ]);
    expect((await get(`${INSTANCE}/ins-rest/history`)).said.data).toEqual([]);
    expect((await get(`${INSTANCE}/ins-foreign/history`)).status).toBe(404);
  });

  test('search, status, order and pages', async () => {
    const names = async (query: string) =>
      (await get(`${INSTANCE}?${query}`)).said.data.map(({ id }: { id: string }) => id);
    expect(await names('search=ALPH')).toEqual(['ins-run']);
    expect(await names('status=shutDown')).toEqual(['ins-rest']);
    expect(await names('host=hst-big')).toEqual(['ins-host']);
    const inOrder = await names('order_by=name&order_type=asc');
    expect(inOrder).toEqual([...(await names('order_by=name'))].reverse());
    expect(await names('order_by=name&order_type=asc&page=2&size=1')).toEqual([inOrder[1]]);
  });

  test('a list that has not changed is a 304; one that has is not', async () => {
    const first = await get(`${HOST}?size=100`);
    const etag = first.headers.get('etag') ?? '';
    expect((await get(`${HOST}?size=100`, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(`${HOST}?size=99`, { 'if-none-match': etag })).status).toBe(200);
    kinds.store.cache.observe(
      kinds.cluster.put({
        ...kindObject(gpuInstance, 'ins-tick', { spec: { host: 'hst-big' } }),
        metadata: { name: 'ins-tick', namespace: 'org-acme' },
      }),
    );
    // A host's free cards depend on its instances.
    expect((await get(`${HOST}?size=100`, { 'if-none-match': etag })).status).toBe(200);
  });

  test('hosts with the cards that nobody holds', async () => {
    const { said } = await get(`${HOST}?tag=train`);
    expect(said.data).toMatchObject([
      {
        id: 'hst-big',
        instance_status: 'Active',
        status: 'active',
        gpu_count: 8,
        gpu_free: 2,
        card_cores: 7,
        tags: ['train'],
      },
    ]);
    expect((await get(`${HOST}?tag=none`)).said.data).toEqual([]);
  });

  test('images: own and official ones, and who may change which', async () => {
    const { said } = await get('/develop/v1/image');
    const byId = Object.fromEntries(said.data.map((one: { id: string }) => [one.id, one]));
    expect(byId['img-official']).toMatchObject({ official: true, actions: [] });
    expect(JSON.stringify(byId['img-official'])).not.toContain('acc-staff');
    expect(byId['img-own'].actions).toMatchObject([{ action: 'release' }]);
    expect((await get('/develop/v1/image?official=true')).said.data).toHaveLength(1);
    // The platform's own objects there are visible to nobody else.
    expect([byId['img-staff'], (await get('/develop/v1/image/img-staff')).status]).toEqual([undefined, 404]);
  });

  test('disks, snapshots, mounts, tags, regions', async () => {
    expect((await get(`${DISK}?status=mounted&search=held`)).said.data).toMatchObject([
      { id: 'dsk-held', mounted_by: [{ id: 'ins-host', at_next_start: false }], size_gi: 10, used_bytes: null },
    ]);
    // Kept for who does not have it yet.
    expect((await get(`${DISK}?search=soon`)).said.data).toMatchObject([
      { id: 'dsk-soon', status: 'mounted', mounted_by: [{ id: 'ins-host', at_next_start: true }] },
    ]);
    expect((await get('/develop/v1/snapshot?instance=ins-run')).said.data).toMatchObject([{ id: 'snp-one' }]);
    expect((await get(`${DISK}/mount?resource=ins-host`)).said.data).toMatchObject([
      { id: 'dsk-held.ins-host', mounted: true, mount_path: '/mnt' },
      { id: 'dsk-soon.ins-host', mounted: false, mount_path: '/new' },
    ]);
    expect((await get('/account/v1/ni-tag/g/tag-name')).said.data).toEqual(['train']);
    expect((await get('/elnode/v1/cluster/region')).said.data).toEqual([
      {
        ...{ region: 'us-east', name: 'US East Washington', takes_instances: true },
        gpus: { free: 3, total: 8 },
      },
    ]);
  });

  test('GPU models and their stock, without a token', async () => {
    const answer = await fetch(`${url}/elnode/v1/spec`);
    expect(await answer.json()).toMatchObject({
      data: [
        {
          id: 'H100-8',
          gpu_type: 'H100',
          name: 'H100',
          gpu_memory_gi: 80,
          card_cores: 7,
          card_memory_gi: 57,
          starts: [
            { count: 1, free: 3 },
            { count: 2, free: 1 },
            { count: 4, free: 0 },
            { count: 8, free: 0 },
          ],
          nodes: 1,
          total: 8,
          free: 3,
          free_nodes: 0,
          price: null,
        },
      ],
    });
  });
});

describe('200: will it fit', () => {
  const roomFor = async (body: object) => (await ask('POST', `${INSTANCE}/fit`, body)).said.result;

  test('it does', async () => {
    expect(await roomFor({ gpu: { model: 'H100', count: 3 } })).toMatchObject({
      fits: true,
      reason: null,
      quota_left: 6,
    });
  });
  test('it does not, with numbers and what would', async () => {
    expect(await roomFor({ gpu: { model: 'H100', count: 4 } })).toMatchObject({
      fits: false,
      reason: 'WaitingForGpus',
      message: 'Needs 4 × H100; 3 free on 1 node; ahead of you: 0.',
      largest: { count: 3 },
    });
    expect(await roomFor({ gpu: { model: 'H100', count: 7 } })).toMatchObject({
      reason: 'QuotaExceeded',
      blocked_by: 'quota',
      message:
        "The organisation's quota does not allow it: 7 GPUs are requested, and 2 of the 8 GPUs that it may use are in use. Request less, release what is not needed, or ask the provider for a larger quota.",
      quota_left: 6,
    });
    // No quota brings what no node has.
    expect(await roomFor({ gpu: { model: 'H100', count: 9 } })).toMatchObject({
      reason: 'TooManyGpus',
      blocked_by: 'node',
      message: 'Needs 9 × H100 on one node; the largest node has 8. Choose at most 8.',
    });
    expect(await roomFor({ gpu: { model: 'B200' } })).toMatchObject({ reason: 'UnknownGpuModel' });
    expect(await roomFor({ cores: 100 })).toMatchObject({ reason: 'WaitingForRoom', largest: { cores: 56 } });
  });
  test('what asks for no GPU fits where the quota of GPUs is below what is in use', async () => {
    const lowered = { ...quota, spec: { hard: { 'requests.nvidia.com/gpu': '1' } } };
    kinds.store.cache.observe(kinds.cluster.put(lowered as never));
    expect(await roomFor({ gpu: { model: 'H100', count: 1 } })).toMatchObject({ blocked_by: 'quota' });
    expect(await roomFor({ cores: 1 })).toMatchObject({ fits: true });
    kinds.store.cache.observe(kinds.cluster.put(quota as never));
  });
  test('on a host it is the host that counts', async () => {
    expect(await roomFor({ host: 'hst-big', gpu: { model: 'H100', count: 4 } })).toMatchObject({ fits: true });
  });
});

describe('201, 202: writes', () => {
  test('a creation is made as the member, and read at once', async () => {
    const { status, said, headers } = await ask('POST', INSTANCE, { ...NEW, gpu: { model: 'H100' } });
    expect([status, said.result.id]).toEqual([201, expect.stringMatching(/^ins-[0-9a-z]{8}$/)]);
    expect(said.result).toMatchObject({ creator: 'acc-ann', cards: 1, name: 'mine' });
    expect(kinds.users.at(-1)).toBe('system:serviceaccount:org-acme:acc-ann');
    expect(headers.get('x-gantry-version')).toMatch(/^gpuinstances=\d+$/);
    const read = await get(`${INSTANCE}/${said.result.id}`, {
      'x-gantry-version': headers.get('x-gantry-version') ?? '',
    });
    expect(read.said.result.spec.gpu).toEqual({ model: 'H100', count: 1 });
    expect(audited.at(-1)).toMatchObject({ action: 'createInstance', object: `GpuInstance/${said.result.id}` });
  });

  test('the same Idempotency-Key gives the same object, also where the first answer was lost', async () => {
    const key = { 'idempotency-key': 'once' };
    kinds.cluster.refuse = (write) =>
      write.startsWith('create') ? { error: new NoAnswer('cut off'), after: true } : undefined;
    const lost = await ask('POST', INSTANCE, NEW, key);
    expect(lost.status).toBe(201);
    kinds.cluster.refuse = () => undefined;
    const again = await ask('POST', INSTANCE, NEW, key);
    expect(again.said.result.id).toBe(lost.said.result.id);
    const changed = await ask('POST', INSTANCE, { ...NEW, cores: 3 }, key);
    expect([changed.status, changed.said.error]).toEqual([422, 'idempotency_mismatch']);
    const other = await ask('POST', INSTANCE, NEW, { 'idempotency-key': 'twice' });
    expect(other.said.result.id).not.toBe(again.said.result.id);
  });

  test('stop: the wish is accepted, and the object is on its way', async () => {
    kinds.cluster.put(kindObject(gpuInstance, 'ins-stop', { status: running }));
    kinds.store.cache.observe(await kinds.cluster.get({ kind: 'GpuInstance' } as never, 'org-acme', 'ins-stop'));
    const { status, said } = await ask('POST', `${INSTANCE}/ins-stop/action`, { action: 'stop' });
    expect([status, said.result.status]).toEqual([202, 'stopping']);
    expect((await get(`${INSTANCE}/ins-stop`)).said.result.spec.power).toBe('Stopped');
  });

  test('a command over a change that the cache has not seen is decided again', async () => {
    const seeded = kinds.cluster.put(kindObject(gpuHost, 'hst-renew', { status: { phase: 'active' } }));
    kinds.store.cache.observe(seeded);
    const { spec } = seeded as unknown as { spec: object };
    let patches = 0;
    kinds.cluster.refuse = (write) => {
      // Somebody else comes between the look and the write.
      if (write.startsWith('patch') && patches++ === 0)
        kinds.cluster.put({ ...seeded, spec: { ...spec, months: 5 } } as never);
      return undefined;
    };
    const { said } = await ask('POST', `${HOST}/hst-renew/action`, { action: 'renew', months: 2 });
    expect([said.result.duration_months, patches]).toEqual([7, 2]);
  });

  test('a counter is raised once for one key', async () => {
    kinds.store.cache.observe(kinds.cluster.put(kindObject(gpuInstance, 'ins-boot', { status: running })));
    const key = { 'idempotency-key': 'reboot' };
    await ask('POST', `${INSTANCE}/ins-boot/action`, { action: 'hardReboot' }, key);
    const again = await ask('POST', `${INSTANCE}/ins-boot/action`, { action: 'hardReboot' }, key);
    expect([again.status, again.said.result.spec.rebootCount]).toEqual([202, 1]);
  });

  test('a command whose answer was lost is not given twice', async () => {
    kinds.store.cache.observe(kinds.cluster.put(kindObject(gpuInstance, 'ins-lost', { status: running })));
    let lost = 0;
    kinds.cluster.refuse = (write) =>
      write.startsWith('patch') && lost++ === 0 ? { error: new NoAnswer('cut off'), after: true } : undefined;
    const { status, said } = await ask('POST', `${INSTANCE}/ins-lost/action`, { action: 'hardReboot' });
    expect([status, said.result.spec.rebootCount, lost]).toEqual([202, 1, 1]);
  });

  test.each<[how: string, note: () => Promise<void>]>([
    ['is refused', () => Promise.reject(new NoAnswer('away'))],
    [
      'throws',
      () => {
        throw new TypeError('odd');
      },
    ],
  ])('a command is carried out once, though its note %s', async (how, note) => {
    const id = `ins-note-${how.length}`;
    kinds.store.cache.observe(kinds.cluster.put(kindObject(gpuInstance, id, { status: running })));
    const failed: [error: unknown, name: string][] = [];
    kinds.store.noteChangesBy({
      note,
      failed: (error, { after }) => void failed.push([error, after.metadata.name]),
    });
    const { status, said } = await ask('POST', `${INSTANCE}/${id}/action`, { action: 'hardReboot' });
    kinds.store.noteChangesBy({ note: async () => {}, failed: () => {} });
    expect([status, said.result?.spec.rebootCount]).toEqual([202, 1]);
    expect(failed).toEqual([[expect.any(Error), id]]);
  });

  test('a PUT sets what it names, and null takes away', async () => {
    kinds.store.cache.observe(
      kinds.cluster.put(
        kindObject(gpuInstance, 'ins-edit', { spec: { gpu: { model: 'H100', count: 2 } }, status: running }),
      ),
    );
    const { status, said } = await ask('PUT', `${INSTANCE}/ins-edit`, { gpu: null, cores: 4 });
    expect([status, said.result.gpu, said.result.cores, said.result.memory_gi]).toEqual([200, null, 4, 4]);
  });

  test('an export makes an image that names the instance', async () => {
    const { status } = await ask('POST', `${INSTANCE}/ins-run/action`, {
      action: 'exportTemplate',
      displayName: 'saved',
    });
    expect(status).toBe(202);
    const found = (await get('/develop/v1/image?search=saved')).said.data;
    expect(found).toMatchObject([{ from_instance: 'ins-run', local: true }]);
    expect(found[0].source).toMatch(/^registry\.gantry\.internal\/org-acme\/img-[0-9a-z]{8}:1$/);
  });

  test('mount and unmount', async () => {
    const made = await ask('POST', '/stor/v1/mount/data-disk/ni', {
      disk: 'dsk-free',
      resource: 'ins-run',
      mountPath: '/work',
    });
    expect([made.status, made.said.result.id]).toEqual([202, 'dsk-free.ins-run']);
    expect(made.headers.get('x-gantry-version')).toMatch(/^gpuinstances=\d+$/);
    expect((await ask('DELETE', '/stor/v1/mount/data-disk/ni/dsk-free.ins-run')).status).toBe(200);
    expect((await get(`${DISK}/mount?disk=dsk-free`)).said.data).toEqual([]);
  });

  test('a disk goes with its id said once more', async () => {
    kinds.store.cache.observe(kinds.cluster.put(kindObject(dataDisk, 'dsk-gone', { status: { phase: 'active' } })));
    expect((await ask('DELETE', `${DISK}/dsk-gone`)).said).toMatchObject({
      error: 'confirmation_needed',
      field: 'confirm',
    });
    expect((await ask('DELETE', `${DISK}/dsk-gone?confirm=dsk-gone`)).status).toBe(200);
    expect((await get(`${DISK}/dsk-gone`)).status).toBe(404);
  });

  test('a batch answers for each', async () => {
    kinds.store.cache.observe(kinds.cluster.put(kindObject(gpuInstance, 'ins-many', { status: running })));
    const { status, said, headers } = await ask('POST', `${INSTANCE}/batch`, {
      action: 'stop',
      ids: ['ins-many', 'ins-rest', 'ins-foreign'],
    });
    expect([status, headers.get('x-gantry-version')]).toEqual([200, expect.stringMatching(/^gpuinstances=\d+$/)]);
    expect(said.data).toMatchObject([
      { id: 'ins-many', code: 0 },
      { id: 'ins-rest', error: 'action_not_allowed' },
      { id: 'ins-foreign', error: 'not_found' },
    ]);
  });
});

describe('a batch that destroys', () => {
  test('takes the disks whose ids were said once more, and no other', async () => {
    for (const id of ['dsk-one', 'dsk-two'])
      kinds.store.cache.observe(kinds.cluster.put(kindObject(dataDisk, id, { status: { phase: 'active' } })));
    const { said } = await ask('POST', `${DISK}/batch`, {
      action: 'release',
      ids: ['dsk-one', 'dsk-two'],
      confirm: ['dsk-one'],
    });
    expect(said.data).toMatchObject([
      { id: 'dsk-one', code: 0 },
      { id: 'dsk-two', error: 'confirmation_needed' },
    ]);
    expect([(await get(`${DISK}/dsk-one`)).status, (await get(`${DISK}/dsk-two`)).status]).toEqual([404, 200]);
  });
});

describe('400: what the door refuses', () => {
  const BAD: Record<string, [method: string, path: string, body: object, expected: object]> = {
    'a name with a space': [
      'POST',
      INSTANCE,
      { ...NEW, displayName: 'a b' },
      { error: 'name_rule', field: 'displayName' },
    ],
    'a disk name of nothing but space': [
      'POST',
      DISK,
      { displayName: ' ', sizeGi: 1 },
      { error: 'plain_text', field: 'displayName' },
    ],
    'no name': ['POST', INSTANCE, { image: 'a/b:1' }, { error: 'invalid_field', field: 'displayName' }],
    'an image without a tag': [
      'POST',
      INSTANCE,
      { ...NEW, image: 'busybox' },
      { error: 'image_malformed', field: 'image' },
    ],
    'a field that a tenant does not set': [
      'POST',
      INSTANCE,
      { ...NEW, creator: 'eve' },
      { error: 'invalid_field', field: 'creator' },
    ],
    'an unknown field inside': [
      'POST',
      INSTANCE,
      { ...NEW, gpu: { model: 'H100', share: 1 } },
      { error: 'invalid_field', field: 'gpu.share' },
    ],
    'a key that is none': [
      'POST',
      INSTANCE,
      { ...NEW, sshKeys: [{ remark: 'me', publicKey: 'ssh-ed25519 AAAA' }] },
      { error: 'ssh_key_malformed', field: 'sshKeys.0.publicKey' },
    ],
    'a host that is not there': [
      'POST',
      INSTANCE,
      { ...NEW, host: 'hst-none' },
      { error: 'no_such_reference', field: 'host' },
    ],
    'a disk that is not there': [
      'POST',
      INSTANCE,
      { ...NEW, disks: [{ name: 'dsk-none', mountPath: '/mnt' }] },
      { error: 'no_such_reference', field: 'disks.0.name' },
    ],
    'a host name with Chinese letters': [
      'POST',
      HOST,
      { displayName: '主机', gpu: { model: 'H100', count: 8 } },
      { error: 'host_name_rule', field: 'displayName' },
    ],
    'nothing selected': [
      'POST',
      `${INSTANCE}/batch`,
      { action: 'stop', ids: [] },
      { error: 'nothing_selected', field: 'ids' },
    ],
    'an action that is none': [
      'POST',
      `${INSTANCE}/ins-run/action`,
      { action: 'edit' },
      { error: 'invalid_field', field: 'action' },
    ],
  };
  test.each(Object.entries(BAD))('%s', async (_, [method, path, body, expected]) => {
    const { status, said } = await ask(method, path, body);
    expect(status).toBe(400);
    expect(said).toMatchObject(expected);
  });

  test('a query field that is not known, and a version that is none', async () => {
    expect((await get(`${INSTANCE}?colour=red`)).said).toMatchObject({ error: 'invalid_field', field: 'colour' });
    expect((await get(INSTANCE, { 'x-gantry-version': 'soon' })).said).toMatchObject({ field: 'X-Gantry-Version' });
  });

  test("the API server's own rules name the field", async () => {
    kinds.cluster.refuse = () => ({
      error: new ApiError(422, {
        reason: 'Invalid',
        details: {
          causes: [{ field: 'spec.homeDisk.sizeGi', message: 'Invalid value: 5: homeDisk.sizeGi can only grow' }],
        },
      }),
    });
    const { status, said } = await ask('PUT', `${INSTANCE}/ins-run`, { homeDisk: { sizeGi: 5 } });
    expect([status, said.field, said.args]).toEqual([
      400,
      'homeDisk.sizeGi',
      { field: 'homeDisk.sizeGi', rule: 'homeDisk.sizeGi can only grow' },
    ]);
  });
});

describe('403: a role without the right', () => {
  test.each([
    ['POST', INSTANCE, NEW],
    ['POST', `${INSTANCE}/ins-run/action`, { action: 'stop' }],
    ['DELETE', `${DISK}/dsk-free`, undefined],
  ])('%s %s', async (method, path, body) => {
    const { status, said } = await ask(method, path, body, { 'x-token': 'viewer@acme' });
    expect([status, said.error]).toEqual([403, 'permission_missing']);
  });

  test.each([
    ['POST', `${HOST}/hst-big/action`, { action: 'renew' }, 'renew'],
    ['POST', `${HOST}/batch`, { action: 'renew', ids: ['hst-big'] }, 'renew'],
    ['PUT', `${HOST}/hst-big`, { autoRenew: true }, 'edit'],
    ['DELETE', `${HOST}/hst-big`, undefined, 'release'],
  ] as const)('%s %s: a command may ask for more than its route', async (method, path, body, action) => {
    const asksMore = jest.replaceProperty(gpuHost.actions[action] as { right: Right }, 'right', 'pay');
    const { status, said } = await ask(method, path, body);
    asksMore.restore();
    expect([status, said.error]).toEqual([403, 'permission_missing']);
  });
});

describe("404: another organisation's object is not there", () => {
  const alike = async (method: string, path: (id: string) => string, body?: object) => {
    const there = await ask(method, path('ins-foreign'), body);
    const nowhere = await ask(method, path('ins-nowhere'), body);
    expect([there.status, nowhere.status]).toEqual([404, 404]);
    const { request_id: _, ...first } = JSON.parse(JSON.stringify(there.said).replaceAll('ins-foreign', 'ID'));
    const { request_id: __, ...second } = JSON.parse(JSON.stringify(nowhere.said).replaceAll('ins-nowhere', 'ID'));
    expect(first).toEqual(second);
  };
  test('to read', () => alike('GET', (id) => `${INSTANCE}/${id}`));
  test('to change', () => alike('PUT', (id) => `${INSTANCE}/${id}`, { cores: 1 }));
  test('to command', () => alike('POST', (id) => `${INSTANCE}/${id}/action`, { action: 'stop' }));
  test('to delete', () => alike('DELETE', (id) => `${INSTANCE}/${id}`));
  test('to unmount', () => alike('DELETE', (id) => `/stor/v1/mount/data-disk/ni/dsk-free.${id}`));
});

describe('409: what the state, the stock or the quota forbids', () => {
  test('an action from a phase that does not have it, in the words of the caller', async () => {
    const { status, said } = await ask(
      'POST',
      `${INSTANCE}/ins-rest/action`,
      { action: 'stop' },
      { 'accept-language': 'ja' },
    );
    expect([status, said.error]).toEqual([409, 'action_not_allowed']);
    expect(said.args).toMatchObject({ action: '停止', phase: 'シャットダウン済み' });
  });

  test('a hibernated instance is told apart from one that is shut down', async () => {
    const settled = { spec: { power: 'Hibernated' }, status: { phase: 'shutDown', settledPower: 'Hibernated' } };
    kinds.store.cache.observe(kinds.cluster.put(kindObject(gpuInstance, 'ins-sleeps', settled)));
    const { status, said } = await ask('POST', `${INSTANCE}/ins-sleeps/action`, { action: 'start' });
    expect([status, said.args?.phase]).toEqual([409, 'Hibernated']);
    const listed = async (word: string) =>
      (await get(`${INSTANCE}?status=${word}&size=100`)).said.data.map(({ id }: { id: string }) => id);
    expect(await listed('hibernated')).toEqual(['ins-sleeps']);
    expect(await listed('shutDown')).toContain('ins-sleeps');
  });

  test.each([
    ['cores', 'PUT', '', { cores: 3 }, 'acc-ann'],
    ['memory', 'PUT', '', { memoryGi: 8 }, 'acc-ann'],
    ['cards', 'PUT', '', { gpu: { model: 'H100', count: 2 } }, 'acc-ann'],
    ['variables', 'PUT', '', { env: [{ name: 'A', value: 'b' }] }, 'acc-ann'],
    ['home', 'PUT', '', { homeDisk: { sizeGi: 30 } }, 'acc-ann'],
    ['reboot', 'POST', '/action', { action: 'hardReboot' }, 'acc-ann'],
    ['name', 'PUT', '', { displayName: 'renamed' }, 'acc-bob'],
    ['unchanged', 'PUT', '', { cores: 2, homeDisk: { sizeGi: 20 } }, 'acc-bob'],
    ['stop', 'POST', '/action', { action: 'stop' }, 'acc-bob'],
  ])(
    "whoever changes the %s of a colleague's run spends only where it begins anew or uses more",
    async (what, method, path, body, spender) => {
      const id = `ins-of-bob-${what}`;
      const spec = { creator: 'acc-bob', startedBy: 'acc-bob' };
      kinds.cache.observe(
        kinds.cluster.put(kindObject(gpuInstance, id, { spec, metadata: { uid: id }, status: running })),
      );
      expect((await ask(method, `${INSTANCE}/${id}${path}`, body)).status).toBeLessThan(300);
      expect((kinds.cache.get(gpuInstance, 'org-acme', id) as GpuInstance).spec.startedBy).toBe(spender);
    },
  );

  test('a change of what somebody else has changed since it was read; one of what is still so is made', async () => {
    const put = (generation: number) =>
      kinds.cache.observe(
        kinds.cluster.put(
          kindObject(gpuInstance, 'ins-two', {
            metadata: { uid: 'uid-two', generation },
            status: { phase: 'running' },
          }),
        ),
      );
    const change = (query: string) => ask('PUT', `${INSTANCE}/ins-two${query}`, { displayName: 'renamed' });
    put(4);
    const { generation } = (await get(`${INSTANCE}/ins-two`)).said.result;
    expect(generation).toBe(4);
    put(5);
    const { status, said } = await change(`?generation=${generation}`);
    expect([status, said.error]).toEqual([409, 'conflict']);
    expect((await get(`${INSTANCE}/ins-two`)).said.result.name).toBe('ins-two');
    expect((await change('?generation=5')).status).toBe(200);
    expect((await change('')).status).toBe(200);
  });

  test('a running instance is not released', async () => {
    const { status, said } = await ask('DELETE', `${INSTANCE}/ins-run`);
    expect([status, said.message]).toEqual([
      409,
      'Instance is not shut down, cannot release. Please shut down and then release.',
    ]);
  });

  test('more cards than the host has free, with numbers', async () => {
    const { status, said } = await ask('POST', INSTANCE, { ...NEW, host: 'hst-big', gpu: { model: 'H100', count: 3 } });
    expect([status, said.error, said.args]).toEqual([
      409,
      'not_enough_gpus',
      { host: 'big', all: 8, free: 2, largest: 2, wanted: 3 },
    ]);
  });

  test('a model that the host does not have', async () => {
    const { said } = await ask('POST', INSTANCE, { ...NEW, host: 'hst-big', gpu: { model: 'A100' } });
    expect(said.error).toBe('wrong_gpu');
  });

  test('an instance at rest does not come back to a host that is full', async () => {
    kinds.store.cache.observe(
      kinds.cluster.put(atRest('ins-back', { host: 'hst-big', gpu: { model: 'H100', count: 4 } })),
    );
    const { said } = await ask('POST', `${INSTANCE}/ins-back/action`, { action: 'start' });
    expect(said).toMatchObject({ error: 'not_enough_gpus', args: { free: 2, wanted: 4 } });
  });

  test('a disk that another has', async () => {
    const disks = [{ name: 'dsk-held', mountPath: '/mnt' }];
    expect((await ask('POST', INSTANCE, { ...NEW, disks })).said).toMatchObject({
      error: 'disk_in_use',
      args: { disk: 'dsk-held', by: 'ins-host' },
    });
    expect((await ask('DELETE', `${DISK}/dsk-held?confirm=dsk-held`)).said.error).toBe('disk_in_use');
    // A host keeps it for its own instances.
    const kept = { disk: 'dsk-kept', resource: 'ins-run', mountPath: '/data' };
    expect((await ask('POST', '/stor/v1/mount/data-disk/ni', kept)).said.args).toEqual({
      disk: 'dsk-kept',
      by: 'big',
    });
    expect((await ask('POST', '/stor/v1/mount/data-disk/ni', { ...kept, resource: 'ins-host' })).status).toBe(202);
  });

  test('an instance may take the cards of its host that it has itself', async () => {
    const six = { gpu: { model: 'H100', count: 6 } };
    expect((await ask('PUT', `${INSTANCE}/ins-host`, { gpu: { model: 'H100', count: 8 } })).status).toBe(200);
    expect((await ask('PUT', `${INSTANCE}/ins-host`, six)).status).toBe(200);
  });

  test("the quota's numbers", async () => {
    kinds.cluster.refuse = () => ({
      error: new ApiError(403, {
        reason: 'Forbidden',
        message:
          'gpuinstances.gantry.dev "x" is forbidden: exceeded quota: objects, requested: count/gpuinstances.gantry.dev=1, used: count/gpuinstances.gantry.dev=100, limited: count/gpuinstances.gantry.dev=100',
      }),
    });
    const { status, said } = await ask('POST', INSTANCE, NEW);
    expect([status, said.error, said.args]).toEqual([
      409,
      'quota_exceeded',
      { resource: 'Instance', requested: '1', used: '100', limit: '100' },
    ]);
  });

  test('an official image', async () => {
    expect((await ask('DELETE', '/develop/v1/image/img-official')).said.error).toBe('official_image');
  });
});

describe('503: the API server does not answer', () => {
  test('a write says when to come again', async () => {
    kinds.cluster.refuse = () => ({ error: new NoAnswer('refused') });
    const { status, said, headers } = await ask('PUT', `${INSTANCE}/ins-run`, { cores: 3 });
    expect([status, said.error, Number(headers.get('retry-after'))]).toEqual([503, 'unavailable', expect.any(Number)]);
  });
});

test("another process's answer is never taken for this one's: its build may show the same object otherwise", () => {
  const region = { id: 'us-east', label: 'US East Washington' };
  const other = new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region });
  const reader = { namespace: 'org-acme', role: 'member', language: 'en' } as const;
  const tags = [kinds.store, kinds.store, other].map(({ reads }) => reads.one(gpuInstance, reader, 'ins-run').etag);
  expect(new Set(tags).size).toBe(2);
});

test('an object shows its price, and another one once that changes, though the object is the same', () => {
  const region = { id: 'us-east', label: 'US East Washington' };
  const store = new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region });
  let [amount, version] = ['1.00', 1];
  const price = () => ({ per: 'hour' as const, amount, list: amount, discount_percent: 0, currency: 'USD' });
  store.priceBy({ of: price, shown: price, gpu: () => ({ card: price(), host: null }), version: () => version });
  const reader = { namespace: 'org-acme', role: 'member', language: 'en' } as const;
  const read = () => {
    const { etag, body } = store.reads.one(gpuInstance, reader, 'ins-run');
    return { etag, price: JSON.parse(`${body()}`).result.price };
  };
  const before = read();
  expect(before.price).toEqual(price());
  expect(read()).toEqual(before);
  [amount, version] = ['2.00', 2];
  const after = read();
  expect([after.price.amount, after.etag === before.etag]).toEqual(['2.00', false]);
  expect(store.gpuSpecs()[0]).toMatchObject({ price: { amount: '2.00' }, host_price: null });
  // Nobody tells another region's store of prices.
  const eu = { id: 'eu-west', label: 'EU West Paris' };
  store.showAlso([new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region: eu })]);
  expect(store.stockIn('eu-west')[0]).toMatchObject({ region: 'eu-west', price: { amount: '2.00' } });
});

test('a command that spends tells the price from then on, where it is another one', () => {
  const region = { id: 'us-east', label: 'US East Washington' };
  const store = new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region });
  const price = (amount: string) => ({
    per: 'hour' as const,
    amount,
    list: amount,
    discount_percent: 0,
    currency: 'USD',
  });
  const of = (_: unknown, object: KubeObject) =>
    price((object as GpuInstance).spec.power === 'Running' ? '1.00' : '0.10');
  store.priceBy({ of, shown: of, gpu: () => ({ card: null, host: null }), version: () => 1 });
  const status = { phase: 'stopped', settledPower: 'Stopped' };
  const spec = { power: 'Stopped' };
  kinds.cache.observe(
    kinds.cluster.put(kindObject(gpuInstance, 'ins-still', { metadata: { uid: 'uid-still' }, spec, status })),
  );
  const reader = { namespace: 'org-acme', role: 'member', language: 'en' } as const;
  const read = (id: string) => JSON.parse(`${store.reads.one(gpuInstance, reader, id).body()}`).result;
  const pricesOf = (id: string) =>
    read(id).actions.flatMap((row: { action: string; price?: object }) => (row.price ? [[row.action, row.price]] : []));
  expect(read('ins-still').price).toEqual(price('0.10'));
  expect(pricesOf('ins-still')).toEqual([['resume', price('1.00')]]);
  expect(pricesOf('ins-run')).toEqual([]);
});

test('what failed shows the price that is charged, and the command that starts it again tells the other', () => {
  const region = { id: 'us-east', label: 'US East Washington' };
  const store = new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region });
  const price = (amount: string) => ({
    per: 'hour' as const,
    amount,
    list: amount,
    discount_percent: 0,
    currency: 'USD',
  });
  const gpu = () => ({ card: null, host: null });
  store.priceBy({ of: () => price('1.00'), shown: () => price('0.10'), gpu, version: () => 1 });
  const status = { phase: 'failed', reason: 'Evicted' };
  kinds.cache.observe(
    kinds.cluster.put(kindObject(gpuInstance, 'ins-failed', { metadata: { uid: 'uid-failed' }, status })),
  );
  const reader = { namespace: 'org-acme', role: 'member', language: 'en' } as const;
  const { actions, ...view } = JSON.parse(`${store.reads.one(gpuInstance, reader, 'ins-failed').body()}`).result;
  expect(view.price).toEqual(price('0.10'));
  expect(actions).toContainEqual(expect.objectContaining({ action: 'hardReboot', price: price('1.00') }));
});

test('names that others have are not taken for what this call has made', async () => {
  let tries = 0;
  kinds.cluster.refuse = (write) =>
    write.startsWith('create') && ++tries <= 2 ? { error: new ApiError(409, { reason: 'AlreadyExists' }) } : undefined;
  expect([(await ask('POST', INSTANCE, NEW)).status, tries]).toEqual([201, 3]);
});

test('a host is told of again when an instance takes cards of it or gives them back, and not otherwise', () => {
  const events: string[] = [];
  const off = kinds.store.reads.on(({ kind, name }) => events.push(`${kind.kind} ${name}`));
  const put = (spec: object, phase: string) =>
    kinds.store.cache.observe(
      kinds.cluster.put(
        kindObject(gpuInstance, 'ins-live', {
          metadata: { uid: 'uid-live' },
          spec,
          status: { phase, health: 'normal' },
        }),
      ),
    );
  const one = { host: 'hst-big', gpu: { model: 'H100', count: 1 } };
  put(one, 'running');
  put({ ...one, displayName: 'renamed' }, 'running');
  put({ ...one, power: 'ShutDown' }, 'shutDown');
  off();
  const instance = 'GpuInstance ins-live';
  expect(events).toEqual([instance, 'GpuHost hst-big', instance, instance, 'GpuHost hst-big']);
});

describe('who has a disk is called by the name that people see', () => {
  const put = (name: string, namespace: string, displayName: string) =>
    kinds.store.cache.observe(
      kinds.cluster.put(
        kindObject(gpuInstance, name, {
          namespace,
          metadata: { uid: `uid-${namespace}-${name}` },
          spec: { displayName },
        }),
      ),
    );
  const lend = (name: string, status: object) =>
    kinds.store.cache.observe(
      kinds.cluster.put(
        kindObject(dataDisk, name, { metadata: { uid: `uid-${name}` }, status: { phase: 'mounted', ...status } }),
      ),
    );
  const held = async (disk: string, headers = {}) => {
    const { result } = (await get(`${DISK}/${disk}`, headers)).said;
    return [result.mounted_by.map(({ id, name }: Record<string, string>) => [id, name]), result.message];
  };

  test('also what gets it at the next start, and in the sentence beside it', async () => {
    put('ins-called', 'org-acme', 'training');
    const waits = [{ kind: 'GpuInstance', name: 'ins-called', atNextStart: true }];
    lend('dsk-lent', { mountedBy: waits, reason: 'MountsAtNextStart', reasonArgs: { by: 'ins-called' } });
    expect(await held('dsk-lent', { 'accept-language': 'zh' })).toEqual([
      [['ins-called', 'training']],
      '磁盘已为 training 保留，将在其下次启动时挂载。',
    ]);
    lend('dsk-lent', { mountedBy: [{ kind: 'GpuHost', name: 'hst-big' }], reason: 'Mounted' });
    expect(await held('dsk-lent')).toEqual([[['hst-big', 'big']], 'The disk is mounted by big.']);
  });

  test("another organisation's instance of the same id names nothing here", async () => {
    put('ins-theirs', 'org-other', 'their secret');
    lend('dsk-odd', { mountedBy: [{ kind: 'GpuInstance', name: 'ins-theirs' }] });
    expect(await held('dsk-odd')).toEqual([[['ins-theirs', 'ins-theirs']], null]);
  });

  test('a new name is a new answer, for the disk and for the list, and told to whoever listens', async () => {
    put('ins-called', 'org-acme', 'training');
    lend('dsk-lent', { mountedBy: [{ kind: 'GpuInstance', name: 'ins-called' }] });
    const paths = [`${DISK}/dsk-lent`, `${DISK}?size=100`];
    const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get('etag') ?? ''));
    const again = () =>
      Promise.all(paths.map(async (path, at) => (await get(path, { 'if-none-match': `${tags[at]}` })).status));
    expect(await again()).toEqual([304, 304]);
    const events: string[] = [];
    const off = kinds.store.reads.on(({ kind, name }) => events.push(`${kind.kind} ${name}`));
    put('ins-called', 'org-acme', '学習');
    put('ins-called', 'org-acme', '学習');
    off();
    expect(events).toEqual(['GpuInstance ins-called', 'DataDisk dsk-lent', 'GpuInstance ins-called']);
    expect(await again()).toEqual([200, 200]);
    expect((await held('dsk-lent'))[0]).toEqual([['ins-called', '学習']]);
  });
});

test('a written object can be read before any watch reports it', async () => {
  const create = async (_: unknown, object: KubeObject) => ({
    ...kindObject(gpuInstance, object.metadata.name),
    metadata: { ...object.metadata, uid: 'told-by-nobody', resourceVersion: '999999' },
  });
  const client = { as: () => ({ create }) as unknown as ReturnType<MemoryKinds['as']> };
  const store = new KindStore({ cache: kinds.cache, client, region: { id: 'r', label: 'R' } });
  const writer = { namespace: 'org-acme', account: 'acc-ann', role: 'member', language: 'en' } as const;
  const { metadata } = await store.create(gpuInstance, writer, NEW, { route: 'test', key: undefined });
  expect(kinds.cache.get(gpuInstance, 'org-acme', metadata.name)?.metadata.uid).toBe('told-by-nobody');
  expect(await kinds.cache.waitFor(gpuInstance, 999_999, new AbortController().signal)).toBe(true);
});

test('the market shows each caller what they could have, where every organisation has nodes of its own', async () => {
  const region = { id: 'us-east', label: 'US East Washington' };
  const store = new KindStore({ cache: kinds.cache, client: { as: kinds.as }, region });
  const routes = kindRoutes(store);
  const free = async (route: RouteFacts, caller: Caller | undefined, of: (data: never) => number) =>
    of(
      (await routes
        .find((one) => one.route === route)
        ?.handler({ caller, query: {}, language: 'en' } as never)) as never,
    );
  const sum = (specs: { free: number }[]) => specs.reduce((total, one) => total + one.free, 0);
  const first = ([one]: { gpus: { free: number } }[]) => one?.gpus.free ?? Number.NaN;
  const callers = [callerOf('member@acme'), callerOf('member@other'), undefined];
  const shown = await Promise.all(callers.map((caller) => free(CATALOGUE_ROUTES.listGpuSpecs, caller, sum)));
  // A node on which the other organisation has Pods has cards that are free to that organisation alone.
  expect(shown).toEqual([0, 3, 3]);
  const regions = callers.slice(0, 2).map((caller) => free(CATALOGUE_ROUTES.listRegions, caller, first));
  expect(await Promise.all(regions)).toEqual([0, 3]);
});
