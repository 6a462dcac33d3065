import { REGISTRY } from '@gantry/contract/names.ts';
import { AT, common, DIGEST, metered, type Resting, SOUND_NAMESPACE, soundObject } from './parts.ts';

export const sound = soundObject(
  'Image',
  'torch',
  {
    displayName: 'torch',
    creator: 'ann',
    source: `${REGISTRY}/${SOUND_NAMESPACE}/torch:1`,
    official: false,
    llm: false,
    fromInstance: 'dev',
    pullSecret: 'login',
  },
  {
    ...common('ready', 'Verified'),
    digest: DIGEST,
    sizeBytes: 4096,
    needs: { gpus: 1, gpuMemoryGi: 40, cores: 8, memoryGi: 64 },
    verifiedAt: AT,
    checked: `${REGISTRY}/${SOUND_NAMESPACE}/torch:1`,
    exported: `${REGISTRY}/${SOUND_NAMESPACE}/dev.root@${DIGEST}`,
    savedBytes: 1024,
    ...metered({ resource: 'snapshot', quantity: 0.093, exact: { count: 100_000_000, unit: 'B' } }),
    failures: 0,
    failedAt: AT,
  },
  SOUND_NAMESPACE,
);

export const resting: Resting = () => ({ spec: { displayName: 'image' }, status: { phase: 'ready' } });
