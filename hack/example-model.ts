// A model to try the platform with, in a folder of the checkout: a Llama of one layer and 100 KB in GGUF, which llama.cpp serves without
// a GPU. Its numbers are such that it answers everything with one sentence.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { bytesAsLetters, type GgufTensor, ggufFile, oneLayerLlama, WIDTH } from './gguf-file.ts';
import type { Layout } from './layout.ts';

export const SENTENCE =
  'This is the example model of Gantry. Its one layer knows no other sentence, yet every token counts.';

const CONTEXT = 2048;
const F32 = 0;
/** After the last norm a state is √WIDTH long: no other token has a chance at any temperature. */
const CERTAINTY = 20;

/** Step. */
export async function writeExampleModel({ exampleModelDir }: Pick<Layout, 'exampleModelDir'>): Promise<void> {
  await mkdir(exampleModelDir, { recursive: true });
  const file = `${exampleModelDir}/example.gguf`;
  await writeFile(`${file}.part`, exampleLlama());
  await rename(`${file}.part`, file);
}

/**
 * Each token is one of WIDTH states, which the layer leaves as it is, and the state says the next token: bytes begin the sentence, and
 * each word of it is followed by the next one.
 */
function exampleLlama(): Uint8Array {
  const bytes = bytesAsLetters();
  // As GPT-2 writes a space.
  const words = SENTENCE.split(' ').map((word, at) => (at === 0 ? word : `Ġ${word}`));
  const tokens = [...bytes, ...words, '<|end|>'];
  const embedding = new Float32Array(tokens.length * WIDTH);
  const output = new Float32Array(tokens.length * WIDTH);
  for (const token of tokens.keys()) embedding[token * WIDTH + (Math.max(0, token - bytes.length + 1) % WIDTH)] = 1;
  for (const state of [...words, '<|end|>'].keys()) output[(bytes.length + state) * WIDTH + state] = CERTAINTY;
  const table = (numbers: Float32Array): GgufTensor => [F32, [WIDTH, tokens.length], (at) => numbers[at] ?? 0];
  const nothing: GgufTensor = [F32, [WIDTH, WIDTH], () => 0];
  const norm: GgufTensor = [F32, [WIDTH], () => 1];
  return ggufFile({
    metadata: { ...oneLayerLlama('example', CONTEXT, tokens), 'general.license': 'apache-2.0' },
    tensors: {
      'token_embd.weight': table(embedding),
      'output_norm.weight': norm,
      'output.weight': table(output),
      'blk.0.attn_norm.weight': norm,
      'blk.0.attn_q.weight': nothing,
      'blk.0.attn_k.weight': nothing,
      'blk.0.attn_v.weight': nothing,
      'blk.0.attn_output.weight': nothing,
      'blk.0.ffn_norm.weight': norm,
      'blk.0.ffn_gate.weight': nothing,
      'blk.0.ffn_up.weight': nothing,
      'blk.0.ffn_down.weight': nothing,
    },
  });
}
