// A chat completion as the response that was asked for: whole, or as the complete sequence of events. One item is open at a time but
// for calls of tools, which engines may mix. What the chat completion says is hostile. Pure.
type Json = Readonly<Record<string, unknown>>;

export interface ResponseFacts {
  /** Without its kind: `resp_` and others are put before it. */
  id: string;
  /** In seconds. */
  createdAt: number;
  /** As the client asked. */
  request: Json;
}

type Status = 'in_progress' | 'completed' | 'incomplete';
interface Item {
  kind: 'reasoning' | 'message' | 'refusal' | 'call';
  id: string;
  at: number;
  text: string;
  logprobs: unknown[];
  /** Set for a call. */
  callId: string;
  name: string;
  status: Status;
}

const MOST_ITEMS = 256;
const MOST_LETTERS = 64 * 1024 * 1024;

export class ResponseAnswer {
  readonly #facts: ResponseFacts;
  readonly #items: Item[] = [];
  /** By the engine's number of each. */
  readonly #calls = new Map<number, Item>();
  #sequence = 0;
  #letters = 0;
  #finish: string | undefined;
  #usage: Json | undefined;
  #isBegun = false;

  constructor(facts: ResponseFacts) {
    this.#facts = facts;
  }

  /** The events of a piece of the stream. */
  piece(json: Json): string {
    let out = this.#begin();
    if (isObject(json.usage)) this.#usage = json.usage;
    const choice = choiceIn(json);
    if (!choice) return out;
    out += this.#said(choice.delta, choice.logprobs);
    if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason;
    return out;
  }

  /** The last events. */
  end(): string {
    let out = this.#begin();
    for (const item of this.#items) out += this.#close(item, this.#ended());
    const status = this.#status();
    return out + this.#event(`response.${status}`, { response: this.#response(status) });
  }

  whole(json: Json): object {
    if (isObject(json.usage)) this.#usage = json.usage;
    const choice = choiceIn(json);
    if (choice) {
      this.#said(choice.message, choice.logprobs);
      if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason;
    }
    for (const item of this.#items) if (isOpen(item)) item.status = this.#ended();
    return this.#response(this.#status());
  }

  error({ message, code, param }: { message: string; code: string; param: string | null }): string {
    return this.#event('error', { code, message, param });
  }

  #begin(): string {
    if (this.#isBegun) return '';
    this.#isBegun = true;
    const response = this.#response('in_progress');
    return this.#event('response.created', { response }) + this.#event('response.in_progress', { response });
  }

  #said(message: unknown, logprobs: unknown): string {
    if (!isObject(message)) return '';
    const { content, refusal, tool_calls: calls } = message;
    const thought = message.reasoning_content ?? message.reasoning;
    let out = '';
    if (isText(thought)) out += this.#text('reasoning', thought, []);
    if (isText(content)) out += this.#text('message', content, logprobsIn(logprobs));
    if (isText(refusal)) out += this.#text('refusal', refusal, []);
    if (!Array.isArray(calls)) return out;
    for (const [at, call] of calls.entries()) if (isObject(call)) out += this.#call(call, at);
    return out;
  }

  #text(kind: 'reasoning' | 'message' | 'refusal', text: string, logprobs: readonly unknown[]): string {
    let out = '';
    let item = this.#items.at(-1);
    if (item?.kind !== kind || !isOpen(item)) {
      for (const one of this.#items) out += this.#close(one);
      item = this.#open(kind);
      out += this.#event('response.output_item.added', {
        output_index: item.at,
        item: { ...view(item), content: [] },
      });
      out += this.#event('response.content_part.added', {
        ...placeOf(item),
        part: part({ ...item, text: '', logprobs: [] }),
      });
    }
    this.#grow(item, text);
    for (const one of logprobs) item.logprobs.push(one);
    return out + this.#event(DELTAS[kind], { ...placeOf(item), delta: text, ...(kind === 'message' && { logprobs }) });
  }

  #call(call: Json, at: number): string {
    const number = typeof call.index === 'number' ? call.index : at;
    const { name, arguments: args } = isObject(call.function) ? call.function : ({} as Json);
    let item = this.#calls.get(number);
    let out = '';
    if (!item) {
      for (const one of this.#items) if (one.kind !== 'call') out += this.#close(one);
      item = this.#open('call');
      item.name = isText(name) ? name.slice(0, 256) : '';
      item.callId = isText(call.id) ? call.id.slice(0, 256) : `call_${this.#facts.id}${item.at}`;
      this.#calls.set(number, item);
      out += this.#event('response.output_item.added', { output_index: item.at, item: view(item) });
    }
    if (!isText(args) || !isOpen(item)) return out;
    this.#grow(item, args);
    return (
      out +
      this.#event('response.function_call_arguments.delta', { item_id: item.id, output_index: item.at, delta: args })
    );
  }

  #open(kind: Item['kind']): Item {
    if (this.#items.length >= MOST_ITEMS) throw new Error('too many items');
    const at = this.#items.length;
    const item: Item = {
      kind,
      at,
      id: `${PREFIX[kind]}_${this.#facts.id}${at}`,
      text: '',
      logprobs: [],
      callId: '',
      name: '',
      status: 'in_progress',
    };
    this.#items.push(item);
    return item;
  }

  #grow(item: Item, text: string): void {
    this.#letters += text.length;
    if (this.#letters > MOST_LETTERS) throw new Error('too long');
    item.text += text;
  }

  #close(item: Item, status: Status = 'completed'): string {
    if (!isOpen(item)) return '';
    item.status = status;
    const { kind, at, id, text, logprobs, name } = item;
    const last = () => this.#event('response.output_item.done', { output_index: at, item: view(item) });
    if (kind === 'call') {
      const facts = { item_id: id, output_index: at, name, arguments: text };
      return this.#event('response.function_call_arguments.done', facts) + last();
    }
    const place = placeOf(item);
    const said = { ...(kind === 'refusal' ? { refusal: text } : { text }), ...(kind === 'message' && { logprobs }) };
    return (
      this.#event(DELTAS[kind].replace('.delta', '.done'), { ...place, ...said }) +
      this.#event('response.content_part.done', { ...place, part: part(item) }) +
      last()
    );
  }

  #ended(): Status {
    return this.#finish === 'length' ? 'incomplete' : 'completed';
  }

  #status(): 'completed' | 'incomplete' {
    return this.#finish === 'length' || this.#finish === 'content_filter' ? 'incomplete' : 'completed';
  }

  #event(type: string, facts: object): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#sequence++, ...facts })}\n\n`;
  }

  #response(status: Status): object {
    const { id, createdAt, request } = this.#facts;
    const of = (name: string, otherwise: unknown) => request[name] ?? otherwise;
    const { format } = isObject(request.text) ? request.text : ({} as Json);
    const { effort, summary } = isObject(request.reasoning) ? request.reasoning : ({} as Json);
    const reason = this.#finish === 'content_filter' ? 'content_filter' : 'max_output_tokens';
    return {
      id: `resp_${id}`,
      object: 'response',
      created_at: createdAt,
      status,
      completed_at: status === 'completed' ? createdAt : null,
      background: false,
      error: null,
      incomplete_details: status === 'incomplete' ? { reason } : null,
      instructions: of('instructions', null),
      max_output_tokens: of('max_output_tokens', null),
      max_tool_calls: null,
      metadata: of('metadata', {}),
      model: request.model,
      output: this.#items.map(view),
      parallel_tool_calls: of('parallel_tool_calls', true),
      previous_response_id: null,
      prompt_cache_key: of('prompt_cache_key', null),
      reasoning: { effort: effort ?? null, summary: summary ?? null },
      safety_identifier: of('safety_identifier', null),
      service_tier: 'default',
      store: false,
      temperature: of('temperature', 1),
      text: { format: format ?? { type: 'text' } },
      tool_choice: of('tool_choice', 'auto'),
      tools: of('tools', []),
      top_logprobs: of('top_logprobs', 0),
      top_p: of('top_p', 1),
      truncation: 'disabled',
      usage: status === 'in_progress' ? null : usageOf(this.#usage),
      user: of('user', null),
    };
  }
}

