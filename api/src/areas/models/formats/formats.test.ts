// Headers of model files: facts of sound ones, a sentence for every broken one, and an answer for whatever else comes, at once.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ggufFile } from '../../../../../hack/gguf-file.ts';
import { safetensorsFile } from '../testing/model-files.ts';
import { isGguf, readGguf } from './gguf.ts';
import { isPickle, isPickleName } from './pickle.ts';
import { isSafetensors, readSafetensors } from './safetensors.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const SOUND = safetensorsFile({ 'a.weight': ['BF16', [4, 8]], 'b.weight': ['F32', [2]] });
const GGUF = ggufFile({
  metadata: { 'general.architecture': 'llama', 'llama.context_length': 2048, 'tokenizer.ggml.tokens': ['a', 'b'] },
  tensors: { 'a.weight': [12, [256, 2]], 'b.weight': [0, [4]] },
});

test('a SafeTensors header says how many numbers of which type there are', () => {
  expect(readSafetensors(SOUND, SOUND.length)).toEqual({
    parameters: 34,
    bytes: 72,
    types: new Map([
      ['BF16', 64],
      ['F32', 8],
    ]),
  });
  expect(isSafetensors(SOUND)).toBe(true);
});

test('a GGUF header gives its metadata, and counts numbers in blocks', () => {
  const read = readGguf(GGUF, GGUF.length);
  expect(read).toMatchObject({ parameters: 516, bytes: 2 * 144 + 16 });
  expect('metadata' in read && read.metadata.get('llama.context_length')).toBe(2048);
  expect('metadata' in read && read.metadata.get('tokenizer.ggml.tokens')).toEqual(['a', 'b']);
  expect(isGguf(GGUF)).toBe(true);
});

test.each([
  ['SafeTensors', readSafetensors, SOUND],
  ['GGUF', readGguf, GGUF],
] as const)('a beginning of a %s file asks for more, until there is enough', (_, read, file) => {
  for (let length = 0; length < file.length; length++) {
    const parsed = read(file.subarray(0, length), file.length);
    if (!('needs' in parsed)) {
      expect(parsed).toHaveProperty('parameters');
      return;
    }
    expect(parsed.needs).toBeGreaterThan(length);
  }
});

test.each([
  ['SafeTensors', readSafetensors, SOUND],
  ['GGUF', readGguf, GGUF],
] as const)('a %s file that ends too early is refused', (_, read, file) => {
  for (let length = 4; length < file.length; length++)
    expect(read(file.subarray(0, length), length)).toMatchObject({ refused: 'model_header' });
});

const withHeader = (json: string, data = 0): Uint8Array => {
  const header = Buffer.from(json);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return new Uint8Array(Buffer.concat([length, header, Buffer.alloc(data)]));
};
const tensor = (dtype: string, shape: unknown, offsets: unknown) =>
  JSON.stringify({ x: { dtype, shape, data_offsets: offsets } });

test.each([
  ['no JSON', withHeader('{"a":'), 'its header is no JSON'],
  ['no object', withHeader('[1]'), 'its header is no object'],
  ['lists in lists', withHeader('['.repeat(1000)), 'its header nests too deep'],
  ['two hundred thousand objects', withHeader(`[${'{},'.repeat(200_003)}{}]`), 'it names more than 200000 tensors'],
  ['no tensor', withHeader('{"__metadata__":{}}'), 'it names no tensor'],
  ['a tensor that is no object', withHeader('{"x":null}'), 'a tensor has an unknown type'],
  ['an unknown type', withHeader(tensor('Q9', [1], [0, 1]), 1), 'a tensor has an unknown type'],
  ['a type that every object has', withHeader(tensor('constructor', [1], [0, 1]), 1), 'a tensor has an unknown type'],
  ['a negative dimension', withHeader(tensor('U8', [-1], [0, 1]), 1), 'a tensor has no valid shape'],
  [
    'a shape beyond all numbers',
    withHeader(tensor('U8', [2 ** 52, 2 ** 52], [0, 1]), 1),
    'a tensor is not as large as its shape says',
  ],
  [
    'another size than the shape',
    withHeader(tensor('F32', [1], [0, 1]), 1),
    'a tensor is not as large as its shape says',
  ],
  ['a place beyond the file', withHeader(tensor('U8', [9], [0, 9]), 1), 'a tensor ends beyond the file'],
  ['a gap', withHeader(tensor('U8', [1], [1, 2]), 2), 'its tensors overlap or leave gaps'],
  ['bytes that no tensor has', withHeader(tensor('U8', [1], [0, 1]), 2), 'its tensors do not fill the file'],
  [
    'a length of 2^63',
    new Uint8Array([0, 0, 0, 0, 0, 0, 0, 128, 123]),
    'its header says it has 9223372036854775808 bytes',
  ],
])('SafeTensors with %s is refused', (_, file, detail) => {
  expect(readSafetensors(file, file.length)).toEqual({ refused: 'model_header', detail });
});

