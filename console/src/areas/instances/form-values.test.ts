// The form of an instance: what it sends, what a link or a preset fills in, and what an edit restarts.
import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { describe, expect, test } from '@jest/globals';
import {
  bodyOf,
  changeOf,
  EMPTY,
  type InstanceValues,
  isReplacing,
  presetOf,
  restartsBy,
  sizeOf,
  valuesOf,
  valuesOfQuery,
} from './form-values.ts';

const FULL: InstanceValues = {
  displayName: 'dev',
  region: 'us-east',
  image: 'pytorch/pytorch:2.4.0',
  command: 'sh -c "sleep 5"',
  host: 'nod-1',
  gpu: { model: 'Tesla-T4', count: 2 },
  cores: 1.5,
  memoryGi: 8,
  homeDisk: { sizeGi: 20 },
  disks: [{ name: 'dsk-1', mountPath: '/mnt/data' }],
  env: [{ name: 'TOKEN', value: 'x' }],
  ports: [{ name: '', port: 8080 }],
  notebookPort: 8888,
  sshKeys: [{ remark: 'me', publicKey: 'ssh-ed25519 AAAA' }],
  idle: { does: 'Act', afterMinutes: 30 },
};
const SMALL: InstanceValues = { ...EMPTY, displayName: 'dev', image: 'library/busybox:1.36' };

describe('a new one', () => {
  test('sends nothing of what was left empty', () => {
    expect(bodyOf(SMALL)).toEqual({
      displayName: 'dev',
      image: 'library/busybox:1.36',
      cores: 2,
      memoryGi: 4,
      homeDisk: { sizeGi: 20 },
    });
  });

  test('sends all that was filled in, and the contract takes it', () => {
    const body = bodyOf(FULL);
    expect(body).toMatchObject({
      region: 'us-east',
      command: ['sh', '-c', 'sleep 5'],
      gpu: { model: 'Tesla-T4', count: 2 },
      ports: [{ port: 8080 }],
    });
    expect(KIND_ROUTES.gpuInstance.create.body.safeParse(body).success).toBe(true);
  });

  test('a number that was cleared is told at its field', () => {
    const body = bodyOf({ ...FULL, gpu: { model: 'Tesla-T4', count: undefined }, cores: undefined });
    const { error } = KIND_ROUTES.gpuInstance.create.body.safeParse(body);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['gpu.count', 'cores']);
    expect(sizeOf({ ...FULL, gpu: { model: 'Tesla-T4', count: undefined } })).toBeUndefined();
  });
});

describe('an edit', () => {
  const spec = { ...bodyOf(FULL), power: 'Running', rebootCount: 0 } as Parameters<typeof valuesOf>[0]['spec'];

  test('shows what is, and sent back as it was changes nothing', () => {
    expect(valuesOf({ name: 'dev', region: 'us-east', spec })).toEqual({ ...FULL, command: "sh -c 'sleep 5'" });
    expect(changeOf(valuesOf({ name: 'dev', region: 'us-east', spec }), FULL)).toEqual({});
  });

  const none = { model: '', count: 1 };
  test.each<[string, Partial<InstanceValues>, object, boolean]>([
    ['a name is sent alone and restarts nothing', { displayName: 'other' }, { displayName: 'other' }, false],
    ['a GPU that is given up is null, and restarts', { gpu: none }, { gpu: null }, true],
    ['a host that is left for the pool is null, and restarts', { host: '' }, { host: null }, true],
    ['variables restart', { env: [] }, { env: null }, true],
    ['disks wait for the next start', { disks: [] }, { disks: null }, false],
    ['keys take effect at once', { sshKeys: [] }, { sshKeys: null }, false],
    ['ports take effect at once', { ports: [] }, { ports: null }, false],
    ['a larger home restarts nothing', { homeDisk: { sizeGi: 30 } }, { homeDisk: { sizeGi: 30 } }, false],
    ['another notebook port restarts', { notebookPort: undefined }, { notebookPort: null }, true],
  ])('%s', (_, changed, body, restarts) => {
    const change = changeOf(FULL, { ...FULL, ...changed });
    expect(change).toEqual(body);
    expect(restartsBy(change)).toBe(restarts);
    expect(KIND_ROUTES.gpuInstance.change.body.safeParse(change).success).toBe(true);
  });
});

test("somebody else's change is replaced only by a change to the same field", () => {
  const theirs = { ...FULL, sshKeys: [] };
  expect(isReplacing(FULL, theirs, { displayName: 'other' })).toBe(false);
  expect(isReplacing(FULL, theirs, { sshKeys: null } as never)).toBe(true);
  expect(isReplacing(FULL, FULL, { sshKeys: [] })).toBe(false);
});

test.each<[string, string, Partial<InstanceValues>]>([
  ['an image', 'image=a/b:1', { image: 'a/b:1' }],
  ['a GPU is one card unless told', 'gpu=Tesla-T4', { gpu: { model: 'Tesla-T4', count: 1 } }],
  [
    'cards, cores, memory and home',
    'gpu=X&count=4&cores=8&memory=32&home=50',
    {
      gpu: { model: 'X', count: 4 },
      cores: 8,
      memoryGi: 32,
      homeDisk: { sizeGi: 50 },
    },
  ],
  ['what is no number is left out', 'cores=many&host=nod-1', { host: 'nod-1' }],
])('a link brings %s', (_, query, values) => {
  expect(valuesOfQuery(new URLSearchParams(query))).toEqual(values);
});

describe('a preset', () => {
  const offered = (gpu_type: string, free: number, amount: string): GpuSpecView =>
    ({
      gpu_type,
      free,
      gpu_count: 8,
      card_cores: 14,
      card_memory_gi: 115,
      starts: [{ count: 1, free }],
      price: { per: 'hour', amount, list: amount, discount_percent: 0, currency: 'USD' },
    }) as GpuSpecView;

  test('one GPU is the cheapest that is free, with its share of the node', () => {
    const specs = [offered('dear', 8, '2.69'), offered('cheap', 1, '0.49'), offered('taken', 0, '0.22')];
    expect(presetOf('oneGpu', specs)).toEqual({
      gpu: { model: 'cheap', count: 1 },
      cores: 14,
      memoryGi: 115,
      homeDisk: { sizeGi: 20 },
    });
  });

  test('a link to cards brings what comes with them, unless it says otherwise', () => {
    const specs = [offered('H100', 8, '2.69')];
    expect(valuesOfQuery(new URLSearchParams('gpu=H100&count=8'), specs)).toEqual({
      gpu: { model: 'H100', count: 8 },
      cores: 112,
      memoryGi: 920,
    });
    expect(valuesOfQuery(new URLSearchParams('gpu=H100&cores=4'), specs)).toMatchObject({ cores: 4, memoryGi: 115 });
  });

  test('without a free card there is none', () => {
    expect(presetOf('oneGpu', [offered('taken', 0, '0.22')])).toBeUndefined();
  });

  test('to try it is the least that the contract takes of CPU', () => {
    const body = bodyOf({ ...SMALL, ...presetOf('tryIt', []) });
    expect(KIND_ROUTES.gpuInstance.create.body.safeParse(body).success).toBe(true);
    expect(KIND_ROUTES.gpuInstance.create.body.safeParse({ ...body, cores: Number(body.cores) / 2 }).success).toBe(
      false,
    );
  });
});
