// An answer of /v1/completions as OpenAI wrote them: their ids, their log probabilities, and the prompt before what was generated
// where `echo` asks for it. llama.cpp has the first two as chats have them, and knows no echo. Pure.
import type { Engine } from '@gantry/contract/models/engines.ts';
import type { Asked } from './asked.ts';

type Json = Readonly<Record<string, unknown>>;

export class CompletionAnswer {
  readonly #prompts: readonly string[];
  readonly #n: number;
  readonly #requestId: string;
  /** How much of each choice has passed, in letters. */
  readonly #passed = new Map<number, number>();

  constructor({ body }: Pick<Asked, 'body'>, engine: Engine, requestId: string) {
    const { prompt, echo, n } = body;
    const prompts = Array.isArray(prompt) ? prompt : [prompt];
    this.#prompts = echo === true && engine === 'llama.cpp' ? prompts.filter((one) => typeof one === 'string') : [];
    this.#n = typeof n === 'number' ? n : 1;
    this.#requestId = requestId;
  }

  /** Takes a piece of a stream, or a whole answer. */
  take(json: Json): Json {
    const choices = Array.isArray(json.choices)
      ? json.choices.map((one) => (isObject(one) ? this.#choice(one) : one))
      : [];
    return { ...json, id: this.#id(json.id), object: 'text_completion', choices };
  }

  #id(id: unknown): string {
    if (typeof id !== 'string') return `cmpl-${this.#requestId}`;
    return id.startsWith('cmpl-') ? id : `cmpl-${id.replace(/^chatcmpl-/, '')}`;
  }

  #choice(choice: Json): Json {
    const { text, logprobs } = choice;
    if (typeof text !== 'string') return choice;
    const index = typeof choice.index === 'number' ? choice.index : 0;
    const before = this.#passed.get(index);
    const echoed = before === undefined ? (this.#prompts[Math.floor(index / this.#n)] ?? '') : '';
    const from = (before ?? 0) + echoed.length;
    if (before !== undefined || this.#passed.size < MOST_CHOICES) this.#passed.set(index, from + text.length);
    return {
      ...choice,
      text: `${echoed}${text}`,
      ...(isObject(logprobs) && Array.isArray(logprobs.content) && { logprobs: asLists(logprobs.content, from) }),
    };
  }
}

const MOST_CHOICES = 1 << 16;

/** One list for each fact, a token's place in each. */
function asLists(content: readonly unknown[], from: number): object {
  const tokens: string[] = [];
  const likely: (number | null)[] = [];
  const others: Record<string, number>[] = [];
  const offsets: number[] = [];
  let at = from;
  for (const one of content.filter(isObject)) {
    const { token } = one;
    const text = typeof token === 'string' ? token : '';
    tokens.push(text);
    likely.push(typeof one.logprob === 'number' ? one.logprob : null);
    const top = Array.isArray(one.top_logprobs) ? one.top_logprobs.filter(isObject) : [];
    others.push(Object.fromEntries(top.map((other) => [`${other.token as string}`, Number(other.logprob)])));
    offsets.push(at);
    at += text.length;
  }
  return { tokens, token_logprobs: likely, top_logprobs: others, text_offset: offsets };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
