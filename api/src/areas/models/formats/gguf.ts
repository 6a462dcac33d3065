// The header of a GGUF file: metadata by key, and every tensor with its type, shape and place. Whatever would not load, or would
// read beyond the file, is refused. (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md)
import { Broken, NeedsMore, type Parsed, parsedBy, type TensorFacts } from './refusal.ts';

const MOST_HEADER = 64 * 1024 * 1024;
const MOST_KEYS = 4096;
const MOST_TENSORS = 200_000;
const MOST_TEXT = 1024 * 1024;
const MOST_NAME = 1024;
const MOST_ELEMENTS = 4_000_000;
const MOST_DEPTH = 3;
const MOST_DIMENSIONS = 4;
/** Longer values of metadata are not kept: templates, and lists of tokens. */
const MOST_KEPT = 256;

/** By ggml's numbers: name, numbers in a block, bytes of a block. */
const TYPES: Readonly<Record<number, readonly [name: string, block: number, bytes: number]>> = {
  0: ['F32', 1, 4],
  1: ['F16', 1, 2],
  2: ['Q4_0', 32, 18],
  3: ['Q4_1', 32, 20],
  6: ['Q5_0', 32, 22],
  7: ['Q5_1', 32, 24],
  8: ['Q8_0', 32, 34],
  9: ['Q8_1', 32, 36],
  10: ['Q2_K', 256, 84],
  11: ['Q3_K', 256, 110],
  12: ['Q4_K', 256, 144],
  13: ['Q5_K', 256, 176],
  14: ['Q6_K', 256, 210],
  15: ['Q8_K', 256, 292],
  16: ['IQ2_XXS', 256, 66],
  17: ['IQ2_XS', 256, 74],
  18: ['IQ3_XXS', 256, 98],
  19: ['IQ1_S', 256, 50],
  20: ['IQ4_NL', 32, 18],
  21: ['IQ3_S', 256, 110],
  22: ['IQ2_S', 256, 82],
  23: ['IQ4_XS', 256, 136],
  24: ['I8', 1, 1],
  25: ['I16', 1, 2],
  26: ['I32', 1, 4],
  27: ['I64', 1, 8],
  28: ['F64', 1, 8],
  29: ['IQ1_M', 256, 56],
  30: ['BF16', 1, 2],
  34: ['TQ1_0', 256, 54],
  35: ['TQ2_0', 256, 66],
  39: ['MXFP4', 32, 17],
};

type Value = string | number | boolean | readonly Value[];

export interface GgufFacts extends TensorFacts {
  /** The short part of the metadata: texts, numbers, flags, and lists of up to a few hundred of them. */
  readonly metadata: ReadonlyMap<string, Value>;
}

const MAGIC = [0x47, 0x47, 0x55, 0x46];

/** By its first four bytes. Never throws. */
export const isGguf = (head: Uint8Array): boolean => MAGIC.every((byte, at) => head[at] === byte);

/** `head` is the beginning of a file of `size` bytes. Never throws. */
export const readGguf = (head: Uint8Array, size: number): Parsed<GgufFacts> =>
  parsedBy(() => {
    const reader = new Reader(head, size);
    reader.skip(MAGIC.length);
    const version = reader.u32();
    if (version !== 2 && version !== 3) throw new Broken(`it has version ${version}; 2 and 3 are known`);
    const tensors = reader.count(MOST_TENSORS, 'tensors');
    const keys = reader.count(MOST_KEYS, 'entries of metadata');
    const metadata = new Map<string, Value>();
    for (let i = 0; i < keys; i++) {
      const key = reader.text(MOST_NAME);
      const value = reader.value(reader.u32(), 0);
      if (value !== undefined) metadata.set(key, value);
    }
    return { ...tensorsOf(reader, tensors, alignmentOf(metadata)), metadata };
  });

function alignmentOf(metadata: ReadonlyMap<string, Value>): number {
  const alignment = metadata.get('general.alignment') ?? 32;
  if (
    typeof alignment !== 'number' ||
    !Number.isInteger(alignment) ||
    alignment < 8 ||
    alignment > 65_536 ||
    alignment % 8
  )
    throw new Broken('its alignment is not valid');
  return alignment;
}

