// A model to try fine-tuning with, in a folder of the checkout: a random Llama of two layers, 450 KB in SafeTensors, which has learned
// nothing. A trainer without a GPU teaches it a few answers within a minute.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { bytesAsLetters } from './gguf-file.ts';
import type { Layout } from './layout.ts';

const HIDDEN = 64;
const INNER = 128;
const LAYERS = 2;
const HEADS = 4;
const KEY_HEADS = 2;
const CONTEXT = 512;
const SPECIAL = ['<s>', '</s>', '<pad>', '<|user|>', '<|assistant|>'] as const;
/** llama.cpp loads no such tokenizer without any. */
const MERGES = [['t', 'h'] as const, ['th', 'e'] as const];
/** As transformers begins with. */
const SPREAD = 0.02;
const SEED = 1;

const TEMPLATE =
  "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'assistant' %}<|assistant|>{{ m['content'] }}{{ eos_token }}" +
  "{% else %}<|user|>{{ m['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";

/** Step. */
export async function writeExampleBase({ exampleBaseDir }: Pick<Layout, 'exampleBaseDir'>): Promise<void> {
  await mkdir(exampleBaseDir, { recursive: true });
  for (const [name, bytes] of Object.entries(exampleBase())) {
    await writeFile(`${exampleBaseDir}/${name}.part`, bytes);
    await rename(`${exampleBaseDir}/${name}.part`, `${exampleBaseDir}/${name}`);
  }
}

/** Its files by their names; the same ones each time. */
export function exampleBase(): Record<string, Uint8Array> {
  const vocabulary = [...SPECIAL, ...bytesAsLetters(), ...MERGES.map((pair) => pair.join(''))];
  return {
    'config.json': json(configOf(vocabulary.length)),
    'generation_config.json': json({ bos_token_id: 0, eos_token_id: 1, pad_token_id: 2 }),
    'model.safetensors': safetensors(weightsOf(vocabulary.length)),
    'tokenizer.json': json(tokenizerOf(vocabulary)),
    'tokenizer_config.json': json({
      ...{ tokenizer_class: 'PreTrainedTokenizerFast', model_max_length: CONTEXT, clean_up_tokenization_spaces: false },
      ...{ bos_token: '<s>', eos_token: '</s>', pad_token: '<pad>', chat_template: TEMPLATE },
    }),
  };
}

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

const configOf = (vocabulary: number) => ({
  ...{ architectures: ['LlamaForCausalLM'], model_type: 'llama', torch_dtype: 'float32', vocab_size: vocabulary },
  ...{ hidden_size: HIDDEN, intermediate_size: INNER, num_hidden_layers: LAYERS, head_dim: HIDDEN / HEADS },
  ...{ num_attention_heads: HEADS, num_key_value_heads: KEY_HEADS, max_position_embeddings: CONTEXT },
  ...{ hidden_act: 'silu', rms_norm_eps: 1e-6, rope_theta: 10_000, initializer_range: SPREAD },
  ...{ attention_bias: false, mlp_bias: false, tie_word_embeddings: false },
  ...{ bos_token_id: 0, eos_token_id: 1, pad_token_id: 2 },
});

/** Bytes are tokens, as GPT-2 writes them. */
const tokenizerOf = (vocabulary: readonly string[]) => ({
  ...{ version: '1.0', truncation: null, padding: null, normalizer: null, post_processor: null },
  added_tokens: SPECIAL.map((content, id) => ({
    ...{ id, content, special: true, normalized: false },
    ...{ single_word: false, lstrip: false, rstrip: false },
  })),
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    ...{ type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null },
    ...{ fuse_unk: false, byte_fallback: false, ignore_merges: false, merges: MERGES },
    vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
  },
});

type Tensor = readonly [shape: readonly number[], numbers: Float32Array];

function weightsOf(vocabulary: number): Record<string, Tensor> {
  const next = normalNumbers(SEED);
  const random = (...shape: number[]): Tensor => [
    shape,
    Float32Array.from({ length: size(shape) }, () => next() * SPREAD),
  ];
  const ones = (...shape: number[]): Tensor => [shape, new Float32Array(size(shape)).fill(1)];
  const keys = (HIDDEN / HEADS) * KEY_HEADS;
  const layer = (at: number): Record<string, Tensor> =>
    Object.fromEntries(
      Object.entries({
        input_layernorm: ones(HIDDEN),
        'mlp.down_proj': random(HIDDEN, INNER),
        'mlp.gate_proj': random(INNER, HIDDEN),
        'mlp.up_proj': random(INNER, HIDDEN),
        post_attention_layernorm: ones(HIDDEN),
        'self_attn.k_proj': random(keys, HIDDEN),
        'self_attn.o_proj': random(HIDDEN, HIDDEN),
        'self_attn.q_proj': random(HIDDEN, HIDDEN),
        'self_attn.v_proj': random(keys, HIDDEN),
      }).map(([name, tensor]) => [`model.layers.${at}.${name}.weight`, tensor]),
    );
  return {
    'lm_head.weight': random(vocabulary, HIDDEN),
    'model.embed_tokens.weight': random(vocabulary, HIDDEN),
    ...Object.assign({}, ...Array.from({ length: LAYERS }, (_, at) => layer(at))),
    'model.norm.weight': ones(HIDDEN),
  };
}

const size = (shape: readonly number[]): number => shape.reduce((all, one) => all * one, 1);

function safetensors(tensors: Readonly<Record<string, Tensor>>): Uint8Array {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, [shape, { byteLength }]]) => {
      const begin = end;
      end += byteLength;
      return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }];
    }),
  );
  const text = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(([, { buffer }]) => Buffer.from(buffer))]);
}

/** Of a normal distribution, the same ones for a seed (mulberry32; Box and Muller). */
function normalNumbers(seed: number): () => number {
  let state = seed >>> 0;
  const even = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even());
}
