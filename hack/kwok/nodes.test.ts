import { expect, test } from '@jest/globals';
import { desiredNode, MODELS } from './nodes.ts';

test.each(Object.entries(MODELS))('a node of %s is labelled as GPU feature discovery does', (name, model) => {
  const { metadata, spec, status } = desiredNode(name as keyof typeof MODELS, 3, '10.0.0.1');
  expect(metadata.name).toBe(`sim-${name}-3`);
  expect(metadata.labels).toMatchObject({
    'kubernetes.io/hostname': metadata.name,
    'nvidia.com/gpu.product': model.product,
    'nvidia.com/gpu.count': String(model.perNode),
    'gantry.dev/simulated': 'true',
  });
  expect(status.allocatable['nvidia.com/gpu']).toBe(String(model.perNode));
  expect(spec.taints).toEqual([{ key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' }]);
});
