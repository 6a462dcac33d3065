// Whether a person is on an organisation's side. Leaving it, giving and coming back is not a way round: whoever acted in it as a member
// within a month still belongs to it, and so does whoever is invited.
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { auditLog } from '../../../platform/db/schema/audit.ts';
import { invitations } from '../../../platform/db/schema/invitations.ts';
import { accounts, memberships } from '../../../platform/db/schema/people.ts';
import { isOpen } from '../../../platform/db/waiting-invitations.ts';

const REMEMBERED_MS = 30 * 86_400_000;
const MEMBERS_ACT_AS = ['session', 'apiToken'] as const;

export async function belongsTo(tx: Sql, organizationId: string, accountId: string, now: number): Promise<boolean> {
  return (await organizationsOf(tx, accountId, now)).includes(organizationId);
}

export async function organizationsOf(tx: Sql, accountId: string, now: number): Promise<string[]> {
  const member = tx
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.accountId, accountId));
  const invited = tx
    .select({ id: invitations.organizationId })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(
      and(isOpen, sql`(${invitations.accountId} = ${accountId} or ${invitations.email} = lower(${accounts.email}))`),
    );
  const acted = tx
    .selectDistinct({ id: auditLog.organizationId })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.actorId, accountId),
        inArray(auditLog.actorKind, [...MEMBERS_ACT_AS]),
        eq(auditLog.decision, 'allowed'),
        gt(auditLog.at, new Date(now - REMEMBERED_MS)),
      ),
    );
  const found = [await member, await invited, await acted].flat();
  return [...new Set(found.map(({ id }) => id))].filter((id) => id !== '');
}
