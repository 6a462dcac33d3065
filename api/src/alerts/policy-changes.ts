// Who did what to a policy, from the audit log: what was refused or failed has changed nothing.
import { POLICY_CHANGES } from '@gantry/contract/http/alerts.ts';
import { and, count, desc, eq, gte, inArray, like, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { hasWord } from '../db/has-word.ts';
import type { Database, Sql } from '../db/open.ts';
import { auditLog } from '../db/schema/audit.ts';

export interface PolicyOfChanges {
  organizationId: string;
  id: string;
  /** An earlier policy of the same name was another one. */
  since: Date;
}

export interface PolicyChange {
  time: string;
  /** Null: whoever had the link of a mail. */
  account: string | null;
  action: (typeof POLICY_CHANGES)[number];
}

/** Newest first; `page` counts from 1. */
export async function policyChanges(
  { sql: db }: Pick<Database, 'sql'>,
  policy: PolicyOfChanges,
  { page, size }: { page: number; size: number },
): Promise<{ rows: PolicyChange[]; total: number }> {
  const rows = await changesOf(db, policy)
    .orderBy(desc(auditLog.id))
    .limit(size)
    .offset((page - 1) * size);
  const [all] = await db.select({ total: count() }).from(changesOf(db, policy).as('changes'));
  return {
    rows: rows.map(({ at, account, action }) => ({
      time: at.toISOString(),
      account,
      action: action as PolicyChange['action'],
    })),
    total: all?.total ?? 0,
  };
}

/** Entries that name it alone, and those that name several. The statement itself, so that a test sees how it is answered. */
export function changesOf(db: Sql, { organizationId, id, since }: PolicyOfChanges) {
  const object = `AlertPolicy/${id}`;
  const about = and(
    eq(auditLog.organizationId, organizationId),
    gte(auditLog.at, since),
    // As the index has it.
    sql`${auditLog.decision} = 'allowed' and ${auditLog.object} like 'AlertPolicy/%'`,
  );
  const found = () =>
    db
      .select({ id: auditLog.id, at: auditLog.at, account: auditLog.actorName, action: auditLog.action })
      .from(auditLog);
  return unionAll(
    found().where(and(about, inArray(auditLog.action, [...POLICY_CHANGES]), eq(auditLog.object, object))),
    found().where(
      and(about, eq(auditLog.action, 'batchPolicies'), like(auditLog.object, '% %'), hasWord(auditLog.object, object)),
    ),
  );
}
