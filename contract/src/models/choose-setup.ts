// How a version is served: by which engine, on which cards, with how much context. Pure; the arithmetic is part of the answer:
// weights + cache of a token × context + what the engine takes, against the part of the cards' memory that the engine may use.

import type { ModelDeploymentReason } from '../kinds/model-deployment.ts';
import type { ModelDeploymentSpec, ModelSetup } from '../kinds/model-deployment-schema.ts';
import { SETUP_WORDS } from '../kinds/model-deployment-words.ts';
import { type Args, quoted, type Said, said } from '../said.ts';
import {
  ENGINE_FACTS,
  ENGINES,
  type Engine,
  type EngineFacts,
  isReservedArgument,
  MOST_NODES,
  type ModelTask,
} from './engines.ts';

/** As the headers of its files have it. */
export interface ServedFacts {
  format: string;
  /** The size of all files: stands for the weights if no header says what they take. */
  sizeBytes: number;
  weightBytes?: number | undefined;
  /** The cache of one token, in 16-bit numbers. Undefined: not known, and not counted. */
  kvTokenBytes?: number | undefined;
  contextLength?: number | undefined;
  /** Those of one layer, of which each card takes as many. Undefined: not known, and any split is tried. */
  attentionHeads?: number | undefined;
  /** The size of adapters, in addition. */
  adapterBytes?: number | undefined;
}

/** A node that may run it, or nodes of one sort: with cards of a model, or without. */
export interface Place {
  /** Undefined: no card. */
  model: string | undefined;
  cardBytes: number;
  /** Cards of one node, and the most that are free on one. */
  cards: number;
  free: number;
  /** The share that comes with one card; without cards: the free room of a node. */
  cores: number;
  memoryGi: number;
}

type Wish = Pick<
  ModelDeploymentSpec,
  | ('task' | 'engine' | 'setup' | 'gpu' | 'nodesPerReplica' | 'cores' | 'memoryGi' | 'adapters' | 'extraArgs')
  | ('contextLength' | 'tensorParallel' | 'memoryFraction')
>;
export type Chosen = Omit<ModelSetup, 'generation' | 'wish' | 'at'>;
export type SetupAnswer = { setup: Chosen } | { reason: ModelDeploymentReason; args: Args };

const GIB = 1024 ** 3;
/** Context that is asked of the cards before more of them are taken; what is left over is given to it all the same. */
const GOOD_CONTEXT = 32_768;
const LEAST_CONTEXT = 2_048;
/** The context of a model that does not state how long a context it was made for. */
const USUAL_CONTEXT = 4_096;
const CONTEXT_STEP = 256;
const FRACTION: Readonly<Record<Engine, number>> = { vllm: 0.9, sglang: 0.85, 'llama.cpp': 0.95 };
/** They split each layer over all nodes of a replica, the others over the cards of each. */
const SPLIT_OVER_NODES: readonly Engine[] = ['sglang'];
/** The tasks that engines can serve with adapters, if these are fewer than without. */
const ADAPTER_TASKS: Readonly<Partial<Record<Engine, readonly ModelTask[]>>> = {
  sglang: ['Generate'],
  'llama.cpp': ['Generate'],
};
/** Weights so small answer fast enough without a card. */
export const SMALL_BYTES = 2 * GIB;
const COUNTS = [1, 2, 4, 8, 16];
/** The possible numbers of nodes: engines that split each layer over all of them want powers of two. */
const SPREADS = COUNTS.filter((nodes) => nodes <= MOST_NODES);
const MOST_MEMORY_GI = 8192;
/** Letters of an argument that a sentence quotes. */
const MOST_SHOWN = 60;

