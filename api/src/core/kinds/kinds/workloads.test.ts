// Jobs and services before they are written: what can never run, who pays, which revision, and where values of secrets go.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Writer } from '../kind-writes.ts';
import { onHost } from '../stock.ts';
import { kindObject, type MemoryKinds, memoryKinds } from '../testing/memory-kinds.ts';

const WRITER: Writer = { namespace: 'org-acme', role: 'member', language: 'en', account: 'ann' };
const node = (name: string, model: string, cards: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, labels: { [LABEL.gpuModel]: model } },
    status: {
      allocatable: { [GPU_RESOURCE]: `${cards}`, cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '110' },
      capacity: { [GPU_RESOURCE]: `${cards}` },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }) as KubeObject;

const TEMPLATE = JSON.stringify({ image: 'web:1', cores: 1, memoryGi: 1, ports: [{ port: 80 }] });
/** Its second revision is on its way. */
const revised = (template: string, present: object) => ({
  phase: 'active',
  revision: 2,
  revisions: [
    {
      revision: 2,
      at: '2026-11-01T00:00:00Z',
      hash: 'b',
      outcome: 'rolling',
      image: 'web:2',
      template: JSON.stringify(present),
    },
    { revision: 1, at: '2026-11-01T00:00:00Z', hash: 'a', outcome: 'good', image: 'web:1', template },
  ],
});
const RUN = { seq: 1, cause: 'first', runCount: 0, endedAt: '2026-11-01T00:00:00Z' };
const SEEN: KubeObject[] = [
  node('node-a', 'H100', 8),
  node('node-b', 'H100', 8),
  node('node-c', 'T4', 2),
  kindObject(gpuHost, 'big', { spec: { displayName: 'Big box', gpu: { model: 'H100', count: 8 }, nodes: 2 } }),
  kindObject(gpuHost, 'old', {
    spec: { displayName: 'Old box', gpu: { model: 'A100', count: 2 }, tags: ['train'] },
    status: { phase: 'active' },
  }),
  kindObject(gpuHost, 'foe', {
    namespace: 'org-foe',
    spec: { gpu: { model: 'B200', count: 1 }, tags: ['foe'] },
    status: { phase: 'active' },
  }),
  kindObject(dataDisk, 'one', { spec: { displayName: 'Solo', access: 'Single' } }),
  kindObject(dataDisk, 'many', { spec: { access: 'Many' } }),
  kindObject(dataDisk, 'held', { spec: { displayName: 'Corpus', access: 'Single' } }),
  kindObject(gpuInstance, 'dev', {
    spec: { displayName: 'Workbench', disks: [{ name: 'held', mountPath: '/data' }] },
    status: { phase: 'running' },
  }),
  kindObject(job, 'done', {
    spec: { creator: 'bob', secretEnv: [{ name: 'A', secret: 'done-j0000000-env', key: 'A' }] },
    status: { phase: 'succeeded', run: { seq: 1, cause: 'first', runCount: 0, endedAt: '2026-11-01T00:00:00Z' } },
  }),
  kindObject(dataProcess, 'half', {
    spec: { creator: 'bob' },
    status: { phase: 'success', run: RUN, progress: { run: 1, done: 7, of: 10, failed: 2 } },
  }),
  kindObject(dataProcess, 'whole', {
    status: { phase: 'success', run: RUN, progress: { run: 1, done: 10, of: 10, failed: 0 } },
  }),
  kindObject(dataProcess, 'early', { status: { phase: 'processing', run: { ...RUN, endedAt: undefined } } }),
  kindObject(fineTune, 'tuned', {
    spec: { creator: 'bob' },
    status: { phase: 'success', run: RUN, checkpoint: { run: 1, step: 20, bytes: 1, at: '2026-11-01T00:00:00Z' } },
  }),
  kindObject(fineTune, 'untold', { status: { phase: 'success', run: RUN } }),
  kindObject(containerService, 'web', {
    spec: { creator: 'bob', image: 'web:2' },
    status: revised(TEMPLATE, { image: 'web:2' }),
  }),
  kindObject(containerService, 'moved', {
    spec: { creator: 'bob', image: 'web:2', host: 'gone' },
    status: revised(TEMPLATE, { image: 'web:2', host: 'gone' }),
  }),
  kindObject(containerService, 'lost', {
    spec: { creator: 'bob', image: 'web:2' },
    status: revised(JSON.stringify({ image: 'web:1', cores: 1, host: 'gone' }), { image: 'web:2' }),
  }),
  kindObject(modelDeployment, 'chat', {
    spec: { creator: 'bob', version: 'v1', contextLength: 512 },
    status: revised(JSON.stringify({ model: 'mdl-tiny', version: 'v0' }), { version: 'v1', contextLength: 512 }),
  }),
];

