// Heads of files of vectors, which a stranger may have made, and rows as PostgreSQL takes them.
import { describe, expect, test } from '@jest/globals';
import { boundVectors, readNpyHead } from './npy-rows.ts';

const SHAPE = `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }`;
const ROWS_BYTES = 3 * 2 * 4;

function headOf(text: string, { magic = '\x93NUMPY\x01\x00', length = text.length } = {}): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16LE(length);
  return Buffer.concat([Buffer.from(magic, 'latin1'), size, Buffer.from(text, 'latin1')]);
}
const padded = `${SHAPE.padEnd(117)}\n`;

test('the head that tasks write says where rows begin, how many they are and how long', () => {
  expect(readNpyHead(headOf(padded), 128 + ROWS_BYTES)).toEqual({ offset: 128, rows: 3, dimensions: 2 });
});

describe('a head is refused', () => {
  test.each<[string, Buffer]>([
    ['of nothing', Buffer.alloc(0)],
    ['of another kind of file', headOf(padded, { magic: 'PAR1\0\0\0\0' })],
    ['of another version', headOf(padded, { magic: '\x93NUMPY\x02\x00' })],
    ['that is longer than the file', headOf(padded, { length: 60_000 })],
    ['that is cut', headOf(padded, { length: 40 })],
    ['of objects', headOf(padded.replace('<f4', '|O'))],
    ['of doubles', headOf(padded.replace('<f4', '<f8'))],
    ['of bytes in the other order', headOf(padded.replace('<f4', '>f4'))],
    ['of columns', headOf(padded.replace('False', 'True'))],
    ['of one row', headOf(padded.replace('(3, 2)', '(6,)'))],
    ['of a cube', headOf(padded.replace('(3, 2)', '(3, 2, 1)'))],
    ['without rows', headOf(padded.replace('(3, 2)', '(0, 2)'))],
    ['with fewer rows than the file', headOf(padded.replace('(3, 2)', '(2, 2)'))],
    ['with huge rows', headOf(padded.replace('(3, 2)', '(9999999999, 99999)'))],
    ['with negative rows', headOf(padded.replace('(3, 2)', '(-3, -2)'))],
    ['with more members', headOf(padded.replace('}', "'x': 1}"))],
    ['of code', headOf(`__import__('os')${padded}`)],
  ])('%s', (_, head) => {
    expect(readNpyHead(head, 128 + ROWS_BYTES)).toBeUndefined();
  });
});

test('rows become an array of vectors in network order; rows that are no vectors are null', () => {
  const rows = Float32Array.from([1, -2, Number.NaN, 0, 0.5, 1e30]);
  const bound = boundVectors(new Uint8Array(rows.buffer), 2, 4_711);
  const ints = Array.from({ length: 5 }, (_, at) => bound.readInt32BE(4 * at));
  expect(ints).toEqual([1, 1, 4_711, 3, 1]);
  expect(bound.readInt32BE(20)).toBe(4 + 8);
  expect([bound.readUInt16BE(24), bound.readUInt16BE(26)]).toEqual([2, 0]);
  expect([bound.readFloatBE(28), bound.readFloatBE(32)]).toEqual([1, -2]);
  expect([bound.readInt32BE(36), bound.readInt32BE(40)]).toEqual([-1, -1]);
  expect(bound.length).toBe(44);
});