/** `onGpus`: engines that compute on GPUs in this installation, besides those that do everywhere. */
export function chooseSetup(
  wish: Wish,
  facts: ServedFacts,
  pool: readonly Place[],
  onGpus: readonly Engine[] = [],
): SetupAnswer {
  const places = byModel(pool);
  const reserved = reservedIn(wish);
  if (reserved) return reserved;
  const engine = engineFor(wish, facts);
  if (typeof engine !== 'string') return engine;
  const context = contextOf(wish, facts);
  const usual = ENGINE_FACTS[engine];
  const row = onGpus.includes(engine) ? { ...usual, devices: ['gpu', 'cpu'] as const } : usual;
  const need: Need = {
    engine,
    row,
    weights: (facts.weightBytes ?? facts.sizeBytes) + (facts.adapterBytes ?? 0),
    heads: facts.attentionHeads,
    token: facts.kvTokenBytes ?? 0,
    least: wish.contextLength ?? Math.min(LEAST_CONTEXT, context),
    good: wish.contextLength ?? Math.min(GOOD_CONTEXT, context),
    most: context,
    fraction: wish.memoryFraction ?? FRACTION[engine],
  };
  const isBound = wish.setup === 'Manual' || wish.gpu !== undefined;
  if (isBound && !wish.gpu) return withoutCards(wish, need);
  if (wish.gpu) return onCards(wish, need, { ...wish.gpu, nodes: spreadOf(wish, need, wish.gpu, places) }, places);
  const isWithout = !row.devices.includes('gpu') || (need.weights <= SMALL_BYTES && row.devices.includes('cpu'));
  const best = isWithout ? undefined : bestCards(need, places, wish.nodesPerReplica);
  if (best) return onCards(wish, need, best, places);
  return row.devices.includes('cpu')
    ? withoutCards(wish, need)
    : tooLarge(need, largestOf(places, need), need.least, places);
}

/** Refuses arguments that the platform sets itself, in spellings that the kind's own rule lets through. */
export function reservedIn({
  extraArgs = [],
}: Pick<Wish, 'extraArgs'>): { reason: ModelDeploymentReason; args: Args } | undefined {
  const argument = extraArgs.find(isReservedArgument);
  return argument === undefined
    ? undefined
    : { reason: 'ArgumentReserved', args: { argument: argument.slice(0, MOST_SHOWN) } };
}

/** Only the model of a card can be asked for: where cards of one differ, the least is what there is. */
function byModel(pool: readonly Place[]): Sort[] {
  return [...Map.groupBy(pool, ({ model }) => model)].map(([model, same]) => {
    const least = (of: 'cardBytes' | 'cores' | 'memoryGi') => Math.min(...same.map((place) => place[of]));
    const most = (of: 'cards' | 'free') => Math.max(...same.map((place) => place[of]));
    return {
      model,
      cardBytes: least('cardBytes'),
      cards: most('cards'),
      free: most('free'),
      cores: least('cores'),
      memoryGi: least('memoryGi'),
      nodesWith: (count: number) => same.filter(({ cards }) => cards >= count).length,
    };
  });
}

/** All nodes with cards of one model. */
interface Sort extends Place {
  nodesWith(count: number): number;
}

interface Need {
  engine: Engine;
  row: EngineFacts;
  weights: number;
  heads: number | undefined;
  token: number;
  /** Tokens of context: without which it is not served, that are worth more cards, and that it was made for. */
  least: number;
  good: number;
  most: number;
  fraction: number;
}

function engineFor(wish: Wish, facts: ServedFacts): Engine | { reason: ModelDeploymentReason; args: Args } {
  const engine = readingEngine(wish, facts);
  if (typeof engine !== 'string' || !wish.adapters?.length) return engine;
  const { tasks, label } = ENGINE_FACTS[engine];
  if ((ADAPTER_TASKS[engine] ?? tasks).includes(wish.task)) return engine;
  return { reason: 'AdaptersUnsupported', args: { engine: label, task: wish.task } };
}

function readingEngine(
  { engine, task }: Wish,
  { format }: ServedFacts,
): Engine | { reason: ModelDeploymentReason; args: Args } {
  const reading = ENGINES.filter((one) => ENGINE_FACTS[one].formats.includes(format));
  const doing = reading.filter((one) => ENGINE_FACTS[one].tasks.includes(task));
  const [first] = doing;
  if (first === undefined) return { reason: 'NoEngine', args: { format } };
  if (engine === 'auto') return first;
  const { label } = ENGINE_FACTS[engine];
  const engines = doing.map((one) => ENGINE_FACTS[one].label).join(', ');
  if (!reading.includes(engine)) return { reason: 'FormatUnsupported', args: { engine: label, format, engines } };
  if (!doing.includes(engine)) return { reason: 'TaskUnsupported', args: { engine: label, task, engines } };
  return engine;
}

const contextOf = ({ contextLength }: Wish, facts: ServedFacts): number =>
  contextLength ?? Math.max(1, facts.contextLength ?? USUAL_CONTEXT);

/** The bytes that the engine may use of `count` cards, on one node or on several, without its own overhead. */
const roomOn = ({ row, fraction }: Need, count: number, cardBytes: number): number =>
  Math.floor(count * (cardBytes * fraction - row.overheadBytes));

