// An engine that does as it is told: the seed of a request names how many tokens it answers with, and how it fails. It counts what it
// has really read and written, whatever it says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface Stub {
  /** The tokens of each choice, or of all alike. Each token is one piece of a stream: " word". */
  tokens?: number | readonly number[];
  /** Between two pieces. */
  everyMs?: number;
  /** The connection is cut after so many pieces. */
  dieAfter?: number;
  /** It fails once, and then answers in full. */
  isOnce?: boolean;
  /** The stream ends after so many pieces, as if that were all. */
  endAfter?: number;
  status?: number;
  body?: string;
  /** The usage that it states in place of the truth; null: nothing. */
  usage?: object | null;
  /** It never answers. */
  isMute?: boolean;
  /** It sends the head of a stream and which role speaks, and never a token: as vLLM does with what it queues. */
  isQueued?: boolean;
  /** It never ends. */
  isEndless?: boolean;
  /** It says nothing more after so many pieces, until its client leaves. */
  haltsAfter?: number;
  /** So many, however many are asked for. */
  mostAnswers?: number;
  /** It answers in one piece, whatever it is asked. */
  hasNoStreams?: boolean;
  /** The usage that it states along with each piece, in place of the truth; null: nothing. */
  running?: object | null;
  cached?: number;
  /** Its text, piece by piece, in place of words. */
  said?: readonly string[];
  /** It says how likely each piece was, as llama.cpp does. */
  isLikely?: boolean;
  /** An event in the place of its first piece. */
  failure?: object;
  toolCall?: { name: string; arguments: string };
}

export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  /** The same as it came. */
  text: string;
  /** Pieces that were written. */
  sent: number;
  /** The tokens that it has really read and generated. */
  prompt: number;
  cached: number;
  completion: number;
  /** All of the answer was written. */
  isWhole: boolean;
  isCutOff: boolean;
}

const WORD = ' word';

const told: Stub[] = [];
/** A seed that tells every stub engine of this process to answer so: no other field of a request reaches an engine. */
export const seedFor = (stub: Stub): number => told.push(stub) - 1;
/** The same as a word of a prompt, for calls that have no seed. */
export const wordFor = (stub: Stub): string => `stub-${seedFor(stub)}.`;

export class StubEngine {
  readonly server: Server;
  readonly seen: SeenRequest[] = [];
  /** For requests that say nothing themselves. */
  usual: Stub = {};
  embedding: readonly number[] = [0.25, -0.5];

  constructor() {
    this.server = createServer((req, res) => {
      void this.#answer(req, res).catch(() => res.destroy());
    });
  }

  async listen(ip: string, port = 0): Promise<number> {
    this.server.listen(port, ip);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const came = await text(req);
    const body = JSON.parse(came) as Record<string, unknown>;
    const path = req.url ?? '';
    const prompts = promptsIn(body);
    const prompt = sum(prompts);
    const counts = { sent: 0, prompt, cached: 0, completion: 0, isWhole: false };
    const seen: SeenRequest = { path, headers: req.headers, body, text: came, ...counts, isCutOff: false };
    this.seen.push(seen);
    res.on('close', () => {
      seen.isCutOff = !res.writableFinished;
    });
    const stub = { ...this.usual, ...toldIn(body, came) };
    if (stub.isMute) return;
    if (stub.status !== undefined) {
      res.writeHead(stub.status, { 'content-type': 'application/json' });
      res.end(stub.body ?? '{}');
      return;
    }
    if (READS[path]) {
      if (stub.everyMs !== undefined) await delay(stub.everyMs);
      seen.isWhole = true;
      const usage = stub.usage === undefined ? { prompt_tokens: prompt, total_tokens: prompt } : stub.usage;
      return void json(res, {
        model: body.model,
        object: 'list',
        ...(usage && { usage }),
        ...READS[path](prompts, this.embedding),
      });
    }
    if (stub.failure) {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      return void res.end(`data: ${JSON.stringify(stub.failure)}\n\ndata: [DONE]\n\n`);
    }
    const limit = (body.max_tokens ?? body.max_completion_tokens ?? Number.POSITIVE_INFINITY) as number;
    const each = (stub.mostAnswers ?? body.n ?? 1) as number;
    const tokens = Array.from({ length: each * prompts.length }, (_, at) => {
      const wanted = stub.said?.length ?? stub.tokens ?? 3;
      return Math.min(typeof wanted === 'number' ? wanted : (wanted[at % wanted.length] ?? 0), limit);
    });
    seen.cached = Math.min(stub.cached ?? 0, prompts[0] ?? 0);
    if (body.stream === true && !stub.hasNoStreams)
      return void (await this.#stream(res, new Books({ seen, stub, tokens, prompts })));
    seen.completion = sum(tokens);
    seen.isWhole = true;
    json(res, whole(path, tokens, stub.usage === undefined ? usageOf(seen) : stub.usage, stub));
  }

  async #stream(res: ServerResponse, books: Books): Promise<void> {
    const { stub, seen } = books;
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    if (stub.isQueued) {
      const choices = [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }];
      return void res.write(`data: ${JSON.stringify({ ...HEAD, choices })}\n\n`);
    }
    for (let choice = books.next(); choice !== undefined; choice = books.next()) {
      if (await isFailing(res, stub, seen.sent)) return;
      if (stub.everyMs !== undefined) await delay(stub.everyMs);
      else if (seen.sent % 1000 === 999) await delay(0);
      await roomIn(res, res.write(`data: ${JSON.stringify(books.write(choice))}\n\n`));
    }
    for (const usage of books.usages()) res.write(`data: ${JSON.stringify({ ...HEAD, choices: [], usage })}\n\n`);
    res.end('data: [DONE]\n\n');
  }
}

