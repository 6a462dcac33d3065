// GGUF as llama.cpp reads it, byte by byte: the example of `make up` is made of it, and the small files of tests.

type Meta = string | number | readonly string[];
const BLOCKS: Readonly<Record<number, readonly [numbers: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  12: [256, 144],
};
const ALIGNMENT = 32;

/** `numbers`: of an F32 tensor, by their place in it. Without them, every byte is one. */
export type GgufTensor = readonly [type: number, shape: readonly number[], numbers?: (at: number) => number];

export function ggufFile({
  metadata,
  tensors,
}: {
  metadata: Readonly<Record<string, Meta>>;
  tensors: Readonly<Record<string, GgufTensor>>;
}): Uint8Array {
  let end = 0;
  const written: [offset: number, numbers: Float32Array][] = [];
  const infos = Object.entries(tensors).map(([name, [type, shape, numbers]]) => {
    const offset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    const [block, bytes] = BLOCKS[type] ?? [1, 1];
    const length = shape.reduce((all, one) => all * one, 1);
    end = offset + Math.ceil(length / block) * bytes;
    if (numbers) written.push([offset, Float32Array.from({ length }, (_, at) => numbers(at))]);
    return Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset)]);
  });
  const entries = Object.entries(metadata);
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(infos.length),
    u64(entries.length),
    ...entries.flatMap(([key, value]) => [text(key), ...typed(value)]),
    ...infos,
  ]);
  const padding = Buffer.alloc((ALIGNMENT - (header.length % ALIGNMENT)) % ALIGNMENT);
  const data = Buffer.alloc(end, 1);
  for (const [offset, numbers] of written) data.set(new Uint8Array(numbers.buffer), offset);
  return new Uint8Array(Buffer.concat([header, padding, data]));
}

function typed(value: Meta): Buffer[] {
  if (typeof value === 'number') return Number.isInteger(value) ? [u32(4), u32(value)] : [u32(6), f32(value)];
  if (typeof value === 'string') return [u32(8), text(value)];
  return [u32(9), u32(8), u64(value.length), ...value.map(text)];
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** As GPT-2 writes bytes: those that cannot be seen stand for themselves from 256 on. */
export function bytesAsLetters(): string[] {
  let hidden = 256;
  const isSeen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : hidden++));
}

/** Numbers of one state. */
export const WIDTH = 32;

/** The metadata that llama.cpp needs of a Llama of one layer; the last token ends a text, and begins one. */
export const oneLayerLlama = (name: string, context: number, tokens: readonly string[]) => ({
  'general.architecture': 'llama',
  'general.name': name,
  'general.file_type': 0,
  'llama.context_length': context,
  'llama.embedding_length': WIDTH,
  'llama.block_count': 1,
  'llama.feed_forward_length': WIDTH,
  'llama.attention.head_count': 2,
  'llama.attention.head_count_kv': 2,
  'llama.rope.dimension_count': WIDTH / 2,
  'llama.attention.layer_norm_rms_epsilon': 0.00001,
  'tokenizer.ggml.model': 'gpt2',
  'tokenizer.ggml.pre': 'gpt-2',
  'tokenizer.ggml.tokens': tokens,
  'tokenizer.ggml.merges': ['a b'],
  'tokenizer.ggml.bos_token_id': tokens.length - 1,
  'tokenizer.ggml.eos_token_id': tokens.length - 1,
});
