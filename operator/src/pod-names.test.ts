// By a Pod's name alone a policy tells instances, which members may enter, from what the platform runs beside them.
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import { groupSetName, INSTANCE_POD, LIKE_GROUP, REPLICA_POD } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { filesName } from './kinds/data-disk/desired.ts';
import { keeperName, podName } from './kinds/gpu-instance/desired.ts';
import { jobName } from './kinds/image/desired.ts';

const named = <T>(name: string) => ({ metadata: { name } }) as T;
const isInstances = (name: string) => new RegExp(INSTANCE_POD).test(name);

/** Names that come close to what a run is called; Images alone may have those with dots. */
const NAMES = [
  ...['a', 'dev', 'dev-1', 'dev-1-2', 'x-files', 'x-keep', 'a-verify', 'verify-24567', 'gantry-probe'],
  // As long as one may be.
  `x${'-1'.repeat(24)}1`,
];
/** An Image's name, with its dots. */
const LONGEST = 50;
/** Kubernetes adds such an end to the Pod of a Job. */
const ENDS = ['24567', '99999', 'bcdfg', '2b4d6'];

describe.each(NAMES)('beside %s', (name) => {
  test('each run of an instance may be entered', () => {
    for (const seq of [1, 10, 24567]) expect(isInstances(podName(named<GpuInstance>(name), seq))).toBe(true);
  });

  test('the file server, the keeper and the check of an image are told from a run', () => {
    const images = [name, `${name}.1`, `${name}.dev`].map((image) => image.slice(-LONGEST).replace(/^[^a-z]+/, 'x'));
    const jobs = images.flatMap((image) => ENDS.map((end) => `${jobName(named<Image>(image))}-${end}`));
    const platforms = [filesName(named<DataDisk>(name)), keeperName(named<GpuInstance>(name)), ...jobs];
    expect(platforms.filter(isInstances)).toEqual([]);
  });
});

test('a replica on several nodes is told from a run, of every name that an instance may have', () => {
  const parts = NAMES.flatMap((name) => ['0', '12', '0-1', '12-15'].map((part) => `${groupSetName(name)}-${part}`));
  expect(parts.filter((name) => !new RegExp(REPLICA_POD).test(name))).toEqual([]);
  const names = [
    ...NAMES,
    ...parts,
    ...NAMES.map(groupSetName),
    'group',
    'group-1',
    'a-groups',
    'a-group-b',
    'a-group-1-2',
  ];
  const alike = names.filter((name) => new RegExp(REPLICA_POD).test(podName(named<GpuInstance>(name), 1)));
  expect(alike.filter((name) => !new RegExp(LIKE_GROUP).test(name))).toEqual([]);
  expect(alike).toContain('a-group');
  expect(alike).not.toContain('group-1');
});

test('the probe of the network is told from a run', () => {
  expect(isInstances('gantry-probe')).toBe(false);
});
