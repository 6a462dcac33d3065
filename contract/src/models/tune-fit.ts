// Whether fine-tuning fits into the memory that it has, and where not, what would fit. One rule for the preview, for forms and for what is
// admitted. Pure.
import { type Said, said } from '../said.ts';
import { bytesOf, type MemoryLine, type TunedBase, type TuneSize, tuneMemory } from './tune-memory.ts';
import { TUNE_ADVICE } from './tune-words.ts';

/** As a FineTune's spec has it. */
export interface TuneWish {
  objective: TuneSize['objective'];
  method: TuneSize['method'];
  parameters: { batch: number; accumulate: number; maxLength: number; rank: number };
  workers: number;
  gpu?: { model: string; count: number } | undefined;
  memoryGi: number;
}

/** GPUs that there are. */
export interface TuneCard {
  model: string;
  /** Of one. */
  bytes: number;
}

export interface TuneFit {
  lines: MemoryLine[];
  bytes: number;
  /** Undefined: nobody knows how much memory these GPUs have. */
  room: number | undefined;
  /** Of a worker with GPUs: what it needs besides them, and has. */
  host?: { bytes: number; room: number };
  /** Undefined where the room is. */
  fits: boolean | undefined;
  /** Each of them alone would do; empty where it fits. */
  instead: TuneAdvice[];
}

export interface TuneAdvice {
  /** Fields of the spec as they would be. Empty: nothing here would do. */
  change: {
    method?: TuneSize['method'];
    memoryGi?: number;
    gpu?: { model: string; count: number };
    parameters?: { batch?: number; accumulate?: number; maxLength?: number };
  };
  said: Said;
}

const GIB = 1024 ** 3;
/** The rest is what the allocator cannot use, and what the kernel counts besides. */
const USABLE = { gpu: 0.94, cpu: 0.95 } as const;
/** A GPU's worker has the weights in its own memory first, and its program. */
const HOST_PROGRAM_BYTES = 2 * GIB;
const LEAST_LENGTH = 128;
const MOST_MEMORY_GI = 8192;
const METHODS = ['LoRA', 'QLoRA'] as const;
const MOST_ADVICE = 4;

export const devicesOf = ({ workers, gpu }: Pick<TuneWish, 'workers' | 'gpu'>): number => workers * (gpu?.count ?? 1);

export const sizeOf = (wish: TuneWish, longest?: number): TuneSize => {
  const { objective, method, parameters, gpu } = wish;
  const { batch, maxLength, rank } = parameters;
  const length = Math.max(1, Math.min(maxLength, longest ?? maxLength));
  return { objective, method, batch, maxLength: length, rank, hasGpu: gpu !== undefined, devices: devicesOf(wish) };
};

/** `longest`: the longest row, where all were counted: none is padded to more. */
export function fitTune(base: TunedBase, wish: TuneWish, cards: readonly TuneCard[], longest?: number): TuneFit {
  const lines = tuneMemory(base, sizeOf(wish, longest));
  const bytes = bytesOf(lines);
  const room = roomOf(wish, cards);
  const host = wish.gpu && { bytes: hostBytes(base, wish), room: hostRoom(wish) };
  const told = { lines, bytes, room, ...(host && { host }) };
  if (room === undefined) return { ...told, fits: undefined, instead: [] };
  const does = (other: TuneWish): boolean => {
    const has = roomOf(other, cards);
    return has !== undefined && bytesOf(tuneMemory(base, sizeOf(other, longest))) <= has && hostFits(base, other);
  };
  const fits = does(wish);
  return { ...told, fits, instead: fits ? [] : instead(base, wish, cards, does, longest) };
}

/** Of one GPU, or of a worker. */
function roomOf({ gpu, memoryGi }: TuneWish, cards: readonly TuneCard[]): number | undefined {
  if (!gpu) return hostRoom({ memoryGi });
  const found = cards.find(({ model }) => model === gpu.model);
  return found && Math.floor(found.bytes * USABLE.gpu);
}

const hostRoom = ({ memoryGi }: Pick<TuneWish, 'memoryGi'>): number => Math.floor(memoryGi * GIB * USABLE.cpu);

const hostBytes = ({ parameters }: TunedBase, { method }: TuneWish): number =>
  method === 'QLoRA' ? HOST_PROGRAM_BYTES : parameters * (method === 'Full' ? 4 : 2) + HOST_PROGRAM_BYTES;

