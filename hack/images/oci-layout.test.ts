import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { layerOf, type OciImage, writeOciLayout } from './oci-layout.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-oci-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FILES = [
  { path: 'bin', directory: true },
  { path: 'bin/tool', content: 'x', mode: 0o755 },
  { path: 'note', content: 'y' },
] as const;
const image = (over: Partial<OciImage> = {}): OciImage => ({
  layers: [layerOf([...FILES])],
  entrypoint: ['/bin/tool'],
  user: '65532:65532',
  labels: { 'org.opencontainers.image.title': 'tool' },
  ...over,
});

test('the same contents give the same digest, however they were found', async () => {
  const first = await writeOciLayout(join(folder, 'a'), image());
  expect(await writeOciLayout(join(folder, 'b'), image({ layers: [layerOf([...FILES].reverse())] }))).toBe(first);
});

test.each<[string, Partial<OciImage>]>([
  ['a file', { layers: [layerOf([{ path: 'note', content: 'z' }])] }],
  ['the user', { user: '0' }],
  ['a label', { labels: {} }],
  ['the entrypoint', { entrypoint: ['/note'] }],
])('another digest comes of changing %s', async (_, over) => {
  const before = await writeOciLayout(join(folder, 'a'), image());
  expect(await writeOciLayout(join(folder, 'b'), image(over))).not.toBe(before);
});

test('every blob has the name of its contents, and the manifest names each of them', async () => {
  const digest = await writeOciLayout(join(folder, 'a'), image());
  const blobs = join(folder, 'a/blobs/sha256');
  const contents = new Map<string, Buffer>(
    await Promise.all(
      (await readdir(blobs)).map(async (name) => [`sha256:${name}`, await readFile(join(blobs, name))] as const),
    ),
  );
  for (const [name, content] of contents) {
    expect(`sha256:${createHash('sha256').update(content).digest('hex')}`).toBe(name);
  }
  const manifest = JSON.parse(contents.get(digest)?.toString() ?? '');
  const named = [manifest.config, ...manifest.layers].map((one: { digest: string }) => one.digest);
  expect(new Set([...named, digest])).toEqual(new Set(contents.keys()));
  const config = JSON.parse(contents.get(manifest.config.digest)?.toString() ?? '');
  expect(config.config).toMatchObject({ User: '65532:65532', Labels: { 'org.opencontainers.image.title': 'tool' } });
  const unpacked = gunzipSync(contents.get(manifest.layers[0].digest) ?? Buffer.alloc(0));
  expect(config.rootfs.diff_ids).toEqual([`sha256:${createHash('sha256').update(unpacked).digest('hex')}`]);
});
