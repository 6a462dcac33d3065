// A route and its handler. Handlers get what the route's facts promise, parsed and authorised, and return the plain answer;
// envelope, status and errors are the frame's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { BodyOf, HandlerAnswer, ParamsOf, QueryOf, RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { Caller } from './caller.ts';
import type { Prepared } from './write-answer.ts';

export interface Call<F extends RouteFacts = RouteFacts> {
  params: ParamsOf<F>;
  query: QueryOf<F>;
  body: BodyOf<F>;
  /** For a public route: the sender of a valid token, or nobody. */
  caller: F['access'] extends 'public' ? Caller | undefined : Caller;
  /** By Accept-Language, else the account's. */
  language: Language;
  requestId: string;
  /** The same for every repetition of one call, and unique to it: names of new objects derive from it where needed. */
  idempotencyKey: string | undefined;
  ip: string;
  /** Aborts when the caller has gone or the time is over. */
  signal: AbortSignal;
  /**
   * The facts that the audit log records besides the person and the time. `evenIfRead`: a GET that has changed something, such as the end
   * of a login.
   */
  audit: {
    object?: string;
    reason?: string;
    evenIfRead?: true;
    /** The organisation whose log gets the entry, if it is not the token's. */
    organizationId?: string;
    /** The person who turned out to make a public call. */
    actor?: Caller;
  };
  req: IncomingMessage;
  res: ServerResponse;
}

export interface Served {
  route: RouteFacts;
  handler: (call: Call) => Promise<unknown>;
}

/** Joins a route with its handler; the compiler holds the handler to the route's facts. */
export const serve = <F extends RouteFacts>(
  route: F,
  handler: (call: Call<F>) => Promise<HandlerAnswer<F> | Prepared> | HandlerAnswer<F> | Prepared,
): Served => ({ route, handler: async (call) => handler(call as unknown as Call<F>) });
