// Additions of a model deployment to a service: who answers how it is served, what its Pods begin with, and its own phases.
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import {
  type ModelDeployment,
  type ModelDeploymentStatus,
  modelDeployment,
} from '@gantry/contract/kinds/model-deployment.ts';
import { TEMPLATE_FIELDS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { rollbackPatch } from '@gantry/contract/kinds/revisions.ts';
import { chooseSetup } from '@gantry/contract/models/choose-setup.ts';
import { type EngineImages, imageOf, onGpusToo } from '@gantry/contract/models/engine-images.ts';
import type { Engine, ModelTask } from '@gantry/contract/models/engines.ts';
import { FILL_POD, FINALIZER, GROUP_PART, LABEL } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import type { Context } from '../../define-controller.ts';
import type { ServiceSeen } from '../../serving/reads.ts';
import type { DeploymentSettings } from './dress.ts';
import { modelDeploymentController } from './plan.ts';

const AT = '2026-01-01T00:00:00Z';
const NOW = Date.parse(AT) + 60_000;
const settings: DeploymentSettings = {
  creditGate: 'off',
  sharedPool: 'open',
  simulatedNodes: false,
  hostTaintKey: 'gantry.dev/host',
  gpuTaints: ['nvidia.com/gpu'],
  serviceUrl: '',
  groups: 'lws',
  agentImage: 'registry.gantry.internal/official/agent@sha256:1',
};
const context: Context<DeploymentSettings> = { now: NOW, settings, refusals: [] };
const NOTHING: ServiceSeen & { fills: readonly Pod[] } = {
  fills: [],
  isNamespaceGoing: false,
  deployment: undefined,
  service: undefined,
  pods: [],
  nodes: {},
  leases: {},
  images: { ready: undefined, verifying: undefined },
  host: undefined,
  stock: undefined,
  cards: undefined,
  quota: undefined,
  groups: undefined,
};
const GIB = 1024 ** 3;
const POOL = [{ model: 'H100', cardBytes: 80 * GIB, cards: 8, free: 8, cores: 12, memoryGi: 128 }];
const WEIGHTS = { model: 'mdl-1', version: '1.0', name: 'smol', digest: 'd1', files: 2, sizeBytes: 3 * GIB };

function deployment(
  spec: Partial<ModelDeployment['spec']> = {},
  status: ModelDeploymentStatus = {},
  metadata: object = {},
): ModelDeployment {
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'ModelDeployment',
    metadata: {
      name: 'chat',
      namespace: 'org-acme',
      uid: 'uid-chat',
      generation: 1,
      resourceVersion: '7',
      creationTimestamp: AT,
      finalizers: [FINALIZER.operator],
      ...metadata,
    },
    spec: {
      power: 'Running',
      restartCount: 0,
      model: 'mdl-1',
      version: '1.0',
      task: 'Generate',
      engine: 'auto',
      setup: 'Automatic',
      replicas: 1,
      update: { maxUnavailable: 0, maxSurge: 1, deadlineMinutes: 15 },
      wake: { requests: 100, seconds: 120 },
      ...spec,
    },
    status,
  };
}

/** As the gateway answers. */
function answered(
  engine: Engine,
  spec: Partial<ModelDeployment['spec']> = {},
  images: EngineImages = {},
): ModelDeployment {
  const owner = deployment({ engine, ...spec });
  const facts = { format: engine === 'llama.cpp' ? 'gguf' : 'safetensors', sizeBytes: 3 * GIB, contextLength: 8192 };
  const answer = chooseSetup(owner.spec, facts, [...POOL, ...POOL], onGpusToo(images));
  if (!('setup' in answer)) throw new Error(answer.reason);
  const image = imageOf(images, engine, answer.setup.gpu !== undefined);
  const entry = engine === 'llama.cpp' ? { entry: 'smol-Q4_K.gguf', adapterEntries: { legal: 'lora.gguf' } } : {};
  return {
    ...owner,
    status: {
      weights: { ...WEIGHTS, ...entry },
      setup: { ...answer.setup, ...(image && { image }), generation: 1, wish: 'w', at: AT },
    },
  };
}

const plan = (owner: ModelDeployment, seen: Partial<typeof NOTHING> = {}) =>
  modelDeploymentController.plan(owner, { ...NOTHING, ...seen }, context);
/** The first plan records a revision; what it makes follows. */
const made = (owner: ModelDeployment) => {
  const status = { ...owner.status, ...plan(owner).status };
  return plan({ ...owner, status } as ModelDeployment).create ?? [];
};