/** How many tokens of context fit beside the weights. */
function tokensIn({ weights, token, most }: Need, room: number): number {
  if (room < weights) return -1;
  if (token === 0) return most;
  const fit = Math.floor((room - weights) / token);
  return fit >= most ? most : Math.floor(fit / CONTEXT_STEP) * CONTEXT_STEP;
}

/** So many of a model on each of so many nodes. */
interface Cards {
  model: string;
  count: number;
  nodes: number;
}

/** Over how many nodes a replica with these cards is spread: as it is wished for, or over as few as it needs. */
function spreadOf(wish: Wish, need: Need, { model, count }: Omit<Cards, 'nodes'>, places: readonly Sort[]): number {
  if (wish.nodesPerReplica !== undefined) return wish.nodesPerReplica;
  const place = places.find((one) => one.model === model);
  if (wish.setup === 'Manual' || !place || !need.row.worker) return 1;
  const fits = (nodes: number) =>
    isEven(need, count, nodes) && tokensIn(need, roomOn(need, count * nodes, place.cardBytes)) >= need.least;
  return SPREADS.find((nodes) => nodes <= place.nodesWith(count) && fits(nodes)) ?? 1;
}

/** Over how many cards each layer is split. */
const splitOf = ({ engine }: Need, ofNode: number, nodes: number): number =>
  SPLIT_OVER_NODES.includes(engine) ? ofNode * nodes : ofNode;
/** An engine does not start where its cards would have parts of a head. */
const isEven = (need: Need, ofNode: number, nodes: number): boolean =>
  need.heads === undefined || need.heads % splitOf(need, ofNode, nodes) === 0;

/** Cards of one node, and where that is not enough whole nodes; or of so many nodes. */
function cardsOf(place: Sort, need: Need, wished: number | undefined): Omit<Cards, 'model'>[] {
  return spreadsOf(place, need, wished).filter(({ count, nodes }) => isEven(need, count, nodes));
}

function spreadsOf(place: Sort, { row }: Need, wished: number | undefined): Omit<Cards, 'model'>[] {
  const counts = COUNTS.filter((count) => count <= place.cards && (count === 1 || row.splits));
  if (wished !== undefined) return counts.map((count) => ({ count, nodes: wished }));
  const spreads = row.worker ? SPREADS.filter((nodes) => nodes > 1) : [];
  return [...counts.map((count) => ({ count, nodes: 1 })), ...spreads.map((nodes) => ({ count: place.cards, nodes }))];
}

/** The least memory that has room for a good context, and for any at all; one node before several, free cards before others. */
function bestCards(need: Need, places: readonly Sort[], wished?: number): Cards | undefined {
  const all = places.flatMap((place) =>
    place.model === undefined
      ? []
      : cardsOf(place, need, wished)
          .filter(({ count, nodes }) => nodes === 1 || nodes <= place.nodesWith(count))
          .map(({ count, nodes }) => ({
            model: place.model as string,
            count,
            nodes,
            bytes: nodes * count * place.cardBytes,
            isFree: count <= place.free,
            tokens: tokensIn(need, roomOn(need, nodes * count, place.cardBytes)),
          })),
  );
  const inOrder = all.toSorted((a, b) => a.bytes - b.bytes || a.count - b.count || (a.model < b.model ? -1 : 1));
  const found = (some: typeof all) =>
    [need.good, need.least]
      .flatMap((tokens) => [true, false].map((isFree) => ({ tokens, isFree })))
      .map(({ tokens, isFree }) => some.find((one) => one.tokens >= tokens && (one.isFree || !isFree)))
      .find((one) => one !== undefined);
  return found(inOrder.filter(({ nodes }) => nodes === 1)) ?? found(inOrder);
}

