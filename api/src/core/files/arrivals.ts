// What happens to files by itself: they are fetched from their source, checked by their kind of owner, kept under their digests, and
// swept when nobody refers to them any more. Every step may be done twice, and goes on after a crash.
import { createHash } from 'node:crypto';
import { type Problem as AnyProblem, Problem, problem } from '@gantry/contract/http/problem.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { chunksUntil, until } from '../../platform/called-off.ts';
import type { Database } from '../../platform/db/open.ts';
import { files } from '../../platform/db/schema/files.ts';
import { type ObjectStore, StoreAway } from '../../platform/object-store/object-store.ts';
import { Blobs, Gone, NotNow } from './blobs.ts';
import { declareFiles, type FileRow, failFiles, filesOf, readyFiles } from './files.ts';
import { LeastRate } from './least-rate.ts';
import type { Arrival, OwnerKind } from './owner-kind.ts';
import type { Pieces } from './pieces.ts';
import { lockOrganization } from './quota.ts';
import { piecesOf, SourceAway } from './source.ts';
import { StoredBlobs } from './stored-blobs.ts';
import { fileKey } from './stored-objects.ts';

export interface ArrivalsParts {
  db: Database;
  clock: Clock;
  store: ObjectStore;
  pieces: Pick<Pieces, 'append'>;
  kinds: readonly OwnerKind[];
  quotaGi(organizationId: string): number | undefined;
  log: { warn(facts: object, text: string): void };
  /** How long one is fetched before others have their turn, and in how much time a source has to send what is the least. */
  turnMs?: (() => number) | undefined;
  windowMs?: (() => number) | undefined;
}

/** For each kind of owner, so that one kind does not wait for another. */
const AT_ONCE = 3;
/** Files of a version whose pieces the store joins. */
const JOINED_AT_ONCE = 4;
/** Then another one has its turn; this one goes on from its last piece. */
const LONGEST_TURN_MS = 10 * 60_000;
const LOOK_MS = 5_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
/** For versions that wait for our own store, which comes back for all at once. */
const LONGEST_STORE_PAUSE_MS = 15_000;
/** Failures in a row of a source that is away, without a piece in between: about a day and a half. */
const MOST_TRIES = 400;
/** Failures of a source that hardly sends: each try holds a place that others wait for. */
const MOST_SLOW_TRIES = 5;

/** It holds a place, and hardly sends. */
class SourceSlow extends SourceAway {}

const LEAST_OF_SOURCE = {
  bytes: 1024 * 1024,
  windowMs: 30_000,
  slow: ({ windowMs }: { windowMs: number }) =>
    new SourceSlow(`it sends less than 1 MiB in ${Math.round(windowMs / 1_000)} seconds`),
};

