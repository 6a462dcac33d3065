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
    const tokens = Math.min(stub.tokens ?? 3, limit ?? Number.POSITIVE_INFINITY);
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
    const isResponse = path === '/v1/responses';
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
      const hasRoom = res.write(
        isResponse
          ? responseEvent({ type: 'response.output_text.delta', delta: WORD })
          : chunk(path, at, stub, at === last - 1),
      );
      seen.sent++;
      await roomIn(res, hasRoom);
    }
    if (isResponse) {
      const { prompt_tokens, completion_tokens } = (usage(seen.sent) ?? {}) as Record<string, number>;
      const counts = usage(seen.sent) && { usage: { input_tokens: prompt_tokens, output_tokens: completion_tokens } };
      res.end(responseEvent({ type: 'response.completed', response: { id: 'resp_1', ...counts } }));
      return;
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

function chunk(path: string, at: number, stub: Stub, isLast: boolean): string {
  const delta = stub.toolCall
    ? { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: stub.toolCall }] }
    : { content: WORD };
  const choice =
    path === '/v1/completions' ? { text: WORD } : { delta: at === 0 ? { role: 'assistant', ...delta } : delta };
  return `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, ...choice, finish_reason: isLast ? 'stop' : null }] })}\n\n`;
}

const responseEvent = (event: { type: string; [name: string]: unknown }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function whole(path: string, tokens: number, usage: object | null, stub: Stub): object {
  const said = WORD.repeat(tokens);
  const counts = usage && { usage };
  if (path === '/v1/responses') {
    const { prompt_tokens, completion_tokens } = (usage ?? {}) as Record<string, number>;
    const output = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said, annotations: [] }] },
    ];
    return {
      id: 'resp_1',
      object: 'response',
      output,
      usage: { input_tokens: prompt_tokens, output_tokens: completion_tokens },
    };
  }
  const message = stub.toolCall
    ? { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: stub.toolCall }] }
    : { role: 'assistant', content: said };
  const choice = path === '/v1/completions' ? { text: said } : { message };
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
