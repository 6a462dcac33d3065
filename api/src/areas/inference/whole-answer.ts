// The answer that an engine streams, put together for a client that has not asked for a stream. Engines are asked for streams all the
// same: what was generated for a client that leaves is known by then. What is in it is hostile. Pure.

type Json = Readonly<Record<string, unknown>>;

interface Choice {
  text: string;
  /** By its name: a refusal, reasoning. */
  readonly said: Map<string, string>;
  readonly calls: Call[];
  logprobs: Record<string, unknown[]> | undefined;
  finish: Json;
}

interface Call {
  id?: string;
  type: 'function';
  function: { name: string; arguments: string };
}

const MOST_CALLS = 128;
const MOST_REASON_LETTERS = 4 * 1024;
const SAID = ['refusal', 'reasoning_content', 'reasoning'];
const FINISH = ['finish_reason', 'stop_reason', 'matched_stop'];
const HEAD = ['id', 'created', 'model', 'system_fingerprint'];

export class WholeAnswer {
  readonly #isChat: boolean;
  readonly #choices = new Map<number, Choice>();
  #head: Record<string, unknown> = {};

  constructor(isChat: boolean) {
    this.#isChat = isChat;
  }

  /** A piece of the stream, whose choices are among those that were asked for. */
  take(json: Json): void {
    for (const name of HEAD) if (json[name] !== undefined) this.#head[name] ??= json[name];
    if (Array.isArray(json.choices)) for (const one of json.choices) if (isObject(one)) this.#choice(one);
  }

  answer(usage: object): Json {
    const choices = [...this.#choices].sort(([a], [b]) => a - b);
    return {
      ...this.#head,
      object: this.#isChat ? 'chat.completion' : 'text_completion',
      choices: choices.map(([index, choice]) => ({
        index,
        ...(this.#isChat ? { message: messageOf(choice) } : { text: choice.text }),
        logprobs: choice.logprobs ?? null,
        finish_reason: null,
        ...choice.finish,
      })),
      usage,
    };
  }

  #choice(json: Json): void {
    const index = typeof json.index === 'number' ? json.index : 0;
    const choice = this.#choices.get(index) ?? {
      ...{ text: '', said: new Map(), calls: [], logprobs: undefined, finish: {} },
    };
    this.#choices.set(index, choice);
    for (const name of FINISH) if (isScalar(json[name])) choice.finish = { ...choice.finish, [name]: json[name] };
    if (isObject(json.logprobs)) choice.logprobs = longer(choice.logprobs, json.logprobs);
    if (isText(json.text)) choice.text += json.text;
    if (!isObject(json.delta)) return;
    const { delta } = json;
    if (isText(delta.content)) choice.text += delta.content;
    for (const name of SAID) {
      const said = delta[name];
      if (isText(said)) choice.said.set(name, (choice.said.get(name) ?? '') + said);
    }
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) if (isObject(call)) addCall(choice, call);
  }
}

function messageOf({ text, said, calls }: Choice): object {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...Object.fromEntries(said),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function addCall({ calls }: Choice, call: Json): void {
  const index = typeof call.index === 'number' ? call.index : Math.max(0, calls.length - 1);
  if (!Number.isInteger(index) || index < 0 || index > Math.min(calls.length, MOST_CALLS)) return;
  const own = calls[index] ?? { type: 'function', function: { name: '', arguments: '' } };
  calls[index] = own;
  if (isText(call.id)) own.id = call.id;
  if (!isObject(call.function)) return;
  const { name, arguments: args } = call.function;
  if (isText(name)) own.function.name += name;
  if (isText(args)) own.function.arguments += args;
}

/** One list for each fact of the tokens, which go on. */
function longer(before: Record<string, unknown[]> | undefined, more: Json): Record<string, unknown[]> {
  const all = before ?? {};
  for (const [name, list] of Object.entries(more)) {
    if (!Array.isArray(list)) continue;
    const own = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!own) Object.defineProperty(all, name, { value: [...list], enumerable: true });
    else for (const one of list) own.push(one);
  }
  return all;
}

/** Why it ended: a word, a number of a token. Anything else an engine could repeat for each choice. */
const isScalar = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= MOST_REASON_LETTERS);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