export class Arrivals {
  readonly #parts: ArrivalsParts;
  readonly #blobs: Blobs;
  readonly #stored: StoredBlobs;
  readonly #running = new Map<OwnerKind, Map<string, Promise<void>>>();
  #wake: () => void = () => undefined;

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
    this.#blobs = new Blobs(parts);
    this.#stored = new StoredBlobs(parts);
  }

  /** Looks now instead of in a few seconds. */
  readonly wake = (): void => this.#wake();

  /** Works until the signal. For one gateway at a time, as a `Turn` sees to. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await this.#look(signal);
      await pause(this.#parts.clock, LOOK_MS, AbortSignal.any([signal, woken.signal]));
    }
    await Promise.all([...this.#running.values()].flatMap((running) => [...running.values()]));
  }

  /** Begins what waits, a few at a time; what begun is not waited for. */
  async #look(signal: AbortSignal): Promise<void> {
    const { clock, kinds, log } = this.#parts;
    await this.#blobs.sweep().catch((error: unknown) => log.warn({ err: error }, 'the store was not swept'));
    for (const kind of kinds) await this.#begin(kind, new Date(clock.now()), signal);
  }

  /** The oldest that wait, without waiting for what is begun. */
  async #begin(kind: OwnerKind, at: Date, signal: AbortSignal): Promise<void> {
    const running = this.#running.get(kind) ?? new Map<string, Promise<void>>();
    this.#running.set(kind, running);
    const most = (kind.atOnce ?? AT_ONCE) - running.size;
    if (most <= 0) return;
    for (const arriving of await kind.waiting(at, { except: [...running.keys()], most })) {
      const run = this.#advance(kind, arriving, signal).finally(() => {
        running.delete(arriving.id);
        this.#wake();
      });
      running.set(arriving.id, run);
    }
  }

  /** Never rejects. */
  async #advance(kind: OwnerKind, arriving: Arrival, signal: AbortSignal): Promise<void> {
    try {
      if (arriving.step === 'fetching') await this.#import(kind, arriving, signal);
      else await this.#check(kind, arriving, signal);
    } catch (error) {
      if (signal.aborted || error instanceof Gone) return;
      await this.#failed(kind, arriving, error).catch((cause: unknown) =>
        this.#parts.log.warn({ err: cause, owner: arriving.id }, 'a version could not be marked as failed'),
      );
    }
  }

  async #failed(kind: OwnerKind, arriving: Arrival, error: unknown): Promise<void> {
    const { clock, log } = this.#parts;
    if (error instanceof Problem && !PASSING.has(error.problem)) {
      await this.#refuse(kind, arriving, error);
      return;
    }
    const isExpected = [SourceAway, StoreAway, NotNow, Problem].some((expected) => error instanceof expected);
    if (!isExpected) log.warn({ err: error, owner: arriving.id }, 'a version was given up for now');
    // Our own store is no fault of the version's.
    const mostTries = error instanceof SourceSlow ? MOST_SLOW_TRIES : MOST_TRIES;
    if (arriving.tries >= mostTries && !(error instanceof StoreAway) && !(error instanceof NotNow)) {
      await this.#refuse(kind, arriving, kind.lastWord(arriving, error));
      return;
    }
    const longest = error instanceof StoreAway ? LONGEST_STORE_PAUSE_MS : LONGEST_PAUSE_MS;
    const waits = Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(arriving.tries, 20));
    await kind.delayed(arriving, new Date(clock.now() + waits));
  }

  /** The files that arrived are removed; the version stays, with the reason. */
  async #refuse(kind: OwnerKind, arriving: Arrival, why: AnyProblem): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      await kind.failed(tx, arriving, why);
      await failFiles(tx, arriving);
    });
  }

  /** A source that sends for ever holds its place for a turn, and one that hardly sends for less. */
  async #import(kind: OwnerKind, arriving: Arrival, signal: AbortSignal): Promise<void> {
    const { clock, turnMs, windowMs } = this.#parts;
    const turn = AbortSignal.timeout(turnMs?.() ?? kind.turnMs ?? LONGEST_TURN_MS);
    const rate = new LeastRate(clock, { ...LEAST_OF_SOURCE, ...(windowMs && { windowMs: windowMs() }) });
    const ends = AbortSignal.any([signal, turn, rate.signal]);
    const way = { signal: ends, rate, hasList: false };
    await this.#fetch(kind, arriving, way).catch((error: unknown) => {
      if (signal.aborted) throw error;
      if (rate.signal.aborted) throw rate.signal.reason;
      if (!turn.aborted) throw error;
      throw (!way.hasList && kind.overdue?.()) || new SourceAway('its turn is over', { cause: error });
    });
  }

  async #fetch(
    kind: OwnerKind,
    arriving: Arrival,
    way: { signal: AbortSignal; rate: LeastRate; hasList: boolean },
  ): Promise<void> {
    const { signal, rate } = way;
    const { db, store, pieces, quotaGi, clock } = this.#parts;
    // A source that does not hear the signal holds no place either.
    const source = await until(signal, kind.source(arriving, signal));
    const bytesOf = (file: FileRow, at: number) => {
      const bytes = chunksUntil(signal, source.bytes(file, at));
      return kind.isSlowToBegin ? bytes : rate.sent(bytes);
    };
    let known = await filesOf(db.sql, arriving);
    if (known.length === 0) {
      // For good: a commit never changes.
      const plan = await until(signal, source.plan());
      known = await db.transaction(async (tx) => {
        await lockOrganization(tx, arriving.organizationId);
        await kind.planned(tx, arriving, plan);
        const quotaOf = quotaGi(arriving.organizationId);
        // A source's word for a digest opens nothing that only those who manage may read.
        const quota = { quotaGi: quotaOf, at: new Date(clock.now()), isManager: false };
        return declareFiles(tx, arriving, plan.files, quota);
      });
    }
    way.hasList = true;
    for (const file of known) {
      const { path, sizeBytes: size } = file;
      let at = file.receivedBytes;
      if (at === size) continue;
      let begun = file;
      for await (const piece of piecesOf(bytesOf(file, at), { at, size, path })) {
        at = await pieces.append(store, begun, { offset: at, size: piece.length, body: piece });
        begun = await this.#file(file.id);
        if (arriving.tries === 0) continue;
        arriving.tries = 0;
        await kind.worked(arriving);
      }
    }
    await kind.fetched(arriving);
  }

  async #check(kind: OwnerKind, arriving: Arrival, signal: AbortSignal): Promise<void> {
    const { db, store } = this.#parts;
    const arrived = await filesOf(db.sql, arriving);
    kind.checkList(arrived);
    let isWhole = true;
    const joining = arrived.filter(({ keptAt }) => !keptAt);
    await inParallel(joining, JOINED_AT_ONCE, async (file) => {
      signal.throwIfAborted();
      if (!(await this.#joined(kind, arriving, file))) isWhole = false;
    });
    if (!isWhole) return;
    const facts: unknown[] = [];
    for (const file of arrived) {
      const { keptAt, digest } = file;
      const keyOf = async () => (keptAt && digest ? this.#stored.keyOf(digest) : fileKey(file.id));
      facts.push(await kind.checkFile(arriving, file, keyOf));
      if (!keptAt) await this.#blobs.keep(file, await digestOf(store, fileKey(file.id), file, signal));
      signal.throwIfAborted();
    }
    const write = await kind.ready(arriving, await filesOf(db.sql, arriving), facts);
    await db.transaction(async (tx) => {
      await write(tx);
      await readyFiles(tx, arriving);
    });
  }

  /** Whether all its pieces are one object: the store may have lost some, and the file has to come again. */
  async #joined(kind: OwnerKind, arriving: Arrival, file: FileRow): Promise<boolean> {
    const { db, store } = this.#parts;
    const key = fileKey(file.id);
    const spoiled = new Set(file.spoiledParts);
    if (file.uploadId !== null)
      await store.join(key, file.uploadId, (part) => part <= file.lastPart && !spoiled.has(part));
    if ((await store.size(key)) === file.sizeBytes) return true;
    await db.transaction(async (tx) => {
      await kind.lost(tx, arriving);
      const [lost] = await tx
        .update(files)
        .set({ uploadId: null, receivedBytes: 0, arrivedSha256: null })
        .where(and(eq(files.id, file.id), isNull(files.keptAt)))
        .returning({ id: files.id });
      if (!lost) throw new Gone();
    });
    return false;
  }

  async #file(id: string): Promise<FileRow> {
    const [row] = await this.#parts.db.sql.select().from(files).where(eq(files.id, id));
    if (!row) throw new Gone();
    return row;
  }
}

