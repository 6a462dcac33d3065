import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import { holderOf } from './holder-of.ts';

const instance = (name: string, phase = 'running') =>
  ({
    ...{ kind: 'GpuInstance', metadata: { name, namespace: 'org-acme' } },
    ...{ spec: { power: 'Running', rebootCount: 0 }, status: { phase, run: { seq: 2 } } },
  }) as unknown as GpuInstance;
const disk = (...mountedBy: readonly object[]) =>
  ({ metadata: { name: 'data', namespace: 'org-acme' }, status: { mountedBy } }) as unknown as DataDisk;
const MOUNT = { kind: 'GpuInstance', name: 'dev', mountPath: '/data' };

const HELD = { at: { namespace: 'org-acme', pod: 'dev-2' }, root: '/data' };
test.each([
  ['An instance that runs with a disk holds it.', disk(MOUNT), [instance('dev')], HELD],
  [
    'The first that runs holds it.',
    disk({ ...MOUNT, name: 'off' }, MOUNT),
    [instance('off', 'stopped'), instance('dev')],
    HELD,
  ],
  [
    'An instance that gets it at its next start does not hold it.',
    disk({ ...MOUNT, atNextStart: true }),
    [instance('dev')],
    undefined,
  ],
  ['An instance that does not run does not hold it.', disk(MOUNT), [instance('dev', 'stopped')], undefined],
  ['An instance that is gone does not hold it.', disk(MOUNT), [], undefined],
  ['A worker of a job does not hold it.', disk({ ...MOUNT, kind: 'Job' }), [instance('dev')], undefined],
  ['A disk that nobody mounts has no holder.', disk(), [instance('dev')], undefined],
] as const)('%s', (_, of, instances, wanted) => {
  const find = (namespace: string, id: string) =>
    instances.find(({ metadata }) => metadata.namespace === namespace && metadata.name === id);
  expect(holderOf(of, find)).toEqual(wanted);
});
