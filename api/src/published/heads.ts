// Headers on their way through: connection-level ones stop here, ours are taken out, and what the program should know of the
// visitor is put in. Arrays of names and values, as they came: this runs for every request.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { cleanHeaders } from '../tenant-web/clean-answer.ts';

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

export interface Visitor {
  address: string;
  protocol: string;
  /** The Cookie header without ours. */
  cookie: string | undefined;
}

/** Whether a message can be forwarded: what two servers may read differently is not. */
export function isPlain({ url = '', rawHeaders, headers }: IncomingMessage): boolean {
  // The absolute form names a host of its own, and `*` nothing.
  if (url[0] !== '/') return false;
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
export function requestHeaders({ rawHeaders, headers }: IncomingMessage, visitor: Visitor): string[] {
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

/** For the visitor: names and values in turn, as `writeHead` takes them. */
export function answerHeaders(headers: IncomingHttpHeaders, ownCookie: string): string[] {
  const named = namedIn(headers.connection);
  if (named || headers['set-cookie'] !== undefined) return carefulHeaders(headers, ownCookie);
  const kept: string[] = [];
  for (const name in headers) {
    if (DROPPED_ANSWER.has(name)) continue;
    const value = headers[name];
    if (typeof value === 'string') kept.push(name, value);
    else for (const one of value ?? []) kept.push(name, one);
  }
  return kept;
}

/** The same without whatever Node refuses to write, at more cost. */
export const carefulHeaders = (headers: IncomingHttpHeaders, ownCookie: string): string[] =>
  Object.entries(cleanHeaders(headers, ownCookie)).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => [name, one]),
  );

/** The headers that a Connection header takes out besides the usual ones. */
function namedIn(connection: string | undefined): string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return connection.split(',').map((name) => name.trim().toLowerCase());
}
