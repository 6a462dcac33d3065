// Requests that can be read at a glance: one whole message in one piece, in the plainest form. Everything else is left to Node's
// parser, which reads all of HTTP: what is taken here, both must read alike. Pure.

import type { IncomingHttpHeaders } from 'node:http';

/** The fields of a request that its way needs; Node's IncomingMessage without its stream. */
export interface PlainRequest {
  method: string;
  url: string;
  /** By names in lower case. */
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  rawHeaders: string[];
  /** The body in Latin-1. */
  whole: string;
}

export const MOST_PLAIN_BYTES = 16 * 1024;

const REQUEST_LINE = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const LENGTH = /^(?:0|[1-9]\d{0,5})$/;
const HAS_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Those that change what the connection does, or how the message is read. */
const NOT_PLAIN = new Set([
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'proxy-connection',
  'http2-settings',
]);

/** Undefined: not plain, which says nothing about whether it is sound. */
export function readPlainRequest(text: string): PlainRequest | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const lineEnd = text.indexOf('\r\n');
  const [, method = '', url = ''] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? [];
  if (method === '') return undefined;
  const headers: IncomingHttpHeaders = Object.create(null);
  const rawHeaders: string[] = [];
  if (!readHeaders(text, lineEnd, end, headers, rawHeaders)) return undefined;
  const { host, connection, 'content-length': length } = headers;
  if (host === undefined || (connection !== undefined && connection.toLowerCase() !== 'keep-alive')) return undefined;
  if (length !== undefined && !(LENGTH.test(length) && HAS_BODY.has(method))) return undefined;
  const whole = text.slice(end + 4);
  // Part of a message, or more than one.
  if (whole.length !== Number(length ?? 0)) return undefined;
  return { method, url, headers, rawHeaders, whole };
}

/** Reads the header lines after `lineEnd`. False: not plain. */
function readHeaders(
  text: string,
  lineEnd: number,
  end: number,
  headers: IncomingHttpHeaders,
  rawHeaders: string[],
): boolean {
  let at = lineEnd;
  while (at < end) {
    const from = at + 2;
    at = text.indexOf('\r\n', from);
    const colon = text.indexOf(':', from);
    if (colon < 0 || colon >= at) return false;
    const name = text.slice(from, colon);
    const value = text.slice(text.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1, at);
    if (!NAME.test(name) || !VALUE.test(value)) return false;
    const lower = name.toLowerCase();
    // Twice the same name may mean a list, the first or the last one.
    if (NOT_PLAIN.has(lower) || headers[lower] !== undefined) return false;
    headers[lower] = value;
    rawHeaders.push(name, value);
  }
  return true;
}