describe('before the gateway has answered', () => {
  test('nothing is made, and it says so', () => {
    const { create, status } = plan(deployment());
    expect(create).toEqual([]);
    expect(status).toMatchObject({ phase: 'preparing', reason: 'ChoosingSetup' });
  });

  test('an answer to an earlier wish starts nothing', () => {
    const owner = answered('vllm');
    owner.metadata.generation = 2;
    expect(plan(owner)).toMatchObject({ create: [], status: { reason: 'ChoosingSetup' } });
  });
});

test('what cannot be served fails with the gateway’s reason', () => {
  const condition = {
    type: 'SetupChosen',
    status: 'False',
    reason: 'ModelNotFound',
    message: '',
    args: { id: 'x' },
  };
  const conditions = [
    { ...condition, observedGeneration: 1, lastTransitionTime: AT },
  ] as ModelDeploymentStatus['conditions'];
  expect(plan(deployment({}, { conditions })).status).toMatchObject({
    phase: 'failed',
    reason: 'ModelNotFound',
    message: "spec.model: there is no model x in this organisation's space or in the library.",
  });
});

test.each(['GateNotPassed', 'GateNotEvaluated'])(
  'the first version waits at a gate, and has not failed: %s',
  (reason) => {
    const condition = { type: 'SetupChosen', status: 'False', reason, message: '', args: { value: '0.7' } };
    const conditions = [
      { ...condition, observedGeneration: 1, lastTransitionTime: AT },
    ] as ModelDeploymentStatus['conditions'];
    const { create = [], status } = plan(deployment({}, { conditions }));
    expect(create).toEqual([]);
    expect(status).toMatchObject({ phase: 'preparing', reason });
  },
);

test('what runs goes on while another version waits at a gate', () => {
  const owner = answered('vllm');
  const revised = { ...owner, status: { ...owner.status, ...plan(owner).status } } as ModelDeployment;
  const condition = {
    type: 'SetupChosen',
    status: 'False',
    reason: 'GateNotPassed',
    message: '',
    args: { value: '0.7' },
  };
  const conditions = [{ ...condition, observedGeneration: 2, lastTransitionTime: AT }];
  const held = {
    ...revised,
    metadata: { ...revised.metadata, generation: 2 },
    spec: { ...revised.spec, version: '2.0' },
    status: { ...revised.status, conditions },
  } as ModelDeployment;
  const { create = [], remove = [], status } = plan(held);
  expect([create, remove]).toEqual([[], []]);
  expect(status).toMatchObject({ reason: 'GateNotPassed', reasonArgs: { value: '0.7' } });
});

test.each([
  ['stopped by its owner', { power: 'Stopped' as const }],
  ['scaled to nothing', { replicas: 0 }],
])('one that is %s is finished', (_, spec) => {
  expect(plan({ ...answered('vllm'), spec: { ...answered('vllm').spec, ...spec } }).status).toMatchObject({
    phase: 'finished',
  });
});

test('another version is another revision, and the files before it serve until then', () => {
  const owner = answered('vllm');
  const first = { ...owner, status: { ...owner.status, ...plan(owner).status } } as ModelDeployment;
  const { weights, setup } = first.status ?? {};
  const next = { ...first, spec: { ...first.spec, version: '2.0' }, metadata: { ...first.metadata, generation: 2 } };
  expect(plan(next).status).toMatchObject({ revision: 1, reason: 'ChoosingSetup' });
  const found = { ...weights, version: '2.0', digest: 'd2' } as typeof weights;
  const told = { ...next, status: { ...next.status, weights: found, setup: setup && { ...setup, generation: 2 } } };
  expect(plan(told as ModelDeployment).status).toMatchObject({ revision: 2 });
});

test('a revision remembers what was served, and a rollback brings it back', () => {
  const owner = answered('vllm', { gpu: { model: 'H100', count: 2 } });
  const first = { ...owner, status: { ...owner.status, ...plan(owner).status } } as ModelDeployment;
  const next = { ...first, spec: { ...first.spec, version: '2.0', contextLength: 512 } };
  const { setup, weights } = next.status ?? {};
  const found = { ...weights, version: '2.0', digest: 'd2' } as typeof weights;
  const status = { ...next.status, setup, weights: found };
  const second = { ...next, status: { ...status, ...plan({ ...next, status }).status } } as ModelDeployment;
  expect(second.status).toMatchObject({ revision: 2, revisions: [{ revision: 2 }, { revision: 1 }] });
  const back = rollbackPatch(second, TEMPLATE_FIELDS, 1);
  expect(back).toMatchObject({ version: '1.0', gpu: { model: 'H100', count: 2 }, contextLength: null });
});

