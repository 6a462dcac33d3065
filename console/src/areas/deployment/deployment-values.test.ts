// The bodies that a deployment's form makes: the contract accepts what the form starts with, and a change is what was changed.
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { expect, test } from '@jest/globals';
import {
  type DeploymentValues,
  deploymentBody,
  deploymentChange,
  deploymentValuesOf,
  EMPTY_DEPLOYMENT,
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
  { sleeps: true, idleMinutes: 1 },
  { gpuModel: 'H100', gpuCount: 2, contextLength: 4096, engine: 'vllm', replicas: 3, task: 'Embed' },
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

test('one that is to sleep keeps its number as the most', () => {
  const before = filled({ replicas: 2 });
  expect(deploymentChange(before, { ...before, sleeps: true })).toEqual({
    autoscaling: { min: 0, max: 2, idleSeconds: 600 },
  });
  expect(deploymentChange({ ...before, sleeps: true }, before)).toEqual({ autoscaling: null, replicas: 2 });
});
