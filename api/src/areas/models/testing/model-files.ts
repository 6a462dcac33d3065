// Small model files as real programs write them, byte by byte.
import { bytesAsLetters, type GgufTensor, ggufFile, oneLayerLlama, WIDTH } from '../../../../../hack/gguf-file.ts';

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
    metadata: oneLayerLlama('tiny', context, tokens),
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
