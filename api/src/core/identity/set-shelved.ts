// What everybody is shown: staff decide, about what staff themselves own, and only once it is whole.
import { type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import { and, eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database, Sql } from '../../platform/db/open.ts';
import { noteTakenOff } from '../../platform/db/taken-off.ts';
import { ownedByStaff } from './owned-by-staff.ts';

type Shown = PgTable & SQLWrapper & Record<'id' | 'organizationId' | 'shelvedAt' | 'shelvedBy', PgColumn>;

interface Rules {
  kind: 'model' | 'dataset';
  /** Under the lock. */
  isReady(tx: Sql): Promise<boolean>;
  /** Why it is never shown, if it is not. */
  whyNever?(tx: Sql): Promise<ProblemCode | undefined>;
  abnormal: ProblemCode;
  ofTenant: ProblemCode;
}

/** Throws not_found and the problems of its rules. What is so already stays as it is. */
export async function setShelved(
  db: Database,
  table: Shown,
  { id, isShelved, by, at }: { id: string; isShelved: boolean; by: string; at: Date },
  { kind, isReady, whyNever, abnormal, ofTenant }: Rules,
): Promise<void> {
  await db.transaction(async (tx) => {
    const of = eq(table.id, id);
    const [row] = await tx.select({ shelvedAt: table.shelvedAt }).from(table).where(of).for('update');
    if (!row) throw problem('not_found', { what: id });
    if (!(await isReady(tx))) throw problem(abnormal);
    if ((row.shelvedAt !== null) === isShelved) return;
    const never = isShelved ? await whyNever?.(tx) : undefined;
    if (never) throw problem(never);
    const ofStaff = and(of, ownedByStaff(table.organizationId));
    if (isShelved && (await tx.$count(table, ofStaff)) === 0) throw problem(ofTenant);
    const [shelvedAt, shelvedBy] = isShelved ? [at.toISOString(), by] : [null, null];
    if (!isShelved) await noteTakenOff(tx, kind, id, at);
    await tx.execute(
      sql`update ${table} set shelved_at = ${shelvedAt}::timestamptz, shelved_by = ${shelvedBy} where ${table.id} = ${id}`,
    );
  });
}
