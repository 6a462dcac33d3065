// The facts of a version, from the headers of its files and its config.json: never from what somebody says of it.
import type { ModelFormat } from '@gantry/contract/areas/models/models.ts';
import type { GgufFacts } from './formats/gguf.ts';
import type { TensorFacts } from './formats/refusal.ts';

export interface VersionFacts {
  format: ModelFormat;
  structure: string | null;
  parameters: number | null;
  quantisation: string | null;
  contextLength: number | null;
  weightBytes: number | null;
  kvBytesPerToken: number | null;
  /** The attention heads of one layer. */
  attentionHeads: number | null;
}

/** A file whose header was read. */
export interface ReadFile {
  readonly path: string;
  readonly safetensors?: TensorFacts;
  readonly gguf?: GgufFacts;
}

/** `config` is the parsed config.json, whatever it holds; undefined where there is none. */
export function versionFacts(files: readonly ReadFile[], config: unknown): VersionFacts {
  const safetensors = countedOf(files.filter((file) => file.safetensors)).flatMap((file) => file.safetensors ?? []);
  if (safetensors.length > 0) return ofTensors('safetensors', safetensors, ofConfig(config));
  const ggufs = files.flatMap(({ path, gguf }) => (gguf ? [{ path, gguf }] : []));
  const [first] = ggufs;
  if (!first) return { ...NOTHING, ...ofConfig(config), format: 'other' };
  // Files of one model that was split count together; others are the same model in other types, and the first stands for it.
  const parts = ggufs.filter(({ path }) => wholeOf(path) === wholeOf(first.path)).map(({ gguf }) => gguf);
  return ofTensors('gguf', parts, ofMetadata(first.gguf.metadata));
}

/** The licence in the first GGUF header, as an SPDX expression is written; anything else is no licence. */
export function licenseOf(files: readonly ReadFile[]): string | null {
  const said = files.find(({ gguf }) => gguf)?.gguf?.metadata.get('general.license');
  return typeof said === 'string' && said.length <= MOST_LICENSE && LICENSE.test(said) ? said : null;
}
const MOST_LICENSE = 63;
const LICENSE = /^\(*[\w.+-]+\)*(?: \(*[\w.+-]+\)*)*$/;

/** A repository may have the same weights twice: in a folder of the original, or whole beside the parts. */
function countedOf(files: readonly ReadFile[]): readonly ReadFile[] {
  const outer = files.filter(({ path }) => !path.includes('/'));
  const parts = outer.filter(({ path }) => SHARD.test(path));
  return [parts, outer, files].find(({ length }) => length > 0) ?? files;
}

/** `name-00002-of-00005.gguf` and the first have the same. */
export const wholeOf = (path: string): string => path.replace(SHARD, '');
const SHARD = /-(\d{5})-of-(\d{5})(?=\.\w+$)/;
const MOST_SHARDS = 1000;

/** The first file that is missing of a model that was split; undefined where all are there. */
export function missingShard(paths: readonly string[]): string | undefined {
  const there = new Set(paths);
  for (const path of paths) {
    const [, , of = '0'] = SHARD.exec(path) ?? [];
    if (Number(of) > MOST_SHARDS) continue;
    for (let i = 1; i <= Number(of); i++) {
      const wanted = path.replace(SHARD, `-${`${i}`.padStart(5, '0')}-of-${of}`);
      if (!there.has(wanted)) return wanted;
    }
  }
  return undefined;
}

const NOTHING: VersionFacts = {
  format: 'other',
  structure: null,
  parameters: null,
  quantisation: null,
  contextLength: null,
  weightBytes: null,
  kvBytesPerToken: null,
  attentionHeads: null,
};

type Described = Pick<VersionFacts, 'structure' | 'contextLength' | 'kvBytesPerToken' | 'attentionHeads'> & {
  quantisation?: string;
};

function ofTensors(format: ModelFormat, files: readonly TensorFacts[], described: Described): VersionFacts {
  const types = new Map<string, number>();
  for (const file of files) for (const [type, bytes] of file.types) types.set(type, (types.get(type) ?? 0) + bytes);
  const most = [...types].reduce((a, b) => (b[1] > a[1] ? b : a), ['', -1] as const);
  return {
    format,
    structure: described.structure,
    parameters: sum(files.map(({ parameters }) => parameters)),
    quantisation: described.quantisation ?? most[0],
    contextLength: described.contextLength,
    weightBytes: sum(files.map(({ bytes }) => bytes)),
    kvBytesPerToken: described.kvBytesPerToken,
    attentionHeads: described.attentionHeads,
  };
}

/** As transformers writes it. Numbers of a model with pictures are in `text_config`. */
function ofConfig(config: unknown): Described {
  const whole = objectOf(config);
  const text = { ...whole, ...objectOf(whole.text_config) };
  const heads = countOf(text.num_attention_heads);
  const perHead = countOf(text.head_dim) ?? quotient(countOf(text.hidden_size), heads);
  const method = nameOf(objectOf(whole.quantization_config).quant_method);
  return {
    structure: Array.isArray(whole.architectures) ? nameOf(whole.architectures[0]) : null,
    contextLength: countOf(text.max_position_embeddings) ?? null,
    kvBytesPerToken: kvBytes(
      countOf(text.num_hidden_layers),
      countOf(text.num_key_value_heads) ?? heads,
      perHead,
      perHead,
    ),
    attentionHeads: headsOf(heads),
    ...(method !== null && { quantisation: method }),
  };
}

/** As llama.cpp writes it: keys begin with the architecture. */
function ofMetadata(metadata: GgufFacts['metadata']): Described {
  const structure = nameOf(metadata.get('general.architecture'));
  const of = (key: string) => countOf(metadata.get(`${structure}.${key}`));
  const heads = of('attention.head_count');
  const perHead = quotient(of('embedding_length'), heads);
  return {
    structure,
    contextLength: of('context_length') ?? null,
    kvBytesPerToken: kvBytes(
      of('block_count'),
      of('attention.head_count_kv') ?? heads,
      of('attention.key_length') ?? perHead,
      of('attention.value_length') ?? perHead,
    ),
    attentionHeads: headsOf(heads),
  };
}

const MOST_HEADS = 65_536;
const headsOf = (heads: number | undefined): number | null =>
  heads === undefined || heads > MOST_HEADS ? null : heads;

const KV_BYTES = 2;

function kvBytes(...[layers, heads, key, value]: readonly (number | undefined)[]): number | null {
  if (layers === undefined || heads === undefined || key === undefined || value === undefined) return null;
  const bytes = layers * heads * (key + value) * KV_BYTES;
  return Number.isSafeInteger(bytes) ? bytes : null;
}

const MOST_COUNT = 2 ** 40;
const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MOST_COUNT
    ? (value as number)
    : undefined;

const quotient = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.floor(a / b);

/** Names are shown and searched by: short, and of one line. */
const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.+-]{1,100}$/.test(value) ? value : null;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
