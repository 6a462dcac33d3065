// How much memory a device of fine-tuning takes: a GPU, or a worker without one. Pure; the arithmetic is the answer. Every GPU has the
// whole model (its trainer shards nothing), and each takes a batch of its own.
import { type Said, said } from '../said.ts';
import { TUNE_MEMORY } from './tune-words.ts';

/** What its config.json says of a model's shape, or what is assumed by its size. */
export interface BaseShape {
  layers: number;
  hidden: number;
  /** Of a layer's inner part. */
  inner: number;
  vocabulary: number;
  /** Of what the keys and values of a token have together. */
  keysAndValues: number;
  /** Its first and last layers are one. */
  isTied: boolean;
  isAssumed: boolean;
}

export interface TunedBase {
  parameters: number;
  shape: BaseShape;
}

export interface TuneSize {
  objective: 'SFT' | 'DPO';
  method: 'LoRA' | 'QLoRA' | 'Full';
  batch: number;
  maxLength: number;
  rank: number;
  hasGpu: boolean;
  /** GPUs, or workers without one, that train together. */
  devices: number;
}

export interface MemoryLine {
  what: keyof typeof TUNE_MEMORY;
  bytes: number;
  /** How it comes about: `count` × `each`; absent for what is fixed. */
  count?: number;
  each?: number;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/**
 * Libraries, kernels, their buffers and what the allocator cannot use: of torch with CUDA, and on a CPU as measured with a model of 115,000
 * parameters, whose peak is the program (DPO also loads TRL).
 */
const PROGRAM_BYTES = { gpu: { SFT: 1.5 * GIB, DPO: 1.5 * GIB }, cpu: { SFT: 475 * MIB, DPO: 545 * MIB } } as const;
/** Numbers of 4 bits, with a scale of 8 bits for 64 of them and one of 32 bits for 256 of these. */
const QUANTISED_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256);
/** Of Adam: two averages, in 32 bits. */
const ADAM_BYTES = 8;
/**
 * What a layer keeps of a token for its way back, in numbers: inputs of both norms (in 32 bits, which count twice), of the attention and
 * of what comes after it; and four of the inner part's size. Attention itself keeps no matrix (scaled dot product).
 */
const KEPT_OF_HIDDEN = 14;
const KEPT_OF_INNER = 4;
/**
 * Of each token and each word of the vocabulary: the answer, its logarithms and their gradients; on a CPU all of them at once, in 32 bits. TRL
 * also has those of the reference, of the tokens moved by one and of each answer by itself: about twelve in all, as measured on a CPU.
 */
const LOGIT_BYTES = { gpu: { SFT: 2 + 4 + 4, DPO: 2 + 4 + 4 }, cpu: { SFT: 4 * 4, DPO: 12 * 4 } } as const;

/** A shape of that size as models usually have it: 12 × layers × hidden², with 128 of the hidden for a layer. */
export function assumedShape(parameters: number): BaseShape {
  const layers = Math.max(1, Math.round(Math.cbrt(parameters / (12 * 128 ** 2))));
  const hidden = Math.max(8, Math.round(Math.sqrt(parameters / (12 * layers)) / 8) * 8);
  return {
    ...{ layers, hidden, inner: Math.round((8 * hidden) / 3), isTied: false, isAssumed: true },
    ...{ vocabulary: Math.min(128_000, Math.ceil(parameters / (4 * hidden))), keysAndValues: 2 * hidden },
  };
}

/** Of adapters beside each linear layer but the last: rank × (what comes in + what goes out). */
export function adapterParameters({ shape }: TunedBase, rank: number): number {
  const { layers, hidden, inner, keysAndValues } = shape;
  const attention = 2 * (hidden + hidden) + (2 * hidden + keysAndValues);
  return layers * rank * (attention + 3 * (hidden + inner));
}

/** In the order of their sum. */
export function tuneMemory(base: TunedBase, size: TuneSize): MemoryLine[] {
  const { parameters, shape } = base;
  const { objective, method, hasGpu, devices } = size;
  const on = hasGpu ? 'gpu' : 'cpu';
  const isFull = method === 'Full';
  const trained = isFull ? parameters : adapterParameters(base, size.rank);
  const embeddings = Math.min(parameters, shape.vocabulary * shape.hidden * (shape.isTied ? 1 : 2));
  // Of DPO, both answers at once.
  const tokens = size.batch * size.maxLength * (objective === 'DPO' ? 2 : 1);
  // Adapters on a GPU stand beside weights of 16 bits; those that are trained themselves have 32, as steps vanish in fewer.
  const weightBytes = !isFull && hasGpu ? 2 : 4;
  const lines: (MemoryLine | false)[] = [
    ...(method === 'QLoRA'
      ? [line('weights', parameters - embeddings, QUANTISED_BYTES), line('embeddings', embeddings, 4)]
      : [line('weights', parameters, weightBytes)]),
    isFull && hasGpu && line('copies', parameters, 2),
    // With an adapter, the base without it is the reference.
    isFull && objective === 'DPO' && line('reference', parameters, 4),
    !isFull && line('adapter', trained, 4),
    line('gradients', trained, 4),
    devices > 1 && line('buckets', trained, 4),
    line('optimizer', trained, ADAM_BYTES),
    line('activations', tokens, activationBytes(shape, hasGpu)),
    line('logits', tokens, shape.vocabulary * LOGIT_BYTES[on][objective]),
    { what: 'program', bytes: PROGRAM_BYTES[on][objective] },
  ];
  return lines.filter((one) => one !== false);
}

/** Of one token: on a GPU, each layer keeps its input, and is computed again on the way back, one at a time. */
function activationBytes({ layers, hidden, inner }: BaseShape, hasGpu: boolean): number {
  const ofLayer = KEPT_OF_HIDDEN * hidden + KEPT_OF_INNER * inner;
  return hasGpu ? 2 * (layers * hidden + ofLayer) : 4 * layers * ofLayer;
}

const line = (what: MemoryLine['what'], count: number, each: number): MemoryLine => ({
  ...{ what, bytes: Math.ceil(count * each) },
  ...{ count, each },
});

export const bytesOf = (lines: readonly MemoryLine[]): number => lines.reduce((sum, { bytes }) => sum + bytes, 0);

/** As a sentence. */
export const memorySaid = ({ what, bytes, count = 0, each = 0 }: MemoryLine): Said =>
  said(TUNE_MEMORY[what], { gi: gi(bytes), count: `${Math.round(count)}`, each: `${Math.round(each * 1000) / 1000}` });

/** Two decimals, and never zero of something. */
const gi = (bytes: number): string => `${bytes > 0 ? Math.max(0.01, Math.round((bytes / GIB) * 100) / 100) : 0}`;
