// A request and its answer as a collection keeps them: what was asked without pictures and sounds, and the first of its answers,
// put together from what streamed past. Pure.
import { type Asked, type Endpoint, factsOf, MEDIA, nameOf } from './asked.ts';

type Json = Readonly<Record<string, unknown>>;

/** Whoever keeps records wants none that is longer, with its prompt. */
const MOST_LETTERS = 64 * 1024;
const MOST_CALLS = 128;

/** Embeddings and rankings answer nothing that a model could learn. */
export const isCollected = (endpoint: Endpoint): boolean => factsOf(endpoint).limits !== undefined;

interface ToolCall {
  id?: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export class KeptAnswer {
  #letters = 0;
  #content = '';
  #reasoning = '';
  #refusal = '';
  readonly #calls: ToolCall[] = [];
  #finish: string | null = null;

  /** A piece of a stream, or a whole answer. */
  take(json: Json): void {
    if (this.isTooLong || !Array.isArray(json.choices)) return;
    for (const choice of json.choices.filter(isObject)) {
      if ((choice.index ?? 0) !== 0) continue;
      this.#content += this.#text(choice.text);
      if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason.slice(0, 64);
      const said = isObject(choice.delta) ? choice.delta : choice.message;
      if (isObject(said)) this.#say(said);
    }
  }

  /** The answer begins anew, by another worker. */
  forget(): void {
    this.#letters = 0;
    this.#content = '';
    this.#reasoning = '';
    this.#refusal = '';
    this.#calls.length = 0;
    this.#finish = null;
  }

  get isTooLong(): boolean {
    return this.#letters > MOST_LETTERS;
  }

  get text(): string {
    return this.#content;
  }

  get finish(): string | null {
    return this.#finish;
  }

  /** As a response puts it out, item by item. */
  get output(): object[] {
    const content = [{ type: 'output_text', text: this.#content }];
    const calls = this.#calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called }));
    return [
      ...(this.#content === '' && calls.length > 0 ? [] : [{ type: 'message', role: 'assistant', content }]),
      ...calls,
    ];
  }

  /** As the next message of the conversation. */
  get message(): object {
    return {
      role: 'assistant',
      content: this.#content,
      ...(this.#reasoning !== '' && { reasoning_content: this.#reasoning }),
      ...(this.#refusal !== '' && { refusal: this.#refusal }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    };
  }

  #say(said: Json): void {
    this.#content += this.#text(said.content);
    this.#reasoning += this.#text(said.reasoning_content ?? said.reasoning);
    this.#refusal += this.#text(said.refusal);
    if (!Array.isArray(said.tool_calls)) return;
    for (const [at, call] of said.tool_calls.filter(isObject).entries()) {
      const index = typeof call.index === 'number' ? call.index : at;
      if (!Number.isInteger(index) || index < 0 || index > Math.min(this.#calls.length, MOST_CALLS)) continue;
      const own = this.#calls[index] ?? { type: 'function', function: { name: '', arguments: '' } };
      this.#calls[index] = own;
      if (typeof call.id === 'string' && call.id !== '') own.id = call.id.slice(0, 200);
      if (!isObject(call.function)) continue;
      own.function.name += this.#text(call.function.name);
      own.function.arguments += this.#text(call.function.arguments);
    }
  }

  #text(value: unknown): string {
    if (typeof value !== 'string') return '';
    this.#letters += value.length;
    return this.isTooLong ? '' : value;
  }
}

/** The record that is kept of it; undefined if it would be too long. */
export function recordOf(
  { endpoint, body }: Asked,
  answer: KeptAnswer,
  about: { id: string; time: string; deployment: string; model: string },
): object | undefined {
  const prompt = factsOf(endpoint).prompt.filter((name) => Object.hasOwn(body, name));
  if (answer.isTooLong || isLong(prompt.map((name) => body[name]))) return undefined;
  const asked = Object.fromEntries(prompt.map((name) => [name, withoutMedia(body[name])]));
  const of = { ...about, endpoint: nameOf(endpoint) };
  if (endpoint === '/v1/responses') return { ...of, ...asked, output: answer.output };
  const { finish, message, text } = answer;
  if (endpoint === '/v1/completions') return { ...of, ...asked, completion: text, finish_reason: finish };
  const { messages, ...rest } = asked;
  return { ...of, ...rest, messages: [...(Array.isArray(messages) ? messages : []), message], finish_reason: finish };
}

/** Whether a record of it is longer than one may be, for certain. However large it is, no more than that is looked at. */
function isLong(value: unknown): boolean {
  let letters = 0;
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    // The least that is written of anything is a digit and a comma.
    letters += typeof one === 'string' ? one.length + 2 : 2;
    const inside = piecesOf(one);
    if (letters + 2 * inside.length > MOST_LETTERS) return true;
    rest.push(...inside);
  }
  return false;
}

function piecesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) && !isMedia(value) ? [...Object.keys(value), ...Object.values(value)] : [];
}

/** A picture leaves its type behind. Bodies are not nested deeper than a request may be. */
function withoutMedia(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMedia);
  if (!isObject(value)) return value;
  if (isMedia(value)) return { type: value.type };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutMedia(one)]));
}

const isMedia = ({ type }: Json): boolean => typeof type === 'string' && MEDIA.has(type);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
