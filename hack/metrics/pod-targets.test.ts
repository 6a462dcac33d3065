import { expect, test } from '@jest/globals';
import type { V1Pod } from '@kubernetes/client-node';
import { targetsOf } from './pod-targets.ts';

const pod = (name: string, part: string, ports: Record<string, number>, podIP?: string): V1Pod => ({
  metadata: { name, labels: { 'app.kubernetes.io/name': part } },
  spec: {
    nodeName: 'n',
    containers: [
      { name: 'a', ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort })) },
    ],
  },
  status: { ...(podIP && { podIP }) },
});

test('a Pod of the platform is asked at each of its ports that measure, under the name of its part', () => {
  const ports = { registry: 5000, tokens: 5001, debug: 5002 };
  expect(targetsOf([pod('r', 'gantry-registry', ports, '10.0.0.1')])).toEqual([
    { targets: ['10.0.0.1:5001', '10.0.0.1:5002'], labels: { job: 'gantry-registry', pod: 'r', node: 'n' } },
  ]);
});

test('a Pod without an address, and one that is not ours, are not asked', () => {
  const metrics = { metrics: 9090 };
  expect(targetsOf([pod('g', 'gantry-gateway', metrics), pod('o', 'other', metrics, '10.0.0.2')])).toEqual([]);
});
