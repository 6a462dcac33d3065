// How many steps fine-tuning has, over how many tokens, and how long they take: as other runs of the same base were timed, or by the
// operations that a token takes at an assumed rate. Pure.
import { devicesOf, type TuneWish } from './tune-fit.ts';
import type { TunedBase } from './tune-memory.ts';

/** A dataset as it was sampled. */
export interface SampledSet {
  rows: number;
  sampled: number;
  /** Of those that were sampled; so are the tokens that they are trained on. */
  usable: number;
  tokens: number;
  weight: number;
}

export interface TuneLengthWish extends TuneWish {
  parameters: TuneWish['parameters'] & { epochs?: number | undefined; maxSteps?: number | undefined };
  cores: number;
}

export interface TuneLength {
  /** Of one epoch. */
  examples: number;
  steps: number;
  /** Of all steps; of DPO, what is asked counts with each answer. */
  tokens: number;
  tokensPerStep: number;
  seconds: number;
  startSeconds: number;
  secondsEach: number;
  /** How a step's time is known. */
  by: 'runs' | 'operations';
  /** Of a token, where it is by them. */
  operationsPerToken: number;
  /** In a second: tokens of one device that were timed, or its operations that are assumed. */
  rate: number;
}

const EPOCHS = 3;
/** A Pod, imports, and the tables. The rehearsal before costs nothing. */
const START_SECONDS = 30;
const LOADED_BYTES_PER_SECOND = 500e6;
/** Of a batch, whatever is in it. */
const BATCH_SECONDS = { gpu: 0.05, cpu: 0.1 } as const;
/** Ten years: whoever counts more has counted wrong. */
const MOST_SECONDS = 10 * 365 * 24 * 3600;
/** Of each parameter for each token: a multiplication and an addition, forwards, backwards, and once more for its own gradient. */
const FORWARD = 2;
const BACKWARD = 2;
const OWN_GRADIENT = 2;
/** On a GPU, what activations were not kept is computed again. */
const AGAIN = 2;

/**
 * Operations in a second of dense 16-bit numbers, by the vendors' sheets, in the order in which names are looked for. What is reached of
 * them in training of this kind is assumed.
 */
const RATES: readonly [name: RegExp, tera: number][] = [
  [/b[23]00/i, 2250],
  [/h20(?!\d)/i, 148],
  [/h[128]00|gh200/i, 989],
  [/a[18]00/i, 312],
  [/a30(?!\d)/i, 165],
  [/a40(?!\d)/i, 150],
  [/a10(?!\d)/i, 125],
  [/l40s/i, 362],
  [/l40(?!\d)/i, 181],
  [/l20(?!\d)/i, 119],
  [/l4(?!\d)/i, 121],
  [/5090/, 209],
  [/4090/, 165],
  [/3090/, 71],
  [/v100/i, 112],
  [/t4(?!\d)/i, 65],
];
const OTHER_TERA = 100;
const REACHED = 0.3;
/** Weights of 4 bits become numbers of 16 for each use. */
const QUANTISED = 0.7;
const CORE_OPERATIONS = 10e9;
/** Of several GPUs, and of several workers: they wait for each other's gradients. */
const TOGETHER = { gpus: 0.9, workers: 0.85 } as const;

/** `timed`: tokens in a second of one such device, where other runs say so. `weightBytes`: what is loaded. */
export function tuneLength(
  base: TunedBase & { weightBytes: number },
  wish: TuneLengthWish,
  sets: readonly SampledSet[],
  timed?: number,
): TuneLength {
  const { parameters, gpu, workers } = wish;
  const devices = devicesOf(wish);
  const { examples, meanTokens } = mixed(sets);
  const steps = stepsOf(wish, examples);
  const tokensPerStep = Math.round(meanTokens * parameters.batch * parameters.accumulate * devices);
  const isTimed = timed !== undefined && timed > 0;
  const operationsPerToken = operationsOf(base, wish);
  const together = workers > 1 ? TOGETHER.workers : devices > 1 ? TOGETHER.gpus : 1;
  const rate = isTimed ? timed : rateOf(wish) * together;
  const ofDevice = (meanTokens * parameters.batch * parameters.accumulate * (isTimed ? 1 : operationsPerToken)) / rate;
  const batches = isTimed ? 0 : BATCH_SECONDS[gpu ? 'gpu' : 'cpu'] * parameters.accumulate;
  // As it is shown, so that it comes to what is shown.
  const secondsEach = Number(Math.min(ofDevice + batches, MOST_SECONDS).toPrecision(2));
  const startSeconds = Math.ceil(START_SECONDS + base.weightBytes / LOADED_BYTES_PER_SECOND);
  return {
    ...{ examples, steps, tokens: whole(steps * tokensPerStep), tokensPerStep, startSeconds, secondsEach },
    seconds: Math.min(startSeconds + Math.ceil(steps * secondsEach), MOST_SECONDS),
    ...{ by: isTimed ? 'runs' : 'operations', operationsPerToken, rate },
  };
}

/** An epoch: each dataset as often as its weight says (trainer/gantry_trainer/prepared.py). */
function mixed(sets: readonly SampledSet[]): { examples: number; meanTokens: number } {
  const counted = sets.map(({ rows, sampled, usable, tokens, weight }) => {
    const all = sampled > 0 ? Math.round((rows * usable) / sampled) : 0;
    const examples = Math.floor(weight) * all + Math.round((weight % 1) * all);
    return { examples, tokens: usable > 0 ? (examples * tokens) / usable : 0 };
  });
  const examples = counted.reduce((sum, one) => sum + one.examples, 0);
  const tokens = counted.reduce((sum, one) => sum + one.tokens, 0);
  return { examples, meanTokens: examples > 0 ? tokens / examples : 0 };
}

/** As the trainer counts them (trainer/gantry_trainer/recipe.py). */
function stepsOf({ parameters, ...wish }: TuneLengthWish, examples: number): number {
  if (parameters.maxSteps !== undefined) return parameters.maxSteps;
  const batches = Math.ceil(examples / (parameters.batch * devicesOf(wish)));
  return whole(Math.max(1, Math.ceil((parameters.epochs ?? EPOCHS) * Math.ceil(batches / parameters.accumulate))));
}

function operationsOf({ parameters }: TunedBase, { method, objective, gpu }: TuneLengthWish): number {
  const isFull = method === 'Full';
  // The reference answers, too.
  const reference = objective === 'DPO' ? FORWARD : 0;
  return parameters * (FORWARD + BACKWARD + (isFull ? OWN_GRADIENT : 0) + (gpu ? AGAIN : 0) + reference);
}

function rateOf({ gpu, cores, method }: TuneLengthWish): number {
  if (!gpu) return CORE_OPERATIONS * cores;
  const tera = RATES.find(([name]) => name.test(gpu.model))?.[1] ?? OTHER_TERA;
  return tera * 1e12 * REACHED * (method === 'QLoRA' ? QUANTISED : 1);
}

const whole = (count: number): number => Math.min(Math.round(count), Number.MAX_SAFE_INTEGER);
