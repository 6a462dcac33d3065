import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { describe, expect, test } from '@jest/globals';
import { cpuPercentOf, gpuQueryOf } from './use-of-replicas.ts';

const of = (kind: string, pods: readonly object[], spec: object, status: object = {}) =>
  ({
    kind,
    metadata: { name: 'chat', namespace: 'org-acme' },
    spec,
    status: { pods, ...status },
  }) as unknown as ContainerService;
const ready = (name: string, over: object = {}) => ({ name, phase: 'ready', ...over });
const SPREAD = [ready('a'), ready('a-1', { part: 1 }), ready('b'), ready('b-1', { part: 1 })];
const setup = (nodes: number) => ({ setup: { cores: 4, memoryGi: 8, nodes } });
/** Cores in use, by the Pod. */
const using = (cores: Readonly<Record<string, number>>) =>
  ((_object, _facts, name) => cores[name]) as Parameters<typeof cpuPercentOf>[2];

describe('the processor use of replicas', () => {
  const service = (...pods: readonly object[]) => of('ContainerService', pods, { cores: 2 });
  test.each([
    [
      'The use of all ready replicas is summed, in percent of one.',
      service(ready('a'), ready('b')),
      { a: 1, b: 2 },
      150,
    ],
    [
      'A replica that starts does not count.',
      service(ready('a'), { name: 'b', phase: 'starting' }),
      { a: 1, b: 2 },
      50,
    ],
    ['A ready replica that was not measured makes it unknown.', service(ready('a'), ready('b')), { a: 1 }, undefined],
    ['Without a ready replica it is unknown.', service(), {}, undefined],
  ])('%s', (_, object, cores, wanted) => {
    expect(cpuPercentOf(containerService, object, using(cores))).toBe(wanted);
  });

  test('A deployment has the cores of its setup.', () => {
    const object = of('ModelDeployment', [ready('a')], { cores: 1 }, setup(1));
    expect(cpuPercentOf(modelDeployment, object, using({ a: 1 }))).toBe(25);
  });
  test('A replica on several nodes is as busy as its parts are on average.', () => {
    const object = of('ModelDeployment', SPREAD, {}, setup(2));
    expect(cpuPercentOf(modelDeployment, object, using({ a: 4, 'a-1': 2, b: 1, 'b-1': 1 }))).toBe(100);
  });
});

describe('the query for the GPU use of replicas', () => {
  test('It asks for a value of each ready replica.', () => {
    const query = gpuQueryOf(containerService, of('ContainerService', [ready('a'), ready('b')], { cores: 1 }));
    expect(query).toMatch(/^sum\(.*\) \/ 1 and \(count\(.*\) == 2\)$/);
    expect(query).toContain('namespace="org-acme"');
  });
  test('A replica on several nodes is as busy as its parts are on average, and each part has to have a value.', () => {
    const query = gpuQueryOf(modelDeployment, of('ModelDeployment', SPREAD, {}, setup(2)));
    expect(query).toMatch(/^sum\(.*\) \/ 2 and \(count\(.*\) == 4\)$/);
  });
  test('Without a ready replica nothing is asked.', () => {
    expect(gpuQueryOf(containerService, of('ContainerService', [], { cores: 1 }))).toBeUndefined();
  });
});
