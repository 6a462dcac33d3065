// The archive of a version, as tar itself reads it.
import { execFileSync } from 'node:child_process';
import type { Api } from '@gantry/ui/client/api.ts';
import { expect, test } from '@jest/globals';
import { TooLarge } from '../../parts/files/save-download.ts';
import { archiveOf } from './archive-of.ts';

const LONG = `${'folder/'.repeat(30)}データ.jsonl`;

function played(files: Readonly<Record<string, string>>) {
  const items = Object.entries(files).map(([path, text]) => ({
    path,
    size_bytes: new TextEncoder().encode(text).length,
  }));
  const asked: unknown[] = [];
  const api = {
    call: async (_: unknown, { query }: { query: { page: number } }) => {
      asked.push(query);
      // Two pages, of which the second goes on behind the first.
      const half = Math.ceil(items.length / 2);
      return query.page === 1
        ? { items: items.slice(0, half), totalPages: 2, extra: { cursor: 'c1' } }
        : { items: items.slice(half), totalPages: 2, extra: {} };
    },
    send: async (_: unknown, { query }: { query: { path: string } }) => new Response(files[query.path]),
    failure: () => new Error('failed'),
  } as unknown as Pick<Api, 'call' | 'send' | 'failure'>;
  return { api, asked };
}

async function archived(files: Readonly<Record<string, string>>, most = Number.POSITIVE_INFINITY) {
  const { api, asked } = played(files);
  const chunks: Uint8Array[] = [];
  for await (const chunk of archiveOf(api, { id: 'dst-1', version: '2' }, most)) chunks.push(chunk);
  return { archive: Buffer.concat(chunks), asked };
}

const tar = (args: readonly string[], input: Buffer) => execFileSync('tar', args, { input, encoding: 'utf8' });

test('tar finds each file with its content, whatever its path', async () => {
  const files = { 'a.jsonl': '{"a":1}\n', 'empty/../odd': 'x', [LONG]: '猫'.repeat(1000) };
  const { archive, asked } = await archived(files);
  expect(tar(['-t', '-P', '--quoting-style=literal'], archive).trim().split('\n')).toEqual(Object.keys(files));
  expect(tar(['-xO', '--quoting-style=literal', LONG], archive)).toBe(files[LONG]);
  expect(tar(['-xO', 'a.jsonl'], archive)).toBe('{"a":1}\n');
  expect(asked).toEqual([
    { page: 1, size: 1000 },
    { page: 2, size: 1000, cursor: 'c1' },
  ]);
});

test('more than a browser may hold is given up', async () => {
  await expect(archived({ a: 'four', b: 'five!' }, 8)).rejects.toBeInstanceOf(TooLarge);
});
