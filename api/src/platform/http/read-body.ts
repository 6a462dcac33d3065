// A JSON body, within its limits: size before it is held, depth before it is parsed.
import type { IncomingMessage } from 'node:http';
import { problem } from '@gantry/contract/http/problem.ts';
import { Gathered } from '../gathered.ts';
import { JsonSize } from '../json-size.ts';
import { refuseBadText } from './refuse-bad-text.ts';

export const MOST_BODY_BYTES = 256 * 1024;
const MOST_DEPTH = 32;
/**
 * The most elements of lists and members of objects. A value that is checked by itself, and refused with a sentence of its own, takes
 * microseconds.
 */
const MOST_VALUES = 10_000;
const MOST_DRAINED_BYTES = 16 * 1024 * 1024;
const MOST_DISCARDED_BYTES = 1024 * 1024;
const MOST_DISCARDING_MS = 5_000;

/**
 * Returns the parsed body; undefined for an empty one. Throws too_large, wrong_media_type, nested_too_deep, too_many_values,
 * malformed_json, bad_text.
 */
export async function readJsonBody(req: IncomingMessage, most = MOST_BODY_BYTES): Promise<unknown> {
  if (Number(req.headers['content-length'] ?? 0) > most) throw problem('too_large', { most });
  const bytes = await readBytes(req, most);
  if (bytes.length === 0) return undefined;
  refuseOtherMedia(req);
  const { deepest, values } = new JsonSize().add(bytes);
  if (deepest > MOST_DEPTH) throw problem('nested_too_deep', { most: MOST_DEPTH });
  if (values > MOST_VALUES) throw problem('too_many_values', { most: MOST_VALUES });
  const body = parsed(textOf(bytes));
  refuseBadText(body);
  return body;
}

/** Reads no further than the limit: what a client sends beyond it waits in the network. */
export function readBytes(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new Gathered();
    const onData = (chunk: Buffer): void => {
      if (gathered.size + chunk.length > most) end(() => reject(problem('too_large', { most })));
      else gathered.add(chunk);
    };
    const onEnd = (): void => end(() => resolve(gathered.bytes));
    const onClose = (): void => end(() => reject(problem('malformed_json', { detail: 'it ended early' })));
    const end = (settle: () => void): void => {
      req.pause().off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      settle();
    };
    req.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
}

/**
 * Before a refusal: many clients read nothing until they have sent all, and a connection that is closed with bytes unread is
 * reset, its answer lost. Resolves at the end of the body, and sooner for one that is far too large or too slow.
 */
export async function drainBody(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  let left = MOST_DRAINED_BYTES;
  await new Promise<void>((resolve) => {
    const onData = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) end();
    };
    const timer = setTimeout(() => end(), MOST_DISCARDING_MS);
    const end = (): void => {
      clearTimeout(timer);
      req.pause().off('data', onData).off('end', end).off('close', end).off('error', end);
      resolve();
    };
    req.on('data', onData).once('end', end).once('close', end).once('error', end);
    req.resume();
  });
}

/** After an answer: discards the rest of an unwanted body, and cuts off a client that never stops. */
export function discardRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  let left = MOST_DISCARDED_BYTES;
  const timer = setTimeout(() => req.destroy(), MOST_DISCARDING_MS);
  req.once('close', () => clearTimeout(timer));
  // Without a listener, a connection that breaks would end the process.
  req.on('error', () => undefined);
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.resume();
}

function refuseOtherMedia({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((part) => part.startsWith('charset='))?.slice('charset='.length);
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (type !== 'application/json' || !isPlain || !isUtf8)
    throw problem('wrong_media_type', { wanted: 'application/json' });
}

// A byte order mark stays and is no JSON.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw problem('malformed_json', { detail: 'it is not UTF-8' });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problem('malformed_json', { detail: (error as Error).message });
  }
}
