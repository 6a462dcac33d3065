// Rows followed by resources, with a cluster of a few lines that can be down. test/integration/organizations.test.ts shows that
// the real one accepts what is applied.
import { micros } from '@gantry/contract/fields/money.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { migratedDatabase, resetDatabase } from '../../../../../test/support/database.ts';
import { PeopleRows } from '../../../areas/admin/people-rows.ts';
import type { Database } from '../../../platform/db/open.ts';
import { keyRemovals, kubeconfigs, pubKeys } from '../../../platform/db/schema/keys.ts';
import { billingProfiles, paymentMethods } from '../../../platform/db/schema/payments.ts';
import { memberships, organizations, platformGrants, sessions } from '../../../platform/db/schema/people.ts';
import { plansHeld } from '../../../platform/db/schema/prices.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { Leftovers } from '../keys/leftovers.ts';
import { makeAccount } from '../people/new-account.ts';
import { closeAccess, showAgain } from './memberships.ts';
import { makeOrganization, Organizations } from './organizations.ts';
import { type OrganizationResources, Projection, type SeenOrganization, type ShownOrganization } from './projection.ts';

class Cluster implements OrganizationResources {
  readonly seen = new Map<string, SeenOrganization>();
  readonly writes: string[] = [];
  isAway = false;
  readonly #listeners: ((id: string) => void)[] = [];

  list() {
    return [...this.seen.values()];
  }
  get(id: string) {
    return this.seen.get(id);
  }
  async apply(id: string, shown: ShownOrganization) {
    this.#write(`apply ${id}`);
    this.seen.set(id, { id, ...shown, isGoing: false, inherits: false });
    this.tell(id);
  }
  async delete(id: string) {
    this.#write(`delete ${id}`);
    this.go(id);
  }
  on(changed: (id: string) => void) {
    this.#listeners.push(changed);
  }
  /** By kubectl. */
  put(organization: Partial<SeenOrganization> & { id: string }) {
    const blank = { displayName: undefined, description: undefined, members: [], isGoing: false, inherits: false };
    this.seen.set(organization.id, { ...blank, ...this.seen.get(organization.id), ...organization });
    this.tell(organization.id);
  }
  go(id: string) {
    this.put({ id, isGoing: true });
  }
  gone(id: string) {
    this.seen.delete(id);
    this.tell(id);
  }
  tell(id: string) {
    for (const listener of this.#listeners) listener(id);
  }
  #write(write: string) {
    if (this.isAway) throw new Error('connection refused');
    this.writes.push(write);
  }
}

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db?.close());

let clock: SteppedClock;
let cluster: Cluster;
let projections: Projection[];
beforeEach(async () => {
  await resetDatabase(db);
  clock = new SteppedClock();
  cluster = new Cluster();
  projections = [];
});
afterEach(() => Promise.all(projections.map((each) => each.stop())));

let notices: unknown[] = [];
const quiet = { info: () => undefined, warn: () => undefined };
const nobody = { forget: () => undefined };

async function projection(database = db): Promise<Projection> {
  const made = new Projection({
    db: database,
    clock,
    resources: cluster,
    currency: 'USD',
    sessions: nobody,
    notify: (notice) => notices.push(notice),
    log: quiet,
  });
  projections.push(made);
  await made.start();
  await made.settled();
  return made;
}
async function person(name: string): Promise<string> {
  const wanted = { name, locale: 'en', currency: 'USD', now: clock.now() } as const;
  const account = await db.transaction((tx) => makeAccount(tx, wanted));
  return account?.id ?? '';
}
const organization = (owner: string, name = 'Acme') =>
  db.transaction((tx) => makeOrganization(tx, { name, owner, isPersonal: false, currency: 'USD', now: clock.now() }));
const rowOf = async (id: string) => (await db.sql.select().from(organizations).where(eq(organizations.id, id)))[0];
const settled = () => Promise.all(projections.map((each) => each.settled()));

test('a row is shown, and what the row says wins over kubectl', async () => {
  const ann = await person('annabel');
  const { id } = await organization(ann);
  await projection();
  expect(cluster.get(id)).toMatchObject({ displayName: 'Acme', members: [{ account: ann, role: 'owner' }] });
  expect(await rowOf(id)).toMatchObject({ revision: 1, projected: 1 });
  cluster.put({ id, displayName: 'Mine', members: [{ account: ann, role: 'viewer' }] });
  await settled();
  expect(cluster.get(id)).toMatchObject({ displayName: 'Acme', members: [{ account: ann, role: 'owner' }] });
});

