// Follows one resource and keeps its store current: list, then watch from there, forever. After any failure it starts again with
// growing pauses; a silent watch is cut off, and a periodic list finds what a watch missed.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ApiError, isExpired, type StatusBody } from './api-error.ts';
import { backOffMs } from './backoff.ts';
import { apiVersionOf, type KubeClient, type WatchEvent } from './client.ts';
import { type Clock, pause } from './clock.ts';
import { keyText } from './object-key.ts';
import type { Resource } from './resource.ts';
import { type Store, versionOf } from './store.ts';

export interface InformerLimits {
  /** A watch is asked to end after this long, and as much again by chance in part: the server sends a bookmark just before. */
  watchMs: number;
  /** Then this much later the connection counts as dead. Both together bound how long a silent stall goes unnoticed. */
  graceMs: number;
  /** A list checks the cache this often, and no more often than 20 ms per object held. */
  auditMs: number;
  backOff: { firstMs: number; mostMs: number };
}

const LIMITS: InformerLimits = {
  watchMs: 35_000,
  graceMs: 5_000,
  auditMs: 45_000,
  backOff: { firstMs: 100, mostMs: 5_000 },
};
const AUDIT_MS_PER_OBJECT = 20;
const PAGE = 250;

export interface InformerReport {
  /** A list or watch ended by anything but the server closing it in time. */
  failed(kind: string, error: unknown): void;
  /** Handling one object failed: everything else continues. */
  stumbled(kind: string, error: unknown): void;
  /** A check corrected this many objects: the watch left them out, or was about to tell. */
  corrected(kind: string, count: number): void;
}

/** The server listed a past that we have moved on from: one of several servers is behind. */
class OlderList extends Error {
  override readonly name = 'OlderList';
}

export class Informer {
  readonly resource: Resource;
  readonly store: Store;
  /** Resolves once the store has held everything for the first time. */
  readonly synced: Promise<void>;
  readonly #client: Pick<KubeClient, 'list' | 'watch'>;
  readonly #clock: Clock;
  readonly #report: InformerReport;
  readonly #limits: InformerLimits;
  #markSynced: () => void = () => {};
  #filled = false;
  /** resourceVersion from which the next watch begins; undefined: list first. */
  #from: string | undefined;
  /** The newest version that the server has sent by list, event or bookmark. */
  #newest = 0;
  #page = PAGE;

  constructor(
    store: Store,
    resource: Resource,
    client: Pick<KubeClient, 'list' | 'watch'>,
    clock: Clock,
    report: InformerReport,
    limits: InformerLimits = LIMITS,
  ) {
    this.store = store;
    this.resource = resource;
    this.#client = client;
    this.#clock = clock;
    this.#report = report;
    this.#limits = limits;
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
  }

  /** The store has held everything at least once. */
  get filled(): boolean {
    return this.#filled;
  }

  /** Never rejects; ends with the signal. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#follow(signal), this.#audit(signal)]);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const began = this.#clock.monotonic();
      try {
        if (this.#from === undefined) this.#from = await this.#list(signal);
        this.#filled = true;
        this.#markSynced();
        await this.#watch(signal);
        // A server that closes at once, again and again, is a failure too.
        if (this.#clock.monotonic() - began < 1000) throw new Error('the watch ended as soon as it began');
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (isExpired(error)) this.#from = undefined;
        failures = this.#clock.monotonic() - began > this.#limits.backOff.mostMs ? 1 : failures + 1;
        this.#report.failed(this.resource.kind, error);
        const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
        await pause(this.#clock, Math.max(askedMs, backOffMs(this.#limits.backOff, failures, Math.random())), signal);
      }
    }
  }

  async #audit(signal: AbortSignal): Promise<void> {
    await this.synced;
    while (!signal.aborted) {
      const everyMs = Math.max(this.#limits.auditMs, this.store.size * AUDIT_MS_PER_OBJECT);
      await pause(this.#clock, everyMs * (0.9 + Math.random() * 0.2), signal);
      if (signal.aborted) return;
      await this.#list(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#report.failed(this.resource.kind, error);
      });
    }
  }

  /** Reads everything in pages and merges it into the store; returns the version to watch from. */
  async #list(signal: AbortSignal): Promise<string> {
    const floor = this.#newest;
    const listed = new Set<string>();
    let corrected = 0;
    let next: string | undefined;
    let version = '';
    do {
      const page = await this.#client
        .list(this.resource, { labelSelector: this.resource.labelSelector, limit: this.#page, continue: next })
        .catch((error: unknown) => {
          // The pages' snapshot is gone: the next try asks for all at once.
          if (isExpired(error)) this.#page = 0;
          throw error;
        });
      signal.throwIfAborted();
      version = page.metadata.resourceVersion;
      if (Number(version) < floor) throw new OlderList(`listed version ${version}, after ${floor} had been seen`);
      for (const object of page.items) {
        listed.add(keyText(object.metadata.namespace, object.metadata.name));
        if (this.#store(() => this.store.put(this.#typed(object))) && versionOf(object) <= floor) corrected++;
      }
      next = page.metadata.continue || undefined;
    } while (next !== undefined);
    this.#page = PAGE;
    corrected += this.store.keepOnly(listed, Number(version));
    // On the first list, and after an expired watch, everything is news.
    if (corrected > 0 && this.#from !== undefined) this.#report.corrected(this.resource.kind, corrected);
    this.#newest = Math.max(this.#newest, Number(version));
    return version;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { watchMs, graceMs } = this.#limits;
    const askedMs = Math.round(watchMs * (1 + Math.random() * 0.4));
    const query = {
      labelSelector: this.resource.labelSelector,
      resourceVersion: this.#from,
      timeoutSeconds: Math.max(1, Math.round(askedMs / 1000)),
    };
    await this.#client.watch(this.resource, query, (event) => this.#take(event), {
      signal,
      limitMs: askedMs + graceMs,
    });
  }

  #take({ type, object }: WatchEvent): void {
    if (type === 'ERROR') {
      const status = object as StatusBody;
      throw new ApiError(status.code ?? 500, status);
    }
    const version = versionOf(object);
    // A server that lags behind may send old events; the next watch must not begin there.
    if (version > this.#newest) {
      this.#newest = version;
      this.#from = object.metadata.resourceVersion;
    }
    if (type === 'BOOKMARK') return;
    if (type === 'DELETED') this.#store(() => this.store.bury(object, version));
    else this.#store(() => this.store.put(object));
  }

  /** Tenants write these objects: what one of them breaks must not keep all others from being seen. */
  #store(change: () => boolean): boolean {
    try {
      return change();
    } catch (error) {
      this.#report.stumbled(this.resource.kind, error);
      return false;
    }
  }

  /** Lists of built-in kinds leave out what each item is. */
  #typed(object: KubeObject): KubeObject {
    object.apiVersion ??= apiVersionOf(this.resource);
    object.kind ??= this.resource.kind;
    return object;
  }
}