function tensorsOf(reader: Reader, count: number, alignment: number): TensorFacts {
  if (count === 0) throw new Broken('it names no tensor');
  const types = new Map<string, number>();
  let parameters = 0;
  let bytes = 0;
  const places: [from: number, to: number][] = [];
  for (let i = 0; i < count; i++) {
    reader.text(MOST_NAME);
    const dimensions = reader.u32();
    if (dimensions > MOST_DIMENSIONS) throw new Broken(`a tensor has ${dimensions} dimensions`);
    let numbers = 1;
    for (let d = 0; d < dimensions; d++) numbers *= reader.length();
    const type = TYPES[reader.u32()];
    if (!type) throw new Broken('a tensor has an unknown type');
    const [name, block, blockBytes] = type;
    const offset = reader.length();
    if (!Number.isSafeInteger(numbers) || numbers % block !== 0) throw new Broken('a tensor has no valid shape');
    if (offset % alignment !== 0) throw new Broken('a tensor is not aligned');
    const size = (numbers / block) * blockBytes;
    parameters += numbers;
    bytes += size;
    // An empty one may stand anywhere.
    if (size > 0) places.push([offset, offset + size]);
    types.set(name, (types.get(name) ?? 0) + size);
  }
  const begin = Math.ceil(reader.at / alignment) * alignment;
  const end = endOf(places);
  if (!Number.isSafeInteger(parameters) || begin + end > reader.size) throw new Broken('a tensor ends beyond the file');
  return { parameters, bytes, types };
}

/** The end of the last tensor. Throws if two are in one place. */
function endOf(places: [from: number, to: number][]): number {
  let end = 0;
  for (const [from, to] of places.sort(([a], [b]) => a - b)) {
    if (from < end) throw new Broken('its tensors overlap');
    end = to;
  }
  return end;
}

/** Reads on; beyond what is there it asks for more, and beyond the file it gives up. */
class Reader {
  at = 0;
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, size: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.size = size;
  }

  skip(bytes: number): number {
    const from = this.at;
    const to = from + bytes;
    if (to > this.size) throw new Broken('its header is longer than the file');
    if (to > MOST_HEADER) throw new Broken(`its header has more than ${MOST_HEADER} bytes`);
    if (to > this.#bytes.length) throw new NeedsMore(to);
    this.at = to;
    return from;
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  /** 64 bits, as far as JavaScript counts. */
  length(): number {
    const length = Number(this.#view.getBigUint64(this.skip(8), true));
    if (!Number.isSafeInteger(length)) throw new Broken('a length is not valid');
    return length;
  }

  count(most: number, what: string): number {
    const count = this.length();
    if (count > most) throw new Broken(`it names ${count} ${what}; at most ${most} are accepted`);
    return count;
  }

  text(most: number): string {
    const length = this.length();
    if (length > most) throw new Broken(`a text has ${length} bytes; at most ${most} are accepted`);
    const from = this.skip(length);
    return UTF8.decode(this.#bytes.subarray(from, from + length));
  }

  /** Undefined for one that is too long to keep. */
  value(type: number, depth: number): Value | undefined {
    if (type === STRING) {
      const text = this.text(MOST_TEXT);
      return text.length > MOST_KEPT ? undefined : text;
    }
    if (type === ARRAY) return this.#list(depth);
    const scalar = SCALARS[type];
    if (!scalar) throw new Broken('an entry of its metadata has an unknown type');
    return scalar.read(this.#view, this.skip(scalar.bytes));
  }

  #list(depth: number): Value | undefined {
    if (depth >= MOST_DEPTH) throw new Broken('its metadata nests too deep');
    const type = this.u32();
    const length = this.length();
    if (length > MOST_ELEMENTS)
      throw new Broken(`a list has ${length} elements; at most ${MOST_ELEMENTS} are accepted`);
    const scalar = SCALARS[type];
    // Lists of tokens are long: numbers are skipped at once.
    if (scalar && length > MOST_KEPT) {
      this.skip(scalar.bytes * length);
      return undefined;
    }
    const kept: Value[] = [];
    for (let i = 0; i < length; i++) {
      const value = type === STRING ? this.#shortText(length) : this.value(type, depth + 1);
      if (value !== undefined && length <= MOST_KEPT) kept.push(value);
    }
    return length <= MOST_KEPT ? kept : undefined;
  }

  /** Texts of a long list are skipped, not read. */
  #shortText(length: number): string | undefined {
    if (length <= MOST_KEPT) return this.text(MOST_TEXT);
    const bytes = this.length();
    if (bytes > MOST_TEXT) throw new Broken(`a text has ${bytes} bytes; at most ${MOST_TEXT} are accepted`);
    this.skip(bytes);
    return undefined;
  }
}

const UTF8 = new TextDecoder();
const STRING = 8;
const ARRAY = 9;
const SCALARS: Readonly<Record<number, { bytes: number; read(view: DataView, at: number): Value }>> = {
  0: { bytes: 1, read: (view, at) => view.getUint8(at) },
  1: { bytes: 1, read: (view, at) => view.getInt8(at) },
  2: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  3: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  4: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  5: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  6: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  7: { bytes: 1, read: (view, at) => view.getUint8(at) !== 0 },
  10: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  11: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  12: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
};

/** For a thread: long lists of metadata stay there, since nothing is read from them. */
export function ggufHeader(head: Uint8Array, size: number): Parsed<GgufFacts> {
  const parsed = readGguf(head, size);
  if (!('metadata' in parsed)) return parsed;
  return { ...parsed, metadata: new Map([...parsed.metadata].filter(([, value]) => !Array.isArray(value))) };
}
