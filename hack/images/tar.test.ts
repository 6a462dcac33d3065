import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { type TarEntry, tar } from './tar.ts';

const entries: TarEntry[] = [
  { path: 'tmp', directory: true, mode: 0o1777 },
  { path: 'bin', directory: true },
  { path: 'bin/tool', content: 'x'.repeat(513), mode: 0o755 },
  { path: 'bin/alias', link: 'tool' },
  { path: 'empty', content: '' },
];

test('GNU tar reads back what the table says, owned by root and without a time', () => {
  const listing = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--utc', '--file=-'], {
    input: tar(entries),
    encoding: 'utf8',
  });
  expect(
    listing
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ')),
  ).toEqual([
    'drwxrwxrwt 0/0 0 1970-01-01 00:00 tmp/',
    'drwxr-xr-x 0/0 0 1970-01-01 00:00 bin/',
    '-rwxr-xr-x 0/0 513 1970-01-01 00:00 bin/tool',
    'lrwxrwxrwx 0/0 0 1970-01-01 00:00 bin/alias -> tool',
    '-rw-r--r-- 0/0 0 1970-01-01 00:00 empty',
  ]);
});

test('contents come back byte for byte', () => {
  const read = execFileSync('tar', ['--extract', '--to-stdout', '--file=-', 'bin/tool'], { input: tar(entries) });
  expect(read.toString()).toBe('x'.repeat(513));
});

test('a name that a header cannot hold is refused, never cut', () => {
  expect(() => tar([{ path: 'n'.repeat(101), content: '' }])).toThrow('longer than the 155 and 100 bytes');
});

test('a path of more than 100 bytes is split at a slash, and comes back whole', () => {
  const path = `${'a'.repeat(70)}/${'b'.repeat(60)}/${'c'.repeat(40)}`;
  const listing = execFileSync('tar', ['--list', '--file=-'], {
    input: tar([{ path, content: '' }]),
    encoding: 'utf8',
  });
  expect(listing.trim()).toBe(path);
});
