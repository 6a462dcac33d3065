// The definition of a route: one object of facts. Routing, permission, validation, the OpenAPI document, the typed client and the
// generated tests all read it.
import type * as z from 'zod';
import type { Feature } from '../features.ts';
import type { Right, StaffAccess } from '../roles.ts';
import type { ProblemCode } from './problem.ts';

/**
 * The callers that a route admits: anybody; everybody logged in, in any role; members of the token's organisation whose role has the right;
 * the platform's staff whose roles have the menu, and are `role` if one is named.
 */
export type Access = 'public' | 'account' | { right: Right } | StaffAccess;

/**
 * The shape of a success. `result` and `data` are members of the envelope, `list` is `data: […]` beside `paginated`; `raw`
 * has no envelope; `text` is an envelope with nothing but a message.
 */
export type AnswerFacts =
  | { result: z.ZodType }
  | { data: z.ZodType }
  | { list: z.ZodType }
  | { raw: z.ZodType }
  | { text: 'ok' }
  | { stream: string }
  | { file: string };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RouteFacts {
  /** Unique, camelCase: the operation's id, and the permission node of its button. */
  id: string;
  method: Method;
  /** Below /api, with `{name}` for parameters. */
  path: string;
  tag: string;
  /** One English sentence. */
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: AnswerFacts;
  /** 200 where absent; 303 sends a browser on to another page. */
  status?: 200 | 201 | 202 | 303;
  /** Besides the frame's own: validation, 401, 403, 413, 429, 503. */
  problems: readonly ProblemCode[];
  /** 256 KiB where absent. */
  bodyBytes?: number;
  /** Streams, transfers and exports: the limit of 30 seconds is not theirs. */
  exempt?: true;
  /** The body is not JSON: the handler reads the request itself. */
  upload?: true;
  /** A POST that changes nothing: its body is a question. No audit entry is written, and it may be asked again at will. */
  asks?: true;
  /** The answer holds a secret: it is not stored, so a call cannot be repeated under an Idempotency-Key. */
  secret?: true;
  /** Refused while this is closed. */
  feature?: Feature;
  /** Per address; for routes that guess or send. Besides the limits that all routes share. */
  attemptsPerMinute?: number;
}

/** Gives the facts back with their literal types. */
export const defineRoute = <const F extends RouteFacts>(facts: F): F => facts;

export type ParamsOf<F extends RouteFacts> = F extends { params: infer S extends z.ZodType } ? z.output<S> : unknown;
export type QueryOf<F extends RouteFacts> = F extends { query: infer S extends z.ZodType } ? z.output<S> : unknown;
export type BodyOf<F extends RouteFacts> = F extends { body: infer S extends z.ZodType } ? z.output<S> : undefined;

/** One page of a list, before it is put into the envelope. `total` counts all pages. */
export interface Page<Item> {
  items: readonly Item[];
  total: number;
  extra?: Record<string, unknown>;
}

/** The start of the next page; undefined on the last one. A list that takes a cursor has to name the next. */
interface CursorExtra {
  extra: { cursor: string | undefined };
}

/** A handler's result. Nothing for streams and files: the handler has written them. */
export type HandlerAnswer<F extends RouteFacts> = F['answer'] extends { result: infer S extends z.ZodType }
  ? z.input<S>
  : F['answer'] extends { data: infer S extends z.ZodType }
    ? z.input<S>
    : F['answer'] extends { list: infer S extends z.ZodType }
      ? Page<z.input<S>> & ('cursor' extends keyof QueryOf<F> ? CursorExtra : unknown)
      : F['answer'] extends { raw: infer S extends z.ZodType }
        ? z.input<S>
        : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to say returns nothing
          void;

/** A call that may change something. */
export const isMutation = ({ method, asks }: Pick<RouteFacts, 'method' | 'asks'>): boolean => method !== 'GET' && !asks;

/**
 * Whether a call may be repeated under an Idempotency-Key: the first answer is stored, so it must belong to somebody and hold no
 * secret.
 */
export const takesIdempotencyKey = ({ method, access, answer, upload, secret, asks }: RouteFacts): boolean =>
  method === 'POST' && access !== 'public' && !upload && !secret && !asks && !('stream' in answer || 'file' in answer);

/** The frame's own answers, by the route's properties: no row names these again. */
export const ANSWERS_OF_EVERY_ROUTE = {
  all: ['invalid_field', 'bad_text', 'two_tokens', 'too_many_requests', 'internal', 'unavailable', 'timed_out'],
  signedIn: ['unauthenticated', 'org_mismatch'],
  allowed: ['permission_missing'],
  staff: ['second_factor_needed'],
  named: ['not_found'],
  withBody: [
    'malformed_json',
    'nested_too_deep',
    'request_too_slow',
    'too_large',
    'too_many_values',
    'wrong_media_type',
  ],
  mutation: ['conflict'],
  withIdempotencyKey: ['idempotency_key_rule', 'idempotency_mismatch'],
  withoutIdempotencyKey: ['not_repeatable'],
} as const satisfies Record<string, readonly ProblemCode[]>;
