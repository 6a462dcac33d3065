// The entries of the audit log about one object: in its organisation's chain as members name it, and in the platform's as staff do.
import { actionName } from '@gantry/contract/areas/audit/action-name.ts';
import type { KindAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { and, desc, eq, sql } from 'drizzle-orm';
import { hasWord } from '../../platform/db/has-word.ts';
import { inTime, isTooLong } from '../../platform/db/in-time.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';

const MOST_ENTRIES = 50;
/** The newest entries of an organisation that are searched for one that names several objects. */
const MOST_READ = 10_000;
const LIMIT_MS = 3_000;

export interface PlaceOf {
  /** '' is the platform's chain. */
  organizationId: string;
  object: string;
}

/** Newest first. An entry of an organisation may name several objects, with spaces between them. */
export async function entriesAbout(
  db: Database,
  places: readonly PlaceOf[],
  language: Language,
): Promise<KindAbout['audit']> {
  const rows = await inTime(db, LIMIT_MS, (tx) => together(places.map((place) => namedAlone(tx, place))));
  const shared = await inTime(db, LIMIT_MS, (tx) =>
    together(places.filter(({ organizationId }) => organizationId !== '').map((place) => namedAmongOthers(tx, place))),
  ).catch((error: unknown) => {
    // The page of an object does without them rather than fail.
    if (isTooLong(error)) return [];
    throw error;
  });
  return [...rows, ...shared]
    .sort((a, b) => b.id - a.id)
    .slice(0, MOST_ENTRIES)
    .map((row) => ({
      id: row.id,
      at: row.at.toISOString(),
      actor_name: row.actorName,
      actor_kind: row.actorKind,
      action: row.action,
      action_label: actionName(row.action, language) ?? null,
      decision: row.decision,
      reason: row.reason,
    }));
}

type Entry = typeof auditLog.$inferSelect;

async function together(queries: readonly PromiseLike<Entry[]>[]): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const query of queries) found.push(...(await query));
  return found;
}

/** Answered by the index of objects. The statement itself, so that a test sees how it is answered. */
export function namedAlone(connection: Sql, { organizationId, object }: PlaceOf) {
  return connection
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.object, object), eq(auditLog.organizationId, organizationId)))
    .orderBy(desc(auditLog.id))
    .limit(MOST_ENTRIES);
}

/** Answered by the index of the organisation's chain, from its end. */
export function namedAmongOthers(connection: Sql, { organizationId, object }: PlaceOf) {
  const newest = connection
    .select()
    .from(auditLog)
    .where(eq(auditLog.organizationId, organizationId))
    .orderBy(desc(auditLog.id))
    .limit(MOST_READ)
    .as('newest');
  return connection
    .select()
    .from(newest)
    .where(and(sql`${newest.object} like '% %'`, hasWord(newest.object, object)))
    .orderBy(desc(newest.id))
    .limit(MOST_ENTRIES);
}
