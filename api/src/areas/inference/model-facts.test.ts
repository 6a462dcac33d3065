// A deployment as requests to /v1 see it.
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { expect, test } from '@jest/globals';
import { sound } from '../../../../test/support/sound/model-deployment.ts';
import { modelFactsOf } from './model-facts.ts';

const deployment = (spec: object, status: object, metadata: object = {}): ModelDeployment =>
  ({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'ModelDeployment',
    metadata: {
      name: 'chat',
      namespace: 'org-acme',
      uid: 'u1',
      creationTimestamp: '2026-11-26T10:00:00Z',
      ...metadata,
    },
    spec: { ...sound.spec, power: 'Running', replicas: 1, ...spec },
    status,
  }) as unknown as ModelDeployment;

const setup = { generation: 1, engine: 'vllm', cores: 4, memoryGi: 16, tensorParallel: 1, contextLength: 8192 };
const pods = [{ name: 'chat-1', podIP: '10.244.0.7', phase: 'ready' }];
const autoscaling = { min: 0, max: 2, scaleDownSeconds: 60, idleSeconds: 300 };

test('one that serves is reached at its engine’s port', () => {
  expect(modelFactsOf(deployment({}, { phase: 'active', setup, pods }))).toMatchObject({
    ...{ organization: 'acme', name: 'chat', port: 8000, stand: 'serves', contextTokens: 8192 },
    ...{ isAsleep: false, workers: pods },
  });
});

test.each([
  ['whose setup is not chosen yet is waited for', {}, { phase: 'preparing' }, { stand: 'waits', isAsleep: false }],
  [
    'that sleeps is to be woken',
    { autoscaling, replicas: 0 },
    { phase: 'sleeping', setup, scaling: { replicas: 0, because: 'Idle', at: '2026-11-26T10:00:00Z' } },
    { stand: 'waits', isAsleep: true },
  ],
  ['that was stopped is stopped', { power: 'Stopped' }, { phase: 'finished', setup }, { stand: 'stopped' }],
  ['without credit is unpaid', {}, { phase: 'preparing', reason: 'OutOfCredit', setup }, { stand: 'unpaid' }],
  ['that fails fails', {}, { phase: 'failed', setup }, { stand: 'failing' }],
])('one %s', (_name, spec, status, expected) => {
  expect(modelFactsOf(deployment(spec, status))).toMatchObject(expected);
});

test('of a replica on several nodes the part that answers is asked', () => {
  const other = { name: 'chat-2', part: 1, podIP: '10.244.0.8', phase: 'ready' };
  expect(modelFactsOf(deployment({}, { phase: 'active', setup, pods: [...pods, other] }))?.workers).toEqual(pods);
  expect(modelFactsOf(deployment({}, { phase: 'active', setup, pods: [other] }))?.stand).not.toBe('serves');
});

test('while adapters change, each worker is known by those of its revision', () => {
  const adapters = ['a', 'b'].map((name) => ({ name, model: 'mdl-1', version: '1' }));
  const revision = (number: number, template?: object) => ({
    ...{ revision: number, at: '2026-11-26T10:00:00Z', hash: 'h', outcome: 'good', image: 'i' },
    ...(template && { template: JSON.stringify(template) }),
  });
  const revisions = [revision(3, { adapters: adapters.slice(1) }), revision(2, { adapters }), revision(1)];
  const ofEach = [3, 2, 1].map((number) => ({ ...pods[0], name: `chat-${number}`, revision: number }));
  const facts = modelFactsOf(
    deployment(
      { adapters: adapters.slice(1) },
      { phase: 'active', setup: { ...setup, engine: 'llama.cpp' }, revisions, pods: ofEach },
    ),
  );
  expect(facts).toMatchObject({ adaptersBy: 'lora', adapters: ['b'] });
  expect(facts?.workers.map((one) => one.adapters)).toEqual([['b'], ['a', 'b'], undefined]);
});

test('one outside of organisations is none', () => {
  expect(modelFactsOf(deployment({}, {}, { namespace: 'kube-system' }))).toBeUndefined();
});