const PREFIX = { reasoning: 'rs', message: 'msg', refusal: 'msg', call: 'fc' } as const;
const DELTAS = {
  reasoning: 'response.reasoning_text.delta',
  message: 'response.output_text.delta',
  refusal: 'response.refusal.delta',
} as const;

const isOpen = ({ status }: Item): boolean => status === 'in_progress';
const placeOf = ({ id, at }: Item) => ({ item_id: id, output_index: at, content_index: 0 });

const part = ({ kind, text, logprobs }: Item): object =>
  kind === 'reasoning'
    ? { type: 'reasoning_text', text }
    : kind === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [], logprobs };

function view(item: Item): object {
  const { kind, id, text, callId, name, status } = item;
  if (kind === 'call') return { id, type: 'function_call', status, call_id: callId, name, arguments: text };
  if (kind === 'reasoning') return { id, type: 'reasoning', summary: [], content: [part(item)], status };
  return { id, type: 'message', role: 'assistant', status, content: [part(item)] };
}

/** The usage that the engine states; null if it states none. */
function usageOf(usage: Json | undefined): object | null {
  if (!usage) return null;
  const input = countIn(usage, 'prompt_tokens');
  const output = countIn(usage, 'completion_tokens');
  const read = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const made = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: countIn(read, 'cached_tokens'), cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: countIn(made, 'reasoning_tokens') },
    total_tokens: input + output,
  };
}

const countIn = (json: Json, name: string): number => {
  const value = json[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
};

function choiceIn(json: Json): Json | undefined {
  const [choice] = Array.isArray(json.choices) ? json.choices : [];
  return isObject(choice) ? choice : undefined;
}

/** As OpenAI shows them: no more than a token, its bytes, how likely it and others were. */
function logprobsIn(logprobs: unknown): object[] {
  const content = isObject(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : [];
  return content.filter(isObject).map((one) => ({
    ...likely(one),
    top_logprobs: (Array.isArray(one.top_logprobs) ? one.top_logprobs : []).filter(isObject).map(likely),
  }));
}
const likely = ({ token, bytes, logprob }: Json) => ({
  token: typeof token === 'string' ? token : '',
  bytes: Array.isArray(bytes) ? bytes : [],
  logprob: typeof logprob === 'number' ? logprob : 0,
});

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