let kinds: MemoryKinds;
beforeEach(async () => {
  kinds = await memoryKinds(SEEN);
});
afterEach(() => kinds.stop());

const JOB = { displayName: 'x', image: 'a/b:1', workers: 1, cores: 1, memoryGi: 1 };
const SERVICE = { displayName: 'x', image: 'a/b:1', cores: 1, memoryGi: 1, ports: [{ port: 80 }] };
const MODEL = { displayName: 'x', model: 'mdl-tiny', version: 'v1', task: 'Generate' };
const make = (facts: KindFacts, body: object) =>
  kinds.store.create(facts, WRITER, body as never, { route: 'r', key: undefined });
const specOf = (object: KubeObject) => (object as { spec?: object }).spec as Record<string, unknown>;

test.each<[string, object, object]>([
  [
    'wants more workers than its host ever has room for',
    { host: 'big', gpu: { model: 'H100', count: 5 }, workers: 3 },
    { problem: 'not_enough_gpus', args: { host: 'Big box', all: 16, wanted: 15 } },
  ],
  ['wants a GPU that no node has', { gpu: { model: 'B200', count: 1 } }, { problem: 'gpu_unknown' }],
])('a fine-tuning task is refused that %s', (_, spec, refusal) =>
  expect(make(fineTune, { displayName: 'x', workers: 1, cores: 1, memoryGi: 1, ...spec })).rejects.toMatchObject(
    refusal,
  ),
);

describe('a job is refused that', () => {
  test.each<[string, object, object]>([
    ['names no host of the organisation', { host: 'nowhere' }, { problem: 'no_such_reference', field: 'host' }],
    [
      'wants more cards than a node of its host has',
      { host: 'big', gpu: { model: 'H100', count: 9 } },
      { problem: 'wrong_gpu', args: { host: 'Big box', wanted: 9, count: 8 } },
    ],
    [
      'wants more workers than its host ever has room for, each on one node',
      { host: 'big', gpu: { model: 'H100', count: 5 }, workers: 3 },
      { problem: 'not_enough_gpus', args: { host: 'Big box', all: 16, wanted: 15 } },
    ],
    [
      'wants a model that no node has',
      { gpu: { model: 'B200', count: 1 } },
      { problem: 'gpu_unknown', field: 'gpu.model', args: { models: 'H100, T4' } },
    ],
    [
      'wants more cards than any node has',
      { gpu: { model: 'T4', count: 3 } },
      { problem: 'gpu_too_many', field: 'gpu.count', args: { wanted: 3, most: 2 } },
    ],
    [
      'mounts a disk that is not there',
      { mounts: [{ from: 'gone', mountPath: '/d' }] },
      { problem: 'no_such_reference', field: 'mounts.0.from' },
    ],
    [
      'mounts a disk for one into several workers',
      { workers: 2, mounts: [{ from: 'one', mountPath: '/d' }] },
      { problem: 'disk_for_one', field: 'mounts.0.from', args: { disk: 'Solo', workers: 2 } },
    ],
    [
      'mounts a disk that an instance has',
      { mounts: [{ from: 'held', mountPath: '/d' }] },
      { problem: 'disk_in_use', field: 'mounts.0.from', args: { disk: 'Corpus', by: 'Workbench' } },
    ],
    [
      'is to run at a time that cannot be read',
      { schedule: { cron: '61 2 * * *', timeZone: 'UTC' } },
      { problem: 'schedule_unreadable', field: 'schedule.cron' },
    ],
    [
      'is to run in a time zone that is none',
      { schedule: { cron: '0 2 * * *', timeZone: 'Mars/Olympus' } },
      { problem: 'schedule_unreadable', field: 'schedule.timeZone', args: { value: 'Mars/Olympus' } },
    ],
    [
      'brings more secrets than a Secret may hold',
      { secrets: Array.from({ length: 5 }, (_, at) => ({ name: `A${at}`, value: 'x'.repeat(8192) })) },
      { problem: 'secrets_size', field: 'secrets' },
    ],
  ])('%s', async (_, wish, refusal) => {
    await expect(make(job, { ...JOB, ...wish })).rejects.toMatchObject(refusal);
  });
});

test.each<[string, KindFacts, object]>([
  ['a job may wait for cards that others have', job, { ...JOB, workers: 2, gpu: { model: 'H100', count: 8 } }],
  [
    'a schedule may name a disk that an instance has today',
    job,
    { ...JOB, schedule: { cron: '0 2 * * *', timeZone: 'Europe/Berlin' }, mounts: [{ from: 'held', mountPath: '/d' }] },
  ],
  ['several workers share a disk for many', job, { ...JOB, workers: 2, mounts: [{ from: 'many', mountPath: '/d' }] }],
  ['a service may run on a host', containerService, { ...SERVICE, host: 'big', gpu: { model: 'H100', count: 1 } }],
])('%s', async (_, facts, body) => {
  expect((await make(facts, body)).metadata.name).toBeTruthy();
});

