// What an engine's answer says of tokens, and how much of an answer we have seen ourselves. What is in it is hostile. Pure.
import { type Asked, factsOf } from './asked.ts';
import type { SeenAnswer, Tokens } from './count.ts';
import { dataOf, withData } from './events.ts';
import type { KeptAnswer } from './kept-answer.ts';

type Json = Readonly<Record<string, unknown>>;

export class Reading {
  readonly seen: SeenAnswer = { deltas: 0, bytes: 0 };
  /** The newest that the engine has said. */
  reported: Partial<Tokens> | undefined;
  /** A stream has ended as it should. */
  isWhole = false;
  /** An event of the stream says that the engine failed. */
  isFailed = false;
  readonly #asked: Asked;
  readonly #kept: KeptAnswer | undefined;

  /** `kept` hears of everything that the answer says. */
  constructor(asked: Asked, kept?: KeptAnswer) {
    this.#asked = asked;
    this.#kept = kept;
  }

  /** What the client gets of an event; undefined: nothing. */
  event(event: string): string | undefined {
    const data = dataOf(event);
    if (data === undefined) return event;
    const { ends } = factsOf(this.#asked.endpoint);
    if (ends && 'data' in ends && data === ends.data) {
      this.isWhole = true;
      return event;
    }
    const json = objectIn(data);
    if (!json) {
      this.#see(data);
      return event;
    }
    if (ends && 'types' in ends) {
      this.#response(json, ends.types);
      return event;
    }
    return this.#chunk(event, json);
  }

  /** The whole of an answer that is no stream. False: it is no JSON object. */
  whole(text: string): boolean {
    const json = objectIn(text);
    if (!json) return false;
    this.isWhole = true;
    this.#report(json.usage);
    this.#kept?.take(json);
    for (const choice of listIn(json, 'choices')) {
      this.#see(choice.text);
      this.#message(choice.message);
    }
    for (const item of listIn(json, 'output')) this.#texts(item);
    return true;
  }

  #chunk(event: string, json: Json): string | undefined {
    if (isObject(json.error)) this.isFailed = true;
    this.#kept?.take(json);
    const choices = listIn(json, 'choices');
    for (const choice of choices) {
      this.#see(choice.text);
      this.#message(choice.delta);
    }
    if (!isObject(json.usage)) return event;
    this.#report(json.usage);
    if (this.#asked.wantsUsage) return event;
    // The client has not asked for it, and may not know an event without choices.
    if (choices.length === 0) return undefined;
    return withData(event, JSON.stringify({ ...json, usage: undefined }));
  }

  #response(json: Json, ends: readonly string[]): void {
    const { type } = json;
    this.#kept?.take(json);
    if (type === 'error') this.isFailed = true;
    if (typeof type === 'string' && type.endsWith('.delta')) this.#see(json.delta);
    if (typeof type !== 'string' || !ends.includes(type)) return;
    this.isWhole = true;
    if (!isObject(json.response)) return;
    this.#report(json.response.usage);
    if (type !== 'response.failed') this.#kept?.take(json.response);
    else this.isFailed = true;
  }

  #message(message: unknown): void {
    if (!isObject(message)) return;
    const before = this.seen.bytes;
    for (const name of SAID) this.#texts(message[name]);
    if (this.seen.bytes > before) this.seen.deltas++;
  }

  #see(text: unknown): void {
    if (!isText(text)) return;
    this.seen.bytes += Buffer.byteLength(text);
    this.seen.deltas++;
  }

  /** Of all strings in it that may have been generated. */
  #texts(value: unknown, depth = 0): void {
    if (isText(value)) this.seen.bytes += Buffer.byteLength(value);
    else if (depth > MOST_DEPTH) return;
    else if (Array.isArray(value)) for (const one of value) this.#texts(one, depth + 1);
    else if (isObject(value))
      for (const name of GENERATED) if (Object.hasOwn(value, name)) this.#texts(value[name], depth + 1);
  }

  #report(usage: unknown): void {
    if (!isObject(usage)) return;
    const details = [usage.prompt_tokens_details, usage.input_tokens_details].find(isObject);
    const prompt = first(usage.prompt_tokens, usage.input_tokens, usage.total_tokens);
    this.reported = {
      ...(prompt !== undefined && { prompt }),
      ...withNumber('cached', details?.cached_tokens),
      ...withNumber('completion', first(usage.completion_tokens, usage.output_tokens)),
    };
  }
}

const MOST_DEPTH = 8;
/** Where a message has what was generated. */
const SAID = ['content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls', 'function_call'];
const GENERATED = ['content', 'text', 'arguments', 'name', 'function', 'summary', 'input'];

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
