// Which headers of a message go on through a relay, one rule for all of them: what concerns a connection stops here, what frames a
// message is written anew by whoever sends it on, and what only the gateway says nobody else says, in any spelling.
import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';

/** RFC 9110, 7.6.1. A relay frames bodies anew: a body whose end two parties see differently is request smuggling. */
const HOP_BY_HOP = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers of a request that are dropped besides: tokens of ours, its origin, which we state ourselves, `expect`, which the gateway has
 * answered, and `proxy`, which CGI makes the program's own proxy (CVE-2016-5385).
 */
const ONLY_OURS = new Set([
  'expect',
  'forwarded',
  'proxy',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-real-ip',
  'x-token',
]);
const ONLY_OURS_BEGINS = 'x-forwarded-';

/**
 * Headers that a Connection header may remove besides: private ones alone. Every header with a meaning of its own is either in the list
 * above or for the recipient, and none of these may be named (RFC 9110, 7.6.1): a client that does wants a proxy to drop what the program
 * needs, or where the body ends.
 */
const MAY_BE_NAMED = /^x-/;

/** A character of a name other than letters, digits and hyphens. */
const HAS_ALIAS = /[^0-9a-z-]/;

/**
 * The name under which CGI, WSGI, Rack and their like read it, too: X_Forwarded_For and X-Forwarded-For are one variable there.
 */
const foldedOf = (lower: string): string => (HAS_ALIAS.test(lower) ? lower.replaceAll(/[^0-9a-z]/g, '-') : lower);

/** Names in lower case that this Connection header may take out besides the usual ones; undefined where there are none. */
export function namedIn(connection: string | undefined): readonly string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  const named = connection.split(',').map((name) => name.trim().toLowerCase());
  return named.filter((name) => MAY_BE_NAMED.test(name));
}

/** `lower`: the name in lower case. The length is written anew, of what is sent on. */
export function passesInRequest(lower: string, named: readonly string[] | undefined): boolean {
  const folded = foldedOf(lower);
  if (HOP_BY_HOP.has(folded) || ONLY_OURS.has(folded) || folded.startsWith(ONLY_OURS_BEGINS)) return false;
  return folded !== 'content-length' && named?.includes(lower) !== true;
}

/** Statuses without a body: a length beside them would be read by some as that of the bytes that follow. */
export const isBodiless = (status: number): boolean => status < 200 || status === 204 || status === 304;

export const passesInAnswer = (lower: string, status: number, named: readonly string[] | undefined): boolean =>
  !HOP_BY_HOP.has(lower) && named?.includes(lower) !== true && !(lower === 'content-length' && isBodiless(status));

/** Whether Node would write a header that it has read. */
export function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** How a request's body ends: where its length says, after its last chunk; undefined: it has none. */
export type Framing = { length: string } | 'chunks' | undefined;

export function framingOf({ headers }: Pick<IncomingMessage, 'headers'>): Framing {
  if (headers['transfer-encoding'] !== undefined) return 'chunks';
  const length = headers['content-length'];
  return length === undefined || length === '0' ? undefined : { length };
}

/** The path of a request line, between its blanks. */
const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;
const LENGTH = /^\d{1,15}$/;

/** Whether a request can be forwarded: what two servers may read differently is not. */
export function isSound({ url = '', method, httpVersion, rawHeaders, headers }: IncomingMessage): boolean {
  // The absolute form names a host of its own, and `*` nothing. TRACE shows a page the headers that its browser hides.
  if (!PATH.test(url) || method === 'TRACE') return false;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  let hosts = 0;
  let lengths = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 14 && name.toLowerCase() === 'content-length') lengths++;
  }
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (hosts !== 1 || lengths > 1 || (length !== undefined && !LENGTH.test(length))) return false;
  // HTTP/1.0 has no chunks.
  return coding === undefined || (coding.toLowerCase() === 'chunked' && lengths === 0 && httpVersion === '1.1');
}

/** A handshake of a WebSocket. One with a body is none: what comes after it would be read as the other protocol. */
export const isWebSocket = (req: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  req.method === 'GET' && req.headers.upgrade?.toLowerCase() === 'websocket' && framingOf(req) === undefined;
