// Accounts from a file, beyond what the route's own test plays: phones, full organisations, two imports at once.
import type { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { mails } from '../../db/schema/identity.ts';
import { accounts, memberships, organizations } from '../../db/schema/people.ts';
import { Secrets } from '../secrets.ts';
import { AccountImport, type ImportVerdict } from './account-import.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const outcomes = (verdicts: readonly ImportVerdict[]) =>
  verdicts.map(({ outcome, problem }) => (problem ? (problem as Problem).problem : outcome));

forEachDatabase((database) => {
  let woken: string[];
  let imports: AccountImport;
  beforeEach(async () => {
    woken = [];
    imports = new AccountImport({
      db: database(),
      clock: new SteppedClock(),
      secrets: new Secrets(Buffer.alloc(32, 7)),
      mails: { can: () => true, wake: () => {} },
      projection: { wake: (id) => woken.push(id) },
      currency: 'USD',
      publicUrl: 'https://gantry.example',
    });
    await database()
      .sql.insert(organizations)
      .values({ id: 'school00', name: 'School', currency: 'USD', createdAt: AT });
  });

  describe('an import', () => {
    test('writes to a phone where there is no mail, and a mail goes before a phone', async () => {
      const rows = [
        { line: 2, name: 'pupil-1', phone: '+14155550132' },
        { line: 3, name: 'pupil-2', phone: '+14155550133', email: 'two@example.com' },
      ];
      expect(outcomes(await imports.make(rows))).toEqual(['made', 'made']);
      const sent = await database().sql.select({ channel: mails.channel, address: mails.address }).from(mails);
      expect(sent.sort((a, b) => (a.channel < b.channel ? -1 : 1))).toEqual([
        { channel: 'email', address: 'two@example.com' },
        { channel: 'phone', address: '+14155550132' },
      ]);
    });

    test('raises the organisation’s revision, so that the cluster hears of the member', async () => {
      await imports.make([{ line: 2, name: 'pupil-1', email: 'one@example.com', organizationId: 'school00' }]);
      const [school] = await database().sql.select().from(organizations).where(eq(organizations.id, 'school00'));
      expect(school?.revision).toBe(2);
      expect(woken).toEqual([expect.any(String), 'school00']);
      const [own] = await database()
        .sql.select({ role: memberships.role })
        .from(memberships)
        .where(eq(memberships.organizationId, 'school00'));
      expect(own).toEqual({ role: 'member' });
    });

    test('adds nobody to a full organisation, nor to one that is gone', async () => {
      const { sql: db } = database();
      const ids = Array.from({ length: 1000 }, (_, at) => `acc-full-${at}`);
      await db.insert(accounts).values(ids.map((id) => ({ id, name: id, createdAt: AT })));
      await db
        .insert(memberships)
        .values(
          ids.map((accountId) => ({ organizationId: 'school00', accountId, role: 'member' as const, createdAt: AT })),
        );
      const row = { line: 2, name: 'pupil-1', email: 'one@example.com', organizationId: 'school00' };
      expect(outcomes(await imports.look([row]))).toEqual(['too_many_members']);
      expect(outcomes(await imports.make([row]))).toEqual(['too_many_members']);
      await db.update(organizations).set({ deletedAt: AT }).where(eq(organizations.id, 'school00'));
      expect(outcomes(await imports.make([row]))).toEqual(['not_found']);
      expect(await db.select().from(accounts).where(eq(accounts.name, 'pupil-1'))).toEqual([]);
    });

    test('of two at once, each account is made once and each person written to once', async () => {
      const rows = Array.from({ length: 5 }, (_, at) => ({
        line: at + 2,
        name: `pupil-${at}`,
        email: `p${at}@example.com`,
      }));
      const both = await Promise.all([imports.make(rows), imports.make(rows)]);
      expect(both.flat().filter(({ outcome }) => outcome === 'made')).toHaveLength(5);
      expect(await database().sql.$count(accounts)).toBe(5);
      expect(await database().sql.$count(mails)).toBe(5);
    });
  });
});
