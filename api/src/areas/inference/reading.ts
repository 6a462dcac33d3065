// The tokens that an engine's answer states, and the part of it that we have seen ourselves. Its content is hostile. Pure.

import { JsonSize } from '../../platform/json-size.ts';
import { type Asked, factsOf } from './asked.ts';
import type { ReadAnswer, ReadChoice, Tokens } from './count-tokens.ts';
import { dataOf } from './events.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { Shape } from './shapes.ts';
import { WholeAnswer } from './whole-answer.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ReadingParts {
  asked: Asked;
  shape: Shape;
  /** Hears of everything that the answer says. */
  kept?: KeptAnswer | undefined;
  /** The tokens that are charged for what was read until now. */
  counted: () => Tokens;
  /** That one choice may come to. */
  mostOfChoice: number;
}

/** A call of a tool may come in two pieces of one token, after tokens that show nothing. */
const MORE_PIECES_OF_CALLS = 8;
/** Letters that are read at once whatever they say, as those of most events. */
const MOST_UNCOUNTED = 4 * 1024;

export class Reading implements ReadAnswer {
  readonly choices = new Map<number, ReadChoice>();
  total: Partial<Tokens> | undefined;
  isWhole = false;
  /** An event of the stream says that the engine failed: its JSON. */
  failure: string | undefined;
  /** More was sent than was asked for: it is neither counted nor passed on. */
  isBeyond = false;
  /** Events that had something in them. */
  pieces = 0;
  /** The bytes of texts, in UTF-8, as JSON has them: these are written again. */
  bytes = 0;
  /** The size of log probabilities: letters of JSON, and lists and objects among them. */
  readonly likely = { letters: 0, parts: 0 };
  readonly #parts: ReadingParts;
  readonly #gathered: WholeAnswer | undefined;
  /** The fields of the newest piece besides its content. */
  #head: Json = {};
  #usage: Json = {};

  constructor(parts: ReadingParts) {
    this.#parts = parts;
    const { isStream, isStreamed, sent } = parts.asked;
    if (isStreamed && !isStream) this.#gathered = new WholeAnswer(sent.endpoint === '/v1/chat/completions');
  }

  /** The text that the client gets of an event; undefined: nothing. Throws a RangeError for one of too many values. */
  event(event: string): string | undefined {
    const { asked, shape, kept } = this.#parts;
    const data = dataOf(event);
    if (data === undefined) return event;
    if (data === factsOf(asked.sent.endpoint).ends) {
      this.isWhole = true;
      const usage = shape.piece({ ...this.#head, choices: [], usage: this.#charged() }, undefined);
      return `${usage ?? ''}${shape.end(event)}`;
    }
    if (data.length > MOST_UNCOUNTED && !new JsonSize().add(Buffer.from(data)).isReadAtOnce)
      throw new RangeError('an event has too many values, or nests too deep');
    const json = objectIn(data);
    // llama.cpp begins a stream with a null.
    if (!json) return undefined;
    if (isObject(json.error)) {
      this.failure = JSON.stringify({ error: json.error });
      return undefined;
    }
    const choices = listIn(json, 'choices');
    for (const choice of choices) {
      this.#see(choice, choice.delta, 1);
      if (isObject(choice.logprobs)) this.#countLikely(JSON.stringify(choice.logprobs));
    }
    if (this.isBeyond) return undefined;
    kept?.take(json);
    this.#gathered?.take(json);
    const { usage, timings, ...piece } = json;
    this.#report(usage, timings, choices);
    this.#head = piece;
    // The client gets usage at the end, and then for all choices.
    if (this.#gathered || (isObject(usage) && choices.length === 0)) return undefined;
    return usage === undefined && timings === undefined ? shape.piece(json, event) : shape.piece(piece, undefined);
  }

  /** The object that the client gets of an answer that is no stream; undefined: it is no JSON object. */
  whole(text: string): object | undefined {
    const json = objectIn(text);
    if (!json) return undefined;
    this.isWhole = true;
    this.#report(json.usage, undefined, []);
    this.#parts.kept?.take(json);
    for (const choice of listIn(json, 'choices')) this.#see(choice, choice.message, 0);
    return this.#parts.shape.whole(json);
  }

  /** Takes the counts of a whole answer that was read elsewhere. */
  take({ choices, total }: Pick<ReadAnswer, 'choices' | 'total'>): void {
    this.isWhole = true;
    this.total = total;
    for (const [index, choice] of choices) this.choices.set(index, choice);
  }

  /** The same of a stream that has ended, for a client that asked for none. */
  gathered(): object {
    return this.#parts.shape.whole(this.#gathered?.answer(this.#charged()) ?? {});
  }

  #charged(): object {
    const { prompt, cached, completion } = this.#parts.counted();
    const details = isObject(this.#usage.prompt_tokens_details) ? this.#usage.prompt_tokens_details : {};
    return {
      ...this.#usage,
      prompt_tokens: prompt,
      total_tokens: prompt + completion,
      completion_tokens: completion,
      prompt_tokens_details: { ...details, cached_tokens: cached },
    };
  }

  /** `pieces`: of a stream; a whole answer is none. */
  #see(choice: Json, message: unknown, pieces: 0 | 1): void {
    const { asked, mostOfChoice } = this.#parts;
    const index = choice.index ?? 0;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= asked.choices) {
      this.isBeyond = true;
      return;
    }
    const read = this.#choice(index);
    const bytes = bytesOf(choice, message, Buffer.byteLength);
    if (bytes === 0) return;
    const more = isObject(message) && Array.isArray(message.tool_calls) ? MORE_PIECES_OF_CALLS : 0;
    if (read.pieces + pieces > mostOfChoice + more) {
      this.isBeyond = true;
      return;
    }
    read.pieces += pieces;
    read.bytes += bytes;
    this.pieces += pieces;
    this.bytes += bytesOf(choice, message, bytesInJson);
  }

  #countLikely(json: string): void {
    this.likely.letters += json.length;
    this.likely.parts += new JsonSize().add(Buffer.from(json)).parts;
  }