test('an unchanged status is not written again', async () => {
  const { id } = await organization(await person('annabel'));
  const projecting = await projection();
  const before = cluster.writes.length;
  projecting.wake(id);
  await settled();
  expect(cluster.writes.length).toBe(before);
});

test('members of whom nobody has an account stay on the resource', async () => {
  const ann = await person('annabel');
  cluster.put({ id: 'acme', members: [{ account: 'robot', role: 'member' }] });
  const projecting = await projection();
  await db.sql
    .insert(memberships)
    .values({ organizationId: 'acme', accountId: ann, role: 'owner', createdAt: new Date() });
  projecting.wake('acme');
  await settled();
  expect(cluster.get('acme')?.members).toEqual([
    { account: ann, role: 'owner' },
    { account: 'robot', role: 'member' },
  ]);
});

test('while the cluster is away it is tried again, ever more seldom, and goes on once it is back', async () => {
  const { id } = await organization(await person('annabel'));
  cluster.isAway = true;
  await projection();
  expect(await rowOf(id)).toMatchObject({ projected: 0 });
  for (const waited of [500, 1_000, 2_000]) {
    expect(clock.waitingMs).toContain(waited);
    await clock.step(waited);
    await settled();
  }
  cluster.isAway = false;
  await clock.step(4_000);
  await settled();
  expect(await rowOf(id)).toMatchObject({ projected: 1 });
  expect(cluster.get(id)).toBeDefined();
});

test('a change by another process is found by polling', async () => {
  const ann = await person('annabel');
  await projection();
  const { id } = await organization(ann);
  await clock.step(10_000);
  await settled();
  expect(cluster.get(id)).toBeDefined();
});

test('a first look that the database did not answer is made up for by the next', async () => {
  let isAway = true;
  const halting: Database = {
    ...db,
    get sql() {
      if (isAway) throw new Error('the database is away');
      return db.sql;
    },
  };
  cluster.put({ id: 'acme' });
  await projection(halting);
  isAway = false;
  await clock.step(10_000);
  await settled();
  expect(await rowOf('acme')).toBeDefined();
});

test('one that kubectl made gets a row with a currency, and those members who have accounts', async () => {
  const ann = await person('annabel');
  await projection();
  cluster.put({
    id: 'acme',
    displayName: 'Acme Inc',
    members: [
      { account: ann, role: 'owner' },
      { account: 'robot', role: 'member' },
    ],
  });
  await settled();
  expect(await rowOf('acme')).toMatchObject({ name: 'Acme Inc', currency: 'USD', isNew: false, projected: 1 });
  const members = await db.sql.select().from(memberships).where(eq(memberships.organizationId, 'acme'));
  expect(members).toMatchObject([{ accountId: ann, role: 'owner' }]);
  expect(cluster.get('acme')?.members.length).toBe(2);
});

test('one whose row is deleted is deleted, and not adopted while it goes', async () => {
  const ann = await person('annabel');
  const { id } = await organization(ann);
  const projecting = await projection();
  const parts = {
    mostOwned: 10,
    db,
    clock,
    currency: 'USD',
    projection: projecting,
    sessions: nobody,
    notify: () => undefined,
  };
  await new Organizations(parts).delete({ id: ann, name: 'annabel' }, id, id);
  await settled();
  expect(cluster.writes.filter((write) => write.endsWith(id))).toEqual([`apply ${id}`, `delete ${id}`]);
  cluster.gone(id);
  await settled();
  expect(await rowOf(id)).toMatchObject({ revision: 2, projected: 2, deletedAt: expect.any(Date) });
  expect(cluster.get(id)).toBeUndefined();
});

test('one that the gateway of another cluster made here is not adopted, and ours of that name does not get into it', async () => {
  const ann = await person('annabel');
  await projection();
  cluster.put({ id: 'strange', isOthers: true });
  await settled();
  expect(await rowOf('strange')).toBeUndefined();
  const { id } = await organization(ann);
  await settled();
  cluster.put({ id, isOthers: true, displayName: 'Strangers', members: [] });
  const before = cluster.writes.length;
  await settled();
  expect(cluster.writes).toHaveLength(before);
  expect(cluster.get(id)).toMatchObject({ displayName: 'Strangers', members: [] });
});