function toldIn(body: Record<string, unknown>, came: string): Stub | undefined {
  const own = told[Number(body.seed ?? /stub-(\d+)\./.exec(came)?.[1])];
  if (!own) return undefined;
  const now = { ...own };
  // Another worker is asked anew.
  if (own.isOnce) for (const name of ['dieAfter', 'endAfter', 'status'] as const) delete own[name];
  return now;
}

/** Answers of endpoints that generate nothing. */
const READS: Readonly<Record<string, (prompts: readonly number[], embedding: readonly number[]) => object>> = {
  // As llama.cpp answers.
  '/v1/rerank': (prompts) => ({ results: prompts.map((_, index) => ({ index, relevance_score: 1.5 - index })) }),
  '/v1/embeddings': (prompts, embedding) => ({
    data: prompts.map((_, index) => ({ object: 'embedding', index, embedding })),
  }),
};

/** Whether its stream goes no further than so many pieces. */
async function isFailing(res: ServerResponse, stub: Stub, sent: number): Promise<boolean> {
  if (sent === stub.dieAfter) {
    // The bytes written before are on their way.
    await delay(20);
    res.destroy();
  } else if (sent === stub.endAfter) res.end();
  return sent === stub.haltsAfter || res.destroyed || res.writableEnded;
}

/** The real cost of one stream, choice by choice in turn, and the counts that its engine states. */
class Books {
  readonly stub: Stub;
  readonly seen: SeenRequest;
  readonly #tokens: readonly number[];
  readonly #prompts: readonly number[];
  readonly #made: number[];
  /** Prompts that were read: each when it is its turn. */
  readonly #begun = new Set<number>();
  #turn = 0;

  constructor({
    seen,
    stub,
    tokens,
    prompts,
  }: {
    seen: SeenRequest;
    stub: Stub;
    tokens: readonly number[];
    prompts: readonly number[];
  }) {
    this.stub = stub;
    this.seen = seen;
    this.#tokens = tokens;
    this.#prompts = prompts;
    this.#made = tokens.map(() => 0);
    seen.prompt = 0;
  }

