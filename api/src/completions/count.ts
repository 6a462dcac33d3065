// How many tokens a request has cost: what its engine says, unless that cannot be, and our own estimate where it says nothing.
// Engines run among tenants' things: what they report is hostile. Pure.
import type { PromptSize } from './asked.ts';

export interface Tokens {
  /** All that were read, those from a cache among them. */
  prompt: number;
  cached: number;
  completion: number;
}

/** What we have seen of an answer ourselves. */
export interface SeenAnswer {
  /** Pieces of a stream that had something in them. */
  deltas: number;
  /** Of texts, in UTF-8. */
  bytes: number;
}

export interface Bounds {
  prompt: PromptSize;
  choices: number;
  /** Of each choice. */
  mostTokens: number | undefined;
  /** Of the model, prompt and completion together; undefined where nobody knows it. */
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
const MOST_BYTES_OF_A_DELTA = 16;
/** A token of nothing but blanks may be this long. */
const MOST_BYTES_OF_A_TOKEN = 128;
/** What a chat template writes around a message. */
const TOKENS_OF_A_PART = 8;
const MOST_TOKENS_OF_A_PART = 64;
/** What templates write by themselves: a system prompt, instructions for tools. */
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

/** The most that an engine can make of a prompt. */
export function mostPrompt({ prompt, choices, contextTokens }: Bounds): number {
  const { bytes, tokens, parts, media } = prompt;
  const most =
    bytes + tokens + parts * MOST_TOKENS_OF_A_PART + media * MOST_TOKENS_OF_A_PICTURE + MOST_TOKENS_OF_A_TEMPLATE;
  return contextTokens === undefined ? most : Math.min(most, contextTokens * Math.max(choices, parts));
}

/** The most that may be generated, of all choices. */
export const mostCompletion = ({ choices, mostTokens, contextTokens = SOME_CONTEXT }: Bounds): number =>
  choices * Math.min(mostTokens ?? contextTokens, contextTokens);

/** Most engines send a piece for each token, some a few at once; whoever puts more into one is not counted by pieces. */
const estimatedCompletion = ({ deltas, bytes }: SeenAnswer): number =>
  bytes <= deltas * MOST_BYTES_OF_A_DELTA ? deltas : Math.ceil(bytes / BYTES_OF_A_TOKEN);

/**
 * `reported` is the newest that the engine said; `isWhole`: its answer ended as it should, so it is about all of it. A count that
 * was given along the way may be short of what came after it. `tokensOfAnEstimate`: how many the model has lately read for each one
 * that we had estimated.
 */
export function countTokens(
  reported: Partial<Tokens> | undefined,
  isWhole: boolean,
  seen: SeenAnswer,
  bounds: Bounds,
  tokensOfAnEstimate = 1,
): Counted {
  const own = {
    prompt: Math.min(Math.ceil(estimatedPrompt(bounds.prompt) * tokensOfAnEstimate), mostPrompt(bounds)),
    completion: Math.min(estimatedCompletion(seen), mostCompletion(bounds)),
  };
  if (reported?.prompt === undefined) return { tokens: { ...own, cached: 0 }, doubt: 'silent' };
  const { prompt, cached = 0, completion = 0 } = reported;
  const isPrompt =
    isCount(prompt) && prompt <= mostPrompt(bounds) && prompt >= leastOf(bounds.prompt.bytes, bounds.prompt.tokens);
  const most = Math.min(
    mostCompletion(bounds),
    Math.max(seen.deltas, seen.bytes * MOST_HIDDEN_SHARE) + MOST_HIDDEN * bounds.choices,
  );
  const isCompletion =
    isCount(completion) &&
    (!isWhole || (completion <= most && completion >= Math.min(leastOf(seen.bytes, 0), mostCompletion(bounds))));
  const tokens = {
    prompt: isPrompt ? prompt : own.prompt,
    cached: isPrompt && isCount(cached) && cached <= prompt ? cached : 0,
    completion: !isCompletion
      ? own.completion
      : isWhole
        ? completion
        : Math.max(Math.min(completion, most), Math.min(seen.deltas, mostCompletion(bounds))),
  };
  return { tokens, doubt: isPrompt && isCompletion ? undefined : 'implausible' };
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

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const leastOf = (bytes: number, tokens: number): number => Math.floor(bytes / MOST_BYTES_OF_A_TOKEN) + tokens;
