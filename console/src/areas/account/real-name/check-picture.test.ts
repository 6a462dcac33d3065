import { PICTURE_BYTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { expect, test } from '@jest/globals';
import { type PictureFault, pictureFault } from './check-picture.ts';

const JPEG = [0xff, 0xd8, 0xff, 0xe0];
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const picture = (head: readonly number[], bytes: number, type = '') => {
  const content = new Uint8Array(bytes);
  content.set(head.slice(0, bytes));
  return new Blob([content], { type });
};

const rows: [string, Blob, PictureFault | undefined][] = [
  ['a JPEG is taken', picture(JPEG, 100), undefined],
  ['a PNG is taken', picture(PNG, 100), undefined],
  ['a picture of exactly 5 MiB is taken', picture(PNG, PICTURE_BYTES), undefined],
  ['one byte more is too much', picture(JPEG, PICTURE_BYTES + 1), 'size'],
  ['what only says it is a picture is none', picture([0x25, 0x50, 0x44, 0x46], 100, 'image/png'), 'kind'],
  ['a WebP is none of the two', picture([0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0], 100, 'image/webp'), 'kind'],
  ['the beginning of a PNG is none', picture(PNG, 7), 'kind'],
  ['a large file of another kind is told what it is', picture([0x50, 0x4b], PICTURE_BYTES + 1), 'kind'],
  ['an empty file is empty', new Blob([]), 'empty'],
];

test.each(rows)('%s', async (_, file, fault) => {
  expect(await pictureFault(file)).toBe(fault);
});
