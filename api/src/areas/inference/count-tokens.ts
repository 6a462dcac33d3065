// How many tokens a request has cost: what its engine says, unless that cannot be, and our own estimate where it says nothing. Each
// answer of a request is counted by itself. Engines run among tenants' things: what they report is hostile. Pure.
import type { PromptSize } from './asked.ts';

export interface Tokens {
  /** All that were read, those from a cache among them. */
  prompt: number;
  cached: number;
  completion: number;
}

/** The content of an engine's answer, and its own counts. */
export interface ReadAnswer {
  /** It ended as it should, so what is said at its end is about all of it. */
  isWhole: boolean;
  /** The newest that the engine said of the whole request. Some say it of one answer alone. */
  total: Partial<Tokens> | undefined;
  /** By the engine's number of each. */
  choices: ReadonlyMap<number, ReadChoice>;
}

export interface ReadChoice {
  /** Events of a stream that had something of it. An engine sends one for a token, or for a few at once. */
  pieces: number;
  /** The bytes of texts, in UTF-8. */
  bytes: number;
  /** The newest that the engine said of it and its prompt. */
  said: Partial<Tokens> | undefined;
}

export interface Bounds {
  prompt: PromptSize;
  prompts: number;
  /** The number of answers to all prompts. */
  choices: number;
  /** The limit of each choice. */
  mostTokens: number | undefined;
  /** The context of the model, prompt and completion together; undefined if unknown. */
  contextTokens: number | undefined;
}

/** Why the engine's count is not what was charged. */
export type Doubt = 'silent' | 'implausible';

export interface Counted {
  tokens: Tokens;
  doubt: Doubt | undefined;
}

/** English has about four letters in a token; of other scripts it is fewer, in bytes about the same. */
const BYTES_OF_A_TOKEN = 4;
/** On an average over an answer. */
const MOST_BYTES_OF_A_PIECE = 16;
/** A token of nothing but blanks may be this long. */
const MOST_BYTES_OF_A_TOKEN = 128;
/** The tokens that a chat template writes around a message. */
const TOKENS_OF_A_PART = 8;
const MOST_TOKENS_OF_A_PART = 64;
/** The tokens that templates write by themselves: a system prompt, instructions for tools. */
const MOST_TOKENS_OF_A_TEMPLATE = 2_048;
const TOKENS_OF_A_PICTURE = 1_024;
const MOST_TOKENS_OF_A_PICTURE = 32_768;
/** Ends of sequences, and tokens that show no text. */
const MOST_HIDDEN_SHARE = 4;
const MOST_HIDDEN = 64;
/** For a model whose context nobody knows. */
const SOME_CONTEXT = 1_048_576;

export const estimatedPrompt = ({ bytes, tokens, parts, media }: PromptSize): number =>
  Math.ceil(bytes / BYTES_OF_A_TOKEN) + tokens + parts * TOKENS_OF_A_PART + media * TOKENS_OF_A_PICTURE;

/** The most that an engine can make of the prompts. */
export function mostPrompt({ prompt, prompts, contextTokens }: Bounds): number {
  const { bytes, tokens, parts, media } = prompt;
  const most =
    bytes + tokens + parts * MOST_TOKENS_OF_A_PART + media * MOST_TOKENS_OF_A_PICTURE + MOST_TOKENS_OF_A_TEMPLATE;
  return contextTokens === undefined ? most : Math.min(most, contextTokens * prompts);
}
const leastPrompt = ({ prompt, prompts, contextTokens = SOME_CONTEXT }: Bounds): number =>
  Math.min(Math.floor(prompt.bytes / MOST_BYTES_OF_A_TOKEN) + prompt.tokens, contextTokens * prompts);

/** The most that one choice may come to. */
export const mostOfChoice = ({ mostTokens, contextTokens = SOME_CONTEXT }: Bounds): number =>
  Math.min(mostTokens ?? contextTokens, contextTokens);
/** The most that may be generated, of all choices. */
export const mostCompletion = (bounds: Bounds): number => bounds.choices * mostOfChoice(bounds);

/** The most that may be generated after prompts of so many tokens: what is left of the context, where nothing else limits it. */
export function completionAfter(bounds: Bounds, prompt: number): number {
  const { prompts, choices, contextTokens = SOME_CONTEXT } = bounds;
  const left = Math.max(0, contextTokens * prompts - prompt);
  return Math.min(mostCompletion(bounds), (choices / prompts) * left);
}

/** The tokens that are likely to be generated, for a model that has lately generated so many for each answer. */
export const usualOf = (bounds: Bounds, ofAnAnswer: number | undefined): number =>
  bounds.choices * Math.min(mostOfChoice(bounds), Math.ceil(ofAnAnswer ?? Number.POSITIVE_INFINITY));

/** Whatever a request comes to costs no more than one of these: the longer its prompt, the less is left for its answers. */
export function largest(bounds: Bounds): Tokens[] {
  return [leastPrompt(bounds), mostPrompt(bounds)].map((prompt) => ({
    prompt,
    cached: 0,
    completion: completionAfter(bounds, prompt),
  }));
}

/** Most engines send a piece for each token, some a few at once; whoever puts more into one is not counted by pieces. */
const estimatedChoice = ({ pieces, bytes }: ReadChoice): number =>
  bytes <= pieces * MOST_BYTES_OF_A_PIECE ? pieces : Math.ceil(bytes / BYTES_OF_A_TOKEN);
