// The people on an organisation's side, as SQL selects them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../../test/support/database.ts';
import type { Database } from '../../../platform/db/open.ts';
import { auditLog } from '../../../platform/db/schema/audit.ts';
import { invitations } from '../../../platform/db/schema/invitations.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { belongsTo } from './belongs.ts';

const NOW = Date.parse('2026-03-31T10:00:00Z');
const DAY_MS = 86_400_000;
const createdAt = new Date(NOW - 90 * DAY_MS);
const WHO: Record<string, boolean> = {
  'a member': true,
  'one who is invited by name': true,
  'one who is invited by address': true,
  'one who declined': false,
  'one who acted there as a member 29 days ago': true,
  'one who acted there as a member 31 days ago': false,
  'one who was refused there': false,
  'one who acted there as staff': false,
  'a stranger': false,
};
const idOf = (who: string) => `acc-${Object.keys(WHO).indexOf(who)}`;

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
  const account = (id: string) => ({ id, name: id, email: `${id}@example.com`, createdAt });
  await db.sql.insert(accounts).values([...Object.keys(WHO).map((who) => account(idOf(who))), account('acc-owner')]);
  await db.sql.insert(organizations).values({ id: 'acme', name: 'acme', currency: 'USD', createdAt });
  await db.sql
    .insert(memberships)
    .values({ organizationId: 'acme', accountId: idOf('a member'), role: 'viewer', createdAt });
  const invited = {
    organizationId: 'acme',
    role: 'member',
    invitedBy: 'acc-owner',
    createdAt,
    expiresAt: createdAt,
  } as const;
  await db.sql.insert(invitations).values([
    { ...invited, id: 'ivt-1', accountId: idOf('one who is invited by name') },
    { ...invited, id: 'ivt-2', email: `${idOf('one who is invited by address')}@example.com` },
    { ...invited, id: 'ivt-3', accountId: idOf('one who declined'), state: 'declined' },
  ]);
  const acted = (who: string, days: number, changes: Partial<typeof auditLog.$inferInsert> = {}) => ({
    ...{ at: new Date(NOW - days * DAY_MS), actorId: idOf(who), actorKind: 'session' as const, organizationId: 'acme' },
    ...{ requestId: who, action: 'leaveOrganization', decision: 'allowed' as const, status: 200, ip: '' },
    ...changes,
  });
  await db.sql
    .insert(auditLog)
    .values([
      acted('one who acted there as a member 29 days ago', 29),
      acted('one who acted there as a member 31 days ago', 31),
      acted('one who was refused there', 1, { decision: 'denied' }),
      acted('one who acted there as staff', 1, { actorKind: 'staff' }),
    ]);
});
afterAll(() => db.close());

test.each(Object.entries(WHO))('%s: %s', async (who, belongs) => {
  expect(await belongsTo(db.sql, 'acme', idOf(who), NOW)).toBe(belongs);
  expect(await belongsTo(db.sql, 'other', idOf(who), NOW)).toBe(false);
});
