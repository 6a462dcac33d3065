// Accounts from a file, beyond what the route's own test plays: phones, full organisations, two imports at once.
import { Problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { forEachDatabase } from '../../../../../test/support/database.ts';
import { mails } from '../../../platform/db/schema/identity.ts';
import { accounts, memberships, organizations } from '../../../platform/db/schema/people.ts';
import { Secrets } from '../../../platform/secrets.ts';
import { Invitations } from '../organizations/invitations.ts';
import { AccountImport, type ImportVerdict } from './account-import.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const outcomes = (verdicts: readonly ImportVerdict[]) =>
  verdicts.map(({ outcome, problem }) => (problem ? (problem as Problem).problem : outcome));

forEachDatabase((database) => {
  let imports: AccountImport;
  let invitations: Invitations;
  beforeEach(async () => {
    imports = new AccountImport({
      db: database(),
      clock: new SteppedClock(),
      secrets: new Secrets(Buffer.alloc(32, 7)),
      mails: { can: () => true, wake: () => {} },
      projection: { wake: () => {} },
      currency: 'USD',
      publicUrl: 'https://gantry.example',
    });
    invitations = new Invitations({
      ...{ db: database(), clock: new SteppedClock(), currency: 'USD' },
      ...{ projection: { wake: () => {} }, sessions: { forget: () => {} } },
      ...{ notify: () => {}, invite: async () => {} },
    });
    await database().sql.insert(accounts).values({ id: 'staff000', name: 'staff', createdAt: AT });
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
      expect(outcomes(await imports.make(rows, 'staff000'))).toEqual(['made', 'made']);
      const sent = await database().sql.select({ channel: mails.channel, address: mails.address }).from(mails);
      expect(sent.sort((a, b) => (a.channel < b.channel ? -1 : 1))).toEqual([
        { channel: 'email', address: 'two@example.com' },
        { channel: 'phone', address: '+14155550132' },
      ]);
    });

    test('puts nobody into an organisation: its owner sends what staff proposed, and the person accepts', async () => {
      const { sql: db } = database();
      const owner = { id: 'owner000', name: 'owner' };
      await db.insert(accounts).values({ ...owner, createdAt: AT });
      await db
        .insert(memberships)
        .values({ organizationId: 'school00', accountId: owner.id, role: 'owner', createdAt: AT });
      const [verdict] = await imports.make(
        [{ line: 2, name: 'pupil-1', email: 'one@example.com', organizationId: 'school00', role: 'billing' }],
        'staff000',
      );
      expect(verdict?.proposed).toEqual({ id: 'school00', name: 'School', role: 'billing' });
      const pupil = { id: verdict?.accountId ?? '', name: 'pupil-1' };
      const rolesIn = async () =>
        (await db.select().from(memberships).where(eq(memberships.organizationId, 'school00')))
          .map(({ accountId, role }) => [accountId, role])
          .sort();
      expect(await rolesIn()).toEqual([['owner000', 'owner']]);

      const first = { page: 1, size: 10 };
      const [proposed] = (await invitations.list('school00', first)).items;
      expect(proposed).toMatchObject({ account: 'pupil-1', role: 'billing', state: 'proposed' });
      const id = proposed?.id ?? '';
      expect(await invitations.mine(pupil.id, first)).toEqual({ items: [], total: 0 });
      await expect(invitations.accept(pupil, id)).rejects.toMatchObject({ problem: 'not_found' });
      await expect(invitations.decline(pupil, id)).rejects.toMatchObject({ problem: 'not_found' });
      await expect(invitations.resend({ id: 'staff000', name: 'staff' }, 'school00', id, 'en')).rejects.toBeInstanceOf(
        Problem,
      );

      expect(await invitations.resend(owner, 'school00', id, 'en')).toMatchObject({ state: 'pending' });
      expect((await invitations.mine(pupil.id, first)).items).toMatchObject([{ id, invitedBy: 'owner' }]);
      await invitations.accept(pupil, id);
      expect(await rolesIn()).toEqual(
        [
          ['owner000', 'owner'],
          [pupil.id, 'billing'],
        ].sort(),
      );
    });

    test('is answered by an invitation of the owner’s own as well, or withdrawn', async () => {
      const { sql: db } = database();
      const owner = { id: 'owner000', name: 'owner' };
      await db.insert(accounts).values({ ...owner, createdAt: AT });
      await db
        .insert(memberships)
        .values({ organizationId: 'school00', accountId: owner.id, role: 'owner', createdAt: AT });
      const rows = ['pupil-1', 'pupil-2'].map((name, at) => ({
        ...{ line: at + 2, name, email: `${name}@example.com`, organizationId: 'school00' },
      }));
      await imports.make(rows, 'staff000');
      await invitations.invite(owner, 'school00', [{ account: 'pupil-1', role: 'viewer' }], 'en');
      const states = async () =>
        (await invitations.list('school00', { page: 1, size: 10 })).items
          .map(({ account, role, state }) => `${account} ${role} ${state}`)
          .sort();
      expect(await states()).toEqual(['pupil-1 member withdrawn', 'pupil-1 viewer pending', 'pupil-2 member proposed']);
      const { items } = await invitations.list('school00', { page: 1, size: 10, state: 'proposed' });
      await invitations.withdraw(owner, 'school00', items[0]?.id ?? '');
      expect(await states()).toEqual([
        'pupil-1 member withdrawn',
        'pupil-1 viewer pending',
        'pupil-2 member withdrawn',
      ]);
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
      expect(outcomes(await imports.make([row], 'staff000'))).toEqual(['too_many_members']);
      await db.update(organizations).set({ deletedAt: AT }).where(eq(organizations.id, 'school00'));
      expect(outcomes(await imports.make([row], 'staff000'))).toEqual(['not_found']);
      expect(await db.select().from(accounts).where(eq(accounts.name, 'pupil-1'))).toEqual([]);
    });

    test('of two at once, each account is made once and each person written to once', async () => {
      const rows = Array.from({ length: 5 }, (_, at) => ({
        line: at + 2,
        name: `pupil-${at}`,
        email: `p${at}@example.com`,
      }));
      const both = await Promise.all([imports.make(rows, 'staff000'), imports.make(rows, 'staff000')]);
      expect(both.flat().filter(({ outcome }) => outcome === 'made')).toHaveLength(5);
      expect(await database().sql.$count(accounts)).toBe(6);
      expect(await database().sql.$count(mails)).toBe(5);
    });
  });
});
