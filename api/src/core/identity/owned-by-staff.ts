// Whether one of an organisation's owners is staff who decide about what everybody is shown: a tenant's own is never shown to others.
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { memberships, platformGrants } from '../../platform/db/schema/people.ts';

export const ownedByStaff = (organizationId: PgColumn): SQL<boolean> =>
  sql<boolean>`exists (select from ${memberships} join ${platformGrants} on ${platformGrants.accountId} = ${memberships.accountId} where ${memberships.organizationId} = ${organizationId} and ${memberships.role} = 'owner' and ${platformGrants.role} in ('administrator', 'catalogue'))`;
