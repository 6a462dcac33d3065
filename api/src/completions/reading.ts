// What an engine's answer says of tokens, and how much of an answer we have seen ourselves. What is in it is hostile. Pure.
import { type Asked, factsOf } from './asked.ts';
import type { SeenAnswer, Tokens } from './count.ts';
import { dataOf } from './events.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { Shape } from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

export class Reading {
  readonly seen: SeenAnswer = { deltas: 0, bytes: 0 };
  /** The newest that the engine has said. */
  reported: Partial<Tokens> | undefined;
  /** A stream has ended as it should. */
  isWhole = false;
  /** An event of the stream says that the engine failed: its JSON. */
  failure: string | undefined;
  readonly #asked: Asked;
  readonly #shape: Shape;
  readonly #kept: KeptAnswer | undefined;

  /** `kept` hears of everything that the answer says. */
  constructor(asked: Asked, shape: Shape, kept?: KeptAnswer) {
    this.#asked = asked;
    this.#shape = shape;
    this.#kept = kept;
  }

  /** What the client gets of an event; undefined: nothing. */
  event(event: string): string | undefined {
    const data = dataOf(event);
    if (data === undefined) return event;
    if (data === factsOf(this.#asked.endpoint).ends) {
      this.isWhole = true;
      return this.#shape.end(event);
    }
    const json = objectIn(data);
    if (!json) {
      this.#see(data);
      return event;
    }
    if (isObject(json.error)) {
      this.failure = JSON.stringify({ error: json.error });
      return undefined;
    }
    this.#kept?.take(json);
    for (const choice of listIn(json, 'choices')) {
      this.#see(choice.text);
      this.#message(choice.delta);
    }
    this.#report(json.usage);
    return this.#shape.piece(json, event);
  }

  /** What the client gets of an answer that is no stream; undefined: it is no JSON object. */
  whole(text: string): object | undefined {
    const json = objectIn(text);
    if (!json) return undefined;
    this.isWhole = true;
    this.#report(json.usage);
    this.#kept?.take(json);
    for (const choice of listIn(json, 'choices')) {
      this.#see(choice.text);
      this.#message(choice.message);
    }
    return this.#shape.whole(json);
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
