// Applies changes to everything that was read: collected and applied once per frame, so that a hundred changes a second cost as
// much as one.

import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import type { ListPage } from '@gantry/contract/http/call.ts';
import {
  type InfiniteData,
  type Query,
  type QueryCacheNotifyEvent,
  type QueryClient,
  replaceEqualDeep,
} from '@tanstack/react-query';
import type { AnyInput } from '../client/api.ts';
import { applyToList, isOlder, isPlainQuery, type Listed, type Row } from './apply-change.ts';
import { GentleRereads } from './gentle-rereads.ts';
import { KIND_READS, type KindReads, readsOfPlural } from './kind-reads.ts';

const LIST_PAUSE_MS = 1_000;
const TOUCHED_PAUSE_MS = 5_000;
/** So long after a change an older one of the same object may still come, from a tab or a gateway that lags behind. */
const COMPARED_MS = 40_000;

const DETAILS: ReadonlySet<unknown> = new Set(Object.values(KIND_READS).map(({ read }) => read?.id));

type QueryUpdated = Extract<QueryCacheNotifyEvent, { type: 'updated' }>;

/** Calls `flush` soon; returns a function that cancels it. */
export type Schedule = (flush: () => void) => () => void;

/** With the next frame; a tab that nobody sees has none. */
export const byFrame: Schedule = (flush) => {
  const hiddenPauseMs = 250;
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(flush, hiddenPauseMs);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(flush);
  return () => cancelAnimationFrame(frame);
};

export class LiveCache {
  readonly #client: QueryClient;
  readonly #schedule: Schedule;
  readonly #rereads: GentleRereads;
  /** Changes to apply, by kind and id. */
  readonly #queue = new Map<string, ResourceEvent>();
  /** The newest version received of each object, for a while. */
  readonly #recent = new Map<string, { readonly version: string; readonly at: number }>();
  /** Changes applied to a read while it is in flight, by id. */
  readonly #meanwhile = new WeakMap<Query, Map<string, ResourceEvent>>();
  readonly #unsubscribe: () => void;
  #callOff: (() => void) | undefined;

  constructor(client: QueryClient, schedule: Schedule = byFrame) {
    this.#client = client;
    this.#schedule = schedule;
    this.#rereads = new GentleRereads(client);
    this.#unsubscribe = client.getQueryCache().subscribe((happened) => {
      if (happened.type === 'updated') this.#follow(happened);
    });
  }

  stop(): void {
    this.#unsubscribe();
    this.#callOff?.();
    this.#rereads.stop();
  }

  take(event: ResourceEvent): void {
    const key = `${event.kind}/${event.id}`;
    const known = this.#recent.get(key);
    if (known && isOlder(event.version, known.version)) return;
    this.#forgetOld();
    // Anew at the end: the map is in the order of time.
    this.#recent.delete(key);
    this.#recent.set(key, { version: event.version, at: performance.now() });
    this.#queue.set(key, event);
    this.#callOff ??= this.#schedule(() => {
      this.#callOff = undefined;
      this.#flush();
    });
  }

  /** Changes of these kinds, by their plural names, may have been missed; without an argument, of all kinds. */
  reset(plurals: readonly string[] = Object.values(KIND_READS).map(({ plural }) => plural)): void {
    for (const plural of plurals) {
      const reads = readsOfPlural(plural);
      if (!reads) continue;
      for (const query of this.#queriesOf(reads)) this.#reread(query, LIST_PAUSE_MS);
      this.#touch(reads);
    }
  }

  #flush(): void {
    const byKind = new Map<string, Map<string, ResourceEvent>>();
    for (const event of this.#queue.values()) {
      const ofKind = byKind.get(event.kind) ?? new Map<string, ResourceEvent>();
      byKind.set(event.kind, ofKind.set(event.id, event));
    }
    this.#queue.clear();
    for (const [kind, changes] of byKind) {
      const reads = KIND_READS[kind];
      if (!reads) continue;
      for (const query of this.#queriesOf(reads)) this.#write(query, changes);
      this.#touch(reads);
    }
  }

  #write(query: Query, changes: ReadonlyMap<string, ResourceEvent>): void {
    const { data, fetchStatus } = query.state;
    const isDetail = DETAILS.has(query.queryKey[0]);
    if (fetchStatus !== 'idle')
      this.#meanwhile.set(query, new Map([...(this.#meanwhile.get(query) ?? []), ...changes]));
    // Applied to a read that is not on screen, it would make the whole look fresh.
    if (data === undefined || !query.isActive()) {
      if (!isDetail || changes.has(idOf(query))) query.invalidate();
    } else if (isDetail) {
      const change = changes.get(idOf(query));
      if (change?.type === 'put') this.#set(query, replaceEqualDeep(data, change.view));
      else if (change) this.#reread(query, LIST_PAUSE_MS);
    } else {
      const listed = listedOf(query, data);
      const { pages, isStale } = applyToList(listed, changes);
      if (pages.some((page, at) => page !== listed.pages[at]))
        this.#set(query, listed.isSingle ? pages[0] : { ...(data as InfiniteData<unknown>), pages });
      if (isStale) this.#reread(query, LIST_PAUSE_MS);
    }
  }

  #set(query: Query, data: unknown): void {
    // Its age stays: one object is new, the rest is not. No comparison with the old data, as `setQueryData` would make: unchanged
    // objects are identical already, and the list may have ten thousand.
    query.setState({ data });
  }

  #reread(query: Query, pauseMs: number): void {
    if (query.isActive()) this.#rereads.want(query.queryHash, pauseMs);
    else query.invalidate();
  }

  #touch({ touches }: KindReads): void {
    for (const { id } of touches)
      for (const query of this.#client.getQueryCache().findAll({ queryKey: [id] }))
        this.#reread(query, TOUCHED_PAUSE_MS);
  }

  #queriesOf({ read, list }: KindReads): readonly Query[] {
    const cache = this.#client.getQueryCache();
    return [read, list].flatMap((call) => (call ? cache.findAll({ queryKey: [call.id] }) : []));
  }

  /** A read that ends with an answer, or is cancelled and restores its old data, lacks what was applied meanwhile. */
  #follow({ query, action: { type } }: QueryUpdated): void {
    const written = this.#meanwhile.get(query);
    if (!written || (type !== 'fetch' && query.state.fetchStatus !== 'idle')) return;
    // A read that begins now is trusted.
    this.#meanwhile.delete(query);
    if (type === 'success' || type === 'setState') this.#write(query, written);
  }

  #forgetOld(): void {
    const before = performance.now() - COMPARED_MS;
    for (const [key, { at }] of this.#recent) {
      if (at >= before) return;
      this.#recent.delete(key);
    }
  }
}

const inputOf = ({ queryKey }: Query): AnyInput => (queryKey[1] ?? {}) as AnyInput;

const idOf = (query: Query): string => String(inputOf(query).params?.id ?? '');

function listedOf(query: Query, data: unknown): Listed {
  const isPlain = isPlainQuery(inputOf(query).query);
  const grown = data as Partial<InfiniteData<ListPage<Row>>>;
  return grown.pages
    ? { pages: grown.pages, isSingle: false, isPlain }
    : { pages: [data as ListPage<Row>], isSingle: true, isPlain };
}
