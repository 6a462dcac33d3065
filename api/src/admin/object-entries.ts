// What the audit log has about one object: in its organisation's chain as members name it, and in the platform's as staff do.
import type { KindAbout } from '@gantry/contract/http/admin-computing.ts';
import { and, desc, eq, or, sql } from 'drizzle-orm';
import type { Sql } from '../db/open.ts';
import { auditLog } from '../db/schema/audit.ts';

const MOST_ENTRIES = 50;

/** Newest first. An entry may name several objects, with spaces between them. */
export async function entriesAbout(
  connection: Sql,
  places: readonly { organizationId: string; object: string }[],
): Promise<KindAbout['audit']> {
  const rows = await connection
    .select()
    .from(auditLog)
    .where(
      or(
        ...places.map(({ organizationId, object }) =>
          and(
            eq(auditLog.organizationId, organizationId),
            sql`strpos(' ' || ${auditLog.object} || ' ', ${` ${object} `}) > 0`,
          ),
        ),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(MOST_ENTRIES);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor_name: row.actorName,
    actor_kind: row.actorKind,
    action: row.action,
    decision: row.decision,
    reason: row.reason,
  }));
}
