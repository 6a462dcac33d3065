// Versions of models in the lineage: a node from the moment that one is ready. Each is written with its version; what a gateway of an
// earlier release did meanwhile is made up for.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { filesOf } from '../../core/files/files.ts';
import type { MadeNode } from '../../core/lineage/lineage-rows.ts';
import { recordMade } from '../../core/lineage/lineage-rows.ts';
import type { Database } from '../../platform/db/open.ts';
import { lineageNodes } from '../../platform/db/schema/lineage.ts';
import { models, modelVersions } from '../../platform/db/schema/models.ts';
import { digestOfFiles } from './deployed.ts';

export const versionNode = (
  { organizationId, name, ...model }: { id: string; organizationId: string; name: string },
  version: { id: string; name: string },
  files: Parameters<typeof digestOfFiles>[0],
): MadeNode => ({
  ...{ organizationId, kind: 'model', ref: model.id, version: version.name, uid: version.id, name },
  digest: digestOfFiles(files),
});

const AT_ONCE = 100;

/** May be done at any time, by several at once, and again. */
export async function recordVersions({ db, now }: { db: Database; now(): Date }): Promise<void> {
  for (;;) {
    const missing = await db.sql
      .select({ id: modelVersions.id })
      .from(modelVersions)
      .leftJoin(lineageNodes, and(eq(lineageNodes.kind, 'model'), eq(lineageNodes.uid, modelVersions.id)))
      .where(and(eq(modelVersions.state, 'ready'), isNull(lineageNodes.id)))
      .limit(AT_ONCE);
    for (const { id } of missing) await recordVersion(db, id);
    if (missing.length < AT_ONCE) break;
  }
  const live = sql`${lineageNodes.kind} = 'model' and ${lineageNodes.goneAt} is null`;
  await db.sql
    .update(lineageNodes)
    .set({ goneAt: now() })
    .where(sql`${live} and not exists (select from ${modelVersions} where ${modelVersions.id} = ${lineageNodes.uid})`);
  await db.sql
    .update(lineageNodes)
    .set({ name: sql`${models.name}` })
    .from(models)
    .where(sql`${live} and ${models.id} = ${lineageNodes.ref} and ${models.name} <> ${lineageNodes.name}`);
}

const recordVersion = (db: Database, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    // A deletion waits, and finds the node.
    const [found] = await tx
      .select({ version: modelVersions, model: models })
      .from(modelVersions)
      .innerJoin(models, eq(models.id, modelVersions.modelId))
      .where(eq(modelVersions.id, id))
      .for('key share');
    if (!found) return;
    const files = await filesOf(tx, { kind: 'model', id });
    const { version, model } = found;
    await recordMade(tx, versionNode(model, version, files), { from: [], at: version.readyAt ?? version.createdAt });
  });
