// The arrival of a version, step by step: it is fetched from its hub, its files are checked and kept under their digests, its facts are
// read, and files that nobody refers to any more are removed from the store. Every step may be done twice, and goes on after a crash.
import { buffer } from 'node:stream/consumers';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { plainLines } from '@gantry/contract/fields/plain-text.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { type Clock, pause } from '@gantry/kube/clock.ts';
import { and, asc, eq, inArray, isNull, lte, notExists, notInArray, or, sql } from 'drizzle-orm';
import { recordMade } from '../../core/lineage/lineage-rows.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { blobs, droppedUploads, modelFiles, models, modelVersions } from '../../platform/db/schema/models.ts';
import { newId } from '../../platform/ids.ts';
import { parseJson } from '../../platform/json-size.ts';
import { type ObjectStore, StoreAway } from '../../platform/object-store/object-store.ts';
import type { DiskMember, Disks } from '../instances/files/disks.ts';
import { hashed, readHeader } from './check-file.ts';
import { diskSource } from './disk-source.ts';
import type { Hub } from './hub.ts';
import type { FileRow, VersionRow } from './model-views.ts';
import { dropFiles } from './models.ts';
import { blobKey, stagingKey } from './parts.ts';
import { demandRoom, lockOrganization } from './quota.ts';
import { type Source, SourceAway, type SourcePlan } from './source.ts';
import { appendPiece, toChecking } from './uploads.ts';
import { licenseOf, missingShard, type ReadFile, versionFacts } from './version-facts.ts';
import { versionNode } from './version-lineage.ts';

export interface ArrivalsParts {
  db: Database;
  clock: Clock;
  store: ObjectStore;
  hub: Hub | undefined;
  disks: Disks;
  tokenOf(organizationId: string): Promise<string | undefined>;
  quotaGi(organizationId: string): number | undefined;
  log: { warn(facts: object, text: string): void };
  /** How long a version is fetched before others have their turn. */
  turnMs?: (() => number) | undefined;
}

const AT_ONCE = 3;
/** Then another version has its turn; this one goes on from its last piece. */
const LONGEST_TURN_MS = 10 * 60_000;
const LOOK_MS = 5_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
/** The most tries of a source that is away, one after the other without a piece between: about a day and a half. */
const MOST_TRIES = 400;
const MOST_CONFIG = 1024 * 1024;
const MOST_VALUES = 100_000;
const card = plainLines(100_000);

/** The version was deleted meanwhile. */
class Gone extends Error {}
/** The store is just removing what is needed: it is stored again afterwards. */
class NotNow extends Error {}

export class Arrivals {
  readonly #parts: ArrivalsParts;
  readonly #running = new Map<string, Promise<void>>();
  #wake: () => void = () => undefined;

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
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
    await Promise.all(this.#running.values());
  }

