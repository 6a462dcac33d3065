import { AT, common, metered, type Resting, SOUND_NAMESPACE, soundObject, UID } from './parts.ts';

export const sound = soundObject(
  'DataDisk',
  'data',
  {
    displayName: 'data',
    creator: 'ann',
    sizeGi: 10,
    storageClassName: 'standard',
    access: 'Single',
    files: { until: '2026-11-21T11:00:00Z' },
  },
  {
    ...common('mounted', 'Mounted'),
    sizeGi: 10,
    usage: { totalBytes: 4096, usedBytes: 1024, availableBytes: 2048, ownBytes: 1024, at: AT, node: 'node-0' },
    mountedBy: [{ kind: 'GpuInstance', name: 'dev', mountPath: '/data', atNextStart: false }],
    volumeName: 'pvc-1',
    claimUID: UID,
    node: 'node-0',
    ...metered({ resource: 'disk', quantity: 10.001, exact: { count: 10_241, unit: 'Mi' } }),
    files: { address: '10.0.0.7:8080', readyAt: AT },
  },
  SOUND_NAMESPACE,
);

export const resting: Resting = () => ({ spec: { displayName: 'disk' }, status: { phase: 'active' } });
