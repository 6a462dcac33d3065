import { AT, common, metered, type Resting, SOUND_NAMESPACE, soundObject } from './parts.ts';

export const sound = soundObject(
  'GpuHost',
  'big',
  {
    displayName: 'big',
    creator: 'ann',
    source: 'rented',
    gpu: { model: 'NVIDIA-H100-80GB-HBM3', count: 8 },
    nodes: 1,
    months: 1,
    autoRenew: false,
    tags: ['train'],
    disks: [{ name: 'data', mountPath: '/data' }],
  },
  {
    ...common('active', 'Active'),
    nodes: [{ name: 'node-0', lanAddress: '10.0.0.7', os: 'Debian', ready: true, gpus: 8 }],
    lanAddress: '10.0.0.7',
    os: 'Debian',
    gpuCount: 8,
    startedAt: AT,
    expiresAt: '2026-12-21T10:00:00Z',
    countedMonths: 1,
    renewedMonths: 0,
    returnedAt: AT,
    ...metered({
      resource: 'host',
      model: 'NVIDIA-H100-80GB-HBM3',
      quantity: 8,
      // No card has one; but the field is there.
      exact: { count: 8_192, unit: 'Mi' },
    }),
    credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1, months: 1 },
  },
  SOUND_NAMESPACE,
);

export const resting: Resting = () => ({ spec: { displayName: 'host' }, status: { phase: 'active' } });
