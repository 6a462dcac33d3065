// Which knowledge base a caller finds, and whose data server searches it.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import type { Database } from '../../platform/db/open.ts';
import { datasets, datasetVersions, type KnowledgeBase } from '../../platform/db/schema/datasets.ts';
import { KnowledgeBases } from './knowledge-bases.ts';
import { acme, openStage, other, PATIENCE_MS, type Stage, sha256 } from './testing/stage.ts';

jest.setTimeout(2 * PATIENCE_MS);

const BASE: KnowledgeBase = {
  ...{ model: 'embedder', dimensions: 2, chunks: 3 },
  parts: [
    { kind: 'chunks', sha256: 'a'.repeat(64), bytes: 1 },
    { kind: 'vectors', sha256: 'b'.repeat(64), bytes: 2 },
    { kind: 'chunks', sha256: 'c'.repeat(64), bytes: 3 },
    { kind: 'words', sha256: 'd'.repeat(64), bytes: 4 },
  ],
};
const CHUNKS = 'chunks';
/** As a task has made it. */
const PLAN = {
  revision: 'uid-1 1',
  files: [
    {
      ...{ path: 'chunks-00000.parquet', sizeBytes: CHUNKS.length, wantedGitSha1: null },
      wantedSha256: sha256(CHUNKS),
    },
  ],
  ...{ license: null, language: [], tags: [], rows: 3, knowledge: BASE },
};
async function* chunks() {
  yield Buffer.from(CHUNKS);
}
const { signal } = new AbortController();

