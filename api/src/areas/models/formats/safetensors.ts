// The header of a SafeTensors file: eight bytes of length, and JSON that names every tensor with its type, shape and place. Whatever
// would not load, or would read beyond the file, is refused. (https://github.com/huggingface/safetensors, "Format")
import { Broken, NeedsMore, type Parsed, parsedBy, type TensorFacts } from './refusal.ts';

const LENGTH_BYTES = 8;
/** The format's own library takes four times as much, of which no model makes use. */
const MOST_HEADER = 25_000_000;
const MOST_TENSORS = 200_000;
const MOST_DEPTH = 3;
const MOST_DIMENSIONS = 16;
/** Bits of one number. */
const BITS: Readonly<Record<string, number>> = {
  ...{ F64: 64, I64: 64, U64: 64, C64: 64, F32: 32, I32: 32, U32: 32, F16: 16, BF16: 16, I16: 16, U16: 16 },
  ...{ F8_E4M3: 8, F8_E5M2: 8, F8_E8M0: 8, I8: 8, U8: 8, BOOL: 8, F6_E2M3: 6, F6_E3M2: 6, F4: 4 },
};

/** By its beginning: a plausible length, and an object. Never throws. */
export function isSafetensors(head: Uint8Array): boolean {
  if (head.length < LENGTH_BYTES + 1 || head[LENGTH_BYTES] !== BRACE) return false;
  return lengthOf(head) <= BigInt(MOST_HEADER);
}

/** `head` is the beginning of a file of `size` bytes. Never throws. */
export const readSafetensors = (head: Uint8Array, size: number): Parsed<TensorFacts> =>
  parsedBy(() => {
    if (size < LENGTH_BYTES) throw new Broken('it is too short for a header');
    if (head.length < LENGTH_BYTES) throw new NeedsMore(LENGTH_BYTES);
    const length = lengthOf(head);
    if (length > BigInt(MOST_HEADER)) throw new Broken(`its header says it has ${length} bytes`);
    const begin = LENGTH_BYTES + Number(length);
    if (begin > size) throw new Broken('its header is longer than the file');
    if (head.length < begin) throw new NeedsMore(begin);
    return factsOf(jsonOf(head.subarray(LENGTH_BYTES, begin)), size - begin);
  });

const lengthOf = (head: Uint8Array): bigint =>
  new DataView(head.buffer, head.byteOffset, head.byteLength).getBigUint64(0, true);

const [QUOTE, BACKSLASH, BRACE, BRACKET] = [0x22, 0x5c, 0x7b, 0x5b] as const;
const DEEPER: Readonly<Record<number, number>> = { [BRACE]: 1, [BRACKET]: 1, 125: -1, 93: -1 };

/** Refuses nesting that no header has, before it costs memory: nesting and objects are counted before parsing. */
function refuseNests(bytes: Uint8Array): void {
  let depth = 0;
  let objects = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at);
    depth += DEEPER[byte] ?? 0;
    if (byte === BRACE) objects++;
    if (depth > MOST_DEPTH) throw new Broken('its header nests too deep');
    if (objects > MOST_TENSORS + 2) throw new Broken(`it names more than ${MOST_TENSORS} tensors`);
  }
}

function endOfText(bytes: Uint8Array, quote: number): number {
  let at = quote + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function jsonOf(bytes: Uint8Array): object {
  refuseNests(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Broken('its header is no JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Broken('its header is no object');
  return parsed;
}

function factsOf(header: object, dataBytes: number): TensorFacts {
  const places: [from: number, to: number][] = [];
  const types = new Map<string, number>();
  let parameters = 0;
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const { type, numbers, from, to } = tensorOf(entry);
    if (to > dataBytes) throw new Broken('a tensor ends beyond the file');
    places.push([from, to]);
    parameters += numbers;
    types.set(type, (types.get(type) ?? 0) + to - from);
  }
  if (places.length === 0) throw new Broken('it names no tensor');
  places.sort(([a], [b]) => a - b);
  let end = 0;
  for (const [from, to] of places) {
    if (from !== end) throw new Broken('its tensors overlap or leave gaps');
    end = to;
  }
  if (end !== dataBytes) throw new Broken('its tensors do not fill the file');
  if (!Number.isSafeInteger(parameters)) throw new Broken('its tensors are too large');
  return { parameters, bytes: end, types };
}

function tensorOf(entry: unknown): { type: string; numbers: number; from: number; to: number } {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const bits = typeof dtype === 'string' && Object.hasOwn(BITS, dtype) ? BITS[dtype] : undefined;
  if (typeof dtype !== 'string' || bits === undefined) throw new Broken('a tensor has an unknown type');
  if (!Array.isArray(shape) || shape.length > MOST_DIMENSIONS || !shape.every(isCount))
    throw new Broken('a tensor has no valid shape');
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount))
    throw new Broken('a tensor has no valid place');
  const numbers = (shape as number[]).reduce((all, one) => all * one, 1);
  const [from, to] = offsets as [number, number];
  if (!Number.isSafeInteger(numbers) || to - from !== (numbers * bits) / 8)
    throw new Broken('a tensor is not as large as its shape says');
  return { type: dtype, numbers, from, to };
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
