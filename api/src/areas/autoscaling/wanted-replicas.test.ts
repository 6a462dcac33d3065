import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { wantedOf } from './wanted-replicas.ts';

const object = (kind: string, spec: object, status: object = {}) =>
  ({ kind, metadata: { name: 'chat', namespace: 'org-acme' }, spec, status }) as unknown as KubeObject;
const setup = { cores: 1, memoryGi: 1, nodes: 1 };

test.each([
  ['A service that runs is to have its replicas.', object('ContainerService', { power: 'Running', replicas: 3 }), 3],
  ['A service that is stopped is to have none.', object('ContainerService', { power: 'Stopped', replicas: 3 }), 0],
  [
    'A deployment that runs is to have its replicas once it is known how it is served.',
    object('ModelDeployment', { power: 'Running', replicas: 2 }, { setup }),
    2,
  ],
  [
    'Before that nobody can say how many a deployment is to have.',
    object('ModelDeployment', { power: 'Running', replicas: 2 }),
    undefined,
  ],
  [
    'A deployment that was stopped before that is to have none.',
    object('ModelDeployment', { power: 'Stopped', replicas: 2 }),
    0,
  ],
])('%s', (_, of, replicas) => {
  expect(wantedOf(of)).toEqual({ object: of, replicas });
});

test('An object of another kind has no replicas at all.', () => {
  expect(wantedOf(object('GpuInstance', {}))).toBeUndefined();
});
