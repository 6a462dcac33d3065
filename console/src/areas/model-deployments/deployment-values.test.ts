// The bodies that a deployment's form makes: the contract accepts what the form starts with, and a change is what was changed.
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { expect, test } from '@jest/globals';
import type * as z from 'zod';
import { ONE_REPLICA } from '../../parts/workload/scaling-values.ts';
import {
  type DeploymentValues,
  deploymentBody,
  deploymentChange,
  deploymentValuesOf,
  EMPTY_DEPLOYMENT,
  firstDeployment,
} from './deployment-values.ts';

const filled = (more: Partial<DeploymentValues> = {}): DeploymentValues => ({
  ...EMPTY_DEPLOYMENT,
  displayName: 'chat',
  model: 'mdl-1',
  version: '1.0',
  ...more,
});
const { create, change } = modelDeployment.api.writes;
const VARIANTS: readonly Partial<DeploymentValues>[] = [
  {},
  { isScaled: true },
  {
    ...{ isScaled: true, wake: { requests: 7, seconds: 300 }, update: { ...ONE_REPLICA.update, maxSurge: 2 } },
    autoscaling: {
      ...{ min: 0, max: 4, scaleDownSeconds: 60, idleSeconds: 45 },
      metrics: [
        { type: 'InFlight', target: 8, query: '' },
        { type: 'PromQL', target: 0.5, query: 'sum(up)' },
      ],
      schedules: [{ cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin', minutes: 480, min: 2 }],
    },
    adapters: [{ name: 'sea', model: 'mdl-2', version: '1.0' }],
    env: [{ name: 'LOG', value: 'a b' }],
    idle: { does: 'Act', afterMinutes: 90 },
  },
  { hostTag: 'train' },
  { gpuModel: 'H100', gpuCount: 2, contextLength: 4096, engine: 'vllm', replicas: 3, task: 'Embed' },
  {
    ...{ setup: 'Manual', engine: 'vllm', gpuModel: 'H100', gpuCount: 4, cores: 8, memoryGi: 64, tensorParallel: 2 },
    ...{ nodesPerReplica: 2 },
    ...{ memoryFraction: 0.8, extraArgs: "--seed 7 '--note=two words'", host: 'big', nodeLabels: 'zone=a, fast' },
    ...{ collects: true, collectPercent: 20, dataset: 'support chats' },
  },
  {
    isGated: true,
    gate: {
      ...{ evaluation: 'evl-1', metric: 'Judge', task: '', margin: 0 },
      notWorseThan: { model: '', version: '' },
    },
  },
];

test.each(VARIANTS)('a form with %j is a deployment, and its values make the same one again', (more) => {
  const values = filled(more);
  const parsed = create.safeParse(deploymentBody(values));
  expect(parsed.error).toBeUndefined();
  const { displayName = '', ...spec } = create.parse(deploymentBody(values));
  const again = deploymentValuesOf({ id: 'dep-1', name: displayName, spec: { ...spec, displayName } as never });
  expect(deploymentChange(values, again)).toEqual({});
});

test('a change is what was changed, and what is taken away is null', () => {
  const before = filled({ gpuModel: 'H100', contextLength: 4096 });
  const body = deploymentChange(before, { ...before, version: '2.0', gpuModel: '', contextLength: undefined });
  expect(body).toEqual({ version: '2.0', gpu: null, contextLength: null });
  expect(change.safeParse(body).error).toBeUndefined();
});

test('a manual setup is written in full, and an automatic one leaves it out', () => {
  const manual = filled({ setup: 'Manual', engine: 'vllm', cores: 8, memoryGi: 64, extraArgs: '--seed 7' });
  expect(deploymentBody(manual)).toMatchObject({
    ...{ setup: 'Manual', cores: 8, memoryGi: 64, extraArgs: ['--seed', '7'] },
  });
  const body = deploymentBody({ ...manual, setup: 'Automatic' });
  expect([body.setup, body.cores, body.memoryGi, body.extraArgs]).toEqual(['Automatic', ...Array(3).fill(undefined)]);
});

test('labels of nodes are pairs, and one without a value is a label all the same', () => {
  const { nodeLabels } = deploymentBody(filled({ nodeLabels: ' zone = a ,fast, ' }));
  expect(nodeLabels).toEqual({ zone: 'a', fast: '' });
  expect(deploymentBody(filled({ nodeLabels: ' , ' }))).not.toHaveProperty('nodeLabels');
});

/** As kubectl may write it: every field that people set. */
const WHOLE: Required<Omit<z.output<typeof create>, 'displayName' | 'replicas'>> & { replicas: number } = {
  ...{ model: 'mdl-1', version: '1.0', task: 'Generate', engine: 'vllm', setup: 'Manual', host: 'big', replicas: 1 },
  ...{ gpu: { model: 'H100', count: 4 }, nodesPerReplica: 2, cores: 8, memoryGi: 64, contextLength: 4096 },
  ...{
    tensorParallel: 2,
    memoryFraction: 0.8,
    extraArgs: ['--seed', '7'],
    nodeLabels: { zone: 'a' },
    hostTag: 'train',
  },
  adapters: [{ name: 'sea', model: 'mdl-2', version: '1.0' }],
  env: [{ name: 'LOG', value: 'debug' }],
  autoscaling: {
    ...{ min: 1, max: 4, scaleDownSeconds: 60, idleSeconds: 45 },
    metrics: [{ type: 'GPU', target: 70 }],
    schedules: [{ cron: '0 9 * * 1-5', timeZone: 'Asia/Tokyo', minutes: 480, min: 2 }],
  },
  update: { maxUnavailable: 1, maxSurge: 0, deadlineMinutes: 60 },
  wake: { requests: 7, seconds: 300 },
  idle: { does: 'Act', afterMinutes: 90 },
  gate: {
    ...{ evaluation: 'evl-1', metric: 'F1', task: 1, margin: 0.02 },
    notWorseThan: { model: 'mdl-1', version: '0.9' },
  },
  dataReflow: { percent: 20, dataset: 'sea' },
};

test('the form of a deployment that kubectl made holds all of it, and an edit changes that alone which was edited', () => {
  expect(Object.keys(WHOLE).sort()).toEqual(
    Object.keys(create.shape)
      .filter((field) => field !== 'displayName')
      .sort(),
  );
  const values = deploymentValuesOf({ id: 'chat', name: 'chat', spec: WHOLE as never });
  const { replicas: _, ...whole } = WHOLE;
  expect(deploymentBody(values)).toEqual({ ...whole, displayName: 'chat' });
  const larger = { ...values, autoscaling: { ...values.autoscaling, max: 9 } };
  expect(deploymentChange(values, larger)).toEqual({ autoscaling: { ...WHOLE.autoscaling, max: 9 } });
});

test('one that follows its work gives back its number', () => {
  const before = filled({ replicas: 2 });
  const scaled = deploymentChange(before, { ...before, isScaled: true });
  expect(scaled).toMatchObject({ autoscaling: { min: 0, max: 1, idleSeconds: 600 } });
  expect(Object.keys(scaled)).toEqual(['autoscaling']);
  expect(deploymentChange({ ...before, isScaled: true }, before)).toEqual({ autoscaling: null, replicas: 2 });
});

test('what is collected has a share and a name, and is switched off as a whole', () => {
  const before = filled({ collects: true, collectPercent: 5, dataset: ' sea ' });
  expect(deploymentBody(before).dataReflow).toEqual({ percent: 5, dataset: 'sea' });
  expect(deploymentBody({ ...before, dataset: ' ' }).dataReflow).toEqual({ percent: 5 });
  expect(deploymentBody(filled())).not.toHaveProperty('dataReflow');
  const off = deploymentChange(before, { ...before, collects: false });
  expect(off).toEqual({ dataReflow: null });
  expect(change.safeParse(off).error).toBeUndefined();
});

test.each([
  ['a model', 'model=mdl-1&version=1.0', []],
  [
    'a model with an adapter',
    'model=mdl-1&version=1.0&adapter=ftn-1&adapterModel=mdl-2&adapterVersion=v3',
    [{ name: 'ftn-1', model: 'mdl-2', version: 'v3' }],
  ],
])('a link names %s', (_, query, adapters) => {
  const first = firstDeployment(new URLSearchParams(query));
  expect([first.model, first.version, first.adapters]).toEqual(['mdl-1', '1.0', adapters]);
  expect(create.safeParse(deploymentBody({ ...first, displayName: 'chat' })).success).toBe(true);
});
