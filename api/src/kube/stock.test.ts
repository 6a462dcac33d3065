import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { describe, expect, test } from '@jest/globals';
import { hostRoom } from './stock.ts';
import { kindObject } from './testing/memory-kinds.ts';

const nodes = ['a', 'b'].map((name) => ({ name, ready: true }));
const HOST = kindObject(gpuHost, 'big', { spec: { nodes: 2 }, status: { nodes } }) as unknown as GpuHost;
const gpu = { model: 'H100', count: 2 };
const instance = kindObject(gpuInstance, 'dev', { spec: { gpu }, status: { phase: 'running', node: 'a' } });
const train = (...phases: string[]) =>
  kindObject(job, 'dev', {
    spec: { gpu },
    status: { workers: phases.map((phase, index) => ({ index, phase, node: 'b' })) },
  });
const web = (...ended: (string | undefined)[]) =>
  kindObject(containerService, 'web', { spec: { gpu }, status: { pods: ended.map((endedAt) => ({ endedAt })) } });

const ROOMS: Record<string, [objects: KubeObject[], free: number, largest: number]> = {
  'nothing there': [[], 16, 8],
  'an instance that runs': [[instance], 14, 8],
  'workers that run or start': [[train('running', 'starting')], 12, 8],
  'workers that wait, or have ended: they hold no cards': [[train('waiting', 'succeeded', 'lost')], 16, 8],
  'workers on every node': [[instance, train('running', 'running', 'running')], 8, 6],
  'replicas, one of which has ended': [[web(undefined, '2026-11-01T00:00:00Z')], 14, 8],
  'a status that is none': [[{ ...train(), status: { workers: 7 } } as KubeObject], 16, 8],
};

describe('the cards that are free on a host of two nodes with eight each', () => {
  test.each(Object.entries(ROOMS))('%s', (_, [objects, free, largest]) => {
    expect(hostRoom(HOST, objects)).toEqual({ all: 16, free, largest });
  });

  test('an instance that asks anew is not counted, and a job of its name is', () => {
    expect(hostRoom(HOST, [instance, train('running')], 'dev').free).toBe(14);
  });
});
