// Whoever began something that goes on without them: a member as they are now, or nobody.
import { organizationNamespace } from '@gantry/contract/names.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** Undefined where the account is disabled, is no member any more, or the organisation is gone. */
export async function memberCaller(
  db: Sql,
  { accountId, organizationId }: { accountId: string; organizationId: string },
): Promise<Caller | undefined> {
  const [row] = await db
    .select({
      role: memberships.role,
      account: { id: accounts.id, name: accounts.name, email: accounts.email, locale: accounts.locale },
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.accountId, accountId),
        isNull(accounts.disabledAt),
        isNull(organizations.deletedAt),
      ),
    );
  if (!row) return undefined;
  return {
    account: { ...row.account, platformRoles: [] },
    organization: { id: organizationId, role: row.role, namespace: organizationNamespace(organizationId) },
    session: { id: '', kind: 'session', scopes: [], expiresAt: 0 },
  };
}