forEachDatabase((open) => {
  let db: Database;
  let stage: Stage;

  beforeEach(async () => {
    db = open();
    stage = await openStage(db, { hasData: true, made: async () => ({ plan: async () => PLAN, bytes: chunks }) });
  });
  afterEach(() => stage.stored.stop());

  const become = (id: string, number: number, over: Partial<typeof datasetVersions.$inferInsert>) =>
    db.sql
      .update(datasetVersions)
      .set(over)
      .where(and(eq(datasetVersions.datasetId, id), eq(datasetVersions.number, number)));
  const find = (dataset: string, version?: number, caller = acme) =>
    stage.all.knowledge.find(caller, { dataset, version });

  test('the newest ready one is found, or the version that is named', async () => {
    const id = await stage.created('manuals');
    for (const text of ['one', 'two', 'three']) await stage.uploaded(id, { 'a.txt': text });
    expect(await find(id)).toBeUndefined();
    await become(id, 1, { knowledge: BASE });
    await become(id, 2, { knowledge: { ...BASE, dimensions: 4 } });
    expect(await find(id)).toMatchObject({ version: 2, model: 'embedder', dimensions: 4 });
    expect(await find(id, 1)).toMatchObject({ version: 1, dimensions: 2 });
    // It is there, and no knowledge base.
    expect(await find(id, 3)).toBeUndefined();
    await become(id, 2, { state: 'processing' });
    expect(await find(id)).toMatchObject({ version: 1 });
    await expect(find(id, 2)).rejects.toMatchObject({ problem: 'not_found' });
    await expect(find(id, 8)).rejects.toMatchObject({ problem: 'not_found' });
    expect(await stage.all.versions.get(acme, { id, version: '1' }, 'en')).toMatchObject({
      knowledge: { model: 'embedder', dimensions: 2, chunks: 3 },
    });
    expect((await stage.all.versions.get(acme, { id, version: '3' }, 'en')).knowledge).toBeNull();
  });

  test('what a task has made is found once it is ready', async () => {
    const id = await stage.created('manuals');
    await stage.uploaded(id, { 'a.txt': 'one' });
    const by = { source: 'process', include: [], task: 'build', taskUid: 'uid-1', run: 1 } as const;
    const version = await stage.all.processed.made(
      acme,
      id,
      { ...by, from: { dataset: id, version: 1 } },
      sha256('a key'),
    );
    await stage.ended(id, `${version}`);
    expect(await find(id)).toMatchObject({ version, model: 'embedder', dimensions: 2 });
  });

  test('another organisation’s does not exist; a shelved one is searched by the data server of whoever asks', async () => {
    const id = await stage.created('manuals');
    await stage.uploaded(id, { 'a.txt': 'one' });
    await become(id, 1, { knowledge: BASE });
    for (const version of [undefined, 1])
      await expect(find(id, version, other)).rejects.toMatchObject({ problem: 'not_found' });
    await db.sql.update(datasets).set({ shelvedAt: new Date() }).where(eq(datasets.id, id));
    const base = await find(id, undefined, other);
    await base?.bring(signal);
    const found = await base?.search({ text: 'one', k: 5 }, signal);
    expect(found).toMatchObject([{ text: '{"text":"one","k":5} aa,cc bb dd' }]);
    expect(stage.data.asked.filter(([what]) => ['bring', 'retrieve'].includes(what))).toEqual([
      ['bring', 'other'],
      ['retrieve', 'other'],
    ]);
  });

  test('of one that an index holds the data server gets what is nearest, and no file of vectors', async () => {
    const id = await stage.created('manuals');
    await stage.uploaded(id, { 'a.txt': 'one' });
    await become(id, 1, { knowledge: BASE });
    let isHeld = true;
    const large = {
      holds: async (asked: object) => {
        expect(asked).toEqual({ sha256: 'b'.repeat(64), dimensions: 2, chunks: 3 });
        return isHeld;
      },
      nearest: async () => [{ chunk: 2, score: 0.5 }],
    };
    const knowledge = new KnowledgeBases({ db, data: stage.data, large });
    const base = await knowledge.find(acme, { dataset: id, version: undefined });
    const said = async (asked: object) => (await base?.search({ k: 5, ...asked }, signal))?.[0]?.text;
    expect(await said({ vector: [1, 0], text: 'one' })).toBe('{"k":5,"text":"one","nearest":[[2,0.5]]} aa,cc  dd');
    expect(await said({ text: 'one' })).toBe('{"k":5,"text":"one"} aa,cc  dd');
    isHeld = false;
    expect(await said({ vector: [1, 0] })).toBe('{"k":5,"vector":[1,0]} aa,cc bb dd');
    expect(await knowledge.areUsed(['b'.repeat(64), 'a'.repeat(64)])).toEqual(new Set(['b'.repeat(64)]));
    await become(id, 1, { state: 'processing' });
    expect(await knowledge.areUsed(['b'.repeat(64)])).toEqual(new Set());
  });

  test('one with collected requests is for those who manage', async () => {
    const id = await stage.created('manuals');
    await stage.uploaded(id, { 'a.txt': 'one' });
    await become(id, 1, { knowledge: BASE });
    await db.sql.update(datasets).set({ managersOnly: true }).where(eq(datasets.id, id));
    const member = { ...acme, organization: { ...acme.organization, role: 'member' as const } };
    await expect(find(id, undefined, member)).rejects.toMatchObject({ problem: 'not_found' });
    expect(await find(id)).toMatchObject({ version: 1 });
  });

  test('its test set is read by whoever sees it, and written by its own organisation', async () => {
    const id = await stage.created('manuals');
    const { tests } = stage.all;
    expect(await tests.get(acme, id)).toEqual([]);
    const questions = [{ question: 'When does it open?', expected: 'at six' }];
    await tests.set(acme, id, [...questions, ...questions]);
    await tests.set(acme, id, questions);
    expect(await tests.get(acme, id)).toEqual(questions);
    await expect(tests.get(other, id)).rejects.toMatchObject({ problem: 'not_found' });
    await expect(tests.set(other, id, [])).rejects.toMatchObject({ problem: 'not_found' });
    await db.sql.update(datasets).set({ shelvedAt: new Date() }).where(eq(datasets.id, id));
    expect(await tests.get(other, id)).toEqual(questions);
    await expect(tests.set(other, id, [])).rejects.toMatchObject({ problem: 'not_found' });
    await db.sql.update(datasets).set({ shelvedAt: null }).where(eq(datasets.id, id));
    await stage.all.datasets.remove(acme, id);
    await expect(tests.get(acme, id)).rejects.toMatchObject({ problem: 'not_found' });
  });
});
