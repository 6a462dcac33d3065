// What fine-tuning begins with where nobody says otherwise: by the size of the base, and by the memory that there is. Pure.
import { fitTune, type TuneCard, type TuneWish } from './tune-fit.ts';
import type { TunedBase } from './tune-memory.ts';

export interface TunePreset {
  method: TuneWish['method'];
  parameters: {
    batch: number;
    accumulate: number;
    maxLength: number;
    rank: number;
    alpha: number;
    learningRate: number;
  };
}

interface Row {
  /** Up to so many parameters. */
  most: number;
  /** The first that fits. */
  methods: readonly TuneWish['method'][];
  rank: number;
  maxLength: number;
  /** Rows of a step, over all devices. */
  rows: number;
}

/** Small models learn little beside their weights, and large ones fit nowhere with all of theirs. */
export const TUNE_PRESETS: Readonly<Record<'gpu' | 'cpu', readonly Row[]>> = {
  gpu: [
    { most: 1e9, methods: ['Full', 'LoRA'], rank: 16, maxLength: 2048, rows: 32 },
    { most: 4e9, methods: ['LoRA', 'QLoRA'], rank: 16, maxLength: 2048, rows: 32 },
    { most: 15e9, methods: ['LoRA', 'QLoRA'], rank: 16, maxLength: 4096, rows: 32 },
    { most: 40e9, methods: ['LoRA', 'QLoRA'], rank: 32, maxLength: 4096, rows: 32 },
    { most: Number.POSITIVE_INFINITY, methods: ['LoRA', 'QLoRA'], rank: 32, maxLength: 4096, rows: 16 },
  ],
  cpu: [
    { most: 50e6, methods: ['Full', 'LoRA'], rank: 16, maxLength: 512, rows: 16 },
    { most: Number.POSITIVE_INFINITY, methods: ['LoRA'], rank: 8, maxLength: 512, rows: 8 },
  ],
};

/** Into so many parts the length is divided, before another method is tried. */
const LENGTHS = [1, 2, 4];
const BATCHES = [16, 8, 4, 2, 1];
/** As the trainer has them; of models this small, more. */
const RATES = { LoRA: 2e-4, QLoRA: 2e-4, Full: 2e-5, DPO: 5e-6 } as const;
const TINY = { most: 50e6, rate: 1e-3 };

type Given = Pick<TuneWish, 'objective' | 'workers' | 'gpu' | 'memoryGi'>;

/** Undefined: nothing fits. What is known of GPUs' memory is in `cards`; of others, the first of each is taken. */
export function choosePreset(
  base: TunedBase & { contextLength?: number | undefined },
  given: Given,
  cards: readonly TuneCard[],
  longest?: number,
): TunePreset | undefined {
  const rows = TUNE_PRESETS[given.gpu ? 'gpu' : 'cpu'];
  const row = rows.find(({ most }) => base.parameters <= most);
  if (!row) return undefined;
  const devices = given.workers * (given.gpu?.count ?? 1);
  const known = Math.min(row.maxLength, base.contextLength ?? row.maxLength);
  for (const method of row.methods)
    for (const part of LENGTHS)
      for (const batch of BATCHES) {
        const maxLength = Math.max(16, Math.floor(known / part));
        const parameters = {
          batch,
          accumulate: Math.max(1, Math.ceil(row.rows / (batch * devices))),
          maxLength,
          rank: row.rank,
        };
        const { fits } = fitTune(base, { ...given, method, parameters }, cards, longest);
        if (fits === false) continue;
        return {
          method,
          parameters: { ...parameters, alpha: 2 * row.rank, learningRate: rateOf(base, given, method) },
        };
      }
  return undefined;
}

const rateOf = ({ parameters }: TunedBase, { objective }: Given, method: TuneWish['method']): number => {
  if (objective === 'DPO') return RATES.DPO;
  return method === 'Full' && parameters <= TINY.most ? TINY.rate : RATES[method];
};
