// One call of a program of ours in a tenant's Pod: sizes and times are bounded. What it answers is a stranger's word, because it reads what
// tenants brought.
import { type Agent, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { GatheredBlocks } from '../gathered.ts';

/** Nothing came of it; the same call may. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** The answer does not follow the protocol. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
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

/** The whole body. Throws BadAnswer where it has more bytes, Broken. */
export async function readWhole(answer: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer>> {
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
  error instanceof BadAnswer || error instanceof Broken
    ? error
    : new Broken(`the Pod broke off: ${(error as Error).message}`, { cause: error });

/** Resolves with the head of its answer, whatever its status. Throws Broken, or what the source of the body failed with. */
export async function send(
  way: Way,
  { method, path, query = {}, body, idleMs, signal }: Call,
): Promise<IncomingMessage> {
  const { host = 'pod', port, agent, token } = way;
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