  /** Begins what waits, a few at a time; what begun is not waited for. */
  async #look(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.#parts;
    await this.#sweep();
    const free = AT_ONCE - this.#running.size;
    if (free <= 0) return;
    const waiting = await db.sql
      .select()
      .from(modelVersions)
      .where(
        and(
          inArray(modelVersions.state, ['importing', 'checking']),
          or(isNull(modelVersions.nextTryAt), lte(modelVersions.nextTryAt, new Date(clock.now()))),
          ...(this.#running.size > 0 ? [notInArray(modelVersions.id, [...this.#running.keys()])] : []),
        ),
      )
      .orderBy(asc(modelVersions.createdAt))
      .limit(free);
    for (const version of waiting) {
      const run = this.#advance(version, signal).finally(() => {
        this.#running.delete(version.id);
        this.#wake();
      });
      this.#running.set(version.id, run);
    }
  }

  /** Never rejects. */
  async #advance(version: VersionRow, signal: AbortSignal): Promise<void> {
    try {
      if (version.state === 'importing') await this.#import(version, signal);
      else await this.#check(version, signal);
    } catch (error) {
      if (signal.aborted || error instanceof Gone) return;
      await this.#failed(version, error).catch((cause: unknown) =>
        this.#parts.log.warn({ err: cause, version: version.id }, 'a version could not be marked as failed'),
      );
    }
  }

  async #failed(version: VersionRow, error: unknown): Promise<void> {
    const { db, clock, log } = this.#parts;
    if (error instanceof Problem && error.problem === 'not_found') return;
    if (error instanceof Problem && !PASSING.has(error.problem)) {
      await this.#refuse(version, error);
      return;
    }
    const isExpected = [SourceAway, StoreAway, NotNow, Problem].some((expected) => error instanceof expected);
    if (!isExpected) log.warn({ err: error, version: version.id }, 'a version was given up for now');
    // Our own store is no fault of the version's.
    if (version.tries >= MOST_TRIES && !(error instanceof StoreAway) && !(error instanceof NotNow)) {
      await this.#refuse(version, lastWordOf(version, error));
      return;
    }
    const waits = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(version.tries, 20));
    await db.sql
      .update(modelVersions)
      .set({ tries: sql`${modelVersions.tries} + 1`, nextTryAt: new Date(clock.now() + waits) })
      .where(eq(modelVersions.id, version.id));
  }

  /** The arrived files are removed; the version stays, with the reason. */
  async #refuse({ id }: VersionRow, { problem: code, args }: Problem): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      await dropFiles(tx, [id]);
      await tx
        .update(modelFiles)
        .set({ digest: null, keptAt: null, uploadId: null, receivedBytes: 0 })
        .where(eq(modelFiles.versionId, id));
      await tx
        .update(modelVersions)
        .set({ state: 'failed', problem: code, problemArgs: args, nextTryAt: null })
        .where(eq(modelVersions.id, id));
    });
  }

  /** A source that sends for ever, or hardly, holds its place for a turn. */
  async #import(version: VersionRow, signal: AbortSignal): Promise<void> {
    const turn = AbortSignal.timeout(this.#parts.turnMs?.() ?? LONGEST_TURN_MS);
    await this.#fetch(version, AbortSignal.any([signal, turn])).catch((error: unknown) => {
      throw turn.aborted ? new SourceAway('its turn is over', { cause: error }) : error;
    });
  }

  async #fetch(version: VersionRow, signal: AbortSignal): Promise<void> {
    const { db, store } = this.#parts;
    const organizationId = await this.#organizationOf(version);
    const source = await this.#sourceOf(version, organizationId, signal);
    const known = await this.#files(version.id);
    const files =
      known.length > 0 ? known : await this.#plan(version, organizationId, await source.plan(version.include));
    for (const file of files) {
      const { path, sizeBytes: size } = file;
      let at = file.receivedBytes;
      if (at === size) continue;
      let begun = file;
      for await (const piece of piecesOf(source.bytes(file, at), { at, size, path })) {
        at = await appendPiece(db, store, begun, { offset: at, size: piece.length, body: piece });
        begun = (await this.#file(file.id)) ?? gone();
        if (version.tries > 0) await this.#worked(version);
      }
    }
    await toChecking(db.sql, version.id, 'importing');
  }

  /** Which files there will be, for good: a commit never changes. */
  async #plan(
    version: VersionRow,
    organizationId: string,
    { revision, files, license, language, tags }: SourcePlan,
  ): Promise<FileRow[]> {
    const { db, quotaGi } = this.#parts;
    const wanted = files.reduce((all, { sizeBytes }) => all + sizeBytes, 0);
    return db.transaction(async (tx) => {
      await lockOrganization(tx, organizationId);
      await demandRoom(tx, organizationId, wanted, quotaGi(organizationId));
      const [still] = await tx
        .update(modelVersions)
        .set({ revision })
        .where(eq(modelVersions.id, version.id))
        .returning();
      if (!still) throw new Gone();
      // Facts that people wrote stay.
      await tx
        .update(models)
        .set({
          license: sql`coalesce(${models.license}, ${license})`,
          language: sql`case when ${models.language} = '{}' then ${sql.param([...language], models.language)} else ${models.language} end`,
          tags: sql`case when ${models.tags} = '{}' then ${sql.param([...tags], models.tags)} else ${models.tags} end`,
        })
        .where(eq(models.id, version.modelId));
      return tx
        .insert(modelFiles)
        .values(files.map((file) => ({ id: newId('mfl'), versionId: version.id, ...file })))
        .returning();
    });
  }

  async #sourceOf(
    { source, repository, revision, creatorId }: VersionRow,
    organizationId: string,
    signal: AbortSignal,
  ): Promise<Source> {
    const { db, hub, disks, tokenOf } = this.#parts;
    if (repository === null || revision === null) throw problem('model_hub_off');
    if (source === 'disk') {
      const member: DiskMember = {
        account: { id: creatorId },
        organization: { id: organizationId, namespace: organizationNamespace(organizationId) },
      };
      const remember = async ({ id }: FileRow, sourceTag: string) => {
        await db.sql.update(modelFiles).set({ sourceTag }).where(eq(modelFiles.id, id));
      };
      return diskSource(disks, { member, disk: repository, folder: revision, signal, remember });
    }
    if (!hub) throw problem('model_hub_off');
    return hub.source({ repository, revision, token: await tokenOf(organizationId), signal });
  }

  async #check(version: VersionRow, signal: AbortSignal): Promise<void> {
    const { db, clock, store } = this.#parts;
    const files = await this.#files(version.id);
    const organizationId = await this.#organizationOf(version);
    const missing = missingShard(files.map(({ path }) => path));
    if (missing !== undefined) throw problem('model_shard_missing', { path: missing });
    const read: ReadFile[] = [];
    for (const file of files) {
      const key = file.keptAt && file.digest ? blobKey(file.digest) : await this.#joined(version, file);
      if (key === undefined) return;
      read.push(await readHeader(store, key, file, organizationId));
      if (!file.keptAt) await this.#keep(file, await hashed(store, key, file, signal));
      signal.throwIfAborted();
    }
    const kept = await this.#files(version.id);
    const text = async (path: string) => {
      const file = kept.find((each) => each.path === path);
      if (!file?.digest || file.sizeBytes > MOST_CONFIG) return undefined;
      return (await buffer(await store.read(blobKey(file.digest)))).toString('utf8');
    };
    const facts = versionFacts(read, jsonOf(await text('config.json')));
    const readme = cardOf(await text('README.md'));
    const now = new Date(clock.now());
    await db.transaction(async (tx) => {
      const [still] = await tx
        .update(modelVersions)
        .set({ ...facts, state: 'ready', readyAt: now, tries: 0, nextTryAt: null })
        .where(eq(modelVersions.id, version.id))
        .returning({ id: modelVersions.id });
      if (!still) throw new Gone();
      const [model] = await tx
        .update(models)
        .set({
          updatedAt: now,
          card: sql`case when ${models.card} = '' then ${readme} else ${models.card} end`,
          license: sql`coalesce(${models.license}, ${licenseOf(read)})`,
        })
        .where(eq(models.id, version.modelId))
        .returning({ id: models.id, organizationId: models.organizationId, name: models.name });
      await recordMade(tx, versionNode(model ?? gone(), version, kept), { from: [], at: now });
    });
  }

  /** The object of all its pieces; undefined where the store has lost some, and the file has to come again. */
  async #joined(version: VersionRow, file: FileRow): Promise<string | undefined> {
    const { db, store } = this.#parts;
    const key = stagingKey(file.id);
    if (file.uploadId !== null) await store.join(key, file.uploadId);
    if ((await store.size(key)) === file.sizeBytes) return key;
    await db.transaction(async (tx) => {
      await tx.update(modelFiles).set({ uploadId: null, receivedBytes: 0 }).where(eq(modelFiles.id, file.id));
      const state = version.source === 'upload' ? 'uploading' : 'importing';
      await tx.update(modelVersions).set({ state }).where(eq(modelVersions.id, version.id));
    });
    return undefined;
  }

  /** Under its digest: what the store has already is not stored twice. */
  async #keep(file: FileRow, digest: string): Promise<void> {
    const { db, clock, store } = this.#parts;
    const blob = await db.transaction(async (tx) => {
      await tx.insert(blobs).values({ digest, sizeBytes: file.sizeBytes }).onConflictDoNothing();
      const [row] = await tx.select().from(blobs).where(eq(blobs.digest, digest)).for('update');
      if (!row || row.removingAt) throw new NotNow();
      // From here on nothing removes it.
      const [mine] = await tx.update(modelFiles).set({ digest }).where(eq(modelFiles.id, file.id)).returning();
      if (!mine) throw new Gone();
      return row;
    });
    if (!blob.storedAt) {
      await store.copy(stagingKey(file.id), blobKey(digest), file.sizeBytes);
      await db.sql
        .update(blobs)
        .set({ storedAt: new Date(clock.now()) })
        .where(eq(blobs.digest, digest));
    }
    await db.sql
      .update(modelFiles)
      .set({ keptAt: new Date(clock.now()), uploadId: null })
      .where(eq(modelFiles.id, file.id));
    await store.remove(stagingKey(file.id));
  }

  /** Removes what was given up, and digests that no file has any more. */
  async #sweep(): Promise<void> {
    const { db, clock, store, log } = this.#parts;
    try {
      for (const { fileId, uploadId } of await db.sql.select().from(droppedUploads).limit(MOST_SWEPT)) {
        if (uploadId !== null) await store.giveUp(stagingKey(fileId), uploadId);
        await store.remove(stagingKey(fileId));
        await db.sql.delete(droppedUploads).where(eq(droppedUploads.fileId, fileId));
      }
      for (const { digest } of await db.sql.select().from(blobs).where(isUnused(db.sql)).limit(MOST_SWEPT)) {
        const isMine = await db.transaction(async (tx) => {
          // A file that takes it up holds this row meanwhile: it is asked again what is unused afterwards.
          await tx.select().from(blobs).where(eq(blobs.digest, digest)).for('update');
          const marked = await tx
            .update(blobs)
            .set({ removingAt: new Date(clock.now()) })
            .where(and(eq(blobs.digest, digest), isUnused(tx)))
            .returning();
          return marked.length > 0;
        });
        if (!isMine) continue;
        await store.remove(blobKey(digest));
        await db.sql.delete(blobs).where(eq(blobs.digest, digest));
      }
    } catch (error) {
      log.warn({ err: error }, 'the store was not swept');
    }
  }

  #files(versionId: string): Promise<FileRow[]> {
    return this.#parts.db.sql
      .select()
      .from(modelFiles)
      .where(eq(modelFiles.versionId, versionId))
      .orderBy(asc(modelFiles.path));
  }

  async #file(id: string): Promise<FileRow | undefined> {
    const [row] = await this.#parts.db.sql.select().from(modelFiles).where(eq(modelFiles.id, id));
    return row;
  }

  async #organizationOf({ modelId }: VersionRow): Promise<string> {
    const [row] = await this.#parts.db.sql
      .select({ organizationId: models.organizationId })
      .from(models)
      .where(eq(models.id, modelId));
    return row?.organizationId ?? gone();
  }

  /** Its source answers again: a later pause begins short. */
  async #worked(version: VersionRow): Promise<void> {
    version.tries = 0;
    await this.#parts.db.sql.update(modelVersions).set({ tries: 0 }).where(eq(modelVersions.id, version.id));
  }
}

