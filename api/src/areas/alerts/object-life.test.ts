import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { expect, test } from '@jest/globals';
import { type LivingObject, lifeOf } from './object-life.ts';
import type { Life } from './outcome.ts';

const NOW = Date.UTC(2026, 10, 10);
const ago = (minutes: number) => [{ since: new Date(NOW - minutes * 60_000).toISOString() }];
const GPU = { gpu: { model: 'Tesla-T4', count: 1 } };

const rows: Record<
  string,
  [
    typeof gpuInstance | typeof job | typeof containerService | typeof dataDisk,
    metric: string | undefined,
    object: object | undefined,
    Life,
  ]
> = {
  'one that is not there': [gpuInstance, 'CpuCores', undefined, 'gone'],
  'one that is being deleted': [
    gpuInstance,
    'CpuCores',
    { metadata: { deletionTimestamp: 'now' }, status: { phase: 'running' } },
    'gone',
  ],
  'one that runs': [gpuInstance, 'CpuCores', { status: { phase: 'running', history: ago(5) } }, 'running'],
  'one that has run for a minute': [
    gpuInstance,
    'CpuCores',
    { status: { phase: 'running', history: ago(1) } },
    'starting',
  ],
  'one that starts': [gpuInstance, 'CpuCores', { status: { phase: 'preparing', history: ago(60) } }, 'starting'],
  'one that nobody has seen yet': [gpuInstance, 'CpuCores', {}, 'starting'],
  'one that shall rest': [
    gpuInstance,
    'CpuCores',
    { spec: { power: 'Stopped' }, status: { phase: 'running' } },
    'gone',
  ],
  'one whose node is lost': [
    gpuInstance,
    'CpuCores',
    { status: { phase: 'lost_contact', history: ago(5) } },
    'running',
  ],
  'a service that sleeps': [containerService, 'CpuCores', { status: { phase: 'sleeping' } }, 'gone'],
  'a job that has ended': [job, 'CpuCores', { status: { phase: 'succeeded' } }, 'gone'],
  'a job that waits for its time': [job, 'CpuCores', { status: { phase: 'scheduled' } }, 'gone'],
  'the cards of one that has none': [gpuInstance, 'GpuPower', { status: { phase: 'running' } }, 'bare'],
  'the cards of one that has some': [gpuInstance, 'GpuPower', { spec: GPU, status: { phase: 'running' } }, 'running'],
  'the failure of one that failed': [gpuInstance, 'Failed', { status: { phase: 'failed' } }, 'running'],
  'a disk that is not mounted': [dataDisk, 'DiskUsed', { status: { phase: 'active' } }, 'bare'],
  'a disk that is mounted': [dataDisk, 'DiskUsed', { status: { phase: 'mounted', mountedBy: [{}] } }, 'running'],
};
test.each(Object.entries(rows))('%s', (_title, [facts, metric, object, life]) => {
  const spec = { objects: { kind: facts.kind }, metric } as never;
  const one =
    object && ({ ...object, metadata: { ...(object as LivingObject).metadata, name: 'dev' } } as LivingObject);
  expect(lifeOf(spec, facts, one, NOW)).toBe(life);
});