/** The least number of tokens in the text that has passed, whatever its engine says. */
const leastOfChoice = ({ pieces, bytes }: ReadChoice): number =>
  Math.max(pieces, Math.ceil(bytes / MOST_BYTES_OF_A_TOKEN));
const hiddenIn = ({ pieces, bytes }: ReadChoice): number => Math.max(pieces, bytes * MOST_HIDDEN_SHARE) + MOST_HIDDEN;

/** `tokensOfAnEstimate`: how many the model has lately read for each one that we had estimated. */
export function countTokens(read: ReadAnswer, bounds: Bounds, tokensOfAnEstimate = 1): Counted {
  const prompt = countPrompt(read, bounds, tokensOfAnEstimate);
  const completion = countCompletion(read, bounds);
  const doubts = [prompt.doubt, completion.doubt];
  return {
    tokens: { prompt: prompt.count, cached: prompt.cached, completion: completion.count },
    doubt: doubts.includes('implausible') ? 'implausible' : doubts.find((doubt) => doubt !== undefined),
  };
}

/** Each prompt is read once, however many answers it gets. */
function countPrompt({ isWhole, total, choices }: ReadAnswer, bounds: Bounds, tokensOfAnEstimate: number) {
  const each = bounds.choices / bounds.prompts;
  const byPrompt = new Map<number, Partial<Tokens>>();
  for (const [index, { said }] of choices) {
    if (said?.prompt === undefined) continue;
    const at = Math.floor(index / each);
    const before = byPrompt.get(at)?.prompt;
    if (before === undefined || said.prompt > before) byPrompt.set(at, said);
  }
  const parts = [...byPrompt.values()];
  const summed: Partial<Tokens> | undefined =
    parts.length === 0 ? undefined : { prompt: sumOf(parts, 'prompt'), cached: sumOf(parts, 'cached') };
  const said = [total, summed].filter((one) => one?.prompt !== undefined);
  const most = mostPrompt(bounds);
  const own = Math.min(Math.ceil(estimatedPrompt(bounds.prompt) * tokensOfAnEstimate), most);
  if (said.length === 0) return { count: own, cached: 0, doubt: 'silent' as const };
  const [first, ...others] = said;
  // An engine that says it of one answer alone says less there.
  const largest = others.reduce((one, other) => ((other?.prompt ?? 0) > (one?.prompt ?? 0) ? other : one), first);
  const { prompt = 0, cached = 0 } = largest ?? {};
  // In an answer that broke off, the engine may not have come to all prompts.
  const isOfAll = isWhole || parts.length === bounds.prompts;
  const isSound =
    said.every((one) => isCount(one?.prompt)) && prompt <= most && (!isOfAll || prompt >= leastPrompt(bounds));
  if (!isSound) return { count: own, cached: 0, doubt: 'implausible' as const };
  return { count: prompt, cached: isCount(cached) && cached <= prompt ? cached : 0, doubt: undefined };
}

/** Never less than what has passed, never more than was asked for, and of what engines say the most of what can be. */
function countCompletion({ isWhole, total, choices }: ReadAnswer, bounds: Bounds) {
  const most = mostCompletion(bounds);
  const all = [...choices.values()];
  const sum = (of: (choice: ReadChoice) => number) => all.reduce((before, choice) => before + of(choice), 0);
  const least = sum(leastOfChoice);
  const own = Math.max(least, Math.min(sum(estimatedChoice), most));
  const parts = all.map(({ said }) => said?.completion).filter((one) => one !== undefined);
  const said = [...(total?.completion === undefined ? [] : [total.completion]), ...parts];
  // An engine that embeds or ranks states no completion.
  if (said.length === 0) return { count: own, doubt: most === 0 ? undefined : ('silent' as const) };
  const summed = sum((choice) => Math.max(choice.said?.completion ?? 0, leastOfChoice(choice)));
  const claimed = Math.max(total?.completion ?? 0, parts.length === 0 ? 0 : summed);
  const hidden = all.length === 0 ? MOST_HIDDEN * bounds.choices : sum(hiddenIn);
  const isSound =
    said.every(isCount) &&
    claimed <= Math.max(least, Math.min(most, hidden)) &&
    (!isWhole || Math.max(total?.completion ?? 0, sumOfNumbers(parts)) >= least);
  if (!isSound) return { count: own, doubt: 'implausible' as const };
  // A count that was sent along the way may be short of what came after it.
  return { count: Math.max(claimed, least), doubt: undefined };
}

/** The share of the newest answer in what is known of a model's tokens. */
const NEWEST = 0.2;
const [LEAST_SHARE, MOST_SHARE] = [0.125, 16];

/** After an answer whose count was believed. */
export function learned(before: number, prompt: number, size: PromptSize): number {
  const estimated = estimatedPrompt(size);
  if (estimated === 0 || prompt === 0) return before;
  const share = Math.min(MOST_SHARE, Math.max(LEAST_SHARE, prompt / estimated));
  return before + NEWEST * (share - before);
}

export const averaged = (before: number | undefined, newest: number): number =>
  before === undefined ? newest : before + NEWEST * (newest - before);

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const sumOfNumbers = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const sumOf = (parts: readonly Partial<Tokens>[], name: 'prompt' | 'cached'): number =>
  sumOfNumbers(parts.map((one) => one[name] ?? 0));