test.each<[Engine, Partial<ModelDeployment['spec']>]>([
  ['vllm', { gpu: { model: 'H100', count: 2 }, adapters: [{ name: 'legal', model: 'mdl-2', version: '1' }] }],
  ['sglang', { gpu: { model: 'H100', count: 1 }, task: 'Embed', nodeLabels: { zone: 'a' } }],
  ['llama.cpp', { adapters: [{ name: 'legal', model: 'mdl-2', version: '1' }], extraArgs: ['--parallel', '4'] }],
])('what %s is made of', (engine, spec) => {
  const objects = made(answered(engine, spec));
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Service']);
  expectGolden(new URL(`golden/${engine}.yaml`, import.meta.url), objects);
});

test('llama.cpp has GPUs where the installation names a build for them', () => {
  const images = { 'llama.cpp-gpu': 'mirror.test/llama-cuda:1', vllm: 'mirror.test/vllm:1' };
  const objects = made(answered('llama.cpp', { gpu: { model: 'H100', count: 1 } }, images));
  expectGolden(new URL('golden/llama.cpp-on-a-gpu.yaml', import.meta.url), objects);
  expect(JSON.stringify(made(answered('vllm', { gpu: { model: 'H100', count: 1 } }, images)))).toContain(images.vllm);
  expect(() => answered('llama.cpp', { gpu: { model: 'H100', count: 1 } })).toThrow('EngineWithoutGpu');
});

test.each<[Engine, ModelTask, string[]]>([
  ['llama.cpp', 'Rerank', ['--reranking']],
  ['llama.cpp', 'Embed', ['--embeddings', '--pooling', 'mean']],
  ['vllm', 'Rerank', ['--runner', 'pooling']],
])('%s is started for the task %s, which is also what it is asked before it serves', (engine, task, words) => {
  const told = JSON.stringify(
    made(answered(engine, { task, ...(engine === 'vllm' && { gpu: { model: 'H100', count: 1 } }) })),
  );
  expect(told).toContain(words.map((word) => JSON.stringify(word)).join());
  expect(told).toContain(`"--task=${task}"`);
});

describe('a node is filled before a replica is there', () => {
  const wished = (weights: object = {}, spec: object = {}): ModelDeployment => {
    const owner = answered('llama.cpp', { host: undefined, ...spec });
    const status = { ...owner.status, weights: { ...WEIGHTS, fills: 'node-b', ...weights } };
    return {
      ...owner,
      status: { ...status, ...plan({ ...owner, status } as ModelDeployment).status },
    } as ModelDeployment;
  };
  const fillsOf = (owner: ModelDeployment, there: readonly Pod[] = [], host?: GpuHost) => {
    const { create = [], remove = [] } = plan(owner, { fills: there, host });
    return {
      made: create.filter(({ kind }) => kind === 'Pod') as Pod[],
      gone: remove.filter(({ kind }) => kind === 'Pod').map(({ name }) => name),
    };
  };
  const [first] = fillsOf(wished()).made;
  test('under a name by which the gateway may reach it', () =>
    expect(first?.metadata.name).toMatch(new RegExp(FILL_POD)));
  const there = { ...first, metadata: { ...first?.metadata, uid: 'uid-fill' } } as Pod;

  test('by a Pod that serves nothing, and is no replica', () => {
    expectGolden(new URL('golden/fill.yaml', import.meta.url), [there]);
    expect(first?.metadata.labels).toEqual({ [LABEL.fills]: 'chat' });
    expect(plan(wished(), { fills: [there] }).status).toMatchObject({ replicas: { total: 0 }, pods: [] });
  });

  const hostThatIs = (phase: string) =>
    ({ metadata: { name: 'big', uid: 'uid-big' }, spec: {}, status: { phase } }) as GpuHost;
  test('on a host, if the node still is that host’s, and not once the host is given back', () => {
    const [pod] = fillsOf(wished({}, { host: 'big' }), [], hostThatIs('active')).made;
    expect(
      pod?.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
    ).toEqual([
      {
        matchExpressions: [{ key: LABEL.nodeHost, operator: 'In', values: ['uid-big'] }],
        matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-b'] }],
      },
    ]);
    const over = fillsOf(wished({}, { host: 'big' }), [there], hostThatIs('draining'));
    expect(over).toEqual({ made: [], gone: [there.metadata.name] });
  });

  test('nowhere while no host has its tag', () => {
    const owner = wished({}, { hostTag: 'train' });
    expect(plan(owner, {}).status).toMatchObject({ reason: 'HostNotFound', reasonArgs: { host: 'train' } });
    expect(plan(owner, {}).create?.filter(({ kind }) => kind !== 'Service') ?? []).toEqual([]);
  });

  test.each<[string, ModelDeployment, readonly Pod[], { made: number; gone: number }]>([
    ['once', wished(), [there], { made: 0, gone: 0 }],
    ['until the gateway says that it is over', wished({ fills: undefined }), [there], { made: 0, gone: 1 }],
    ['with other files only after that Pod is gone', wished({ digest: 'd2' }), [there], { made: 0, gone: 1 }],
    ['on another node only after that Pod is gone', wished({ fills: 'node-c' }), [there], { made: 0, gone: 1 }],
    ['unless it is stopped', wished({}, { power: 'Stopped' }), [there], { made: 0, gone: 1 }],
    ['unless it is stopped before', wished({}, { power: 'Stopped' }), [], { made: 0, gone: 0 }],
  ])('%s', (_, owner, pods, expected) => {
    const { made, gone } = fillsOf(owner, pods);
    expect({ made: made.length, gone: gone.length }).toEqual(expected);
  });
});

