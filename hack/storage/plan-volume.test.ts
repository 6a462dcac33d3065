import { expect, test } from '@jest/globals';
import type { V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import { desiredVolume, nodeOf, PROVISIONER, planVolume, volumeName } from './plan-volume.ts';

const NODE = 'node-0';
const CHOSEN = {
  'volume.kubernetes.io/storage-provisioner': PROVISIONER,
  'volume.kubernetes.io/selected-node': NODE,
};

interface ClaimShape {
  readonly annotations?: Record<string, string>;
  readonly size?: string;
  readonly reported?: string;
  readonly modes?: string[];
  readonly volumeMode?: string;
  readonly volumeName?: string;
  readonly deleted?: boolean;
}
const claim = (shape: ClaimShape = {}): V1PersistentVolumeClaim => ({
  metadata: {
    name: 'home',
    namespace: 'org-a',
    uid: 'u1',
    annotations: shape.annotations ?? CHOSEN,
    ...(shape.deleted ? { deletionTimestamp: new Date(0) } : {}),
  },
  spec: {
    accessModes: shape.modes ?? ['ReadWriteOncePod'],
    storageClassName: 'gantry-disk',
    resources: { requests: { storage: shape.size ?? '1Gi' } },
    ...(shape.volumeMode === undefined ? {} : { volumeMode: shape.volumeMode }),
    ...(shape.volumeName === undefined ? {} : { volumeName: shape.volumeName }),
  },
  status:
    shape.reported === undefined ? { phase: 'Pending' } : { phase: 'Bound', capacity: { storage: shape.reported } },
});

const volume = (phase: string, { size = '1Gi', deleted = false } = {}): V1PersistentVolume => {
  const made = desiredVolume(claim(), { node: NODE, size, path: '/somewhere' }) as V1PersistentVolume;
  if (deleted) made.metadata = { ...made.metadata, deletionTimestamp: new Date(0) };
  return { ...made, status: { phase } };
};

test.each<[string, V1PersistentVolumeClaim | undefined, V1PersistentVolume | undefined, object]>([
  [
    'a claim whose node is chosen gets its volume there',
    claim(),
    undefined,
    { do: 'provision', node: NODE, size: '1Gi' },
  ],
  [
    'a claim without a Pod waits',
    claim({ annotations: { 'volume.kubernetes.io/storage-provisioner': PROVISIONER } }),
    undefined,
    { do: 'nothing' },
  ],
  [
    'a claim of another provisioner is left alone',
    claim({ annotations: { ...CHOSEN, 'volume.kubernetes.io/storage-provisioner': 'other' } }),
    undefined,
    { do: 'nothing' },
  ],
  ['a claim that is being deleted gets nothing', claim({ deleted: true }), undefined, { do: 'nothing' }],
  [
    'a claim that lost its volume does not get an empty one',
    claim({ volumeName: 'pvc-u1' }),
    undefined,
    { do: 'nothing' },
  ],
  [
    'a claim of many writers gets a volume on one node like any other',
    claim({ modes: ['ReadWriteMany'] }),
    undefined,
    { do: 'provision', node: NODE, size: '1Gi' },
  ],
  [
    'a claim for a raw device is refused',
    claim({ volumeMode: 'Block' }),
    undefined,
    { do: 'refuse', why: expect.stringContaining('file system') },
  ],
  ['a bound volume stays mounted', claim({ reported: '1Gi' }), volume('Bound'), { do: 'mount', node: NODE }],
  ['so does one that is not bound yet', claim(), volume('Pending'), { do: 'mount', node: NODE }],
  [
    'a claim that asks for more makes it grow',
    claim({ size: '2Gi', reported: '1Gi' }),
    volume('Bound'),
    { do: 'grow', node: NODE, size: '2Gi' },
  ],
  [
    'a volume that grew is reported',
    claim({ size: '2Gi', reported: '1Gi' }),
    volume('Bound', { size: '2Gi' }),
    { do: 'report', size: '2Gi' },
  ],
  [
    'nothing shrinks',
    claim({ size: '1Gi', reported: '2Gi' }),
    volume('Bound', { size: '2Gi' }),
    { do: 'mount', node: NODE },
  ],
  ['a released volume goes', undefined, volume('Released'), { do: 'remove' }],
  ['a deleted volume that nobody holds goes', undefined, volume('Available', { deleted: true }), { do: 'remove' }],
  [
    'a deleted volume stays while its claim holds it',
    claim({ reported: '1Gi' }),
    volume('Bound', { deleted: true }),
    { do: 'mount', node: NODE },
  ],
  ['what neither claim nor volume knows is a left-over', undefined, undefined, { do: 'remove' }],
])('%s', (_, request, seen, expected) => {
  expect(planVolume(request, seen)).toEqual(expected);
});

test('a volume belongs to its claim alone and to its node', () => {
  const made = desiredVolume(claim(), { node: NODE, size: '1Gi', path: '/p' });
  expect(made.metadata.name).toBe(volumeName(claim()));
  expect(made.spec.claimRef).toMatchObject({ namespace: 'org-a', name: 'home', uid: 'u1' });
  expect(nodeOf(made as V1PersistentVolume)).toBe(NODE);
});
