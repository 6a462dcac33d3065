// Staff who belong to no tenant of a test: they may give value there, and decide about it.
import type { PlatformRole } from '@gantry/contract/roles.ts';
import type { Database } from '../../api/src/platform/db/open.ts';
import {
  accounts,
  memberships,
  organizations,
  platformGrants,
  sessions,
} from '../../api/src/platform/db/schema/people.ts';
import { sha256 } from '../../api/src/platform/secrets.ts';

const FAR = new Date('2099-01-01T00:00:00Z');

/** `acc-<name>` each, with a token. */
export async function hireStaff<Name extends string>(
  db: Database,
  roles: Readonly<Record<Name, PlatformRole>>,
): Promise<Record<Name, string>> {
  const createdAt = new Date();
  const names = Object.keys(roles) as Name[];
  const organizationId = 'stafforg';
  const row = { id: organizationId, name: organizationId, currency: 'USD', createdAt, revision: 1, projected: 1 };
  await db.sql.insert(organizations).values(row);
  for (const name of names) {
    const accountId = `acc-${name}`;
    const terms = { termsVersion: '1', termsAcceptedAt: createdAt };
    await db.sql.insert(accounts).values({ id: accountId, name, email: `${name}@staff.example`, createdAt, ...terms });
    await db.sql.insert(memberships).values({ organizationId, accountId, role: 'member', createdAt });
    await db.sql.insert(platformGrants).values({ accountId, role: roles[name], createdAt });
    const seen = { createdAt, lastUsedAt: createdAt, expiresAt: FAR };
    const tokenHash = sha256(`token-of-${name}`);
    await db.sql.insert(sessions).values({ id: `ses-${name}`, tokenHash, accountId, organizationId, ...seen });
  }
  return Object.fromEntries(names.map((name) => [name, `token-of-${name}`])) as Record<Name, string>;
}
