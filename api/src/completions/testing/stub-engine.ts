// An engine that does as it is told: the seed of a request names how many tokens it answers with, and how it fails. It counts what it
// has really read and written, whatever it says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface Stub {
  /** Each is one piece of a stream: " word". */
  tokens?: number;
  /** Between two pieces. */
  everyMs?: number;
  /** The connection is cut after so many pieces. */
  dieAfter?: number;
  /** The stream ends after so many pieces, as if that were all. */
  endAfter?: number;
  status?: number;
  body?: string;
  /** What it says in place of the truth; null: nothing. */
  usage?: object | null;
  /** It never answers. */
  isMute?: boolean;
  /** It sends the head of a stream and which role speaks, and never a token: as vLLM does with what it queues. */
  isQueued?: boolean;
  /** It never ends. */
  isEndless?: boolean;
  cached?: number;
  /** What it says, piece by piece, in place of words. */
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
  isCutOff: boolean;
}

const WORD = ' word';

const told: Stub[] = [];
/** A seed that tells every stub engine of this process to answer so: no other field of a request reaches an engine. */
export const seedFor = (stub: Stub): number => told.push(stub) - 1;

export class StubEngine {
  readonly server: Server;
  readonly seen: SeenRequest[] = [];
  /** For requests that say nothing themselves. */
  usual: Stub = {};

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
    const seen: SeenRequest = { path, headers: req.headers, body, text: came, sent: 0, isCutOff: false };
    this.seen.push(seen);
    res.on('close', () => {
      seen.isCutOff = !res.writableFinished;
    });
    const stub = { ...this.usual, ...told[body.seed as number] };
    if (stub.isMute) return;
    if (stub.status !== undefined) {
      res.writeHead(stub.status, { 'content-type': 'application/json' });
      res.end(stub.body ?? '{}');
      return;
    }
    const limit = (body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens) as number | undefined;
    const tokens = Math.min(stub.said?.length ?? stub.tokens ?? 3, limit ?? Number.POSITIVE_INFINITY);
    const prompt = promptTokens(body);
    const usage = (written: number) =>
      stub.usage === undefined
        ? {
            prompt_tokens: prompt,
            completion_tokens: written,
            total_tokens: prompt + written,
            prompt_tokens_details: { cached_tokens: stub.cached ?? 0 },
          }
        : stub.usage;
    if (path === '/v1/rerank') {
      // As llama.cpp answers.
      const documents = body.documents as readonly string[];
      const results = documents.map((_, index) => ({ index, relevance_score: 1.5 - index }));
      const counts = { prompt_tokens: prompt, total_tokens: prompt };
      return void json(res, { model: body.model as string, object: 'list', usage: counts, results });
    }
    if (path === '/v1/embeddings') {
      const data = [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }];
      return void json(res, { object: 'list', data, usage: { prompt_tokens: prompt, total_tokens: prompt } });
    }
    if (stub.failure) {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      return void res.end(`data: ${JSON.stringify(stub.failure)}\n\ndata: [DONE]\n\n`);
    }
    if (body.stream !== true) return void json(res, whole(path, tokens, usage(tokens), stub));
    await this.#stream(res, path, { seen, stub, tokens, usage, body });
  }

  async #stream(
    res: ServerResponse,
    path: string,
    {
      seen,
      stub,
      tokens,
      usage,
      body,
    }: {
      seen: SeenRequest;
      stub: Stub;
      tokens: number;
      usage: (written: number) => object | null;
      body: Record<string, unknown>;
    },
  ): Promise<void> {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    if (stub.isQueued) {
      const choices = [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }];
      return void res.write(`data: ${JSON.stringify({ ...HEAD, choices })}\n\n`);
    }
    const last = stub.isEndless ? Number.POSITIVE_INFINITY : tokens;
    for (let at = 0; at < last; at++) {
      if (at === stub.dieAfter) {
        // What was written before is on its way.
        await delay(20);
        return void res.destroy();
      }
      if (at === stub.endAfter) return void res.end();
      if (res.destroyed) return;
      if (stub.everyMs !== undefined) await delay(stub.everyMs);
      else if (at % 1000 === 999) await delay(0);
      const hasRoom = res.write(chunk(path, at, stub, at === last - 1));
      seen.sent++;
      await roomIn(res, hasRoom);
    }
    const options = body.stream_options as { include_usage?: boolean } | undefined;
    const counts = usage(seen.sent);
    if (options?.include_usage && counts)
      res.write(`data: ${JSON.stringify({ ...HEAD, choices: [], usage: counts })}\n\n`);
    res.end('data: [DONE]\n\n');
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

function chunk(path: string, at: number, stub: Stub, isLast: boolean): string {
  const delta = stub.toolCall
    ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: stub.toolCall }] }
    : { content: wordAt(stub, at) };
  const choice =
    path === '/v1/completions'
      ? { text: wordAt(stub, at), ...likely(stub, [wordAt(stub, at)]) }
      : { delta: at === 0 ? { role: 'assistant', ...delta } : delta };
  return `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, ...choice, finish_reason: isLast ? 'stop' : null }] })}\n\n`;
}

function whole(path: string, tokens: number, usage: object | null, stub: Stub): object {
  const words = Array.from({ length: tokens }, (_, at) => wordAt(stub, at));
  const said = words.join('');
  const counts = usage && { usage };
  const message = stub.toolCall
    ? { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: stub.toolCall }] }
    : { role: 'assistant', content: said };
  const choice = path === '/v1/completions' ? { text: said, ...likely(stub, words) } : { message };
  return { ...HEAD, object: 'chat.completion', choices: [{ index: 0, ...choice, finish_reason: 'stop' }], ...counts };
}

/** Four letters to a token, as the gateway estimates. */
export const promptTokens = ({ messages, prompt, input, query }: Record<string, unknown>): number =>
  Math.ceil(JSON.stringify(messages ?? prompt ?? input ?? query ?? '').length / 4);

function json(res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` });
  res.end(text);
}
