// A route as its caller sees it: the types are those of the facts, which themselves stay behind.
import type * as z from 'zod';
import type { AnswerFacts, RouteFacts } from './define-route.ts';
import type { paginated } from './envelope.ts';

/** How many objects one batch may command. */
export const MOST_AT_ONCE = 100;

/** One route's call. `facts` never exists at run time: it carries the types. */
export interface Call<F extends RouteFacts = RouteFacts> {
  readonly id: string;
  readonly method: RouteFacts['method'];
  /** Below /api, with `{name}` for parameters. */
  readonly path: string;
  readonly answer: 'result' | 'data' | 'list' | 'raw' | 'text' | 'stream' | 'file';
  /** The limit of 30 seconds is not its. */
  readonly isExempt?: boolean;
  /** It takes an Idempotency-Key. */
  readonly takesIdempotencyKey?: boolean;
  readonly facts?: F;
}

type SchemaInput<F, Key extends string> = F extends Record<Key, infer S extends z.ZodType> ? z.input<S> : undefined;
/** A member that may be left out where everything in it may be. */
type Member<Name extends string, T> = T extends undefined
  ? { readonly [K in Name]?: undefined }
  : Record<string, never> extends T
    ? { readonly [K in Name]?: T }
    : undefined extends T
      ? { readonly [K in Name]?: T }
      : { readonly [K in Name]: T };

/** A caller's input: as the schemas accept it, before defaults. */
export type InputOf<F extends RouteFacts> = Member<'params', SchemaInput<F, 'params'>> &
  Member<'query', SchemaInput<F, 'query'>> &
  Member<'body', SchemaInput<F, 'body'>>;

/** A page of a list, reshaped from `data` and `paginated`. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly totalPages: number;
  readonly extra: z.output<typeof paginated>['extra'];
}

type AnswerTypes<A extends AnswerFacts> = A extends { result: infer S extends z.ZodType }
  ? z.output<S>
  : A extends { data: infer S extends z.ZodType }
    ? z.output<S>
    : A extends { list: infer S extends z.ZodType }
      ? ListPage<z.output<S>>
      : A extends { raw: infer S extends z.ZodType }
        ? z.output<S>
        : undefined;

/** The answer without its envelope. */
export type OutputOf<F extends RouteFacts> = AnswerTypes<F['answer']>;

/** One item of a list. */
export type ItemOf<F extends RouteFacts> = F['answer'] extends { list: infer S extends z.ZodType }
  ? z.output<S>
  : never;