describe('a replica that is spread over nodes', () => {
  const SPREAD = { gpu: { model: 'H100', count: 8 }, nodesPerReplica: 2, replicas: 2 };

  test.each<[Engine, Partial<ModelDeployment['spec']>]>([
    ['vllm', { extraArgs: ['--seed', '$(rm -rf /)'] }],
    ['sglang', {}],
  ])('what %s is made of', (engine, spec) => {
    const objects = made(answered(engine, { ...SPREAD, ...spec }));
    expect(objects.map(({ kind }) => kind)).toEqual(['LeaderWorkerSet', 'Service']);
    expectGolden(new URL(`golden/${engine}-on-two-nodes.yaml`, import.meta.url), objects);
  });

  test('says what is missing where the cluster has no LeaderWorkerSet, and makes nothing', () => {
    const owner = answered('vllm', SPREAD);
    const without = { ...context, settings: { ...settings, groups: 'none' as const } };
    const { create, status } = modelDeploymentController.plan(owner, NOTHING, without);
    expect(create).toEqual([]);
    expect(status).toMatchObject({
      phase: 'failed',
      reason: 'NeedsGroups',
      message: 'A replica needs 2 nodes with 8 × H100 each, but LeaderWorkerSet is not installed in this cluster.',
    });
  });

  const recorded = (owner: ModelDeployment): ModelDeployment => ({
    ...owner,
    status: { ...owner.status, ...plan(owner).status } as ModelDeploymentStatus,
  });
  /** As LeaderWorkerSet and the kubelet have it. */
  const podOf = (
    owner: ModelDeployment,
    group: number,
    part: number,
    more: { revision?: number; ready?: boolean } = {},
  ) => {
    const [set] = made(owner) as readonly ServiceSeen['groups'][];
    const { metadata, spec } = set?.spec?.leaderWorkerTemplate.leaderTemplate ?? {};
    const { revision = 1, ready = true } = more;
    const since = { lastTransitionTime: AT };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: part === 0 ? `chat-group-${group}` : `chat-group-${group}-${part}`,
        namespace: 'org-acme',
        uid: `uid-${group}-${part}`,
        labels: { ...metadata?.labels, [LABEL.run]: `${revision}`, [GROUP_PART]: `${part}` },
      },
      spec: { ...spec, nodeName: `node-${group}-${part}` },
      status: {
        phase: 'Running',
        podIP: `10.0.${group}.${part + 1}`,
        conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', ...since }],
        containerStatuses: [{ name: 'main', state: { running: { startedAt: AT } } }],
      },
    } as unknown as Pod;
  };
  const nodes = Object.fromEntries(
    [0, 1].flatMap((group) =>
      [0, 1].map((part) => [`node-${group}-${part}`, { ready: 'True', since: Date.parse(AT) }]),
    ),
  );
  const pods = (owner: ModelDeployment) => [0, 1].flatMap((group) => [0, 1].map((part) => podOf(owner, group, part)));

  test('counts once, and every Pod of it is billed', () => {
    const owner = answered('vllm', SPREAD);
    const { status } = plan(recorded(owner), { pods: pods(owner), nodes });
    expect(status).toMatchObject({
      phase: 'active',
      replicas: { wanted: 2, ready: 2, updated: 2, total: 2 },
      selector: `gantry.dev/kind=ModelDeployment,gantry.dev/name=chat,${GROUP_PART}=0`,
      pods: [{ name: 'chat-group-0' }, { part: 1 }, { name: 'chat-group-1' }, { part: 1 }],
    });
    const used = status?.intervals?.at(-1)?.uses.find(({ resource }) => resource === 'gpu');
    expect(used).toMatchObject({ model: 'H100', quantity: 32 });
    const known = { ...owner, status: { ...owner.status, ...status } } as ModelDeployment;
    expect(modelDeployment.cost?.desired(known)).toContainEqual(
      expect.objectContaining({ resource: 'gpu', quantity: 32 }),
    );
  });

  test('is billed for all parts from the moment in which the first is ready, however soon that is', () => {
    const owner = answered('vllm', { ...SPREAD, replicas: 1 });
    const startedAt = new Date(Date.parse(AT) - 20_000).toISOString();
    const state = { containerStatuses: [{ name: 'main', state: { running: { startedAt } } }] };
    const at = (part: number, ready: boolean) => {
      const pod = podOf(owner, 0, part, { ready });
      return { ...pod, status: { ...pod.status, ...state } } as Pod;
    };
    const soon = { ...context, now: Date.parse(AT) + 5_000 };
    const gpusIf = (ready: boolean) =>
      modelDeploymentController
        .plan(recorded(owner), { ...NOTHING, pods: [at(0, ready), at(1, true)], nodes }, soon)
        .status?.intervals?.at(-1)
        ?.uses.find(({ resource }) => resource === 'gpu')?.quantity;
    expect([gpusIf(false), gpusIf(true)]).toEqual([undefined, 16]);
  });

  test('is not ready while the part that answers is not, whatever the others say', () => {
    const owner = answered('vllm', { ...SPREAD, replicas: 1 });
    const some = [podOf(owner, 0, 0, { ready: false }), podOf(owner, 0, 1)];
    const { status } = plan(recorded(owner), { pods: some, nodes });
    expect(status).toMatchObject({ phase: 'deploying', replicas: { wanted: 1, ready: 0, total: 1 } });
  });

  test('what served on one node goes once the new ones answer, and not before', () => {
    const before = answered('vllm', { gpu: { model: 'H100', count: 8 }, replicas: 2 });
    const [deployment] = made(before);
    const seen = {
      deployment: { ...deployment, metadata: { ...deployment?.metadata, uid: 'uid-d' } },
    } as Partial<ServiceSeen>;
    const owner = answered('vllm', SPREAD);
    const status = {
      ...owner.status,
      ...plan({ ...owner, status: { ...recorded(before).status, ...owner.status } }).status,
    };
    const next = { ...owner, status } as ModelDeployment;
    const begun = plan(next, { ...seen, nodes });
    expect(begun.create).toContainEqual(expect.objectContaining({ kind: 'LeaderWorkerSet' }));
    expect(begun.remove).toEqual([]);
    const all = pods(owner).map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [LABEL.run]: `${next.status?.revision}` } },
    }));
    const set = { ...(begun.create?.[0] as object), metadata: { ...begun.create?.[0]?.metadata, uid: 'uid-g' } };
    const done = plan(next, { ...seen, groups: set as ServiceSeen['groups'], pods: all, nodes });
    expect(done.remove).toContainEqual(expect.objectContaining({ kind: 'Deployment', uid: 'uid-d' }));
  });

  test('of the last resort it is told to make no others', () => {
    const owner = answered('vllm', SPREAD);
    const set = { ...made(owner)[0], status: {} };
    const get = ({ kind }: { kind: string }) => (kind === 'LeaderWorkerSet' ? set : undefined);
    expect(modelDeploymentController.halts?.(owner, { get } as unknown as CacheReader)).toMatchObject([
      { of: { kind: 'LeaderWorkerSet' }, patch: { body: { spec: { replicas: 0 } } } },
    ]);
  });

  test('a deployment that is deleted takes its LeaderWorkerSet along', () => {
    const owner = recorded(answered('vllm', SPREAD));
    const [set] = made(answered('vllm', SPREAD));
    const groups = { ...set, metadata: { ...set?.metadata, uid: 'uid-g' } } as ServiceSeen['groups'];
    const gone = { ...owner, metadata: { ...owner.metadata, deletionTimestamp: AT } };
    expect(plan(gone, { groups }).remove).toContainEqual(expect.objectContaining({ kind: 'LeaderWorkerSet' }));
  });
});
