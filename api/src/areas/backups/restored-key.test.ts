import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { MemoryCluster } from '@gantry/kube/testing/memory-cluster.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SECRETS } from './cluster.ts';
import { mustBeKeyOf, writeKey } from './restored-key.ts';

const KEY = Buffer.from('thirty-two bytes, or even a few more');
const SECRET = 'gantry-platform-key';

let folder: string;
let platformKeyFile: string;
let cluster: MemoryCluster;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-restored-key-'));
  platformKeyFile = join(folder, 'key');
  cluster = new MemoryCluster([], { fieldManager: 'test' });
  cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: PLATFORM_NAMESPACE, name: SECRET } });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inSecret = async () =>
  ((await cluster.get(SECRETS, PLATFORM_NAMESPACE, SECRET)) as { data?: { key?: string } }).data?.key;
const write = (place: { platformKeyFile: string; platformKeySecret: string }) => writeKey(place, KEY, () => cluster);

test.each([
  ['no file', undefined],
  ['an empty file, as an empty Secret is mounted', ''],
])('with %s the key goes into the Secret that is named', async (_, content) => {
  if (content !== undefined) await writeFile(platformKeyFile, content);
  const place = { platformKeyFile, platformKeySecret: SECRET };
  await mustBeKeyOf(place, KEY);
  expect(await write(place)).toBe(`the Secret ${SECRET}`);
  expect(await inSecret()).toBe(KEY.toString('base64'));
});

test('without a Secret it goes into the file, and nowhere where there is no place', async () => {
  const place = { platformKeyFile, platformKeySecret: '' };
  expect(await write(place)).toBe(platformKeyFile);
  expect(await readFile(platformKeyFile)).toEqual(KEY);
  expect(await write({ platformKeyFile: '', platformKeySecret: '' })).toBeUndefined();
});

test('a key that is there is kept, and another one is refused', async () => {
  await writeFile(platformKeyFile, KEY);
  const place = { platformKeyFile, platformKeySecret: SECRET };
  await mustBeKeyOf(place, KEY);
  expect(await write(place)).toBeUndefined();
  expect(await inSecret()).toBeUndefined();
  await expect(mustBeKeyOf(place, Buffer.from('another one of thirty-two bytes.'))).rejects.toThrow(
    /holds another key/,
  );
});
