// Staff's commands on what tenants have, and the lists and pages of computing and storage.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { and, desc, eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';
import { messages, notices } from '../../platform/db/schema/messages.ts';
import { platformGrants } from '../../platform/db/schema/people.ts';

const RUNNING = 'org-otherorg.ins-running';
const namespace = 'org-otherorg';
const created = { creationTimestamp: '2026-11-01T00:00:00Z' };
const core = (kind: string, name: string, more: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: `uid-${name}`, ...created, ...metadata },
  ...more,
});
const claim = (name: string, volumeName: string, storage: string) =>
  core(
    'PersistentVolumeClaim',
    name,
    {
      spec: { storageClassName: 'local', volumeName, resources: { requests: { storage } } },
      status: { phase: 'Bound', capacity: { storage } },
    },
    { namespace },
  );
const volume = (name: string, node: string, phase: string, storage: string) => {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }];
  return core('PersistentVolume', name, {
    spec: {
      storageClassName: 'local',
      capacity: { storage },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      claimRef: { namespace, name: 'was' },
    },
    status: { phase },
  });
};

/** A node with a card that is broken, and a run of an instance on it; volumes, and what nobody owns. */
const OBJECTS: readonly KubeObject[] = [
  kindObject(organization, 'otherorg', { spec: { quota: {} }, metadata: { namespace: undefined } }),
  kindObject(gpuInstance, 'ins-running', {
    namespace,
    spec: { displayName: 'busy', gpu: { model: 'NVIDIA-H100', count: 2 } },
    status: {
      ...{ phase: 'running', node: 'node-a', podIP: '10.9.8.7', rebootCount: 0 },
      address: `ins-running.instances.${namespace}.svc`,
      run: { seq: 3, cause: 'start', readyAt: '2026-11-02T00:00:00Z' },
    },
  }),
  kindObject(dataDisk, 'dsk-full', {
    namespace,
    status: {
      phase: 'active',
      usage: {
        totalBytes: 20 * 2 ** 30,
        usedBytes: 10 * 2 ** 30,
        availableBytes: 10 * 2 ** 30,
        at: '2026-11-02T00:00:00Z',
      },
    },
  }),
  kindObject(snapshot, 'snp-lost', {
    namespace,
    spec: { instance: 'ins-gone', of: 'Root', target: `registry.gantry.internal/${namespace}/gone:1` },
    status: { phase: 'ready' },
  }),
  kindObject(snapshot, 'train-1-0-abcde', {
    namespace,
    spec: { instance: 'train', of: 'Log', target: `registry.gantry.internal/${namespace}/train.job.log:1-0` },
    status: { phase: 'processing' },
  }),
  kindObject(job, 'train', {
    namespace,
    spec: { workers: 2 },
    status: {
      phase: 'running',
      run: { seq: 1, cause: 'first' },
      workers: [0, 1].map((index) => ({ index, pod: `train-1-${index}-abcde`, phase: 'running' })),
    },
  }),
  kindObject(containerService, 'web', {
    namespace,
    spec: { ports: [{ port: 8080 }] },
    status: {
      phase: 'active',
      pods: [{ name: 'web-service-1-abcde', phase: 'ready', node: 'node-a' }],
    },
  }),
  kindObject(image, 'busybox', { namespace: 'gantry-system', spec: { official: true }, status: { phase: 'ready' } }),
  core(
    'Node',
    'node-a',
    {
      spec: {},
      status: {
        allocatable: { 'nvidia.com/gpu': '7', cpu: '64', memory: '256Gi', 'ephemeral-storage': '2Ti', pods: '110' },
        capacity: { 'nvidia.com/gpu': '8' },
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'GpuFatalXid', status: 'True', message: 'XID 79' },
        ],
      },
    },
    { labels: { 'nvidia.com/gpu.product': 'NVIDIA-H100' } },
  ),
  core(
    'Pod',
    'ins-running-3',
    {
      spec: {
        nodeName: 'node-a',
        containers: [{ name: 'main', resources: { requests: { 'nvidia.com/gpu': '2', cpu: '2', memory: '4Gi' } } }],
      },
      status: { phase: 'Running', podIP: '10.9.8.7' },
    },
    {
      namespace,
      labels: {
        'gantry.dev/kind': 'GpuInstance',
        'gantry.dev/name': 'ins-running',
        'gantry.dev/run': '3',
        'gantry.dev/organization': 'otherorg',
      },
    },
  ),
  ...[0, 1].map((at) =>
    core(
      'Pod',
      `svc-stranger-service-${at}`,
      { spec: { nodeName: 'node-a', containers: [{ name: 'main' }] }, status: { phase: 'Running' } },
      {
        namespace,
        labels: { 'gantry.dev/kind': 'ContainerService', 'gantry.dev/name': 'svc-stranger', 'gantry.dev/run': '1' },
      },
    ),
  ),
  claim('dsk-full-disk', 'pv-full', '20Gi'),
  claim('gone-disk', 'pv-gone', '10Gi'),
  volume('pv-full', 'node-a', 'Bound', '20Gi'),
  volume('pv-gone', 'node-a', 'Bound', '10Gi'),
  volume('pv-lost', 'node-b', 'Released', '7Gi'),
];

