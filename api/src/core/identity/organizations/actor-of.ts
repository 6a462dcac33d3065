// As whom the platform acts where nobody asked it to.
import { and, eq } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { memberships } from '../../../platform/db/schema/people.ts';

/** The creator, if still a member, or an owner: as whom something is put to rest. */
export async function actorOf(
  connection: Sql,
  { organizationId, creator }: { organizationId: string; creator?: string | undefined },
): Promise<string> {
  const of = (account: string | undefined) =>
    connection
      .select({ account: memberships.accountId })
      .from(memberships)
      .where(
        and(
          eq(memberships.organizationId, organizationId),
          account === undefined ? eq(memberships.role, 'owner') : eq(memberships.accountId, account),
        ),
      )
      .limit(1);
  const [found] = creator === undefined ? [] : await of(creator);
  const [actor = found] = found ? [found] : await of(undefined);
  if (!actor) throw new Error('the organisation has no owner');
  return actor.account;
}
