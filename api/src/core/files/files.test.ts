// Files of two kinds of owner on a store in memory: bytes that both share, in any order of arrivals, removals and sweeps, and after a
// crash between any two steps.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { PIECE_BYTES } from '@gantry/contract/areas/models/model-facets.ts';
import { FILE_OWNERS, type FileOwner } from '@gantry/contract/billing/storage.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { Database } from '../../platform/db/open.ts';
import { blobs, droppedUploads, files } from '../../platform/db/schema/files.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { BodyBroken, StoreAway, UploadLost } from '../../platform/object-store/object-store.ts';
import { Blobs, Gone, NotNow } from './blobs.ts';
import { declareFiles, type FileRow, failFiles, filesOf, type Owner, removeFiles, type WantedFile } from './files.ts';
import type { OwnerKind } from './owner-kind.ts';
import { Pieces, partFor } from './pieces.ts';
import { GIB, lockOrganization, usedBytes } from './quota.ts';
import { SmallFiles } from './small-files.ts';
import { StoredBlobs } from './stored-blobs.ts';
import { openStoredFiles } from './stored-files.ts';
import { blobKey, fileKey, objectOf } from './stored-objects.ts';
import { PlayedOwner } from './testing/played-owner.ts';
import { PlayedStore } from './testing/played-store.ts';

const LIMIT_MS = 480_000;
const MIB = 1024 ** 2;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const CONTENTS = ['one', 'two', 'three'].map((text) => Buffer.from(text));

describe('a piece', () => {
  test('has a number of its own for each try, until none are left for the pieces after it', () => {
    expect(partFor({ claimed: 1, last: 0, after: 9_999 })).toEqual({ number: 1, isOwn: true });
    expect(partFor({ claimed: 5, last: 2, after: 100 })).toEqual({ number: 5, isOwn: true });
    expect(partFor({ claimed: 2, last: 0, after: 9_999 })).toEqual({ number: 1, isOwn: false });
    expect(partFor({ claimed: 12_000, last: 9_999, after: 0 })).toEqual({ number: 10_000, isOwn: false });
  });
});

