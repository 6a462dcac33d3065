// The sentences about a host's disks.
import type { DataDisk, DataDiskStatus } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { expect, test } from '@jest/globals';
import { cachesOf } from '../../testing/caches-of.ts';
import { gpuHostController } from './plan.ts';
import { DISK, reads } from './reads.ts';
import { HOST } from './resource.ts';
import { claim, context, gpuHost, ours, seen } from './testing/fixtures.ts';

type Mounts = NonNullable<DataDiskStatus['mountedBy']>;
const disk = (name: string, mountedBy: Mounts = [], access: DataDisk['spec']['access'] = 'Single'): DataDisk => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'DataDisk',
  metadata: { name, namespace: 'org-acme' },
  spec: { sizeGi: 1, access },
  status: { phase: 'active', mountedBy },
});
const by = (kind: Mounts[number]['kind'], name: string): Mounts => [{ kind, name }];
const wanting = (...names: string[]): GpuHost =>
  gpuHost({ spec: { disks: names.map((name) => ({ name, mountPath: `/${name}` })) } });

function saidOf(owner: GpuHost, disks: readonly DataDisk[]) {
  const observed = seen({ own: [claim('n1')], nodes: [ours('n1')], disks });
  const { status } = gpuHostController.plan(owner, observed, context(10));
  const found = status?.conditions?.find(({ type }) => type === 'DisksKept');
  return found && [found.status, found.reason, found.message];
}

const MINE = by('GpuHost', 'big');
test.each<[string, GpuHost, DataDisk[], string[] | undefined]>([
  ['a host without disks says nothing of them', wanting(), [], undefined],
  [
    'one that has its disks says so',
    wanting('a', 'b'),
    [disk('a', MINE), disk('b', [...MINE, ...by('GpuInstance', 'dev')])],
    ['True', 'DisksKept', "The host's disks are reserved for its instances."],
  ],
  [
    'a disk that is not there is named',
    wanting('a', 'b'),
    [disk('a', MINE)],
    ['False', 'DiskNotFound', 'spec.disks: there is no disk b.'],
  ],
  [
    'a disk that another host has is named with it',
    wanting('a'),
    [disk('a', by('GpuHost', 'other'))],
    ['False', 'DiskInUse', 'spec.disks: disk a is in use by GpuHost other, and is not reserved for this host.'],
  ],
  [
    'an instance of the name of the host is not the host',
    wanting('a'),
    [disk('a', by('GpuInstance', 'big'))],
    ['False', 'DiskInUse', 'spec.disks: disk a is in use by GpuInstance big, and is not reserved for this host.'],
  ],
  [
    'a disk that nobody has yet is waited for',
    wanting('a'),
    [disk('a')],
    ['Unknown', 'DiskNotReady', 'spec.disks: disk a is being created or assigned.'],
  ],
  [
    "a disk of many writers is in nobody else's use",
    wanting('a'),
    [disk('a', by('GpuHost', 'other'), 'Many')],
    ['Unknown', 'DiskNotReady', 'spec.disks: disk a is being created or assigned.'],
  ],
  [
    'a mistake is told before what time may mend',
    wanting('a', 'b'),
    [disk('a')],
    ['False', 'DiskNotFound', 'spec.disks: there is no disk b.'],
  ],
])('%s', (_, owner, disks, said) => expect(saidOf(owner, disks)).toEqual(said));

test('a disk wakes the hosts of its organisation that name it', () => {
  const stranger = wanting('a');
  stranger.metadata = { ...stranger.metadata, namespace: 'org-other' };
  const caches = cachesOf(new Map([[HOST, [wanting('a'), stranger]]]));
  const woken = (name: string) => reads.disks.wakes?.({ after: disk(name) }, caches);
  expect([woken('a'), woken('b')]).toEqual([[{ namespace: 'org-acme', name: 'big' }], []]);
  expect(reads.disks.find(wanting('a', 'b'), cachesOf(new Map([[DISK, [disk('a')]]])))).toEqual([disk('a')]);
});
