// Archives as the tar of this machine reads them.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { openArchive } from './send-archive.ts';
import { tarBytes, tarHead } from './tar.ts';

const run = promisify(execFile);
const FILES: Readonly<Record<string, string>> = {
  'a.jsonl': '{"a":1}\n',
  '-rf': 'a name like an option',
  'deep/er/b.txt': 'x'.repeat(512),
  'é/数据.jsonl': 'names of any language',
  [`${'long/'.repeat(60)}name.txt`]: 'a name longer than a header',
  [`${'n'.repeat(100)}`]: 'just fits',
};
const listed = (names: readonly string[]) =>
  names.map((path, index) => ({ path, digest: `${index}`, sizeBytes: Buffer.byteLength(FILES[path] ?? '') }));

test('every name and every content comes back, and its size is known beforehand', async () => {
  const names = Object.keys(FILES);
  const store = {
    download: async (digest: string) => Readable.from([Buffer.from(FILES[names[Number(digest)] ?? ''] ?? '')]),
  } as unknown as ObjectStore;
  const { body, sizeBytes } = await openArchive(store, listed(names), AbortSignal.timeout(60_000));
  const archive = await buffer(body);
  expect(archive.length).toBe(sizeBytes);
  const folder = await mkdtemp(join(tmpdir(), 'gantry-tar-'));
  try {
    const extracting = run('tar', ['-x', '-C', folder, '-f', '-']);
    extracting.child.stdin?.end(archive);
    await extracting;
    for (const [path, text] of Object.entries(FILES)) expect(await readFile(join(folder, path), 'utf8')).toBe(text);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a file larger than a header can say has its size beside it', () => {
  const head = tarHead({ path: 'a', sizeBytes: 9 * 1024 ** 3 });
  expect(head.length).toBe(3 * 512);
  expect(tarBytes({ path: 'a', sizeBytes: 9 * 1024 ** 3 })).toBe(head.length + 9 * 1024 ** 3);
  expect(head.subarray(512, 1024).toString().replaceAll('\0', '')).toBe(`19 size=9663676416\n`);
});

test('the length of a record counts its own digits', () => {
  for (let length = 80; length < 130; length++) {
    const path = 'é'.repeat(length);
    const text = tarHead({ path, sizeBytes: 1 }).subarray(512).toString().split('\n')[0] ?? '';
    expect([length, Number(text.split(' ')[0])]).toEqual([length, Buffer.byteLength(text) + 1]);
  }
});

test('a store that fails on the way breaks the archive off', async () => {
  const store = {
    download: async (digest: string) => {
      if (digest === '1') throw new Error('the store is gone');
      return Readable.from([Buffer.from('12345678')]);
    },
  } as unknown as ObjectStore;
  const files = [0, 1].map((index) => ({ path: `${index}`, digest: `${index}`, sizeBytes: 8 }));
  const { body } = await openArchive(store, files, AbortSignal.timeout(60_000));
  await expect(buffer(body)).rejects.toThrow('the store is gone');
});
