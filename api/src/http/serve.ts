// A route and who answers it. Handlers get what the route's facts promise, parsed and allowed, and give back the plain
// answer; envelope, status and errors are the frame's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { BodyOf, HandlerAnswer, ParamsOf, QueryOf, RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { Caller } from '../identity/caller.ts';
import type { Prepared } from './write-answer.ts';

export interface Call<F extends RouteFacts = RouteFacts> {
  params: ParamsOf<F>;
  query: QueryOf<F>;
  body: BodyOf<F>;
  /** Of a public route: whoever sent a valid token along, or nobody. */
  caller: F['access'] extends 'public' ? Caller | undefined : Caller;
  /** By Accept-Language, else the account's. */
  language: Language;
  requestId: string;
  /** The same for every repetition of one call, and nobody else's: what is made is named by it, where a name must be. */
  idempotencyKey: string | undefined;
  ip: string;
  /** Aborts when the caller has gone or the time is over. */
  signal: AbortSignal;
  /** What the audit log says besides who and when. `evenIfRead`: a GET that has changed something, as a login's end does. */
  audit: {
    object?: string;
    reason?: string;
    evenIfRead?: true;
    /** Whose log has the entry, where that is not the organisation of the token. */
    organizationId?: string;
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