function onCards(wish: Wish, need: Need, cards: Cards, places: readonly Sort[]): SetupAnswer {
  const { model, count, nodes } = cards;
  const place = places.find((one) => one.model === model);
  const cardBytes = place?.cardBytes ?? 0;
  const given = { cores: wish.cores, memoryGi: wish.memoryGi };
  if (wish.setup === 'Manual') {
    const missing = missingOf(given);
    if (missing) return { reason: 'SetupIncomplete', args: { field: missing } };
  }
  const wrong = wrongCards(wish, need, cards, place, places);
  if (wrong) return wrong;
  const { row, fraction, weights, token } = need;
  const all = nodes * count;
  const room = roomOn(need, all, cardBytes);
  // If the size of the cards is unknown, the engine itself reports whether the model fits.
  const tokens = cardBytes > 0 ? tokensIn(need, room) : need.good;
  if (tokens < need.least) return tooLarge(need, { model, count: all, room }, need.least, places);
  const contextLength = wish.contextLength ?? Math.max(1, tokens);
  const share = { cores: (place?.cores ?? 1) * count, memoryGi: (place?.memoryGi ?? 1) * count };
  return {
    setup: {
      engine: need.engine,
      gpu: { model, count },
      ...(nodes > 1 && { nodes }),
      cores: given.cores ?? between(0.1, share.cores, 8 * count, 512),
      memoryGi:
        given.memoryGi ??
        between(0.5, share.memoryGi, Math.max(8, Math.ceil((1.25 * weights) / GIB / nodes)), MOST_MEMORY_GI),
      tensorParallel: wish.tensorParallel ?? count,
      contextLength,
      memoryFraction: fraction,
      weightBytes: weights,
      cacheBytes: contextLength * token,
      overheadBytes: all * row.overheadBytes,
      roomBytes: Math.max(0, Math.floor(all * cardBytes * fraction)),
    },
  };
}

/** Refuses cards that no node has, and splits that the engine cannot make. If no node is known, cards are not checked. */
function wrongCards(
  { tensorParallel }: Wish,
  need: Need,
  { model, count, nodes }: Cards,
  place: Sort | undefined,
  places: readonly Sort[],
): SetupAnswer | undefined {
  const { row, heads } = need;
  if (!row.devices.includes('gpu')) return { reason: 'EngineWithoutGpu', args: { engine: row.label } };
  const models = places.flatMap((one) => one.model ?? []);
  if (!place && models.length > 0) return { reason: 'UnknownGpuModel', args: { model, models: models.join(', ') } };
  if (place && count > place.cards)
    return { reason: 'TooManyGpus', args: { count: `${count}`, model, most: `${place.cards}` } };
  if (nodes > 1 && !row.worker) return onOneNode(row);
  if (place && nodes > 1 && nodes > place.nodesWith(count))
    return {
      reason: 'TooFewNodes',
      args: { nodes: `${nodes}`, count: `${count}`, model, most: `${place.nodesWith(count)}` },
    };
  if (tensorParallel !== undefined && tensorParallel > count)
    return { reason: 'SplitTooWide', args: { split: `${tensorParallel}`, count: `${count}` } };
  const ofNode = tensorParallel ?? count;
  if (!isEven(need, ofNode, nodes))
    return { reason: 'SplitUneven', args: { heads: `${heads}`, split: `${splitOf(need, ofNode, nodes)}` } };
  return undefined;
}

function onOneNode({ label }: EngineFacts): SetupAnswer {
  const others = ENGINES.map((one) => ENGINE_FACTS[one]).filter(({ worker }) => worker);
  return { reason: 'EngineOnOneNode', args: { engine: label, engines: others.map((one) => one.label).join(', ') } };
}

/** As much as is useful of what comes with its cards. */
const between = (least: number, share: number, useful: number, most: number): number =>
  Math.max(least, Math.min(share, useful, most));

const missingOf = (given: { cores?: number | undefined; memoryGi?: number | undefined }) =>
  given.cores === undefined ? 'cores' : given.memoryGi === undefined ? 'memoryGi' : undefined;

const GROWTH = 1.1;

function withoutCards(wish: Wish, need: Need): SetupAnswer {
  const { engine, row, weights, token, fraction } = need;
  if (!row.devices.includes('cpu')) return { reason: 'EngineNeedsGpu', args: { engine: row.label } };
  if ((wish.nodesPerReplica ?? 1) > 1) return onOneNode(row);
  if (wish.setup === 'Manual') {
    const missing = missingOf(wish);
    if (missing) return { reason: 'SetupIncomplete', args: { field: missing } };
  }
  const wanted = (tokens: number): number => weights + tokens * token + row.overheadBytes;
  const asked = Math.ceil(((GROWTH * wanted(need.good)) / GIB) * 4) / 4;
  const memoryGi = wish.memoryGi ?? Math.min(asked, MOST_MEMORY_GI);
  const room = Math.floor(memoryGi * GIB);
  const tokens = tokensIn(need, room - row.overheadBytes);
  if (tokens < need.least)
    return refusal(
      need,
      need.least,
      room,
      said(SETUP_WORDS.fitsMemory, { gi: gi(Math.ceil(((GROWTH * wanted(need.least)) / GIB) * 4) / 4) }),
    );
  const contextLength = wish.contextLength ?? Math.max(1, Math.min(tokens, need.good));
  return {
    setup: {
      engine,
      cores: wish.cores ?? (weights <= GIB ? 1 : 8),
      memoryGi,
      tensorParallel: 1,
      contextLength,
      memoryFraction: fraction,
      weightBytes: weights,
      cacheBytes: contextLength * token,
      overheadBytes: row.overheadBytes,
      roomBytes: room,
    },
  };
}

