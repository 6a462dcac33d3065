// Knowledge bases with very many chunks: an index in PostgreSQL finds the nearest of their vectors, in place of a comparison with all.
// Which ones, and what becomes of a question while the index is made or away, is decided here; who may ask is decided before.
import { problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { bytesOf, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { MOST_DIMENSIONS, type Near, type PgVectors } from './pg-vectors.ts';

/** A version's vectors, as it records them. */
export interface VectorsOfBase {
  sha256: string;
  dimensions: number;
  chunks: number;
}

export interface LargeVectorsParts {
  pg: PgVectors;
  /** By digests. */
  blobs: Pick<ObjectStore, 'read' | 'size'>;
  clock: Clock;
  log: { info(facts: object, text: string): void; warn(facts: object, text: string): void };
  /** Bases with fewer chunks are compared one by one. */
  from?: number;
}

/** Up to here a data server compares a question with all chunks in time (`data-worker/gantry_worker/limits.py`, CHUNKS). */
const LARGE_FROM = 1_000_000;
const AGAIN_SECONDS = 3;
const LOOK_MS = 5_000;
const SWEEP_MS = 60_000;
const AFTER_FAILURE_MS = 60_000;
const READ_TRIES = 3;
const READ_PAUSE_MS = 2_000;

export class LargeVectors {
  readonly #parts: LargeVectorsParts;
  #isAway = false;

  constructor(parts: LargeVectorsParts) {
    this.#parts = parts;
  }

  /**
   * Whether the index answers for these; else all of them are compared: they are few, too long for an index, or not what their version
   * records. Throws dataset_preparing, unavailable.
   */
  async holds({ sha256, dimensions, chunks }: VectorsOfBase): Promise<boolean> {
    const { pg, from = LARGE_FROM } = this.#parts;
    if (chunks < from || dimensions > MOST_DIMENSIONS) return false;
    const base = await answered(pg.find(sha256));
    if (base?.state === 'refused') return false;
    if (base?.state === 'failing') throw unavailable();
    if (base?.state === 'whole') return base.rows === chunks && base.dimensions === dimensions;
    throw problem('dataset_preparing', { percent: base?.percent ?? 0 }, { retryAfterSeconds: AGAIN_SECONDS });
  }

  /** Of a base that it holds; best first. Throws dataset_query_refused, unavailable. */
  async nearest({ sha256, dimensions }: VectorsOfBase, vector: readonly number[], k: number): Promise<Near[]> {
    const length = Math.hypot(...vector);
    if (vector.length !== dimensions || !(length > 0 && length < Number.POSITIVE_INFINITY))
      throw problem('dataset_query_refused', { why: `the vector must have a direction in ${dimensions} dimensions` });
    const unit = vector.map((value) => value / length);
    return await answered(this.#parts.pg.nearest(sha256, unit, k));
  }

  /** Fills what was asked for, and drops what nobody needs, until the signal. One gateway at a time. */
  async work(
    areUsed: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, log, pg } = this.#parts;
    let sweepAt = clock.monotonic();
    while (!signal.aborted) {
      let isWell = true;
      try {
        const version = await pg.open();
        if (this.#isAway) log.info({ pgvector: version }, 'the database of vectors answers again');
        this.#isAway = false;
        if (clock.monotonic() >= sweepAt) {
          await this.#sweep(areUsed);
          sweepAt = clock.monotonic() + SWEEP_MS;
        }
        isWell = await this.#fillNext(signal);
      } catch (error) {
        isWell = false;
        if (!this.#isAway && !signal.aborted)
          log.warn({ err: error }, 'the database of vectors cannot be used: large knowledge bases cannot be searched');
        this.#isAway = true;
      }
      await pause(clock, isWell ? LOOK_MS : AFTER_FAILURE_MS, signal);
    }
  }

  /** False: it failed, and is tried again after the others. */
  async #fillNext(signal: AbortSignal): Promise<boolean> {
    const { pg, log, blobs } = this.#parts;
    const next = (await pg.list()).find(({ state }) => state === 'asked' || state === 'failing');
    if (!next) return true;
    const { sha256 } = next;
    try {
      const sizeBytes = await blobs.size(sha256);
      if (sizeBytes === undefined) throw new Error('the object store does not have it');
      const became = await pg.fill({ sha256, sizeBytes, read: (range) => this.#read(sha256, range, signal) }, signal);
      if (became === 'whole') log.info({ sha256 }, 'vectors of a large knowledge base are in the database');
      if (became === 'refused') log.warn({ sha256 }, 'no index can hold the vectors of a large knowledge base');
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      log.warn({ err: error, sha256 }, 'vectors of a large knowledge base were not brought into the database');
      await pg.noteFailure(sha256);
      return false;
    }
  }

  async #sweep(areUsed: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const { pg, log } = this.#parts;
    // What is asked for after this list was read is not in it.
    const held = await pg.list();
    if (held.length === 0) return;
    const used = await areUsed(held.map(({ sha256 }) => sha256));
    for (const { sha256 } of held.filter((one) => one.isUnused || !used.has(one.sha256))) {
      await pg.drop(sha256);
      log.info({ sha256 }, 'vectors that no knowledge base needs have left the database');
    }
  }

  async #read(
    sha256: string,
    range: { from: number; to: number },
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { blobs, clock } = this.#parts;
    for (let tries = 1; ; tries++) {
      try {
        return await bytesOf(blobs, sha256, range, signal);
      } catch (error) {
        if (tries === READ_TRIES || signal.aborted) throw error;
        await pause(clock, READ_PAUSE_MS, signal);
      }
    }
  }
}

const unavailable = (cause?: unknown) =>
  problem('unavailable', { seconds: AGAIN_SECONDS }, { retryAfterSeconds: AGAIN_SECONDS, cause });

const answered = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw unavailable(error);
  });
