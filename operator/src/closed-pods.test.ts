import type { DeviceList } from '@gantry/contract/gpu-access.ts';
import { DEVICE_LISTS } from '@gantry/contract/gpu-access.ts';
import { expect, test } from '@jest/globals';
import { closed } from './closed-pods.ts';

interface Container {
  name: string;
  env: { name: string; value?: string }[];
  resources: { limits: Record<string, string> };
}
const containerOf = (gpus: number, env: object[] = []): Container =>
  ({
    name: 'main',
    env,
    resources: { limits: { cpu: '1', ...(gpus > 0 && { 'nvidia.com/gpu': String(gpus) }) } },
  }) as Container;
const cardsSeen = ({ env }: Container): string | undefined =>
  env.filter(({ name }) => name === 'NVIDIA_VISIBLE_DEVICES').at(-1)?.value;
const sealed = (container: Container, by: DeviceList = 'envvar'): Container =>
  closed({ spec: { containers: [container] } }, by).spec.containers[0] as Container;

test.each(DEVICE_LISTS)('a container that asked for no GPU sees none, by %s', (by) => {
  expect(cardsSeen(sealed(containerOf(0), by))).toBe('void');
});

// A variable of a Pod wins over what the device plugin answers, and by CDI the plugin leaves the image's ENV as it is.
test.each<[DeviceList, string | undefined]>([
  ['envvar', undefined],
  ['volume-mounts', undefined],
  ['cdi-annotations', 'void'],
  ['cdi-cri', 'void'],
])('which cards a container with GPUs sees is said, by %s, by the device plugin alone', (by, says) => {
  expect(cardsSeen(sealed(containerOf(2), by))).toBe(says);
});

test.each([
  'NVIDIA_VISIBLE_DEVICES',
  'NVIDIA_MIG_CONFIG_DEVICES',
  'NVIDIA_MIG_MONITOR_DEVICES',
  'NVIDIA_IMEX_CHANNELS',
  'NVIDIA_MOFED',
  'NVIDIA_NVSWITCH',
  'NVIDIA_GDS',
  'NVIDIA_GDRCOPY',
  'DOCKER_RESOURCE_GPU',
])('a tenant of an older version who set %s gets nothing by it, as a value or from a Secret', (name) => {
  const theirs = [
    { name, value: 'all' },
    { name: 'FROM', valueFrom: { secretKeyRef: { name: 'mine', key: 'a' } } },
  ];
  for (const gpus of [0, 1]) {
    const { env } = sealed(containerOf(gpus, theirs));
    expect(env.filter((one) => one.value === 'all')).toEqual([]);
    expect(env).toContainEqual(theirs[1]);
  }
});

test.each(['CUDA_VISIBLE_DEVICES', 'NVIDIA_DRIVER_CAPABILITIES', 'NVIDIA_REQUIRE_CUDA', 'NVIDIA_API_KEY'])(
  '%s opens no device, and stays',
  (name) => {
    expect(sealed(containerOf(1, [{ name, value: 'a' }])).env).toContainEqual({ name, value: 'a' });
  },
);

test('containers are closed in everything that makes Pods, and those that prepare them too', () => {
  const spec = { initContainers: [containerOf(0)], containers: [containerOf(0)] };
  const all = [
    closed({ spec }, 'envvar').spec,
    closed({ spec: { template: { spec } } }, 'envvar').spec.template.spec,
    closed({ spec: { leaderWorkerTemplate: { leaderTemplate: { spec }, workerTemplate: { spec } } } }, 'envvar').spec
      .leaderWorkerTemplate.workerTemplate.spec,
  ];
  for (const { initContainers, containers } of all)
    expect([...initContainers, ...containers].map(cardsSeen)).toEqual(['void', 'void']);
});