const MOST_SWEPT = 100;
const isUnused = (db: Sql) =>
  notExists(db.select({ digest: modelFiles.digest }).from(modelFiles).where(eq(modelFiles.digest, blobs.digest)));
/** The caller's try is over, and another one is not: a disk's server starts, or an instance has the disk just now. */
const PASSING: ReadonlySet<string> = new Set([
  ...['organization_not_ready', 'upload_offset', 'unavailable', 'file_busy', 'too_many_requests'],
  ...['files_preparing', 'files_in_use', 'files_unavailable'],
]);

/** The problem of a version that was tried too often. */
function lastWordOf({ source, repository }: VersionRow, error: unknown): Problem {
  // It would say to try again in some seconds.
  if (source === 'disk' && error instanceof Problem && error.problem === 'unavailable')
    return problem('files_unavailable', { detail: 'its server did not answer' });
  if (error instanceof Problem) return error;
  if (!(error instanceof SourceAway)) return problem('internal');
  if (source === 'disk') return problem('files_unavailable', { detail: error.message });
  return problem('model_hub_answer', { path: repository ?? '', detail: error.message });
}

function gone(): never {
  throw new Gone();
}

/** Whole pieces, and what is left at the end. Throws SourceAway if the source ends early, model_hub_answer if it goes on too long. */
async function* piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  { at, size, path }: { at: number; size: number; path: string },
): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = [];
  let length = 0;
  let done = at;
  for await (const chunk of chunks) {
    if (done + length + chunk.length > size)
      throw problem('model_hub_answer', { path, detail: `it has more than ${size} bytes` });
    let rest = chunk;
    // The last piece waits for the source's end, which says whether all of it is sound.
    while (length + rest.length > PIECE_BYTES) {
      const piece = Buffer.concat([...kept, rest.subarray(0, PIECE_BYTES - length)]);
      rest = rest.subarray(PIECE_BYTES - length);
      kept = [];
      length = 0;
      done += piece.length;
      yield piece;
    }
    kept.push(rest);
    length += rest.length;
  }
  if (done + length < size) throw new SourceAway('it ended early');
  if (length > 0) yield Buffer.concat(kept);
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseJson(text, MOST_VALUES);
  } catch {
    return undefined;
  }
}

/** Without the facts for machines at its top; nothing if it is no text that people could write here. */
function cardOf(text: string | undefined): string {
  const body = text?.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '').trim() ?? '';
  return card.safeParse(body).data ?? '';
}
