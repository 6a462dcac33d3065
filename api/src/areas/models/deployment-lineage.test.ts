// Deployments and versions in the lineage: what is on the cluster and in SQL is compared with the nodes, whatever was missed.
import { LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { Lineage } from '../../core/lineage/lineage.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { blobs, files } from '../../platform/db/schema/files.ts';
import { models, modelVersions } from '../../platform/db/schema/models.ts';
import { accounts, organizations } from '../../platform/db/schema/people.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findWeights } from './deployed.ts';
import { DeploymentLineage } from './deployment-lineage.ts';

const at = new Date('2026-11-29T10:00:00Z');
const callerOf = (id: string) =>
  ({ organization: { id, role: 'owner' }, session: { kind: 'session', scopes: [] } }) as unknown as Caller;

forEachDatabase((open) => {
  let db: Database;
  let now: number;
  let warned: string[];
  beforeEach(async () => {
    db = open();
    now = at.getTime();
    warned = [];
    await db.sql.insert(accounts).values({ id: 'ann', name: 'ann', createdAt: at });
    for (const id of ['acme', 'other', 'staff'])
      await db.sql.insert(organizations).values({ id, name: id, currency: 'USD', createdAt: at });
  });

  /** As a gateway of an earlier release leaves it: ready, and without a node. */
  async function model(id: string, version = '1.0', { organizationId = 'acme', shelved = false } = {}) {
    const row = { id, organizationId, name: `Model ${id}`, creatorId: 'ann', createdAt: at, updatedAt: at };
    await db.sql
      .insert(models)
      .values({ ...row, ...(shelved && { shelvedAt: at }) })
      .onConflictDoNothing();
    const versionId = `${id}-${version}`;
    const digest = versionId.padEnd(64, '0');
    await db.sql.insert(blobs).values({ digest, sizeBytes: 1, storedAt: at });
    await db.sql.insert(modelVersions).values({
      ...{ id: versionId, modelId: id, name: version, state: 'ready', source: 'upload', creatorId: 'ann' },
      ...{ createdAt: at, readyAt: at },
    });
    await db.sql.insert(files).values({
      ...{ id: `${versionId}-file`, ownerKind: 'model', ownerId: versionId, organizationId, state: 'ready' },
      ...{ path: 'model.gguf', sizeBytes: 1, digest, keptAt: at },
    });
  }

  /** As the cluster has it once the gateway has said what it serves. */
  async function deployment(name: string, spec: object, { organization = 'acme', uid = `uid-${name}` } = {}) {
    const found = await findWeights(db.sql, organization, spec as ModelDeployment['spec']);
    if ('reason' in found) throw new Error(found.reason);
    return {
      metadata: { name, uid, namespace: `org-${organization}` },
      spec,
      status: { weights: found.weights },
    } as unknown as ModelDeployment;
  }

  const gateway = () =>
    new DeploymentLineage({
      db,
      clock: { now: () => now },
      log: { warn: (facts, text) => void warned.push(`${text}: ${'err' in facts ? facts.err : ''}`) },
    });
  const lineageOf = (kind: string, id: string, organization = 'acme') =>
    new Lineage({ db, shown: {}, isRunning: () => false, taskName: () => undefined }).of(
      callerOf(organization),
      LINEAGE_ROUTES.getLineage.query.parse({ kind, id }),
    );
  const namesOf = async (kind: string, id: string, organization?: string) =>
    (await lineageOf(kind, id, organization)).nodes.map(
      ({ name, version, gone_time: gone }) => `${name}${version ? ` ${version}` : ''}${gone ? ' (gone)' : ''}`,
    );
  /** Which transactions have written the rows: the same before and after where nothing was written. */
  const written = () =>
    rowsOf(db.sql, sql`select xmin::text from lineage_nodes union all select xmin::text from lineage_edges order by 1`);

  test('versions that are there already have nodes, and deployments what they serve: the base and the adapters', async () => {
    await model('base');
    await model('legal', '3');
    const adapters = [{ name: 'legal', model: 'legal', version: '3' }];
    const chat = await deployment('chat', { model: 'base', version: '1.0', adapters, displayName: 'Chat' });
    await gateway().look([chat, await deployment('plain', { model: 'base', version: '1.0' })]);
    expect(await namesOf('deployment', 'chat')).toEqual(['Chat', 'Model base 1.0', 'Model legal 3']);
    expect((await namesOf('model', 'base')).sort()).toEqual(['Chat', 'Model base 1.0', 'plain']);
    // The digest of a version is that of a deployment of it alone.
    const { nodes } = await lineageOf('deployment', 'plain');
    expect(new Set(nodes.map(({ digest }) => digest)).size).toBe(1);
    expect(warned).toEqual([]);
  });

  test('another look, a restart and a second gateway write nothing', async () => {
    await model('base');
    const objects = [await deployment('chat', { model: 'base', version: '1.0' })];
    const one = gateway();
    await Promise.all([one.look(objects), gateway().look(objects)]);
    const before = await written();
    expect(before).toHaveLength(3);
    await one.look(objects);
    await gateway().look(objects);
    expect(await written()).toEqual(before);
  });

  test('a deployment that is released is gone, also where nobody saw it go', async () => {
    await model('base');
    const chat = await deployment('chat', { model: 'base', version: '1.0' });
    await gateway().look([chat]);
    await gateway().look([]);
    expect(await namesOf('model', 'base')).toEqual(['Model base 1.0', 'chat (gone)']);
    // Another one of the same name is another one.
    await gateway().look([await deployment('chat', { model: 'base', version: '1.0' }, { uid: 'second' })]);
    expect(await namesOf('deployment', 'chat')).toEqual(['chat', 'chat (gone)', 'Model base 1.0']);
  });

  test('a deployment that serves another version keeps in mind what it served before', async () => {
    await model('base');
    await model('base', '2.0');
    const one = gateway();
    await one.look([await deployment('chat', { model: 'base', version: '1.0' })]);
    await one.look([await deployment('chat', { model: 'base', version: '2.0', displayName: 'Chat two' })]);
    expect(await namesOf('deployment', 'chat')).toEqual([
      'Chat two',
      'chat (gone)',
      'Model base 1.0',
      'Model base 2.0',
    ]);
    await one.look([await deployment('chat', { model: 'base', version: '2.0', displayName: 'Renamed' })]);
    expect((await namesOf('deployment', 'chat'))[0]).toBe('Renamed');
  });

  test('a spec that names the model of another organisation meanwhile learns nothing of it', async () => {
    await model('base');
    await model('secret', '1.0', { organizationId: 'other' });
    const chat = await deployment('chat', { model: 'base', version: '1.0' });
    for (const spec of [
      { model: 'secret', version: '1.0' },
      { model: 'base', version: '1.0', adapters: [{ name: 'a', model: 'secret', version: '1.0' }] },
    ]) {
      await gateway().look([{ ...chat, spec } as ModelDeployment]);
      expect(await namesOf('deployment', 'chat')).toEqual(['chat', 'Model base 1.0']);
    }
    await expect(lineageOf('model', 'secret')).rejects.toMatchObject({ problem: 'not_found' });
  });

  test('what is served of the library is still its origin when the library shows it no more', async () => {
    await model('shelf', '1.0', { organizationId: 'staff', shelved: true });
    const chat = await deployment('chat', { model: 'shelf', version: '1.0' });
    await db.sql.update(models).set({ shelvedAt: null }).where(eq(models.id, 'shelf'));
    await gateway().look([chat]);
    expect((await lineageOf('deployment', 'chat')).nodes).toEqual([
      expect.objectContaining({ name: 'chat' }),
      expect.objectContaining({ name: 'Model shelf', is_own: false, id: null, version: null }),
    ]);
  });

  test('a version that an earlier release makes ready, renames or deletes beside this one is made up for', async () => {
    await model('base');
    const one = gateway();
    await one.look([]);
    await model('late');
    await one.look([await deployment('chat', { model: 'late', version: '1.0' })]);
    expect(await namesOf('deployment', 'chat')).toEqual(['chat', 'Model late 1.0']);
    await db.sql.update(models).set({ name: 'Renamed' }).where(eq(models.id, 'late'));
    await db.sql.delete(models).where(eq(models.id, 'base'));
    await gateway().look([]);
    expect(await namesOf('model', 'late')).toEqual(['Renamed 1.0', 'chat (gone)']);
    expect(await namesOf('model', 'base')).toEqual(['Model base 1.0 (gone)']);
  });

  test('one that cannot be written keeps no other waiting, and is tried again', async () => {
    await model('base');
    const spec = { model: 'base', version: '1.0' };
    const bad = await deployment('bad', { ...spec, displayName: 'a\u0000b' });
    const one = gateway();
    await one.look([bad, await deployment('good', spec)]);
    expect(await namesOf('deployment', 'good')).toEqual(['good', 'Model base 1.0']);
    expect(warned).toHaveLength(1);
    await one.look([bad]);
    expect(warned).toHaveLength(1);
    now += 15_000;
    await one.look([await deployment('bad', spec)]);
    expect(await namesOf('deployment', 'bad')).toEqual(['bad', 'Model base 1.0']);
  });
});
