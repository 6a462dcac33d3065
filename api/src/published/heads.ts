// Headers on their way through: connection-level ones stop here, ours are taken out, and what the program should know of the
// visitor is put in. Arrays of names and values, as they came: this runs for every request.
import type { IncomingMessage } from 'node:http';
import { cleanCookie } from '../tenant-web/clean-answer.ts';
import type { AnswerHead } from './answer-frame.ts';
import type { ComingPlain } from './short-way.ts';

/** A request, whichever way it came. */
export type Coming = IncomingMessage | ComingPlain;

/** Every API token begins with it. */
const OUR_TOKEN = /^bearer\s+gty_/i;

/** RFC 9110, 7.6.1; with them those that only we say, and `expect`, which the gateway has answered. */
const DROPPED_REQUEST = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'x-token',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-real-ip',
  'forwarded',
]);
const DROPPED_ANSWER = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Servers may wait for a body that no length says there is none of (RFC 9110, 8.6). */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** What a request line has between its blanks. */
const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

export interface Visitor {
  address: string;
  protocol: string;
  /** The Cookie header without ours. */
  cookie: string | undefined;
}

/** Whether a message can be forwarded: what two servers may read differently is not. */
export function isSound({ url = '', rawHeaders, headers }: IncomingMessage): boolean {
  // The absolute form names a host of its own, and `*` nothing.
  if (!PATH.test(url)) return false;
  let hosts = 0;
  let lengths = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 14 && name.toLowerCase() === 'content-length') lengths++;
  }
  const coding = headers['transfer-encoding'];
  return hosts === 1 && lengths <= 1 && (coding === undefined || (coding.toLowerCase() === 'chunked' && lengths === 0));
}

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** For the replica. */
export function requestHeaders(
  { rawHeaders, headers }: Pick<Coming, 'rawHeaders' | 'headers'>,
  visitor: Visitor,
): string[] {
  const named = namedIn(headers.connection);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    const lower = name.toLowerCase();
    if (DROPPED_REQUEST.has(lower) || named?.includes(lower) || lower === 'cookie') continue;
    // Whatever the access is: the program has no use for a token of the API.
    if (lower === 'authorization' && OUR_TOKEN.test(value)) continue;
    kept.push(name, value);
  }
  if (visitor.cookie !== undefined) kept.push('cookie', visitor.cookie);
  kept.push(
    'x-forwarded-for',
    visitor.address,
    'x-forwarded-proto',
    visitor.protocol,
    'x-forwarded-host',
    headers.host ?? '',
  );
  return kept;
}

/** The same as text, up to the body. */
export function requestHead(req: Coming, visitor: Visitor): string {
  const { method = 'GET', url = '/', headers } = req;
  const kept = requestHeaders(req, visitor);
  let text = `${method} ${url} HTTP/1.1\r\n`;
  for (let at = 0; at < kept.length; at += 2) text += `${kept[at]}: ${kept[at + 1]}\r\n`;
  if (headers['transfer-encoding'] !== undefined) text += 'transfer-encoding: chunked\r\n';
  else if (headers['content-length'] === undefined && EXPECTS_BODY.has(method)) text += 'content-length: 0\r\n';
  return `${text}\r\n`;
}

/** For the visitor: names and values in turn, as `writeHead` takes them. */
export function answerHeaders({ names, headers, named }: AnswerHead, ownCookie: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    if (DROPPED_ANSWER.has(name) || named?.includes(name)) continue;
    const value = headers[2 * at + 1] as string;
    const clean = name === 'set-cookie' ? cleanCookie(value, ownCookie) : value;
    if (clean !== undefined) kept.push(headers[2 * at] as string, clean);
  }
  return kept;
}

/** The headers that a Connection header takes out besides the usual ones. */
function namedIn(connection: string | undefined): string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return connection.split(',').map((name) => name.trim().toLowerCase());
}
