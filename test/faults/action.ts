// The actions of a rule on a request, its reply, a watch or a watch event. New faults are new rows here, not branches in the
// proxy.
import { setTimeout as elapse } from 'node:timers/promises';
import type { Call } from './call.ts';
import type { LiveWatch, WatchEvent } from './live-watch.ts';
import { type RefusalCode, type RefusalDetails, statusReply } from './status-object.ts';
import type { Reply } from './upstream.ts';

/** A request that the caller still waits for. Answering or cutting it ends it: nothing further is forwarded or delivered. */
export interface Exchange {
  readonly call: Call;
  answer(reply: Reply): void;
  /** Destroys the caller's socket. */
  cut(): void;
}

export interface RequestAction {
  readonly on: 'request';
  /** As it appears in the log of writes. */
  readonly name: string;
  /** Before anything is forwarded. */
  readonly before?: (exchange: Exchange) => void | Promise<void>;
  /** The API server has answered (a write is committed); the caller has seen nothing. Not for an opened watch. */
  readonly after?: (exchange: Exchange, reply: Reply) => void | Promise<void>;
  /** The API server has opened the watch; no event was delivered yet. */
  readonly opened?: (watch: LiveWatch) => void;
}

export interface EventAction {
  readonly on: 'event';
  readonly name: string;
  readonly event: (event: WatchEvent, watch: LiveWatch) => 'pass' | 'drop' | Promise<'pass' | 'drop'>;
}

export type Action = RequestAction | EventAction;

/** `before`: the API server never hears of it. `after`: it was carried out, and the caller does not know. */
export type Moment = 'before' | 'after';

const at = (moment: Moment, name: string, act: (exchange: Exchange) => void | Promise<void>): RequestAction => ({
  on: 'request',
  name: `${name} ${moment}`,
  [moment]: act,
});

/** Ends the caller: `end` must send SIGKILL at once (`process.kill(pid, 'SIGKILL')`); its socket is cut too. */
export const kill = (moment: Moment, end: (call: Call) => void): RequestAction =>
  at(moment, 'kill', (exchange) => {
    end(exchange.call);
    exchange.cut();
  });

/** The caller sees a connection reset. */
export const cut = (moment: Moment): RequestAction => at(moment, 'cut', (exchange) => exchange.cut());

/** Answers with a `Status`; `after` with 504 is a time-out of a write that was committed. */
export const refuse = (moment: Moment, code: RefusalCode, details?: RefusalDetails): RequestAction =>
  at(moment, `refuse ${code}`, (exchange) => exchange.answer(statusReply(code, details)));

/** Answers with an earlier recording: `serve(proxy.lists({ resource: 'pods' })[0])` is an old list. */
export const serve = (reply: Reply): RequestAction =>
  at('before', 'serve recorded', (exchange) => exchange.answer(reply));

/** Holds the request (or its reply) until `release` settles. */
export const hold = (moment: Moment, release: Promise<unknown>): RequestAction =>
  at(moment, 'hold', async () => void (await release.catch(() => undefined)));

export const delay = (moment: Moment, ms: number): RequestAction => at(moment, 'delay', () => elapse(ms));

/** The watch opens and then sends nothing, not even bookmarks, until its caller gives up. */
export const stall = (): RequestAction => ({ on: 'request', name: 'stall', opened: (watch) => watch.stall() });

/** The watch opens, says that its resourceVersion is too old, and ends. */
export const expire = (): RequestAction => ({ on: 'request', name: 'expire', opened: (watch) => watch.expire() });

export const dropEvent = (): EventAction => ({ on: 'event', name: 'drop', event: () => 'drop' });

/** Later events of the same watch wait behind it: order is kept, as on a slow connection. */
export const delayEvent = (ms: number): EventAction => ({
  on: 'event',
  name: 'delay',
  event: () => elapse(ms, 'pass' as const),
});