  #choice(index: number): ReadChoice {
    const read = this.choices.get(index) ?? { pieces: 0, bytes: 0, said: undefined };
    this.choices.set(index, read);
    return read;
  }

  /**
   * Notes the counts of the answer that the event is about; otherwise of all. llama.cpp has them in `timings`, for each answer by itself.
   */
  #report(usage: unknown, timings: unknown, choices: readonly Json[]): void {
    if (isObject(usage)) this.#usage = usage;
    const said = isObject(usage) ? saidIn(usage) : isObject(timings) ? saidInTimings(timings) : undefined;
    if (!said) return;
    const [only, ...others] = choices;
    if (only && others.length === 0) this.#choice(typeof only.index === 'number' ? only.index : 0).said = said;
    else this.total = said;
  }
}

const MOST_DEPTH = 8;
/** The fields of a message that hold generated text. */
const SAID = ['content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls', 'function_call'];
const GENERATED = ['content', 'text', 'arguments', 'name', 'function', 'summary', 'input'];

type Measure = (text: string) => number;
const bytesInJson: Measure = (text) => Buffer.byteLength(JSON.stringify(text)) - 2;

function bytesOf({ text }: Json, message: unknown, measure: Measure): number {
  const said = isObject(message) ? message : {};
  return SAID.reduce((all, name) => all + bytesGenerated(said[name], measure), isText(text) ? measure(text) : 0);
}

/** The size of all strings in it that may have been generated. */
function bytesGenerated(value: unknown, measure: Measure, depth = 0): number {
  if (isText(value)) return measure(value);
  if (depth > MOST_DEPTH) return 0;
  if (Array.isArray(value)) return value.reduce((all: number, one) => all + bytesGenerated(one, measure, depth + 1), 0);
  if (!isObject(value)) return 0;
  return GENERATED.reduce(
    (all, name) => (Object.hasOwn(value, name) ? all + bytesGenerated(value[name], measure, depth + 1) : all),
    0,
  );
}

function saidIn(usage: Json): Partial<Tokens> {
  const details = [usage.prompt_tokens_details, usage.input_tokens_details].find(isObject);
  const prompt = first(usage.prompt_tokens, usage.input_tokens, usage.total_tokens);
  return {
    ...(prompt !== undefined && { prompt }),
    ...withNumber('cached', details?.cached_tokens),
    ...withNumber('completion', first(usage.completion_tokens, usage.output_tokens)),
  };
}

function saidInTimings({ prompt_n: read, cache_n: cached, predicted_n: completion }: Json): Partial<Tokens> {
  const prompt = typeof read === 'number' ? read + (typeof cached === 'number' ? cached : 0) : undefined;
  return {
    ...(prompt !== undefined && { prompt }),
    ...withNumber('cached', cached),
    ...withNumber('completion', completion),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const first = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number');
const withNumber = (name: 'cached' | 'completion', value: unknown) =>
  typeof value === 'number' ? { [name]: value } : {};

const listIn = (json: Json, name: string): readonly Json[] => {
  const value = json[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

function objectIn(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
