// One call of a data server: sizes and times are bounded, and what goes wrong is one of three: the connection broke, the server refuses, or
// it answers what no data server does.
import { type Agent, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { type Aside, TooMuchWork, taskIn } from '../../platform/aside/aside.ts';
import { GatheredBlocks } from '../../platform/gathered.ts';
import type { Answer, AnswerName, Refusal, readAnswer } from './server-answers.ts';

/** Nothing came of it; the same call may. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** What came is not of the protocol. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** The server's own word, with a code that may be unknown. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  /** Numbers by their names: `bytes` is what is there of a file, where the code is about that. */
  readonly values: Refusal['values'];

  constructor({ code, sentence, values }: Refusal) {
    super(sentence);
    this.code = code;
    this.values = values;
  }
}

export interface Way {
  /** The organisation, whose turn it is where answers are read. */
  id: string;
  host?: string;
  port: number;
  agent: Agent;
  token: string;
}

export interface Call {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  /** With its length. */
  body?: { bytes: Readable | string; length: number };
  /** No byte for so long ends it. */
  idleMs: number;
  signal: AbortSignal;
}

const MOST_REFUSAL_BYTES = 64 * 1024;
const OK = 200;
const LEAST_REFUSAL = 400;
const MOST_REFUSAL = 599;
const UNAVAILABLE = 503;

const READ_ANSWER = taskIn<typeof readAnswer>(new URL('server-answers.ts', import.meta.url), 'readAnswer');
/** Connections beyond its own bound get 503 and an empty body. */
const TOO_MANY: Refusal = { code: 'Busy', sentence: 'The data server has too many connections.', values: {} };

/** Resolves with an answer of status 200, whose body is still to come. */
export async function begin(way: Way, call: Call, aside: Aside): Promise<IncomingMessage> {
  const answer = await send(way, call);
  const status = answer.statusCode ?? 0;
  if (status === OK) return answer;
  if (status < LEAST_REFUSAL || status > MOST_REFUSAL) {
    answer.destroy();
    throw new BadAnswer(`it answers with the status ${status}`);
  }
  const bytes = await read(answer, MOST_REFUSAL_BYTES);
  if (bytes.length === 0 && status === UNAVAILABLE) throw new Refused(TOO_MANY);
  const { problem } = await checked(way, bytes, 'refusal', aside);
  throw new Refused(problem);
}

/** The answer as JSON of that shape. */
export async function ask<Name extends AnswerName>(
  way: Way,
  call: Call,
  { shape, mostBytes }: { shape: Name; mostBytes: number },
  aside: Aside,
): Promise<Answer<Name>> {
  return checked(way, await read(await begin(way, call, aside), mostBytes), shape, aside);
}

/** Parsed and checked on a thread: how large it is, whoever answers chooses. */
export async function checked<Name extends AnswerName>(
  { id }: Way,
  bytes: Uint8Array<ArrayBuffer>,
  shape: Name,
  aside: Aside,
): Promise<Answer<Name>> {
  try {
    const found = await aside.run(READ_ANSWER, [bytes, shape], { lane: id, transfer: [bytes.buffer] });
    return found as Answer<Name>;
  } catch (error) {
    if (error instanceof TooMuchWork && error.why === 'queue') throw new Broken('too much is read at once');
    throw new BadAnswer(`its answer is not understood: ${(error as Error).message.slice(0, 300)}`);
  }
}

/** The whole body. */
async function read(answer: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const gathered = new GatheredBlocks();
  let length = 0;
  try {
    for await (const piece of paced(answer)) {
      length += piece.length;
      if (length > most) throw new BadAnswer(`it answers with more than ${most} bytes`);
      gathered.add(piece);
    }
  } catch (error) {
    throw brokenBy(error);
  }
  return joined(gathered.blocks);
}

/** As it comes, with others' turn after each piece: of many small ones, none takes longer. */
export async function* paced(answer: IncomingMessage): AsyncGenerator<Buffer> {
  for await (const piece of answer as AsyncIterable<Buffer>) {
    yield piece;
    await setImmediate();
  }
}

/** Memory of its own, which may be handed over. */
export function joined(blocks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}

export const brokenBy = (error: unknown): Error =>
  error instanceof BadAnswer || error instanceof Refused
    ? error
    : new Broken(`the data server broke off: ${(error as Error).message}`, { cause: error });

async function send(way: Way, { method, path, query = {}, body, idleMs, signal }: Call): Promise<IncomingMessage> {
  const { host = 'data-server', port, agent, token } = way;
  const search = new URLSearchParams(query).toString();
  const sent = request({
    ...{ host, port, agent, method, signal, timeout: idleMs },
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-length': body.length }),
      ...(typeof body?.bytes === 'string' && { 'content-type': 'application/json' }),
    },
  });
  sent.on('timeout', () => sent.destroy(new Error('nothing came for too long')));
  sent.on('upgrade', (_answer, socket) => socket.destroy(new Error('it switches protocols')));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  // Whoever fails first is heard; the other is not left alone.
  answered.catch(() => {});
  try {
    if (body === undefined || typeof body.bytes === 'string') sent.end(body?.bytes);
    else await pipeline(body.bytes, sent).catch((error: unknown) => Promise.race([answered, Promise.reject(error)]));
    return await answered;
  } catch (error) {
    throw isOfSource(body, error) ? error : brokenBy(error);
  }
}

/** The store that the body comes from is away: that is not the data server's doing. */
const isOfSource = (body: Call['body'], error: unknown): boolean =>
  body !== undefined && typeof body.bytes !== 'string' && body.bytes.errored === error;