let db: Database;
let gateway: MemoryGateway;
beforeAll(async () => {
  db = await migratedDatabase();
  gateway = await startMemoryGateway({ db, objects: OBJECTS });
  await db.sql.insert(platformGrants).values({ accountId: 'acc-viewer', role: 'support', createdAt: new Date() });
  await db.sql.insert(platformGrants).values({ accountId: 'acc-billing', role: 'finance', createdAt: new Date() });
}, 120_000);
afterAll(() => gateway.stop());

// biome-ignore lint/suspicious/noExplicitAny: rows of any resource
type Rows = any;
interface Asked {
  body?: unknown;
  as?: keyof MemoryGateway['tokens'];
  headers?: Record<string, string>;
}

async function ask(path: string, { body, as = 'administrator', headers = {} }: Asked = {}) {
  const answer = await fetch(`${gateway.url}/api/admin/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-token': gateway.tokens[as],
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, range: answer.headers.get('content-range'), body: (await answer.json()) as Rows };
}
const list = (resource: string, filter: object = {}, as: Asked['as'] = 'administrator') =>
  ask(`${resource}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`, { as });
const lastEntry = async () => {
  const [entry] = await db.sql.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
  return entry;
};
const lastMessageOf = async (account: string) => {
  const [found] = await db.sql
    .select({
      title: notices.title,
      content: notices.content,
      object: notices.object,
      organization: messages.organizationId,
    })
    .from(messages)
    .innerJoin(notices, eq(notices.id, messages.noticeId))
    .where(and(eq(messages.accountId, account), eq(notices.kind, 'event')))
    .orderBy(desc(messages.seq))
    .limit(1);
  return found;
};

describe('a command of staff', () => {
  test('an instance found by an address of a log line is hibernated, and its members read who did it and why', async () => {
    const found = await list('instances', { q: '10.9.8.7:22' });
    expect(found.body.map(({ id }: Rows) => id)).toEqual([RUNNING]);
    expect(found.body[0].commands.map(({ action }: Rows) => action)).toContain('hibernate');
    const reason = 'its node is <b>repaired</b>';
    const done = await ask(`instances/${RUNNING}/action`, { body: { action: 'hibernate', reason } });
    expect([done.status, done.body]).toMatchObject([
      202,
      { id: RUNNING, phase: 'hibernating', spec: { power: 'Hibernated' } },
    ]);
    expect(await lastEntry()).toMatchObject({
      action: 'adminActInstances',
      actorKind: 'staff',
      actorId: 'acc-administrator',
      organizationId: '',
      object: `GpuInstance/${RUNNING}`,
      reason: `hibernate: ${reason}`,
      decision: 'allowed',
    });
    const told = await lastMessageOf('acc-stranger');
    expect(told).toMatchObject({ organization: 'otherorg', object: { kind: 'gpuinstances', id: 'ins-running' } });
    expect(told?.content.en).toBe(
      `administrator (Administrator) gave the command “Hibernate” to Instance busy. Reason: ${reason}`,
    );
    expect(told?.content.ja).toContain(reason);
    // Nobody of another organisation hears of it.
    expect(await lastMessageOf('acc-owner')).toBeUndefined();
    // As staff, never as a member.
    expect(gateway.users.at(-1)).toBe('system:serviceaccount:gantry-system:gantry-staff');
  });

  test('what the state machine does not allow is refused, and nobody is told', async () => {
    const before = await lastMessageOf('acc-stranger');
    const refused = await ask('instances/org-otherorg.ins-stranger/action', {
      body: { action: 'hibernate', reason: 'x' },
    });
    expect([refused.status, refused.body.error]).toEqual([409, 'action_not_allowed']);
    const entry = { decision: 'failed', object: 'GpuInstance/org-otherorg.ins-stranger' };
    // Written once the answer is out.
    await eventually('it is audited', async () => {
      expect(await lastEntry()).toMatchObject(entry);
      return true;
    });
    expect(await lastMessageOf('acc-stranger')).toEqual(before);
  });

  test.each(['start', 'restore', 'resume', 'edit', 'exportTemplate', 'login', 'constructor'])(
    '%s is no command of staff',
    async (action) => {
      const refused = await ask('instances/org-otherorg.ins-stranger/action', { body: { action, reason: 'x' } });
      expect([refused.status, refused.body.field]).toEqual([400, 'action']);
    },
  );

  test('a reason is needed', async () => {
    const refused = await ask(`instances/${RUNNING}/action`, { body: { action: 'stop' } });
    expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
  });

  test('reconciling is paused and resumed, and twice is once', async () => {
    const give = (action: string) =>
      ask(`instances/${RUNNING}/action`, { body: { action, reason: 'looking into it' } });
    expect((await give('pauseReconciling')).body).toMatchObject({ paused: true });
    const again = await give('pauseReconciling');
    expect(again.body.commands.map(({ action }: Rows) => action)).not.toContain('pauseReconciling');
    expect((await list('instances', { paused: true })).body.map(({ id }: Rows) => id)).toEqual([RUNNING]);
    expect((await give('resumeReconciling')).body).toMatchObject({ paused: false });
  });

  test('what destroys is confirmed by its name', async () => {
    const give = (confirm?: string) =>
      ask('disks/org-otherorg.dsk-stranger/action', { body: { action: 'release', reason: 'x', confirm } });
    expect((await give()).body).toMatchObject({ error: 'confirmation_needed', field: 'confirm' });
    expect((await give('dsk-own')).body.error).toBe('confirmation_needed');
    expect((await give('dsk-stranger')).status).toBe(202);
  });

  test('a repeated call under its key is told once', async () => {
    const body = { action: 'shutdown', reason: 'twice' };
    const headers = { 'idempotency-key': 'the-same' };
    const first = await ask(`instances/${RUNNING}/action`, { body, headers });
    const second = await ask(`instances/${RUNNING}/action`, { body, headers });
    expect([first.status, second.body]).toEqual([202, first.body]);
    const told = await db.sql.select().from(notices);
    expect(told.filter(({ content }) => content.en.includes('Reason: twice'))).toHaveLength(1);
  });

  test.each([
    ['viewer', 'support sees and does not command'],
    ['billing', 'finance has no such menu'],
    ['owner', 'no member is staff'],
  ] as const)('403 as %s: %s', async (as, _why) => {
    const body = { action: 'stop', reason: 'x' };
    expect((await ask(`instances/${RUNNING}/action`, { body, as })).status).toBe(403);
    const several = { ...body, ids: [RUNNING] };
    expect((await ask('instances/batch', { body: several, as })).status).toBe(403);
    expect((await ask('nodes/node-a/action', { body: { action: 'cordon', reason: 'x' }, as })).status).toBe(403);
    const seen = [await list('nodes', {}, as), await ask(`instances/${RUNNING}/about`, { as })];
    expect(seen.map(({ status }) => status)).toEqual(as === 'viewer' ? [200, 200] : [403, 403]);
  });

  test('several at once: each has its answer and its entry', async () => {
    const ids = ['org-acmeorgs.ins-own', RUNNING, 'org-none.none'];
    const { status, body } = await ask('instances/batch', {
      body: { action: 'pauseReconciling', ids, reason: 'audit' },
    });
    expect([status, body.map(({ id, error }: Rows) => [id, error])]).toEqual([
      200,
      [
        ['org-acmeorgs.ins-own', null],
        [RUNNING, null],
        ['org-none.none', 'not_found'],
      ],
    ]);
    const entries = await db.sql.select().from(auditLog).where(eq(auditLog.action, 'adminBatchInstances'));
    expect(
      entries.filter(({ object }) => object?.startsWith('GpuInstance/')).map((one) => [one.object, one.decision]),
    ).toEqual([
      ['GpuInstance/org-acmeorgs.ins-own', 'allowed'],
      [`GpuInstance/${RUNNING}`, 'allowed'],
      ['GpuInstance/org-none.none', 'denied'],
    ]);
    expect((await lastMessageOf('acc-member'))?.content.zh).toContain('audit');
  });

  test('an official image belongs to no organisation', async () => {
    const body = { action: 'release', confirm: 'busybox', reason: 'x' };
    expect((await ask('images/gantry-system.busybox/action', { body })).body.error).toBe('official_image');
  });
});

describe('what staff look for', () => {
  test.each([
    ['ins-running-3', 'the Pod of a run'],
    ['org-otherorg/ins-running-3', 'a Pod with its namespace'],
    ['10.9.8.7', 'its address now'],
    ['ins-running.instances.org-otherorg.svc', 'its name in the network'],
    ['node-a', 'its node'],
    ['BUSY', 'a part of its name'],
  ])('%s: %s', async (q) => {
    expect((await list('instances', { q })).body.map(({ id }: Rows) => id)).toEqual([RUNNING]);
  });

  test.each(['10.9.8.70', '0.9.8.7', 'ins-runnin-3', 'org-acmeorgs/ins-running-3'])('%s leads nowhere', async (q) => {
    expect((await list('instances', { q })).body).toEqual([]);
  });

  test('rows speak the reader’s language', async () => {
    const { body } = await ask(`instances/${RUNNING}`, { headers: { 'accept-language': 'zh' } });
    expect(body.phase_label).not.toBe((await ask(`instances/${RUNNING}`)).body.phase_label);
  });
});

describe('the page of an object', () => {
  test('its manifest has no values of variables', async () => {
    const { status, body } = await ask('instances/org-otherorg.ins-stranger/about');
    expect(status).toBe(200);
    expect(body.yaml).toContain('PASSWORD');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  test('what belongs to it, and what was done to it', async () => {
    const { body } = await ask('instances/org-otherorg.ins-stranger/about');
    expect(body.related).toEqual([expect.objectContaining({ resource: 'snapshots', id: 'org-otherorg.snp-stranger' })]);
    expect(body.audit[0]).toMatchObject({ action: 'adminActInstances', decision: 'failed' });
    expect(body).toMatchObject({ intervals: [], cost: null, events: [] });
    const save = await ask('snapshots/org-otherorg.snp-stranger/about');
    expect(save.body.related).toEqual([
      expect.objectContaining({ resource: 'instances', id: 'org-otherorg.ins-stranger' }),
    ]);
  });

  test('one that is not there', async () => {
    expect((await ask('instances/org-otherorg.nobody/about')).status).toBe(404);
    expect((await ask('nodes/nobody/about')).status).toBe(404);
  });
});

describe('nodes', () => {
  test('what each has, who has it and what is wrong', async () => {
    const { body } = await list('nodes');
    expect(body).toMatchObject([
      {
        id: 'node-a',
        model: 'NVIDIA-H100',
        ...{ gpus: 8, gpus_used: 2, gpus_free: 5, gpus_broken: 1 },
        ...{ tenancy: 'shared', health: 'gpuError', gpu_error: 'XID 79', cordoned: false, instances: 1 },
      },
    ]);
    expect((await list('nodes', { q: '10.0.0.1:10250' })).body).toHaveLength(1);
    expect((await list('nodes', { health: 'healthy' })).body).toEqual([]);
  });

  test('out of service with a reason, and back', async () => {
    const give = (action: string) => ask('nodes/node-a/action', { body: { action, reason: 'a fan' } });
    expect((await give('uncordon')).body.error).toBe('node_command');
    expect((await give('cordon')).body).toMatchObject({ cordoned: true, cordon_reason: 'a fan' });
    expect(await lastEntry()).toMatchObject({
      action: 'adminActNodes',
      object: 'Node/node-a',
      reason: 'cordon: a fan',
    });
    expect((await give('uncordon')).body).toMatchObject({ cordoned: false, cordon_reason: null });
  });

  test('a drain says before what it ends, is confirmed, and tells whose it was', async () => {
    const about = await ask('nodes/node-a/about');
    const service = { resource: 'services', object_id: 'org-otherorg.svc-stranger', gpus: 0 };
    expect(about.body.pods).toMatchObject([
      { name: 'ins-running-3', resource: 'instances', object_id: RUNNING, gpus: 2, after: 'moves' },
      { name: 'svc-stranger-service-0', ...service },
      { name: 'svc-stranger-service-1', ...service },
    ]);
    const give = (confirm?: string) =>
      ask('nodes/node-a/action', { body: { action: 'drain', reason: 'a fire', confirm } });
    expect((await give()).body.error).toBe('confirmation_needed');
    expect((await give('node-a')).body).toMatchObject({ cordoned: true });
    expect(gateway.evicted).toEqual(
      ['ins-running-3', 'svc-stranger-service-0', 'svc-stranger-service-1'].map((name) => `${namespace}/${name}`),
    );
    const told = await lastMessageOf('acc-stranger');
    expect(told?.title.en).toMatch(/^Platform staff are emptying the node of Service /);
    expect(told?.content.en).toMatch(/ a node that service .*Its replicas there are replaced.*a fire$/);
  });

  test('a node is joined to nobody that is not there, and not while somebody runs on it', async () => {
    const join = (organization_id: string) =>
      ask('nodes/node-a/action', { body: { action: 'join', organization_id, reason: 'x' } });
    expect((await join('nobody')).status).toBe(404);
    expect((await join('otherorg')).body.error).toBe('node_taken');
  });
});

describe('storage', () => {
  test('how full it is, and what nobody owns', async () => {
    expect((await list('storage-fill')).body).toMatchObject([
      { storage_class: 'local', node: 'node-a', volumes: 2, claimed_gi: 30, measured: 1, fill_percent: 50 },
    ]);
    const { body } = await list('orphans');
    expect(body.map(({ id, why }: Rows) => [id, why])).toEqual([
      ['claim:org-otherorg.gone-disk', 'objectGone'],
      ['snapshot:org-otherorg.snp-lost', 'instanceGone'],
      ['volume:pv-lost', 'released'],
    ]);
    expect((await list('orphans', { kind: 'volume' })).body).toHaveLength(1);
    expect((await ask('orphans/volume:pv-lost')).body).toMatchObject({ size_gi: 7, node: 'node-b' });
  });
});

test('the log of a run is read as staff, and the audit log keeps who read it', async () => {
  const read = (as: keyof MemoryGateway['tokens'], reason: string, path = `${RUNNING}/runs/3/log`) =>
    fetch(`${gateway.url}/api/admin/instances/${path}`, {
      headers: { 'x-token': gateway.tokens[as], 'x-reason': encodeURIComponent(reason) },
    });
  expect((await read('viewer', 'a look')).status).toBe(403);
  const silent = await read('administrator', ' ');
  expect([silent.status, ((await silent.json()) as { error: string }).error]).toEqual([400, 'reason_needed']);
  const answer = await read('administrator', '顧客の依頼');
  expect([answer.status, await answer.text()]).toEqual([200, 'what ins-running-3 wrote\n']);
  expect(await lastEntry()).toMatchObject({
    action: 'adminLogInstances',
    actorId: 'acc-administrator',
    actorKind: 'staff',
    object: `GpuInstance/${RUNNING}`,
    reason: 'run 3: 顧客の依頼',
  });
  expect((await read('administrator', 'a look', 'gantry-system.x/runs/1/log')).status).toBe(404);
  expect((await read('administrator', 'a look', `${RUNNING}/runs/3/log?worker=0`)).status).toBe(400);
});

test('the log of a worker is read as staff, and the audit log says of which', async () => {
  const read = (worker: number) =>
    fetch(`${gateway.url}/api/admin/jobs/org-otherorg.train/runs/1/log?worker=${worker}`, {
      headers: { 'x-token': gateway.tokens.administrator, 'x-reason': 'asked' },
    });
  const answer = await read(1);
  expect([answer.status, await answer.text()]).toEqual([200, 'what train-1-1-abcde wrote\n']);
  expect(await lastEntry()).toMatchObject({
    action: 'adminLogJobs',
    object: 'Job/org-otherorg.train',
    reason: 'run 1, worker 1: asked',
  });
  expect((await read(2)).status).toBe(404);
});

test('the log of a replica is read as staff, and the audit log says of which', async () => {
  const read = (pod: string, reason = 'asked') =>
    fetch(`${gateway.url}/api/admin/services/org-otherorg.web/replica/${pod}/log`, {
      headers: { 'x-token': gateway.tokens.administrator, 'x-reason': reason },
    });
  const answer = await read('web-service-1-abcde');
  expect([answer.status, await answer.text()]).toEqual([200, 'what web-service-1-abcde wrote\n']);
  expect(await lastEntry()).toMatchObject({
    action: 'adminReplicaLogServices',
    object: 'ContainerService/org-otherorg.web',
    reason: 'replica web-service-1-abcde: asked',
  });
  // A Pod of somebody else is none of its replicas.
  expect((await read('ins-running-3')).status).toBe(404);
  expect((await read('web-service-1-abcde', '')).status).toBe(400);
});
