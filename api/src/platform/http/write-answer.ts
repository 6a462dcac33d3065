// Answers onto the wire: the envelope of a success, the body of a problem.

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Page, RouteFacts } from '@gantry/contract/http/define-route.ts';
import { isWholeList } from '@gantry/contract/http/envelope.ts';
import { type Problem, statusOf } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';

/** The body of a success; undefined where the handler has written its answer itself. */
export function bodyOf(route: RouteFacts, answer: unknown, asked: unknown): unknown {
  const { answer: facts } = route;
  if ('raw' in facts) return answer;
  if ('result' in facts) return { code: 0, message: 'ok', result: answer };
  if (isWholeList(route)) return listBody(wholePage(answer as unknown[]), {});
  if ('data' in facts) return { code: 0, message: 'ok', data: answer };
  if ('text' in facts) return { code: 0, message: facts.text };
  if ('list' in facts) return listBody(answer as Page<unknown>, asked as { page?: number; size?: number });
  return undefined;
}

const wholePage = (items: readonly unknown[]): Page<unknown> => ({ items, total: items.length });

function listBody({ items, total, extra = {} }: Page<unknown>, asked: { page?: number; size?: number }) {
  const { page = 1, size = Math.max(1, items.length) } = asked;
  const paginated = { page, size, total_num: total, total_page: Math.ceil(total / size), num: items.length, extra };
  return { code: 0, message: 'ok', data: items, paginated };
}

/**
 * A complete body including its envelope, made in advance: it is sent unchanged, or not at all to a client that already has it. A
 * handler returns it instead of its answer.
 */
export class Prepared {
  readonly etag: string;
  readonly bytes: Buffer;

  constructor(etag: string, bytes: Buffer) {
    this.etag = etag;
    this.bytes = bytes;
  }
}

/** Prepares a plain answer. `asked`: the query of a list. */
export const preparedOf = (route: RouteFacts, answer: unknown, asked: unknown = {}): Prepared =>
  preparedText(JSON.stringify(bodyOf(route, answer, asked)));

/** Prepares an answer with fields that are the text of their JSON already. */
export function preparedWith<F extends string>(route: RouteFacts, answer: Record<F, string>, ...fields: F[]): Prepared {
  const nulls = Object.fromEntries(fields.map((field) => [field, null]));
  const others = Object.fromEntries(Object.entries(answer).filter(([name]) => !(name in nulls)));
  // They come last, and within other texts quotes have a backslash before them.
  let text = JSON.stringify(bodyOf(route, { ...others, ...nulls }, {}));
  let before = text.length;
  for (const field of fields.toReversed()) {
    const name = `${JSON.stringify(field)}:`;
    before = text.lastIndexOf(`${name}null`, before);
    const at = before + name.length;
    text = text.slice(0, at) + answer[field] + text.slice(at + 'null'.length);
  }
  return preparedText(text);
}

/** Prepares an answer that is JSON in UTF-8 already. */
export function preparedJson(route: RouteFacts, json: Uint8Array): Prepared {
  const [before, after] = JSON.stringify(bodyOf(route, null, {})).split('null') as [string, string];
  return preparedBytes(Buffer.concat([Buffer.from(before), json, Buffer.from(after)]));
}

const preparedText = (text: string): Prepared => preparedBytes(Buffer.from(text));

function preparedBytes(bytes: Buffer): Prepared {
  return new Prepared(`"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`, bytes);
}

export function writePrepared(res: ServerResponse, status: number, { etag, bytes }: Prepared): void {
  res.setHeader('etag', etag);
  // Kept by the browser, and asked about each time.
  if (!res.hasHeader('cache-control')) res.setHeader('cache-control', 'private, no-cache');
  const known = res.req.headers['if-none-match'];
  if (known !== undefined && knows(known, etag)) {
    res.statusCode = 304;
    res.end();
  } else writeBytes(res, status, bytes, bytes.length);
}

const knows = (known: string, etag: string): boolean =>
  known === etag || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);

/** The text of a JSON body. */
export function writeText(res: ServerResponse, status: number, text: string): void {
  if (!res.hasHeader('cache-control')) res.setHeader('cache-control', 'no-store');
  writeBytes(res, status, text, Buffer.byteLength(text));
}

function writeBytes(res: ServerResponse, status: number, body: string | Buffer, length: number): void {
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', length);
  // A string goes out with the headers in one write, bytes in a second one; each byte is one character of latin1.
  if (typeof body !== 'string' && length <= ONE_WRITE_BYTES) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

const ONE_WRITE_BYTES = 16 * 1024;

/** Nothing where the answer has begun already: then only cutting it off tells that it failed. */
export function writeProblem(res: ServerResponse, fault: Problem, language: Language, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const name of ['etag', 'content-disposition', 'cache-control']) res.removeHeader(name);
  if (fault.retryAfterSeconds !== undefined) res.setHeader('retry-after', Math.ceil(fault.retryAfterSeconds));
  // Clients have no use for an argument's text in other languages.
  const args = Object.entries(fault.args).filter(([name]) => !name.includes('.'));
  const body = {
    code: fault.code,
    error: fault.problem,
    message: problemIn(language, fault.problem, fault.args),
    ...(fault.field !== undefined && { field: fault.field }),
    ...(args.length > 0 && { args: Object.fromEntries(args) }),
    request_id: requestId,
  };
  writeText(res, statusOf(fault.problem), JSON.stringify(body));
}
