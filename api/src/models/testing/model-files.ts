// Small model files as real programs write them, byte by byte. The example of `make up` is made of them, too.

const BITS: Readonly<Record<string, number>> = { F32: 32, F16: 16, BF16: 16, U8: 8 };

export function safetensorsFile(
  tensors: Readonly<Record<string, readonly [type: string, shape: readonly number[]]>>,
): Uint8Array {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, [dtype, shape]]) => {
      const begin = end;
      end += (shape.reduce((all, one) => all * one, 1) * (BITS[dtype] ?? 8)) / 8;
      return [name, { dtype, shape, data_offsets: [begin, end] }];
    }),
  );
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return new Uint8Array(Buffer.concat([length, json, Buffer.alloc(end, 1)]));
}

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

const WIDTH = 32;
const F32 = 0;
const RANK = 4;

/** Numbers from -half to half, the same ones for a seed. */
function drawn(seed: number, half: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 2 * half;
  };
}

/**
 * A Llama of one layer whose tokens are the bytes: llama.cpp serves it within a second. With a seed, what it has read decides what it
 * says, and it says letters of ASCII alone, without an end; otherwise every token is as likely as the others.
 */
export function tinyLlama({ context = 512, seed = 0 } = {}): Uint8Array {
  const tokens = [...bytesAsLetters(), '<|end|>'];
  const draw = drawn(seed, 0.5);
  const isSaid = (token: number) => token >= 32 && token < 127;
  const withNumbers = (shape: readonly number[], numbers: (at: number) => number): GgufTensor =>
    seed === 0 ? [F32, shape] : [F32, shape, numbers];
  const square = withNumbers([WIDTH, WIDTH], draw);
  const line = withNumbers([WIDTH], () => 1);
  const rows = (at: number) => (isSaid(Math.floor(at / WIDTH)) ? 3 * draw() : 0);
  return ggufFile({
    metadata: {
      'general.architecture': 'llama',
      'general.name': 'tiny',
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
    },
    tensors: {
      'token_embd.weight': withNumbers([WIDTH, tokens.length], rows),
      'output_norm.weight': line,
      'blk.0.attn_norm.weight': line,
      'blk.0.attn_q.weight': square,
      'blk.0.attn_k.weight': square,
      'blk.0.attn_v.weight': square,
      'blk.0.attn_output.weight': square,
      'blk.0.ffn_norm.weight': line,
      'blk.0.ffn_gate.weight': square,
      'blk.0.ffn_up.weight': square,
      'blk.0.ffn_down.weight': square,
    },
  });
}

/** A LoRA of it that turns what it says into something else. */
export function tinyAdapter(seed: number): Uint8Array {
  const draw = drawn(seed, 2);
  return ggufFile({
    metadata: {
      'general.architecture': 'llama',
      'general.type': 'adapter',
      'adapter.type': 'lora',
      // Whole numbers are written as integers, which it must not be.
      'adapter.lora.alpha': 4.5,
    },
    tensors: {
      'blk.0.ffn_down.weight.lora_a': [F32, [WIDTH, RANK], draw],
      'blk.0.ffn_down.weight.lora_b': [F32, [RANK, WIDTH], draw],
    },
  });
}

/** As GPT-2 writes bytes: those that cannot be seen stand for themselves from 256 on. */
export function bytesAsLetters(): string[] {
  let hidden = 256;
  const isSeen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : hidden++));
}
