import { REGISTRY } from '@gantry/contract/names.ts';
import { AT, common, DIGEST, type Resting, SOUND_NAMESPACE, soundObject, UID } from './parts.ts';

export const sound = soundObject(
  'Snapshot',
  'dev-1',
  {
    instance: 'dev',
    of: 'Root',
    node: 'node-0',
    podName: 'dev-1',
    podUID: UID,
    target: `${REGISTRY}/${SOUND_NAMESPACE}/dev.root:1`,
    log: `${REGISTRY}/${SOUND_NAMESPACE}/dev.log:1`,
  },
  {
    ...common('ready', 'Saved'),
    digest: DIGEST,
    sizeBytes: 1024,
    totalBytes: 4096,
    layers: 2,
    log: { bytes: 1024, isCut: false },
    startedAt: AT,
    finishedAt: AT,
    attempts: 1,
    nextTryAt: AT,
  },
  SOUND_NAMESPACE,
);

export const resting: Resting = ({ namespace, whose }) => ({
  spec: { instance: `ins-${whose}`, of: 'Root', target: `${REGISTRY}/${namespace}/x:1` },
  status: { phase: 'ready' },
});
