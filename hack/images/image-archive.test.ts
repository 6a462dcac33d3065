import { expect, test } from '@jest/globals';
import { imageArchive } from './image-archive.ts';

const files = [{ path: 'hello', content: 'world' }];

test('the same contents give the same bytes', () => {
  expect(imageArchive('r/a:1', { files })).toEqual(imageArchive('r/a:1', { files: [...files] }));
});

test.each([
  ['a file', { files: [{ path: 'hello', content: 'World' }] }],
  ['a mode', { files: [{ path: 'hello', content: 'world', mode: 0o755 }] }],
  ['the command', { files, cmd: ['true'] }],
  ['an environment variable', { files, env: { A: '1' } }],
])('another image comes of changing %s', (_, changed) => {
  expect(imageArchive('r/a:1', changed)).not.toEqual(imageArchive('r/a:1', { files }));
});