test('one that kubectl makes under the name of a deleted one is another, until staff say that it goes on', async () => {
  const ann = await person('annabel');
  await projection();
  const members = [{ account: ann, role: 'owner' }] as const;
  cluster.put({ id: 'acme', displayName: 'Acme one', isGoing: false });
  await settled();
  cluster.go('acme');
  await settled();
  cluster.gone('acme');
  await settled();
  notices = [];
  cluster.put({ id: 'acme', displayName: 'Acme two', isGoing: false, members });
  await settled();
  expect(await rowOf('acme')).toMatchObject({ name: 'Acme one', deletedAt: expect.any(Date) });
  expect(await db.sql.$count(memberships, eq(memberships.organizationId, 'acme'))).toBe(0);
  expect(cluster.writes.filter((write) => write.endsWith('acme'))).toEqual([]);
  expect(notices).toEqual([]);
  cluster.put({ id: 'acme', inherits: true });
  await settled();
  expect(await rowOf('acme')).toMatchObject({ name: 'Acme two', deletedAt: null });
  expect(notices).toMatchObject([
    {
      accountId: ann,
      title: { en: '%{organization} inherits the earlier money and bills' },
      args: { organization: 'acme' },
    },
  ]);
});

test('one that kubectl makes again under the name of a deleted one is adopted where it inherits, and not deleted', async () => {
  const ann = await person('annabel');
  await projection();
  for (const name of ['Acme one', 'Acme two']) {
    cluster.put({
      id: 'acme',
      displayName: name,
      isGoing: false,
      inherits: true,
      members: [{ account: ann, role: 'owner' }],
    });
    await settled();
    expect(await rowOf('acme')).toMatchObject({ name, deletedAt: null });
    expect(await db.sql.$count(memberships, eq(memberships.organizationId, 'acme'))).toBe(1);
    cluster.go('acme');
    await settled();
    expect((await rowOf('acme'))?.deletedAt).toEqual(expect.any(Date));
    cluster.gone('acme');
    await settled();
  }
  expect(cluster.writes.filter((write) => write.endsWith('acme'))).toEqual([]);
});

test('one that is deleted charges no card any more, and whoever has its name next inherits no payer', async () => {
  const organizationId = 'acme';
  await projection();
  cluster.put({ id: organizationId, displayName: 'Acme one', isGoing: false });
  await settled();
  const at = new Date(clock.now());
  const said = { legalName: 'Acme Ltd', address: 'Street 1', taxId: 'T-1', customerId: 'cus-1', zone: 'Asia/Tokyo' };
  const caps = { monthlyCap: micros(5), memberCaps: { 'acc-1': '1' } };
  const recharge = { autoRecharge: true, rechargeBelow: micros(1), rechargeAmount: micros(2) };
  const billed = { warned: '24h', warnings: 2, outOfCreditSince: at };
  await db.sql.insert(billingProfiles).values({ organizationId, ...said, ...caps, ...recharge, ...billed });
  const card = { organizationId, channel: 'card', createdAt: at } as const;
  await db.sql.insert(paymentMethods).values([
    { ...card, id: 'pmd-1', providerId: 'pm-1', isDefault: true },
    { ...card, id: 'pmd-2', setupId: 'seti-1' },
  ]);
  const held = (plan: string, validFrom: Date) => ({
    organizationId,
    plan,
    validFrom,
    createdAt: at,
    createdBy: 'ann',
  });
  const later = new Date(at.getTime() + 3_600_000);
  await db.sql.insert(plansHeld).values([held('enterprise', at), held('standard', later)]);

  cluster.go(organizationId);
  await settled();
  const profile = async () => (await db.sql.select().from(billingProfiles))[0];
  // Its last month is still to be written to somebody.
  expect(await profile()).toMatchObject({ autoRecharge: false, legalName: 'Acme Ltd', taxId: 'T-1' });

  cluster.gone(organizationId);
  cluster.put({ id: organizationId, displayName: 'Acme two', isGoing: false, inherits: true });
  await settled();
  expect(await rowOf(organizationId)).toMatchObject({ name: 'Acme two', deletedAt: null });
  expect(await profile()).toEqual({
    organizationId,
    zone: 'Asia/Tokyo',
    ...{ legalName: '', address: '', taxId: '', customerId: null },
    ...{ autoRecharge: false, rechargeBelow: null, rechargeAmount: null, rechargeDailyLimit: null },
    ...{ monthlyCap: null, memberCaps: {}, warned: '', warnings: 0, outOfCreditSince: null },
  });
  const gone = { removedAt: expect.any(Date), isDefault: false };
  expect(await db.sql.select().from(paymentMethods)).toMatchObject([gone, gone]);
  const plans = await db.sql.select().from(plansHeld).orderBy(plansHeld.id);
  expect(plans.slice(2)).toMatchObject([
    { plan: 'free', validFrom: at },
    { plan: 'free', validFrom: later },
  ]);
});