/** The caller's try is over, and another one is not: a disk's server starts, or an instance has the disk just now. */
const PASSING: ReadonlySet<string> = new Set([
  ...['organization_not_ready', 'upload_offset', 'unavailable', 'file_busy', 'too_many_requests'],
  ...['files_preparing', 'files_in_use', 'files_unavailable'],
  // Its owner or its organisation is gone, or goes: what is left of it is tried again as seldom as what is away.
  'not_found',
]);

/** The SHA-256 of all its bytes. Throws model_hash if its source says another. */
async function digestOf(store: ObjectStore, key: string, file: FileRow, signal: AbortSignal): Promise<string> {
  const { path, wantedSha256, wantedGitSha1, arrivedSha256 } = file;
  const isKnown = arrivedSha256 !== null && wantedGitSha1 === null;
  const { digest, git } = isKnown ? { digest: arrivedSha256 } : await readBack(store, key, file, signal);
  if (wantedSha256 !== null && wantedSha256 !== digest)
    throw problem('model_hash', { path, wanted: wantedSha256, actual: digest });
  if (git !== undefined && git !== wantedGitSha1)
    throw problem('model_hash', { path, wanted: `${wantedGitSha1} (git)`, actual: digest });
  return digest;
}

/** The digest of a file whose pieces came through several gateways, or that only git has hashed. */
async function readBack(
  store: ObjectStore,
  key: string,
  file: FileRow,
  signal: AbortSignal,
): Promise<{ digest: string; git?: string }> {
  const sha256 = createHash('sha256');
  // As git hashes a file.
  const git = file.wantedGitSha1 === null ? undefined : createHash('sha1').update(`blob ${file.sizeBytes}\0`);
  for await (const chunk of await store.read(key, undefined, signal)) {
    sha256.update(chunk);
    git?.update(chunk);
  }
  return { digest: sha256.digest('hex'), ...(git && { git: git.digest('hex') }) };
}
