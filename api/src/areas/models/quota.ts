// The bytes of an organisation's files: equal files once, those on their way as large as they were announced, and the collected records of
// its deployments.
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { collectedFiles } from '../../platform/db/schema/collected.ts';
import { modelFiles, models, modelVersions } from '../../platform/db/schema/models.ts';
import { organizations } from '../../platform/db/schema/people.ts';

export const GIB = 1024 ** 3;

export async function usedBytes(db: Sql, organizationId: string): Promise<number> {
  const files = db
    .selectDistinctOn([sql`coalesce(${modelFiles.digest}, ${modelFiles.id})`], {
      size: sql<number>`${modelFiles.sizeBytes}`.as('size'),
    })
    .from(modelFiles)
    .innerJoin(modelVersions, eq(modelVersions.id, modelFiles.versionId))
    .innerJoin(models, eq(models.id, modelVersions.modelId))
    .where(and(eq(models.organizationId, organizationId), ne(modelVersions.state, 'failed')))
    .as('files');
  const [row] = await db.select({ bytes: sql<string>`coalesce(sum(${files.size}), 0)` }).from(files);
  const [collected] = await db
    .select({ bytes: sql<string>`coalesce(sum(${collectedFiles.sizeBytes}), 0)` })
    .from(collectedFiles)
    .where(eq(collectedFiles.organizationId, organizationId));
  return Number(row?.bytes ?? 0) + Number(collected?.bytes ?? 0);
}

/** One after the other, so that two that begin at once do not both take the last room. */
export async function lockOrganization(tx: Sql, organizationId: string): Promise<void> {
  await rowsOf(tx, sql`select from ${organizations} where ${organizations.id} = ${organizationId} for update`);
}

/** Within the lock. Throws model_quota. */
export async function demandRoom(
  tx: Sql,
  organizationId: string,
  wanted: number,
  quotaGi: number | undefined,
): Promise<void> {
  if (quotaGi === undefined) throw problem('organization_not_ready');
  const used = await usedBytes(tx, organizationId);
  if (used + wanted <= quotaGi * GIB) return;
  throw problem('model_quota', { wanted: gi(wanted), used: gi(used), limit: quotaGi });
}

/** Two decimals, and never zero of something. */
const gi = (bytes: number): number => Math.max(0.01, Math.round((bytes / GIB) * 100) / 100);
