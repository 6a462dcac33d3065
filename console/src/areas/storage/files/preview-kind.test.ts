import { expect, test } from '@jest/globals';
import { pictureType, textOf } from './preview-kind.ts';

test.each([
  ['a.PNG', 'image/png'],
  ['photo.jpeg', 'image/jpeg'],
  ['a.txt', undefined],
  ['png', 'image/png'],
  ['constructor', undefined],
])('the picture in %s is %s', (name, type) => {
  expect(pictureType(name)).toBe(type);
});

test.each([
  ['text', [104, 105], 'hi'],
  ['nothing', [], ''],
  ['a letter cut at the end', [104, 0xe3, 0x81], 'h'],
  ['a NUL', [104, 0], undefined],
  ['what is no UTF-8', [0xff, 0xfe, 104], undefined],
])('%s as text', (_, bytes, text) => {
  expect(textOf(new Uint8Array(bytes))).toBe(text);
});