  /** The next choice that is not through. */
  next(): number | undefined {
    for (let at = 0; at < this.#made.length; at++) {
      const choice = this.#turn++ % this.#made.length;
      if (this.stub.isEndless || (this.#made[choice] ?? 0) < (this.#tokens[choice] ?? 0)) return choice;
    }
    return undefined;
  }

  write(choice: number): object {
    const at = this.#made[choice] ?? 0;
    this.#made[choice] = at + 1;
    this.#begun.add(this.#promptOf(choice));
    this.seen.prompt = sum([...this.#begun].map((one) => this.#prompts[one] ?? 0));
    this.seen.sent++;
    this.seen.completion++;
    const isLast = !this.stub.isEndless && at + 1 === this.#tokens[choice];
    return { ...chunk(this.seen.path, choice, at, this.stub, isLast), ...this.#running(choice) };
  }

  /** The usage at the end: llama.cpp states it for each answer by itself. */
  usages(): object[] {
    this.seen.prompt = sum(this.#prompts);
    this.seen.isWhole = true;
    if (!this.#options?.include_usage || this.stub.usage === null) return [];
    if (this.stub.usage) return [this.stub.usage];
    return this.#isLlama ? this.#made.map((_, choice) => usageOf(this.#countsOf(choice))) : [usageOf(this.seen)];
  }

  get #options() {
    return this.seen.body.stream_options as { include_usage?: boolean; continuous_usage_stats?: boolean } | undefined;
  }

  get #isLlama(): boolean {
    return this.seen.body.timings_per_token === true;
  }

  #promptOf(choice: number): number {
    return Math.floor((choice * this.#prompts.length) / this.#made.length);
  }

  #countsOf(choice: number) {
    const prompt = this.#promptOf(choice);
    return {
      prompt: this.#prompts[prompt] ?? 0,
      cached: prompt === 0 ? this.seen.cached : 0,
      completion: this.#made[choice] ?? 0,
    };
  }

  /** Along with a piece. */
  #running(choice: number): object {
    if (this.stub.running !== undefined) return this.stub.running ?? {};
    const counts = this.#countsOf(choice);
    const { prompt, cached, completion } = counts;
    if (this.#isLlama) return { timings: { cache_n: cached, prompt_n: prompt - cached, predicted_n: completion } };
    const { prompt_tokens_details: _, ...usage } = usageOf(counts);
    return this.#options?.continuous_usage_stats ? { usage } : {};
  }
}

/** As engines do, it generates no more than is taken. */
async function roomIn(res: ServerResponse, hasRoom: boolean): Promise<void> {
  if (!hasRoom && !res.destroyed) await Promise.race([once(res, 'drain'), once(res, 'close')]);
}

const HEAD = { id: 'cmpl-1', object: 'chat.completion.chunk', created: 1, model: 'stub' };

const wordAt = ({ said }: Stub, at: number): string => said?.[at] ?? WORD;

function likely({ isLikely }: Stub, words: readonly string[]): object {
  const of = (token: string) => ({ id: 1, token, bytes: [...Buffer.from(token)], logprob: -0.5 });
  return isLikely ? { logprobs: { content: words.map((token) => ({ ...of(token), top_logprobs: [of(token)] })) } } : {};
}

function chunk(path: string, index: number, at: number, stub: Stub, isLast: boolean): object {
  const delta = stub.toolCall
    ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: stub.toolCall }] }
    : { content: wordAt(stub, at) };
  const choice =
    path === '/v1/completions'
      ? { text: wordAt(stub, at), ...likely(stub, [wordAt(stub, at)]) }
      : { delta: at === 0 ? { role: 'assistant', ...delta } : delta, ...likely(stub, [wordAt(stub, at)]) };
  return { ...HEAD, choices: [{ index, ...choice, finish_reason: isLast ? 'stop' : null }] };
}

function whole(path: string, tokens: readonly number[], usage: object | null, stub: Stub): object {
  const choices = tokens.map((count, index) => {
    const words = Array.from({ length: count }, (_, at) => wordAt(stub, at));
    const said = words.join('');
    const message = stub.toolCall
      ? { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: stub.toolCall }] }
      : { role: 'assistant', content: said };
    const choice = path === '/v1/completions' ? { text: said, ...likely(stub, words) } : { message };
    return { index, ...choice, finish_reason: 'stop' };
  });
  return { ...HEAD, object: 'chat.completion', choices, ...(usage && { usage }) };
}

const usageOf = ({ prompt, cached, completion }: Pick<SeenRequest, 'prompt' | 'cached' | 'completion'>) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached },
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
/** Four letters to a token, as the gateway estimates; or as many as there are numbers. */
const tokensIn = (prompt: unknown): number =>
  Array.isArray(prompt) && typeof prompt[0] === 'number' ? prompt.length : Math.ceil(JSON.stringify(prompt).length / 4);

/** The tokens of each. A query is read with each document. */
function promptsIn({ messages, prompt, input, query, documents }: Record<string, unknown>): number[] {
  if (Array.isArray(documents)) return documents.map((one) => tokensIn(query) + tokensIn(one));
  const said = messages ?? prompt ?? input ?? '';
  const isList = messages === undefined && Array.isArray(said) && typeof said[0] !== 'number';
  return isList ? said.map(tokensIn) : [tokensIn(said)];
}

export const promptTokens = (body: Record<string, unknown>): number => sum(promptsIn(body));

function json(res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` });
  res.end(text);
}
