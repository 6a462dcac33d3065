// The changes of a policy and their authors, from the audit log: a refused or failed call has changed nothing.
import { POLICY_CHANGES } from '@gantry/contract/areas/alerts/alerts.ts';
import { and, count, eq, gte, inArray, like, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { hasWord } from '../../platform/db/has-word.ts';
import { type CursorPage, type CursorRows, cursorAfter, cursorOrder } from '../../platform/db/key-pages.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { auditLog } from '../../platform/db/schema/audit.ts';

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

/** Newest first. */
export async function policyChanges(
  { sql: db }: Pick<Database, 'sql'>,
  policy: PolicyOfChanges,
  asked: CursorPage,
): Promise<CursorRows<PolicyChange>> {
  const list = { table: auditLog, columns: { id: auditLog.id }, own: sql`(${or(...clausesOf(policy))})` };
  const { order, beyond, limit, offset } = await cursorOrder(db, list, ['id', 'DESC'], asked);
  const rows = await changesOf(db, policy, beyond)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  const [all] = await db.select({ total: count() }).from(changesOf(db, policy).as('changes'));
  return {
    cursor: cursorAfter(
      rows.map(({ id }) => id),
      asked,
    ),
    items: rows.map(({ at, account, action }) => ({
      time: at.toISOString(),
      account,
      action: action as PolicyChange['action'],
    })),
    total: all?.total ?? 0,
  };
}

/** Entries that name it alone, and those that name several. The statement itself, so that a test sees how it is answered. */
export function changesOf(db: Sql, policy: PolicyOfChanges, beyond?: SQL) {
  const found = () =>
    db
      .select({ id: auditLog.id, at: auditLog.at, account: auditLog.actorName, action: auditLog.action })
      .from(auditLog);
  const [alone, among] = clausesOf(policy);
  return unionAll(found().where(and(alone, beyond)), found().where(and(among, beyond)));
}

function clausesOf({ organizationId, id, since }: PolicyOfChanges) {
  const object = `AlertPolicy/${id}`;
  const about = and(
    eq(auditLog.organizationId, organizationId),
    gte(auditLog.at, since),
    // As the index has it.
    sql`${auditLog.decision} = 'allowed' and ${auditLog.object} like 'AlertPolicy/%'`,
  );
  return [
    and(about, inArray(auditLog.action, [...POLICY_CHANGES]), eq(auditLog.object, object)),
    and(about, eq(auditLog.action, 'batchPolicies'), like(auditLog.object, '% %'), hasWord(auditLog.object, object)),
  ] as const;
}
