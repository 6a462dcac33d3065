// Which PNGs are taken, and that nothing but the picture is left of them.
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { picturePng } from './png.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  return chunk('IHDR', data);
}
const PIXELS = chunk('IDAT', deflateSync(Buffer.from([0, 0])));
const END = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);
const SMALL = png(header(1, 1), PIXELS, END);

test('a picture stays as it is', () => expect(picturePng(SMALL, 64)).toEqual(SMALL));

test('texts, places and whatever follows the end are left out', () => {
  const given = png(header(1, 1), chunk('tEXt', Buffer.from('Author\0somebody')), PIXELS, END, Buffer.from('<script>'));
  expect(picturePng(given, 64)).toEqual(SMALL);
});

test.each([
  ['no PNG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['nothing', Buffer.alloc(0)],
  ['a picture with more pixels than are taken', png(header(65, 1), PIXELS, END)],
  ['a picture without a side', png(header(0, 1), PIXELS, END)],
  ['one without its end', png(header(1, 1), PIXELS)],
  ['one without pixels', png(header(1, 1), END)],
  [
    'one whose chunk is longer than the file',
    Buffer.concat([SIGNATURE, Buffer.from('ffffffff49484452', 'hex'), SMALL]),
  ],
  ['one with another header', png(chunk('IHDR', Buffer.alloc(4)), PIXELS, END)],
])('%s is not taken', (_, bytes) => expect(picturePng(bytes, 64)).toBeUndefined());