const hostFits = (base: TunedBase, wish: TuneWish): boolean => !wish.gpu || hostBytes(base, wish) <= hostRoom(wish);

function instead(
  base: TunedBase,
  wish: TuneWish,
  cards: readonly TuneCard[],
  does: (other: TuneWish) => boolean,
  longest?: number,
): TuneAdvice[] {
  const found = [
    ...smaller(wish, does, longest),
    ...otherMethods(wish, does),
    ...larger(base, wish, cards, does, longest),
  ];
  return found.length > 0 ? found.slice(0, MOST_ADVICE) : [{ change: {}, said: said(TUNE_ADVICE.nothing) }];
}

/** The largest that fits: a batch of the same rows in a step, or fewer tokens of a row, or both. */
function smaller(wish: TuneWish, does: (other: TuneWish) => boolean, longest?: number): TuneAdvice[] {
  const { batch, accumulate, maxLength } = wish.parameters;
  const withIt = (change: { batch?: number; accumulate?: number; maxLength?: number }): TuneWish => ({
    ...wish,
    parameters: { ...wish.parameters, ...change },
  });
  const batches = halves(batch, 1).map((smallerBatch) => ({
    batch: smallerBatch,
    accumulate: Math.min(1024, Math.ceil((batch * accumulate) / smallerBatch)),
  }));
  const lengths = halves(Math.min(maxLength, longest ?? maxLength), LEAST_LENGTH).map((length) => ({
    maxLength: length,
  }));
  const ofBatch = batches.find((change) => does(withIt(change)));
  const ofLength = lengths.find((change) => does(withIt(change)));
  const last = batches.at(-1);
  const ofBoth =
    ofBatch || ofLength || !last
      ? undefined
      : lengths.map((change) => ({ ...last, ...change })).find((change) => does(withIt(change)));
  const texts = (change: object) =>
    Object.fromEntries(Object.entries(change).map(([name, value]) => [name, `${value}`]));
  return [
    ...(ofBatch ? [{ change: { parameters: ofBatch }, said: said(TUNE_ADVICE.batch, texts(ofBatch)) }] : []),
    ...(ofLength ? [{ change: { parameters: ofLength }, said: said(TUNE_ADVICE.maxLength, texts(ofLength)) }] : []),
    ...(ofBoth ? [{ change: { parameters: ofBoth }, said: said(TUNE_ADVICE.both, texts(ofBoth)) }] : []),
  ];
}

/** Below it, down to the least. */
const halves = (from: number, least: number): number[] => {
  const found: number[] = [];
  for (let one = 2 ** Math.ceil(Math.log2(Math.max(2, from)) - 1); one >= least; one /= 2)
    if (one < from) found.push(one);
  return found;
};

/** The first that needs less and fits. */
function otherMethods(wish: TuneWish, does: (other: TuneWish) => boolean): TuneAdvice[] {
  const later = METHODS.slice(METHODS.indexOf(wish.method as (typeof METHODS)[number]) + 1);
  const method = later.filter((one) => one !== 'QLoRA' || wish.gpu).find((one) => does({ ...wish, method: one }));
  return method ? [{ change: { method }, said: said(TUNE_ADVICE[method]) }] : [];
}

/** More memory for the worker, or the smallest other GPU that is enough. */
function larger(
  base: TunedBase,
  wish: TuneWish,
  cards: readonly TuneCard[],
  does: (other: TuneWish) => boolean,
  longest?: number,
): TuneAdvice[] {
  const { gpu } = wish;
  const needed = gpu ? hostBytes(base, wish) : bytesOf(tuneMemory(base, sizeOf(wish, longest)));
  const memoryGi = Math.ceil(needed / GIB / USABLE.cpu);
  if (memoryGi > wish.memoryGi && memoryGi <= MOST_MEMORY_GI && does({ ...wish, memoryGi }))
    return [{ change: { memoryGi }, said: said(TUNE_ADVICE.memory, { gi: `${memoryGi}` }) }];
  if (!gpu) return [];
  const card = cards
    .toSorted((a, b) => a.bytes - b.bytes)
    .find(({ model }) => model !== gpu.model && does({ ...wish, gpu: { ...gpu, model } }));
  if (!card) return [];
  const change = { gpu: { model: card.model, count: gpu.count } };
  return [{ change, said: said(TUNE_ADVICE.card, { model: card.model }) }];
}
