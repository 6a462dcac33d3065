// What an organisation stores: equal files once, whichever owners have them, those on their way as large as they were declared, and
// what its deployments have collected.
import { problem } from '@gantry/contract/http/problem.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { collectedFiles } from '../../platform/db/schema/collected.ts';
import { files } from '../../platform/db/schema/files.ts';
import { organizations } from '../../platform/db/schema/people.ts';

export const GIB = 1024 ** 3;

export async function usedBytes(db: Sql, organizationId: string): Promise<number> {
  const each = db
    .selectDistinctOn([sql`coalesce(${files.digest}, ${files.id})`], {
      size: sql<number>`${files.sizeBytes}`.as('size'),
    })
    .from(files)
    .where(and(eq(files.organizationId, organizationId), ne(files.state, 'failed')))
    .as('each');
  const [row] = await db.select({ bytes: sql<string>`coalesce(sum(${each.size}), 0)` }).from(each);
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

/**
 * Rows of files that an organisation has, whichever owners: equal ones count each time, since bytes that are there cost no quota. Fifty
 * versions of as many files as one may have.
 */
const MOST_FILES = 1_000_000;

/** Within the lock. Throws too_many_files. */
export async function demandFew(tx: Sql, organizationId: string, more: number, most = MOST_FILES): Promise<void> {
  const has = await tx.$count(files, eq(files.organizationId, organizationId));
  if (has + more > most) throw problem('too_many_files', { most });
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