const patched = (at: number, value: bigint): Uint8Array => {
  const copy = Buffer.from(GGUF);
  copy.writeBigUInt64LE(value, at);
  return new Uint8Array(copy);
};
/** The second tensor at the place of the first. */
function overlapping(): Uint8Array {
  const file = Buffer.from(ggufFile({ metadata: {}, tensors: { a: [0, [8]], b: [0, [8]] } }));
  const name = file.indexOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 'b'.charCodeAt(0)]));
  file.writeBigUInt64LE(0n, name + 9 + 4 + 8 + 4);
  return new Uint8Array(file);
}

const nested = (depth: number): Uint8Array => {
  const list = Buffer.alloc(12);
  list.writeUInt32LE(9);
  list.writeBigUInt64LE(1n, 4);
  const head = Buffer.from(ggufFile({ metadata: { k: 1 }, tensors: { t: [0, [1]] } }).subarray(0, 24));
  const key = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0x6b, 9, 0, 0, 0]);
  return new Uint8Array(Buffer.concat([head, key, ...Array.from({ length: depth }, () => list), Buffer.alloc(64)]));
};

test.each([
  [
    'an old version',
    new Uint8Array([...GGUF.subarray(0, 4), 1, ...GGUF.subarray(5)]),
    'it has version 1; 2 and 3 are known',
  ],
  [
    'more tensors than there can be',
    patched(8, 2n ** 40n),
    'it names 1099511627776 tensors; at most 200000 are accepted',
  ],
  [
    'more entries than there can be',
    patched(16, 2n ** 40n),
    'it names 1099511627776 entries of metadata; at most 4096 are accepted',
  ],
  ['a count beyond all numbers', patched(8, 2n ** 64n - 1n), 'a length is not valid'],
  ['a text of a gigabyte', patched(24, 2n ** 30n), 'a text has 1073741824 bytes; at most 1024 are accepted'],
  ['lists in lists in lists', nested(5), 'its metadata nests too deep'],
  ['no tensor', ggufFile({ metadata: {}, tensors: {} }), 'it names no tensor'],
  ['two tensors at one place', overlapping(), 'its tensors overlap'],
  ['an unknown type', ggufFile({ metadata: {}, tensors: { x: [99, [1]] } }), 'a tensor has an unknown type'],
  ['half a block', ggufFile({ metadata: {}, tensors: { x: [12, [100]] } }), 'a tensor has no valid shape'],
  [
    'an alignment of zero',
    ggufFile({ metadata: { 'general.alignment': 0 }, tensors: { x: [0, [1]] } }),
    'its alignment is not valid',
  ],
])('GGUF with %s is refused', (_, file, detail) => {
  expect(readGguf(file, file.length)).toEqual({ refused: 'model_header', detail });
});

test.each([
  ['SafeTensors', readSafetensors, SOUND],
  ['GGUF', readGguf, GGUF],
] as const)('whatever the bytes of a %s file are, there is an answer', (_, read, file) => {
  const damaged = fc
    .array(fc.tuple(fc.nat(file.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 })
    .map((changes) => {
      const copy = Uint8Array.from(file);
      for (const [at, byte] of changes) copy[at] = byte;
      return copy;
    });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 4096 })), fc.nat(2 ** 31), (bytes, more) => {
      for (const size of [bytes.length, bytes.length + more]) {
        const parsed = read(bytes, size);
        if ('needs' in parsed) expect(parsed.needs).toBeLessThanOrEqual(size);
        else if ('parameters' in parsed) expect(Number.isSafeInteger(parsed.parameters)).toBe(true);
        else expect(parsed.refused).toBe('model_header');
      }
      isSafetensors(bytes);
      isPickle(bytes);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['of protocol 2', bytesOf('\x80\x02}q\x00.'), true],
  ['of protocol 5', bytesOf('\x80\x05\x95'), true],
  ['of protocol 0 that runs a program', bytesOf("cos\nsystem\n(S'id'\ntR."), true],
  ['in a zip of PyTorch', bytesOf('PK\x03\x04\x00\x00archive/data.pkl'), true],
  ['not: a list of words', bytesOf('cat\ncow\ndog\n'), false],
  ['not: a SafeTensors file', SOUND, false],
  ['not: a GGUF file', GGUF, false],
  ['not: a plain zip', bytesOf('PK\x03\x04\x00\x00readme.md'), false],
  ['not: nothing', new Uint8Array(), false],
])('a pickle is known by its content: %s', (_, bytes, is) => {
  expect(isPickle(bytes)).toBe(is);
});

test('a pickle at the end of a zip is found there', () => {
  expect(isPickle(bytesOf('PK\x03\x04readme.md'), bytesOf('PK\x01\x02x/evil.pkl'))).toBe(true);
});

test.each(['model.pt', 'a/b.PTH', 'x.pkl', 'x.ckpt'])('%s is the name of a pickle', (name) => {
  expect(isPickleName(name)).toBe(true);
});