interface Tried {
  model?: string;
  count: number;
  room: number;
}

/** The cards that come closest. */
function largestOf(places: readonly Sort[], need: Need): Tried {
  const tried = places.flatMap(({ model, cards, cardBytes }) =>
    model === undefined ? [] : [{ model, count: cards, room: roomOn(need, cards, cardBytes) }],
  );
  return tried.toSorted((a, b) => b.room - a.room)[0] ?? { count: 0, room: 0 };
}

function tooLarge(need: Need, { count, room }: Tried, tokens: number, places: readonly Sort[]): SetupAnswer {
  const fitting = bestCards({ ...need, good: tokens, least: tokens }, places);
  const shorter = tokensIn(need, room);
  const advice = fitting
    ? fitsOn(fitting)
    : shorter >= CONTEXT_STEP
      ? said(SETUP_WORDS.fitsContext, { tokens: `${shorter}` })
      : said(SETUP_WORDS.fitsNowhere);
  return refusal(
    { ...need, row: { ...need.row, overheadBytes: need.row.overheadBytes * Math.max(1, count) } },
    tokens,
    room + count * need.row.overheadBytes,
    advice,
  );
}

const fitsOn = ({ model, count, nodes }: Cards): Said =>
  nodes > 1
    ? said(SETUP_WORDS.fitsOnNodes, { nodes: `${nodes}`, count: `${count}`, model })
    : said(SETUP_WORDS.fitsOn, { count: `${count}`, model });

function refusal({ weights, token, row }: Need, tokens: number, room: number, advice: Said): SetupAnswer {
  const parts = { weights, cache: tokens * token, overhead: row.overheadBytes };
  return {
    reason: 'DoesNotFit',
    args: {
      weightsGi: gi(parts.weights / GIB),
      cacheGi: gi(parts.cache / GIB),
      overheadGi: gi(parts.overhead / GIB),
      needGi: gi(upwards((parts.weights + parts.cache + parts.overhead) / GIB)),
      roomGi: gi(downwards(Math.max(0, room) / GIB)),
      ...quoted('advice', advice),
    },
  };
}

/** To two decimals away from each other, so that what does not fit is not shown as what does. */
const upwards = (amount: number): number => Math.ceil(amount * 100) / 100;
const downwards = (amount: number): number => Math.floor(amount * 100) / 100;

/** Two decimals, and never zero of something. */
const gi = (amount: number): string => `${amount > 0 ? Math.max(0.01, Math.round(amount * 100) / 100) : 0}`;

/** The lines of the arithmetic, in the order of the sum. */
export function arithmeticOf(setup: Chosen): Said[] {
  const {
    gpu,
    nodes = 1,
    weightBytes = 0,
    cacheBytes = 0,
    overheadBytes = 0,
    roomBytes = 0,
    contextLength = 0,
  } = setup;
  const of = (bytes: number) => ({ gi: gi(bytes / GIB) });
  const kib = contextLength > 0 ? gi(cacheBytes / contextLength / 1024) : '0';
  return [
    said(SETUP_WORDS.weights, of(weightBytes)),
    said(SETUP_WORDS.cache, { ...of(cacheBytes), tokens: `${contextLength}`, kib }),
    said(SETUP_WORDS.overhead, of(overheadBytes)),
    gpu
      ? said(nodes > 1 ? SETUP_WORDS.onNodes : SETUP_WORDS.onGpus, {
          ...of(roomBytes),
          ...(nodes > 1 && { nodes: `${nodes}` }),
          count: `${gpu.count}`,
          model: gpu.model,
          percent: `${Math.round(setup.memoryFraction * 100)}`,
        })
      : said(SETUP_WORDS.onCpu, of(roomBytes)),
  ];
}