forEachDatabase((open) => {
  let db: Database;
  let store: PlayedStore;
  let pieces: Pieces;
  let count: number;
  beforeEach(async () => {
    db = open();
    store = new PlayedStore();
    pieces = new Pieces({ db });
    count = 0;
    for (const id of ['acme', 'other'])
      await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt: new Date() });
  });

  const ownerOf = (kind: FileOwner, organizationId = 'acme'): Owner => ({ kind, organizationId, id: `v-${++count}` });
  const declare = (owner: Owner, wanted: readonly WantedFile[], { mostFiles = 100_000 } = {}) =>
    db.transaction(async (tx) => {
      await lockOrganization(tx, owner.organizationId);
      return declareFiles(tx, owner, wanted, { quotaGi: 1, at: new Date(), isManager: true, mostFiles });
    });
  const wish = (bytes: Uint8Array, more: Partial<WantedFile> = {}): WantedFile => ({
    ...{ path: 'f', sizeBytes: bytes.length },
    ...more,
  });
  const first = async (owner: Owner): Promise<FileRow> => (await filesOf(db.sql, owner))[0] as FileRow;
  async function arrived(owner: Owner, bytes: Uint8Array, by: Pick<Pieces, 'append'> = pieces): Promise<FileRow> {
    const [file] = await declare(owner, [wish(bytes)]);
    await by.append(store.store, file as FileRow, { offset: 0, size: bytes.length, body: bytes });
    const row = await first(owner);
    if (row.uploadId === null) return row;
    await store.join(fileKey(row.id), row.uploadId ?? '', () => true);
    return row;
  }
  const bytesOfBlob = async (digest: string | null) =>
    store.objects.get(await new StoredBlobs({ db, store: store.store }).keyOf(digest ?? ''));
  const remove = (owner: Owner) => db.transaction((tx) => removeFiles(tx, owner.kind, [owner.id]));
  /** What is stored is what files name, and the other way round. */
  async function expectWhole(): Promise<void> {
    const rows = await db.sql.select().from(files);
    const named = new Set(rows.flatMap(({ digest }) => digest ?? []));
    expect((await db.sql.select().from(blobs)).map(({ digest }) => digest).sort()).toEqual([...named].sort());
    const kept = await db.sql.select().from(blobs);
    // Of a file that came small and in pieces at once the store has both, until the blob goes.
    const twice = kept.filter(({ object, digest }) => object !== null && store.objects.has(blobKey(digest)));
    const objects = [...kept.map(objectOf), ...twice.map(({ digest }) => blobKey(digest))];
    expect([...store.objects.keys()].sort()).toEqual(objects.sort());
    for (const digest of named) expect(sha256((await bytesOfBlob(digest)) as Uint8Array)).toBe(digest);
    expect([...store.uploads.keys()]).toEqual([]);
    expect(await db.sql.select().from(droppedUploads)).toEqual([]);
  }

  test('an organisation has no more files than the limit, although bytes that are there cost no quota', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const kept = await arrived(ownerOf('model'), bytes);
    await new Blobs({ db, clock: systemClock, store: store.store }).keep(kept, sha256(bytes));
    const equal = (count: number) =>
      Array.from({ length: count }, (_, at) => wish(bytes, { path: `${at}`, wantedSha256: sha256(bytes) }));
    await declare(ownerOf('dataset'), equal(4), { mostFiles: 5 });
    const more = declare(ownerOf('dataset'), equal(1), { mostFiles: 5 });
    await expect(more).rejects.toMatchObject({ problem: 'too_many_files', args: { most: 5 } });
    await declare(ownerOf('dataset', 'other'), equal(1), { mostFiles: 5 });
  });

  // The lock is a row of the database: connections of one gateway wait for each other as those of several do.
  test('of declarations at once as many are taken as the quota has room for, and the others hear the numbers', async () => {
    const [sizeBytes, atOnce, each] = [64 * MIB, 8, 6];
    const refused: { reason: { problem: string; args: object } }[] = [];
    const declares = async () => {
      for (let at = 0; at < each; at++) {
        const [asked] = await Promise.allSettled([declare(ownerOf('dataset'), [{ path: 'f', sizeBytes }])]);
        if (asked?.status === 'rejected') refused.push(asked);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, declares));
    expect(refused).toHaveLength(atOnce * each - GIB / sizeBytes);
    expect(new Set(refused.map(({ reason }) => JSON.stringify([reason.problem, reason.args])))).toEqual(
      new Set([JSON.stringify(['model_quota', { wanted: 0.06, used: 1, limit: 1 }])]),
    );
    expect(await usedBytes(db.sql, 'acme')).toBe(GIB);
  });

  test('bytes that two kinds of owner share stay until the last of them is gone', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const [model, dataset] = [ownerOf('model'), ownerOf('dataset')];
    for (const owner of [model, dataset]) await of.keep(await arrived(owner, bytes), sha256(bytes));
    expect(await usedBytes(db.sql, 'acme')).toBe(bytes.length);
    await remove(model);
    await of.sweep();
    await expectWhole();
    expect(await first(dataset)).toMatchObject({ digest: sha256(bytes) });
    await remove(dataset);
    await of.sweep();
    expect([...store.objects]).toEqual([]);
  });

  test(
    'no order of arrivals, removals and sweeps loses bytes that a file names, or leaves others',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              ...{ kind: fc.constantFrom(...FILE_OWNERS), content: fc.nat(2) },
              ...{ isSmall: fc.boolean(), ends: fc.boolean() },
            }),
            {
              minLength: 3,
              maxLength: 6,
            },
          ),
          fc.infiniteStream(fc.nat(12)),
          async (owners, waits) => {
            let now = 0;
            const of = new Blobs({ db, clock: { now: () => now }, store: store.store });
            store.step = async () => {
              for (let left = waits.next().value as number; left > 0; left--) await setImmediate();
            };
            let isOver = false;
            const sweeping = async () => {
              while (!isOver) {
                await of.sweep();
                await store.step();
              }
            };
            const small = new SmallFiles(pieces, of);
            const lives = owners.map(async ({ kind, content, isSmall, ends }) => {
              const owner = ownerOf(kind);
              const bytes = CONTENTS[content] as Buffer;
              const file = await arrived(owner, bytes, isSmall ? small : pieces);
              for (let isKept = file.keptAt !== null; !isKept; )
                isKept = await of.keep(file, sha256(bytes)).then(
                  () => true,
                  async (error: unknown) => {
                    if (!(error instanceof NotNow)) throw error;
                    await setImmediate();
                    return false;
                  },
                );
              await store.step();
              if (ends) await remove(owner);
            });
            const sweeper = sweeping();
            await Promise.all(lives);
            isOver = true;
            await sweeper;
            now += 600_000;
            await of.sweep();
            await expectWhole();
            store.step = async () => undefined;
            await db.sql.delete(files);
            await of.sweep();
          },
        ),
        { numRuns: 25 },
      );
    },
    LIMIT_MS,
  );

  test('a file whose pieces are joined after its owner was removed leaves nothing behind', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const owner = ownerOf('dataset');
    const file = await arrived(owner, bytes);
    await remove(owner);
    await of.sweep();
    expect(store.objects.size).toBe(0);
    store.objects.set(fileKey(file.id), bytes);
    await expect(of.keep(file, sha256(bytes))).rejects.toThrow(Gone);
    await of.sweep();
    await expectWhole();
  });

  test('a gateway that keeps a file once more, late, takes no bytes from those that have them', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const [first, second] = [ownerOf('model'), ownerOf('dataset')];
    const file = await arrived(first, bytes);
    await of.keep(file, sha256(bytes));
    await of.keep(await arrived(second, bytes), sha256(bytes));
    const late = () => expect(of.keep(file, sha256(bytes))).rejects.toThrow(Gone);
    await late();
    await of.sweep();
    await expectWhole();
    await db.transaction((tx) => failFiles(tx, first));
    await late();
    await of.sweep();
    await remove(first);
    await late();
    await of.sweep();
    await expectWhole();
    expect(store.objects.size).toBe(1);
  });

  test('a file that came again meanwhile is not kept by the hash of what came before', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const owner = ownerOf('dataset');
    const file = await arrived(owner, bytes);
    await db.sql.update(files).set({ uploadId: 'again' }).where(eq(files.id, file.id));
    await expect(of.keep(file, sha256(bytes))).rejects.toThrow(Gone);
    await of.sweep();
    expect(await first(owner)).toMatchObject({ digest: null, keptAt: null });
    expect(store.objects.has(fileKey(file.id))).toBe(true);
  });

  test('nothing that the store does tells whether others have the bytes of a file', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const steps: number[] = [];
    for (const organization of ['acme', 'other']) {
      const file = await arrived(ownerOf('dataset', organization), bytes);
      let count = 0;
      store.step = async () => void count++;
      await of.keep(file, sha256(bytes));
      store.step = async () => undefined;
      steps.push(count);
    }
    expect(steps).toEqual([0, 0]);
  });

  test('equal bytes that come small and in pieces at once go with the last file that has them', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const [small, large] = [ownerOf('model'), ownerOf('dataset')];
    const inPieces = await arrived(large, bytes);
    const [file] = await declare(small, [wish(bytes)]);
    store.step = async () => {
      store.step = async () => undefined;
      await of.keep(inPieces, sha256(bytes));
    };
    await of.keepBytes(file as FileRow, sha256(bytes), bytes);
    await remove(large);
    await of.sweep();
    await expectWhole();
    await remove(small);
    await of.sweep();
    expect([...store.objects]).toEqual([]);
  });

  test('a sweeper that stopped after its mark does not remove what was stored again', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    let now = Date.now();
    const clock = { now: () => now };
    const [stopped, next] = [1, 2].map(() => new Blobs({ db, clock, store: store.store })) as [Blobs, Blobs];
    const owner = ownerOf('model');
    await stopped.keep(await arrived(owner, bytes), sha256(bytes));
    await remove(owner);
    const { transaction } = db;
    const halted = new Blobs({
      ...{ clock, store: store.store },
      db: {
        ...db,
        transaction: async (work, config) => {
          const done = await transaction(work, config);
          now += 301_000;
          await next.sweep();
          await next.keep(await arrived(ownerOf('dataset'), bytes), sha256(bytes));
          return done;
        },
      },
    });
    await halted.sweep();
    await expectWhole();
    expect(store.objects.size).toBe(1);
  });

  test('two that send a piece at once cannot exchange the bytes that were hashed', async () => {
    const owner = ownerOf('dataset');
    const [mine, theirs] = [Buffer.from('mine!'), Buffer.from('other')];
    const [file] = await declare(owner, [wish(mine)]);
    await db.sql
      .update(files)
      .set({ uploadId: await store.begin('staging') })
      .where(eq(files.id, (file as FileRow).id));
    const row = await first(owner);
    const late = Promise.withResolvers<void>();
    const { putPiece } = store;
    let puts = 0;
    store.putPiece = async (...put) => {
      if (++puts === 1) await late.promise;
      return putPiece(...put);
    };
    const slow = pieces.append(store.store, row, { offset: 0, size: 5, body: theirs });
    await eventually('the first is on its way', () => puts === 1);
    await pieces.append(store.store, row, { offset: 0, size: 5, body: mine });
    late.resolve();
    await expect(slow).rejects.toMatchObject({ problem: 'upload_offset' });
    const { arrivedSha256, uploadId, lastPart, spoiledParts } = await first(owner);
    expect(arrivedSha256).toBe(sha256(mine));
    await store.join('joined', uploadId ?? '', (part) => part <= lastPart && !spoiledParts.includes(part));
    expect(store.objects.get('joined')?.toString()).toBe('mine!');
  });

  test('a piece that comes after all of its file have been joined does not set the file back', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const owner = ownerOf('dataset');
    const [file] = await declare(owner, [wish(bytes)]);
    const send = () => pieces.append(store.store, file as FileRow, { offset: 0, size: bytes.length, body: bytes });
    const { putPiece } = store;
    store.putPiece = async () => {
      store.putPiece = putPiece;
      await pieces.append(store.store, await first(owner), { offset: 0, size: bytes.length, body: bytes });
      throw new UploadLost('it was joined');
    };
    await expect(send()).rejects.toMatchObject({ problem: 'upload_offset', args: { offset: bytes.length } });
    expect(await first(owner)).toMatchObject({ receivedBytes: bytes.length, arrivedSha256: sha256(bytes) });
  });

  test('a file whose upload the store has lost comes again from its beginning', async () => {
    const bytes = Buffer.concat([Buffer.alloc(PIECE_BYTES, 1), Buffer.from('end')]);
    const owner = ownerOf('dataset');
    await declare(owner, [wish(bytes)]);
    const { putPiece } = store;
    const send = async (offset: number) => {
      const body = bytes.subarray(offset, offset + PIECE_BYTES);
      return pieces.append(store.store, await first(owner), { offset, size: body.length, body });
    };
    await send(0);
    store.putPiece = async () => {
      throw new UploadLost('it is not known');
    };
    await expect(send(PIECE_BYTES)).rejects.toMatchObject({ problem: 'upload_offset', args: { offset: 0 } });
    store.putPiece = putPiece;
    for (const offset of [0, PIECE_BYTES]) await send(offset);
    expect(await first(owner)).toMatchObject({ receivedBytes: bytes.length, arrivedSha256: sha256(bytes) });
  });

  test('what the store refuses to remove holds up nothing else', async () => {
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    const owners: Owner[] = [];
    for (const bytes of CONTENTS) {
      const owner = ownerOf('dataset');
      await of.keep(await arrived(owner, bytes), sha256(bytes));
      owners.push(owner);
    }
    const [refused = ''] = [...store.objects.keys()];
    await db.sql.insert(droppedUploads).values({ fileId: 'refused', uploadId: null });
    for (const owner of owners) await remove(owner);
    const { remove: removed } = store;
    store.remove = async (key) => {
      if ([refused, 'files/refused'].includes(key)) throw new StoreAway('not this one');
      await removed(key);
    };
    await expect(of.sweep()).rejects.toThrow('not this one');
    expect([...store.objects.keys()]).toEqual([refused]);
  });

  test('of two that send a small file at once one is stored, and what is wrong with one is found with its version', async () => {
    const small = new SmallFiles(pieces, new Blobs({ db, clock: systemClock, store: store.store }));
    const owner = ownerOf('dataset');
    const [file] = await declare(owner, [wish(Buffer.from('one'))]);
    const send = (text: string) =>
      small.append(store.store, file as FileRow, { offset: 0, size: 3, body: Readable.from([Buffer.from(text)]) });
    const ends = await Promise.allSettled([send('one'), send('two')]);
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    const row = await first(owner);
    expect(row).toMatchObject({ receivedBytes: 3, keptAt: expect.any(Date) });
    expect(sha256((await bytesOfBlob(row.digest)) as Uint8Array)).toBe(row.digest);
    await expect(send('six')).rejects.toMatchObject({ problem: 'upload_offset' });
    for (const body of ['sh', 'long'])
      await expect(
        small.append(store.store, (await declare(ownerOf('dataset'), [wish(Buffer.from('one'))]))[0] as FileRow, {
          ...{ offset: 0, size: 3, body: Readable.from([Buffer.from(body)]) },
        }),
      ).rejects.toBeInstanceOf(BodyBroken);
    const wanted = ownerOf('dataset');
    const [other] = await declare(wanted, [wish(Buffer.from('one'), { wantedSha256: sha256(Buffer.from('never')) })]);
    await small.append(store.store, other as FileRow, { offset: 0, size: 3, body: Buffer.from('one') });
    expect(await first(wanted)).toMatchObject({ receivedBytes: 3, keptAt: null, uploadId: expect.any(String) });
  });

  test('pieces that come chunk by chunk are hashed as they pass', async () => {
    const bytes = Buffer.concat([Buffer.alloc(PIECE_BYTES, 1), Buffer.alloc(100_000, 2)]);
    const owner = ownerOf('dataset');
    await declare(owner, [wish(bytes)]);
    for (const offset of [0, PIECE_BYTES]) {
      const piece = bytes.subarray(offset, offset + PIECE_BYTES);
      const chunks = Array.from({ length: Math.ceil(piece.length / 65_536) }, (_, at) =>
        piece.subarray(at * 65_536, (at + 1) * 65_536),
      );
      const body = Readable.from(chunks, { objectMode: false });
      await pieces.append(store.store, await first(owner), { offset, size: piece.length, body });
    }
    expect(await first(owner)).toMatchObject({ receivedBytes: bytes.length, arrivedSha256: sha256(bytes) });
  });

  test('a file whose pieces several gateways took is read back, and one that a single gateway took is not', async () => {
    const bytes = Buffer.concat([Buffer.alloc(PIECE_BYTES, 1), Buffer.from('end')]);
    const kind = new PlayedOwner('dataset');
    for (const [gateways, reads] of [
      [[pieces, pieces], 0],
      [[pieces, new Pieces({ db })], bytes.length],
    ] as const) {
      const owner = ownerOf('dataset');
      await declare(owner, [wish(bytes)]);
      for (const [at, gateway] of gateways.entries()) {
        const part = bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES);
        await gateway.append(store.store, await first(owner), {
          offset: at * PIECE_BYTES,
          size: part.length,
          body: part,
        });
      }
      store.readBytes = 0;
      await settled(kind, owner);
      expect(await first(owner)).toMatchObject({ digest: sha256(bytes), state: 'ready' });
      expect(store.readBytes).toBe(reads);
    }
  });

  test('what the organisation has stored is not sent again; what another has is never told', async () => {
    const [bytes = Buffer.alloc(0)] = CONTENTS;
    const of = new Blobs({ db, clock: systemClock, store: store.store });
    await of.keep(await arrived(ownerOf('model'), bytes), sha256(bytes));
    const wanted = wish(bytes, { wantedSha256: sha256(bytes) });
    const again = await declare(ownerOf('dataset'), [wanted, { ...wanted, path: 'g', sizeBytes: 99 }]);
    expect(again.map(({ receivedBytes, digest }) => [receivedBytes, digest])).toEqual([
      [bytes.length, sha256(bytes)],
      // With another size it is another file.
      [0, null],
    ]);
    const [strange] = await declare(ownerOf('dataset', 'other'), [wanted]);
    expect(strange).toMatchObject({ receivedBytes: 0, digest: null, keptAt: null });
    // One that has not arrived there is no reason either.
    const [still] = await declare(ownerOf('dataset', 'other'), [wanted]);
    expect(still).toMatchObject({ receivedBytes: 0, digest: null });
    expect(await usedBytes(db.sql, 'acme')).toBe(bytes.length + 99);
  });

  test(
    'twenty thousand files that are there already are declared in one call',
    async () => {
      const wanted = Array.from({ length: 20_000 }, (_, n) => ({
        ...{ path: `d/${n}`, sizeBytes: 1, wantedSha256: sha256(Buffer.from(`${n}`)) },
      }));
      const digests = wanted.map(({ wantedSha256 }) => ({ digest: wantedSha256, sizeBytes: 1, storedAt: new Date() }));
      for (let at = 0; at < digests.length; at += 5000) await db.sql.insert(blobs).values(digests.slice(at, at + 5000));
      const [model, dataset] = [ownerOf('model'), ownerOf('dataset')];
      await declare(model, wanted);
      await db.sql.update(files).set({ digest: files.wantedSha256, keptAt: new Date() });
      const again = await declare(dataset, wanted);
      expect(again).toHaveLength(20_000);
      expect(again.every(({ receivedBytes, keptAt }) => receivedBytes === 1 && keptAt !== null)).toBe(true);
      expect(await usedBytes(db.sql, 'acme')).toBe(20_000);
    },
    LIMIT_MS,
  );

  /** Works until its version is there or has failed. */
  async function settled(kind: PlayedOwner, owner: Owner): Promise<void> {
    kind.versions.set(owner.id, { organizationId: owner.organizationId, state: 'checking' });
    const stored = openStoredFiles({
      ...{ db, store: store.store, quotaGi: () => 1, log: { info() {}, warn() {} } },
      clock: { ...systemClock, after: (ms, run) => systemClock.after(Math.min(ms, 5), run) },
      storage: { priceOf: () => undefined, charge: async () => {} },
    });
    stored.addOwner(kind);
    stored.start();
    try {
      await eventually('it to settle', () => ['ready', 'failed'].includes(kind.versions.get(owner.id)?.state ?? ''));
    } finally {
      await stored.stop();
    }
  }

  test.each(['its list', 'its bytes'])(
    'a source that never hears that its turn is over holds no place: %s',
    async (what) => {
      const kind = new PlayedOwner('dataset');
      const never = new Promise<never>(() => {});
      const file = { path: 'f', sizeBytes: 1, wantedSha256: null, wantedGitSha1: null };
      const plan = { revision: '', files: [file], license: null, language: [], tags: [] };
      const deaf = {
        plan: async () => (what === 'its list' ? never : plan),
        bytes: () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) }),
      };
      const owner = ownerOf('dataset');
      const over = Promise.withResolvers<void>();
      const fetched: OwnerKind = Object.assign(kind, {
        waiting: async (_: Date, { except }: { except: readonly string[] }) =>
          except.length > 0 ? [] : [{ ...owner, step: 'fetching' as const, createdAt: new Date(0), tries: 0 }],
        source: async () => deaf,
        delayed: async () => over.resolve(),
      });
      const stored = openStoredFiles({
        ...{ db, store: store.store, quotaGi: () => 1, log: { info() {}, warn() {} }, clock: systemClock },
        ...{ storage: { priceOf: () => undefined, charge: async () => {} }, turnMs: () => 50 },
      });
      stored.addOwner(fetched);
      stored.start();
      try {
        await over.promise;
      } finally {
        await stored.stop();
      }
    },
  );

  test(
    'a crash between any two steps of an arrival and a removal loses nothing and leaves nothing half',
    async () => {
      class Crash extends Error {}
      let crashes = 0;
      for (let at = 1, isOver = false; !isOver; at++) {
        let steps = 0;
        const step = async () => {
          if (++steps === at) throw new Crash();
        };
        const transaction: Database['transaction'] = async (work, config) => {
          await step();
          const done = await db.transaction(work, config);
          await step();
          return done;
        };
        let now = Date.now();
        const of = (database: Database) => new Blobs({ db: database, clock: { now: () => now }, store: store.store });
        const [shared, alone] = [ownerOf('model'), ownerOf('dataset')];
        const [bytes = Buffer.alloc(0)] = CONTENTS;
        const rows = [await arrived(shared, bytes), await arrived(alone, bytes)];
        const life = async (database: Database) => {
          for (const row of rows) await of(database).keep(row, sha256(bytes));
          await remove(alone);
          await of(database).sweep();
          await remove(shared);
          await of(database).sweep();
        };
        store.step = step;
        isOver = await life({ ...db, transaction }).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof Crash)) throw error;
            crashes++;
            return false;
          },
        );
        store.step = async () => undefined;
        // Another gateway goes on: what is kept is whole, and all of it goes with the owners.
        for (const { digest, keptAt } of await db.sql.select().from(files))
          if (keptAt) expect((await bytesOfBlob(digest))?.toString()).toBe(bytes.toString());
        for (const owner of [alone, shared]) await remove(owner);
        now += 301_000;
        await of(db).sweep();
        await expectWhole();
        expect(store.objects.size).toBe(0);
      }
      expect(crashes).toBeGreaterThan(10);
    },
    LIMIT_MS,
  );
});
