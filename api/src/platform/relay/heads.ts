// The heads that a program and its visitor get: what passes (`passing-headers.ts`), what the program should know of the visitor, and
// how the body ends, which is written anew. Arrays of names and values, as they came: this runs for every request.
import type { IncomingMessage } from 'node:http';
import type { AnswerHead } from './answer-frame.ts';
import { cleanCookie } from './clean-answer.ts';
import { type Framing, namedIn, passesInAnswer, passesInRequest } from './passing-headers.ts';
import type { ComingPlain } from './short-way.ts';

/** A request, whichever way it came. */
export type Coming = IncomingMessage | ComingPlain;

/** Every API token begins with it. */
const OUR_TOKEN = /^bearer\s+gty_/i;

/** Servers may wait for a body that no length says there is none of (RFC 9110, 8.6). */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH']);

export interface Visitor {
  address: string;
  protocol: string;
  /** The Cookie header without ours. */
  cookie: string | undefined;
  /** The path below which the visitor sees the program, where it has no host of its own. */
  prefix?: string | undefined;
}

/** For the replica. Nothing of how the body ends. */
export function requestHeaders(
  { rawHeaders, headers }: Pick<Coming, 'rawHeaders' | 'headers'>,
  { address, protocol, cookie, prefix }: Visitor,
): string[] {
  const named = namedIn(headers.connection);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    const lower = name.toLowerCase();
    if (lower === 'cookie' || !passesInRequest(lower, named)) continue;
    // Whatever the access is: the program has no use for a token of the API.
    if (lower === 'authorization' && OUR_TOKEN.test(value)) continue;
    kept.push(name, value);
  }
  if (cookie !== undefined) kept.push('cookie', cookie);
  kept.push('x-forwarded-for', address, 'x-forwarded-proto', protocol, 'x-forwarded-host', headers.host ?? '');
  if (prefix !== undefined) kept.push('x-forwarded-prefix', prefix);
  return kept;
}

/** The same as text, up to the body. */
export function requestHead(req: Coming, visitor: Visitor, framing: Framing): string {
  const { method = 'GET', url = '/' } = req;
  const kept = requestHeaders(req, visitor);
  let text = `${method} ${url} HTTP/1.1\r\n`;
  for (let at = 0; at < kept.length; at += 2) text += `${kept[at]}: ${kept[at + 1]}\r\n`;
  if (framing === 'chunks') text += 'transfer-encoding: chunked\r\n';
  else if (framing) text += `content-length: ${framing.length}\r\n`;
  else if (EXPECTS_BODY.has(method)) text += 'content-length: 0\r\n';
  // Whether a program has read a body, nobody can see: one that has not takes it for the next request.
  if (framing) text += 'connection: close\r\n';
  return `${text}\r\n`;
}

/** For the visitor: names and values in turn, as `writeHead` takes them. */
export function answerHeaders({ status, names, headers, named }: AnswerHead, ownCookie: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    if (!passesInAnswer(name, status, named)) continue;
    const value = headers[2 * at + 1] as string;
    const clean = name === 'set-cookie' ? cleanCookie(value, ownCookie) : value;
    if (clean !== undefined) kept.push(headers[2 * at] as string, clean);
  }
  return kept;
}