test.each<[string, object]>([
  ['may run on the host that has its tag', { hostTag: 'train', gpu: { model: 'A100', count: 2 } }],
  ['may wait for a host that has its tag', { hostTag: 'later', gpu: { model: 'A100', count: 8 } }],
  [
    'is not measured against another organisation’s host with its tag',
    { hostTag: 'foe', gpu: { model: 'A100', count: 8 } },
  ],
])('a deployment %s', async (_, wish) => {
  expect((await make(modelDeployment, { ...MODEL, ...wish })).metadata.name).toBeTruthy();
});

test('a deployment is refused that the host with its tag can never hold', async () => {
  await expect(
    make(modelDeployment, { ...MODEL, hostTag: 'train', gpu: { model: 'A100', count: 3 } }),
  ).rejects.toMatchObject({ problem: 'wrong_gpu', args: { host: 'Old box', wanted: 3, count: 2 } });
});

test('a host counts the cards of deployments by its tag, and no other organisation’s', async () => {
  const spec = { hostTag: 'train', gpu: { model: 'A100', count: 1 } };
  const status = { pods: [{ name: 'p', node: 'node-a' }] };
  const others = await memoryKinds([
    ...SEEN,
    kindObject(modelDeployment, 'mine', { spec, status }),
    kindObject(modelDeployment, 'named', { spec: { ...spec, host: 'big' }, status }),
    kindObject(modelDeployment, 'theirs', { namespace: 'org-foe', spec, status }),
  ]);
  const namesOn = (name: string) => onHost(others.cache, 'org-acme', name).map(({ metadata }) => metadata.name);
  expect([namesOn('old'), namesOn('big'), onHost(others.cache, 'org-foe', 'foe')]).toEqual([['mine'], ['named'], []]);
  await others.stop();
});

test('a service is refused that scales at times that cannot be read', async () => {
  const schedules = [
    { cron: '0 8 * * *', timeZone: 'UTC', minutes: 1, min: 1 },
    { cron: '0 25 * * *', timeZone: 'UTC', minutes: 1, min: 1 },
  ];
  await expect(
    make(containerService, { ...SERVICE, autoscaling: { min: 0, max: 2, schedules } }),
  ).rejects.toMatchObject({
    problem: 'schedule_unreadable',
    field: 'autoscaling.schedules.1.cron',
  });
});

describe('who pays', () => {
  const act = (facts: KindFacts, id: string, body: { action: string; revision?: number }) =>
    kinds.store.act(facts, WRITER, id, body, { route: 'r', key: undefined });

  test('is whoever runs a colleague’s job again', async () => {
    expect(specOf(await act(job, 'done', { action: 'runAgain' }))).toMatchObject({ runCount: 1, startedBy: 'ann' });
  });
  test('is whoever tries failed units of a task again', async () => {
    expect(specOf(await act(dataProcess, 'half', { action: 'tryAgain' }))).toMatchObject({
      ...{ power: 'Running', runCount: 1, startedBy: 'ann' },
    });
  });
  test('is nobody where no unit has failed, or the run goes on', async () => {
    await expect(act(dataProcess, 'whole', { action: 'tryAgain' })).rejects.toMatchObject({
      ...{ problem: 'nothing_failed', message: expect.stringContaining('No unit of the newest run has failed') },
    });
    await expect(act(dataProcess, 'early', { action: 'tryAgain' })).rejects.toMatchObject({
      problem: 'action_not_allowed',
    });
  });
  test('is whoever saves a checkpoint of a colleague’s task, or trains it further', async () => {
    expect(specOf(await act(fineTune, 'tuned', { action: 'save' }))).toMatchObject({
      ...{ runCount: 0, saveCount: 1, startedBy: 'ann' },
    });
    expect(specOf(await act(fineTune, 'tuned', { action: 'restart' }))).toMatchObject({ runCount: 1, saveCount: 1 });
    await expect(act(fineTune, 'untold', { action: 'save' })).rejects.toMatchObject({ problem: 'action_not_allowed' });
  });
  test('stays who it was where a service only gets another name', async () => {
    expect(specOf(await kinds.store.change(containerService, WRITER, 'web', { displayName: 'y' }))).not.toHaveProperty(
      'startedBy',
    );
  });
  test('is whoever rolls a service back, to the revision they named', async () => {
    const spec = specOf(await act(containerService, 'web', { action: 'rollback', revision: 1 }));
    expect(spec).toMatchObject({ image: 'web:1', cores: 1, startedBy: 'ann' });
  });
  test('is whoever rolls a deployment of a model back, to the version that it served', async () => {
    const spec = specOf(await act(modelDeployment, 'chat', { action: 'rollback' }));
    expect(spec).toMatchObject({ version: 'v0', startedBy: 'ann' });
    expect(spec).not.toHaveProperty('contextLength');
  });
  test('a return is checked as what it becomes: away from a host that is gone, and not to one', async () => {
    const spec = specOf(await act(containerService, 'moved', { action: 'rollback' }));
    expect(spec).toMatchObject({ image: 'web:1' });
    expect(spec).not.toHaveProperty('host');
    await expect(act(containerService, 'lost', { action: 'rollback' })).rejects.toMatchObject({
      problem: 'no_such_reference',
    });
  });
  test('nobody, where there is no such revision', async () => {
    await expect(act(containerService, 'web', { action: 'rollback', revision: 7 })).rejects.toMatchObject({
      problem: 'revision_unknown',
      args: { revision: 7, revisions: '2, 1' },
    });
  });
});