test('one that staff delete on the cluster takes its row along; a personal one comes back', async () => {
  const ann = await person('annabel');
  const { id } = await organization(ann);
  const [personal] = await db.sql.select().from(organizations).where(eq(organizations.personalOf, ann));
  const own = personal?.id ?? '';
  await db.sql.insert(sessions).values({
    id: 'ses-1',
    tokenHash: 'x',
    accountId: ann,
    organizationId: id,
    createdAt: new Date(),
    expiresAt: new Date(),
    lastUsedAt: new Date(),
  });
  await projection();
  cluster.go(id);
  cluster.go(own);
  await settled();
  expect((await rowOf(id))?.deletedAt).toEqual(expect.any(Date));
  expect(await db.sql.select().from(sessions)).toEqual([]);
  expect((await rowOf(own))?.deletedAt).toBeNull();
  cluster.gone(id);
  cluster.gone(own);
  await settled();
  expect([...cluster.seen.keys()]).toEqual([own]);
});

test('one that is merely absent is made again', async () => {
  const { id } = await organization(await person('annabel'));
  await projection();
  cluster.gone(id);
  await settled();
  expect(cluster.get(id)).toMatchObject({ displayName: 'Acme' });
});

describe('a disabled account', () => {
  const removed: { namespace: string; actor: string; publicKey: string }[] = [];
  const revoked: string[] = [];
  let keysFail: boolean;
  const held: Leftovers[] = [];
  beforeEach(() => {
    keysFail = false;
    removed.length = 0;
    revoked.length = 0;
  });
  afterEach(() => Promise.all(held.splice(0).map((each) => each.stop())));

  /** An administrator, with a function that changes an account in their name. */
  async function staff() {
    const projecting = await projection();
    const leftovers = new Leftovers({
      db,
      clock,
      log: quiet,
      projection: projecting,
      instanceKeys: {
        remove: async (key) => {
          if (keysFail) throw new Error('connection refused');
          // Like the API server: a person who is not on the resource has no rights there.
          expect(cluster.get(key.namespace.slice('org-'.length))?.members.map(({ account }) => account)).toContain(
            key.actor,
          );
          removed.push(key);
        },
      },
      tokens: { revoke: async ({ uid }) => void revoked.push(uid) },
    });
    held.push(leftovers);
    leftovers.start();
    await leftovers.settled();
    const people = new PeopleRows({
      db,
      clock,
      access: { close: closeAccess, showAgain },
      sessions: { endAll: async () => 0, forget: () => undefined },
      projection: projecting,
      leftovers,
      objectName: () => undefined,
      organization: () => ({ phase: 'ready', quota: {} }),
    });
    const edit = async (by: string, id: string, wish: Parameters<PeopleRows['editUser']>[2]) => {
      await people.editUser({ account: { id: by, platformRoles: ['administrator'] } } as unknown as Caller, id, wish);
      await leftovers.settled();
      await settled();
    };
    /** Keys have been taken off for the last time. */
    const keysOff = async () => {
      await clock.step(15_000);
      await leftovers.settled();
      await settled();
    };
    return { edit, keysOff };
  }
  async function administrator(name: string): Promise<string> {
    const accountId = await person(name);
    await db.sql.insert(platformGrants).values({ accountId, role: 'administrator', createdAt: new Date() });
    return accountId;
  }
  const membersOf = (id: string) => cluster.get(id)?.members.map(({ account }) => account);

  test('loses kubeconfigs and keys on instances, and is on no resource until it is let in again', async () => {
    const [root, ann, bob] = [await administrator('root'), await person('annabel'), await person('bobby')];
    const { id } = await organization(ann);
    const [own] = await db.sql.select().from(organizations).where(eq(organizations.personalOf, bob));
    const personal = own?.id ?? '';
    const at = { createdAt: new Date(clock.now()) };
    await db.sql.insert(memberships).values({ organizationId: id, accountId: bob, role: 'viewer', ...at });
    await db.sql
      .insert(pubKeys)
      .values({ id: 'key-1', accountId: bob, remark: 'x', publicKey: 'ssh-ed25519 B', fingerprint: 'f', ...at });
    await db.sql.insert(kubeconfigs).values({
      id: 'kcf-1',
      accountId: bob,
      organizationId: id,
      remark: 'x',
      secretUid: 'uid-1',
      expiresAt: new Date(clock.now() + 1e9),
      ...at,
    });
    const { edit, keysOff } = await staff();
    expect([membersOf(id), membersOf(personal)]).toEqual([[ann, bob].sort(), [bob]]);

    await edit(root, bob, { disabled: true });
    expect(revoked).toEqual(['uid-1']);
    expect(removed.sort((a, b) => a.actor.localeCompare(b.actor))).toEqual(
      [
        { namespace: `org-${id}`, actor: ann, publicKey: 'ssh-ed25519 B' },
        { namespace: `org-${personal}`, actor: bob, publicKey: 'ssh-ed25519 B' },
      ].sort((a, b) => a.actor.localeCompare(b.actor)),
    );
    await keysOff();
    expect([membersOf(id), membersOf(personal)]).toEqual([[ann], []]);

    await edit(root, bob, { disabled: false });
    expect(cluster.get(id)?.members).toContainEqual({ account: bob, role: 'viewer' });
    expect(membersOf(personal)).toEqual([bob]);
    expect(await db.sql.select().from(kubeconfigs)).toEqual([]);
  });

  test('stays on the resource while the cluster does not let its keys be taken off', async () => {
    const [root, bob] = [await administrator('root'), await person('bobby')];
    const [own] = await db.sql.select().from(organizations).where(eq(organizations.personalOf, bob));
    const personal = own?.id ?? '';
    await db.sql.insert(pubKeys).values({
      id: 'key-1',
      accountId: bob,
      remark: 'x',
      publicKey: 'ssh-ed25519 B',
      fingerprint: 'f',
      createdAt: new Date(),
    });
    const { edit, keysOff } = await staff();
    keysFail = true;
    await edit(root, bob, { disabled: true });
    expect([membersOf(personal), await db.sql.$count(keyRemovals)]).toEqual([[bob], 1]);
    keysFail = false;
    await keysOff();
    expect([membersOf(personal), await db.sql.$count(keyRemovals)]).toEqual([[], 0]);
  });

  test('is no administrator any more: of two who shut each other out one stays', async () => {
    const [ann, bob] = [await administrator('annabel'), await administrator('bobby')];
    const { edit } = await staff();
    // Both calls were let in before either was done.
    await edit(ann, bob, { disabled: true });
    await expect(edit(bob, ann, { disabled: true })).rejects.toMatchObject({ problem: 'permission_missing' });
    await expect(edit(bob, ann, { platform_roles: [] })).rejects.toMatchObject({ problem: 'permission_missing' });
    await edit(ann, bob, { disabled: false, platform_roles: [] });
    await expect(edit(bob, ann, { disabled: true })).rejects.toMatchObject({ problem: 'permission_missing' });
  });
});

test('two processes at once end in one state', async () => {
  const ann = await person('annabel');
  await Promise.all([projection(), projection()]);
  cluster.put({ id: 'acme', members: [{ account: ann, role: 'owner' }] });
  const { id } = await organization(ann, 'Other');
  for (const each of projections) each.wake(id);
  await settled();
  expect(cluster.get(id)).toMatchObject({ displayName: 'Other' });
  expect(await rowOf('acme')).toMatchObject({ projected: 1 });
  expect(await rowOf(id)).toMatchObject({ projected: 1 });
});
