// Changes as they are told, written into everything that was read: gathered and written once per frame, so that a hundred
// changes a second cost what one costs.
import type { ListPage } from '@gantry/contract/http/call.ts';
import type { ResourceEvent } from '@gantry/contract/http/messages.ts';
import { type InfiniteData, type Query, type QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import type { AnyInput } from '../client/api.ts';
import { applyToList, isOlder, isPlainQuery, type Listed, type Row } from './apply-change.ts';
import { GentleRereads } from './gentle-rereads.ts';
import { KIND_READS, type KindReads, readsOfPlural } from './kind-reads.ts';

const LIST_PAUSE_MS = 1_000;
const TOUCHED_PAUSE_MS = 5_000;
/** Longer than any read takes: until then a change may be newer than an answer that is under way. */
const KEPT_MS = 40_000;

/** Calls `flush` soon; gives what calls it off. */
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
  /** What is to be written, by kind and id. */
  readonly #queue = new Map<string, ResourceEvent>();
  /** The newest that was told of each, for a while. */
  readonly #recent = new Map<string, { readonly event: ResourceEvent; readonly at: number }>();
  readonly #readSince = new Map<string, number>();
  readonly #unsubscribe: () => void;
  #callOff: (() => void) | undefined;

  constructor(client: QueryClient, schedule: Schedule = byFrame) {
    this.#client = client;
    this.#schedule = schedule;
    this.#rereads = new GentleRereads(client);
    this.#unsubscribe = client.getQueryCache().subscribe((happened) => {
      if (happened.type !== 'updated') return;
      const { query, action } = happened;
      if (action.type === 'fetch') this.#readSince.set(query.queryHash, performance.now());
      else if (action.type === 'success' && !action.manual) this.#repeat(query);
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
    if (known && isOlder(event.version, known.event.version)) return;
    this.#forgetOld();
    // Anew at the end: the map is in the order of time.
    this.#recent.delete(key);
    this.#recent.set(key, { event, at: performance.now() });
    this.#put(key, event);
  }

  /** Of these kinds, by their plural names, changes may have been missed; without an argument, of all. */
  reset(plurals: readonly string[] = Object.values(KIND_READS).map(({ plural }) => plural)): void {
    for (const plural of plurals) {
      const reads = readsOfPlural(plural);
      if (!reads) continue;
      for (const query of this.#queriesOf(reads)) this.#reread(query, LIST_PAUSE_MS);
      this.#touch(reads);
    }
  }

  #put(key: string, event: ResourceEvent): void {
    this.#queue.set(key, event);
    this.#callOff ??= this.#schedule(() => {
      this.#callOff = undefined;
      this.#flush();
    });
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
      for (const query of this.#queriesOf(reads)) this.#write(query, reads, changes);
      this.#touch(reads);
    }
  }

  #write(query: Query, { shows }: KindReads, changes: ReadonlyMap<string, ResourceEvent>): void {
    const { data } = query.state;
    // Written into what nobody looks at, it would pass for an answer that is fresh as a whole.
    if (data === undefined || !query.isActive()) {
      if (query.queryKey[0] === shows?.many.id || changes.has(idOf(query))) query.invalidate();
    } else if (query.queryKey[0] === shows?.one.id) {
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
    // As old as it was: one object is news, the rest is not. And not compared with what was there, as `setQueryData` would: what
    // stays is the same object already, and the list may be of ten thousand.
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

  #queriesOf({ shows }: KindReads): readonly Query[] {
    if (!shows) return [];
    const cache = this.#client.getQueryCache();
    return [shows.one, shows.many].flatMap(({ id }) => cache.findAll({ queryKey: [id] }));
  }

  /** An answer that began before a change was told may be the older of the two. */
  #repeat(query: Query): void {
    const since = this.#readSince.get(query.queryHash) ?? 0;
    this.#readSince.delete(query.queryHash);
    const [id] = query.queryKey;
    for (const [key, { event, at }] of this.#recent) {
      const shows = KIND_READS[event.kind]?.shows;
      if (at >= since && (shows?.one.id === id || shows?.many.id === id)) this.#put(key, event);
    }
  }

  #forgetOld(): void {
    const before = performance.now() - KEPT_MS;
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