describe('values of secret variables', () => {
  const secrets = [{ name: 'TOKEN', value: 'hunter2' }];

  test('go into a Secret that the new object owns, and nowhere else', async () => {
    const made = await make(job, { ...JOB, secrets });
    const { name, uid } = made.metadata;
    expect(specOf(made)).toMatchObject({
      secretEnv: [{ name: 'TOKEN', secret: `${name}-j0000000-env`, key: 'TOKEN' }],
    });
    expect(JSON.stringify(made)).not.toContain('hunter2');
    expect([...kinds.variables.values()]).toMatchObject([
      {
        metadata: {
          name: `${name}-j0000000-env`,
          labels: { [LABEL.managed]: 'true' },
          ownerReferences: [{ kind: 'Job', name, uid }],
        },
        type: 'Opaque',
        immutable: true,
        data: { TOKEN: Buffer.from('hunter2').toString('base64') },
      },
    ]);
  });

  test('under one key make one object and one Secret', async () => {
    const twice = () => kinds.store.create(job, WRITER, { ...JOB, secrets }, { route: 'r', key: 'k' });
    const [first, second] = [await twice(), await twice()];
    expect(second.metadata.name).toBe(first.metadata.name);
    expect(kinds.variables.size).toBe(1);
  });

  test('that change get a new name, and those left out stay', async () => {
    const made = await make(containerService, { ...SERVICE, secrets: [...secrets, { name: 'OTHER', value: 'o' }] });
    const { name } = made.metadata;
    const changed = await kinds.store.change(containerService, WRITER, name, {
      secrets: [{ name: 'TOKEN', value: 'new' }],
    });
    const [other, token] = specOf(changed).secretEnv as { name: string; secret: string }[];
    expect(other).toEqual({ name: 'OTHER', secret: `${name}-s0000000-env`, key: 'OTHER' });
    expect(token?.secret).toMatch(new RegExp(`^${name}-s[0-9a-f]{7}-env$`));
    expect(kinds.variables.size).toBe(2);
  });

  test('that nothing names any longer go', async () => {
    const made = await make(job, { ...JOB, secrets });
    const { name } = made.metadata;
    kinds.cluster.put({ ...made, status: { phase: 'queued' } } as never);
    await kinds.store.change(job, WRITER, name, { secrets: [{ name: 'TOKEN', value: 'new' }] });
    expect([...kinds.variables.keys()]).toEqual([expect.stringMatching(/-j[0-9a-f]{7}-env$/)]);
  });

  test('of a revision that a service can return to stay', async () => {
    const made = await make(containerService, { ...SERVICE, secrets });
    const { name } = made.metadata;
    const template = JSON.stringify({ ...SERVICE, secretEnv: specOf(made).secretEnv });
    const revisions = [
      { revision: 1, at: '2026-11-01T00:00:00Z', hash: 'a', outcome: 'good', image: 'a/b:1', template },
    ];
    kinds.cluster.put({ ...made, status: { phase: 'active', revision: 1, revisions } } as never);
    await kinds.store.change(containerService, WRITER, name, { secrets: [{ name: 'TOKEN', value: 'new' }] });
    expect([...kinds.variables.keys()]).toContain(`org-acme/${name}-s0000000-env`);
  });

  test('of a change that is refused go again', async () => {
    const change = kinds.store.change(job, WRITER, 'done', { gpu: { model: 'B200', count: 1 }, secrets });
    await expect(change).rejects.toMatchObject({ problem: 'gpu_unknown' });
    expect(kinds.variables.size).toBe(0);
  });

  test('of another organisation’s object are nobody’s to write', async () => {
    const stranger = { ...WRITER, namespace: 'org-other' };
    await expect(kinds.store.change(job, stranger, 'done', { secrets })).rejects.toMatchObject({
      problem: 'not_found',
    });
    expect(kinds.variables.size).toBe(0);
  });
});
