// A file of NumPy's with rows of float32, as tasks write it, and its rows as PostgreSQL takes them. The file is a stranger's: a head that
// is not exactly ours, or does not agree with the file's size, is refused; a row that is no vector is left out.

/** Enough for the head. */
export const HEAD_BYTES = 1024;
const MAGIC = Buffer.from('\x93NUMPY\x01\x00', 'latin1');
const BEFORE_TEXT = MAGIC.length + 2;
const TEXT = /^\{'descr': '<f4', 'fortran_order': False, 'shape': \((\d{1,10}), (\d{1,5})\), \} *\n$/;
const FLOAT_BYTES = 4;
/** Vectors of a base have length 1. A longer one than float16 holds is none. */
const LONGEST = 60_000;
/** Of an array: dimensions, whether there are nulls, the elements' type, their number, the number of the first. */
const ARRAY_HEAD_BYTES = 20;
const NULL = -1;

export interface NpyRows {
  /** Where the first row begins, in bytes. */
  offset: number;
  rows: number;
  dimensions: number;
}

/** Of the beginning of a file of that size; undefined where it is no such file. */
export function readNpyHead(bytes: Uint8Array, sizeBytes: number): NpyRows | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (head.length < BEFORE_TEXT || !head.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const offset = BEFORE_TEXT + head.readUInt16LE(MAGIC.length);
  if (offset > head.length) return undefined;
  const [, rows, dimensions] = (TEXT.exec(head.toString('latin1', BEFORE_TEXT, offset)) ?? []).map(Number);
  if (!rows || !dimensions || offset + rows * dimensions * FLOAT_BYTES !== sizeBytes) return undefined;
  return { offset, rows, dimensions };
}

/**
 * Whole rows as an array of `vector`, in PostgreSQL's binary form; null stands for a row that is no vector. Changes `piece`, whose memory
 * has to begin at a multiple of four.
 */
export function boundVectors(piece: Uint8Array<ArrayBuffer>, dimensions: number, vectorOid: number): Buffer {
  const floats = new Float32Array(piece.buffer, piece.byteOffset, piece.length / FLOAT_BYTES);
  const rows = floats.length / dimensions;
  const isVector = Array.from({ length: rows }, (_, row) => isShort(floats, row * dimensions, dimensions));
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length).swap32();
  const width = dimensions * FLOAT_BYTES;
  const out = Buffer.allocUnsafe(ARRAY_HEAD_BYTES + rows * (8 + width));
  let at = [1, 1, vectorOid, rows, 1].reduce((next, number) => out.writeInt32BE(number, next), 0);
  for (const [row, is] of isVector.entries()) {
    at = out.writeInt32BE(is ? FLOAT_BYTES + width : NULL, at);
    if (!is) continue;
    at = out.writeUInt16BE(dimensions, at);
    at = out.writeUInt16BE(0, at);
    at += bytes.copy(out, at, row * width, (row + 1) * width);
  }
  return out.subarray(0, at);
}

/** Neither is NaN, nor what holds one. */
function isShort(floats: Float32Array, from: number, length: number): boolean {
  let sum = 0;
  for (let at = from; at < from + length; at++) sum += (floats[at] ?? 0) ** 2;
  return sum <= LONGEST ** 2;
}
