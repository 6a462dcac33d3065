// Organisations, keys and real names over real HTTP, on both databases; the cluster is played by a few lines. What only a real
// API server decides is in test/integration/organizations.test.ts.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY_ROUTES, MOST_PUB_KEYS } from '@gantry/contract/areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { PICTURE_BYTES, REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { DOCUMENTS, type IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import type { OrgRole, PlatformRole } from '@gantry/contract/roles.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { and, eq, like } from 'drizzle-orm';
import express from 'express';
import pino from 'pino';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { frameParts } from '../../../../test/support/frame-parts.ts';
import { HttpClient } from '../../../../test/support/http-client.ts';
import type { Database } from '../../platform/db/open.ts';
import { events } from '../../platform/db/schema/events.ts';
import { counters } from '../../platform/db/schema/identity.ts';
import { invitations } from '../../platform/db/schema/invitations.ts';
import { apiTokens, keyRemovals, kubeconfigs } from '../../platform/db/schema/keys.ts';
import { billingProfiles } from '../../platform/db/schema/payments.ts';
import { accounts, memberships, organizations, platformGrants } from '../../platform/db/schema/people.ts';
import { pictures, realAuths } from '../../platform/db/schema/real-auth.ts';
import { routerOf, runnablesOf } from '../../platform/http/routes-of.ts';
import type { AuditEntry } from '../../platform/http/run-route.ts';
import { Secrets } from '../../platform/secrets.ts';
import { keyRoutes } from './key-routes.ts';
import { type OpenOrganizations, openOrganizations } from './open-organizations.ts';
import { organizationRoutes } from './organization-routes.ts';
import type { Letter } from './organizations/invitations.ts';
import type { Notice } from './organizations/notices.ts';
import { makeOrganization } from './organizations/organizations.ts';
import type { Verdict } from './people/check-real-name.ts';
import { makeAccount } from './people/new-account.ts';
import { realAuthRoutes } from './real-auth-routes.ts';
import { Sessions } from './sessions/sessions.ts';

const O = ORGANIZATION_ROUTES;
const K = KEY_ROUTES;
const R = REAL_AUTH_ROUTES;
const log = pino({ level: 'silent' });

// Made with ssh-keygen; nobody has their private halves.
const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';
const FINGERPRINT = 'SHA256:GVZ+MomQoRjO8JSPWG5m246O96XnDmMfs0nRpA5FQwQ';
const WEAK_RSA = `ssh-rsa ${Buffer.concat([lengthAnd('ssh-rsa'), lengthAnd('\x01\x00\x01'), lengthAnd(`\x00${'\xff'.repeat(128)}`)]).toString('base64')}`;
function lengthAnd(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]), bytes]);
}
/** A key that differs from others in its last bytes. */
const anotherKey = (number: number): string => {
  const bytes = Buffer.from(ED25519.split(' ')[1] ?? '', 'base64');
  bytes.writeUInt32BE(number, bytes.length - 4);
  return `ssh-ed25519 ${bytes.toString('base64')}`;
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ID_CARD = '11010519491231002X';

/** One gateway's organisations, and what it reported to others. */
class Stage {
  readonly clock = new SteppedClock();
  readonly notices: Notice[] = [];
  readonly invited: Letter[] = [];
  readonly removed: { namespace: string; actor: string; publicKey: string }[] = [];
  readonly revoked: string[] = [];
  readonly deleted: string[] = [];
  readonly audited: AuditEntry[] = [];
  clusterFails = false;
  /** A namespace whose policy refuses. */
  refusing = '';
  hasAccount = true;
  /** The verdict of the automatic check; undefined: there is none. */
  verdict: Verdict | Promise<Verdict> | undefined;
  /** The numbers that it was asked about. */
  readonly checked: string[] = [];
  readonly documents: IdentityDocument[] = [...DOCUMENTS];
  readonly db: Database;
  readonly sessions: Sessions;
  readonly open: OpenOrganizations;
  #server: Server | undefined;
  #url = '';

  constructor(db: Database) {
    this.db = db;
    const must = () => {
      if (this.clusterFails) throw new Error('the cluster does not answer');
    };
    this.sessions = new Sessions({ db, clock: this.clock, apiToken: (hash) => this.open.apiTokens.authenticate(hash) });
    this.open = openOrganizations({
      db,
      clock: this.clock,
      log,
      currency: 'USD',
      region: 'here',
      ownedOrganizations: 10,
      resources: {
        list: () => [],
        get: () => undefined,
        apply: async () => undefined,
        delete: async (id) => void this.deleted.push(id),
        on: () => undefined,
      },
      instanceKeys: {
        remove: async (key) => {
          must();
          if (key.namespace === this.refusing) throw new Error('a policy refuses');
          this.removed.push(key);
        },
      },
      memberTokens: {
        bind: async ({ name }) => `uid-${name}`,
        issue: async ({ account }) => (this.hasAccount ? { token: `the cluster's token of ${account}` } : undefined),
        revoke: async ({ uid }) => {
          must();
          this.revoked.push(uid);
        },
      },
      cluster: { server: 'https://gateway.test:8083', certificateAuthority: 'PEM' },
      sessions: this.sessions,
      secrets: new Secrets(Buffer.alloc(32, 7)),
      invite: async (_tx, invitation) => void this.invited.push(invitation),
      notify: (notice) => void this.notices.push(notice),
      checkRealName: async (_id, { id_card }) => {
        this.checked.push(id_card);
        return this.verdict as Verdict;
      },
      documents: this.documents,
      isWelcoming: true,
      reviewers: 1,
    });
  }

  async start(): Promise<this> {
    this.open.leftovers.start();
    const { open, clock } = this;
    const served = [
      ...organizationRoutes({ ...open, phase: () => 'ready' }),
      ...keyRoutes({ ...open, clock }),
      ...realAuthRoutes({ ...open, staffSecondFactor: 'optional' }),
    ];
    const parts = frameParts({
      log,
      authenticate: (token: string) => this.sessions.authenticate(token),
      audit: async (entry) => void this.audited.push(entry),
    });
    const routes = served.map(({ route }) => route);
    const app = express().use(
      '/api',
      routerOf(runnablesOf(parts, routes, served), () => false),
    );
    const server = createServer(app).listen(0, '127.0.0.1');
    this.#server = server;
    await once(server, 'listening');
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    await this.open.stop();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  get url(): string {
    return this.#url;
  }

  client(token?: string): HttpClient {
    return new HttpClient(() => this.#url, token);
  }

  /** Somebody with an account and a personal organisation, signed in there. */
  async person(name: string, { staff = [] as PlatformRole[] } = {}): Promise<Person> {
    const email = `${name}@example.test`;
    const at = new Date(this.clock.now());
    const wanted = { name, email, locale: 'en', currency: 'USD', now: this.clock.now() } as const;
    const account = await this.db.transaction((tx) => makeAccount(tx, wanted));
    if (!account) throw new Error(`${name} is there already`);
    if (staff.length > 0)
      await this.db.sql
        .insert(platformGrants)
        .values(staff.map((role) => ({ accountId: account.id, role, createdAt: at })));
    const session = await this.sessions.begin(this.db.sql, account.id, { ip: '', userAgent: undefined });
    return new Person(this, { id: account.id, name, email }, session.organizationId, session.token);
  }

  /** An organisation of `owner` with more members. Returns the owner in it, and the others in order. */
  async company(owner: Person, ...others: [Person, OrgRole][]): Promise<{ id: string; people: Person[] }> {
    const { org_id: id } = await owner.client.must(O.createOrganization, { body: { org_name: 'Acme' } });
    for (const [person, role] of others)
      await this.db.sql
        .insert(memberships)
        .values({ organizationId: id, accountId: person.id, role, createdAt: new Date(this.clock.now()) });
    const people = await Promise.all([owner, ...others.map(([person]) => person)].map((person) => person.in(id)));
    return { id, people };
  }

  roleOf(organizationId: string, person: Person): Promise<OrgRole | undefined> {
    return this.db.sql
      .select()
      .from(memberships)
      .where(eq(memberships.organizationId, organizationId))
      .then((rows) => rows.find(({ accountId }) => accountId === person.id)?.role);
  }
}

class Person {
  readonly stage: Stage;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly organizationId: string;
  readonly token: string;

  constructor(
    stage: Stage,
    { id, name, email }: { id: string; name: string; email: string },
    organizationId: string,
    token: string,
  ) {
    this.stage = stage;
    this.id = id;
    this.name = name;
    this.email = email;
    this.organizationId = organizationId;
    this.token = token;
  }

  get client(): HttpClient {
    return this.stage.client(this.token);
  }

  /** Signed in to another organisation of theirs. */
  async in(organizationId: string): Promise<Person> {
    const origin = { ip: '', userAgent: undefined };
    const session = await this.stage.sessions.begin(this.stage.db.sql, this.id, origin, organizationId);
    return new Person(this.stage, this, organizationId, session.token);
  }
}

interface Uploaded {
  error?: string;
  result: { id: string };
}

const refusalOf = ({ status, body }: { status: number; body: { error?: string } }) => `${status} ${body.error}`;

forEachDatabase((database) => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await new Stage(database()).start();
  });
  afterEach(() => stage.stop());

  describe('organisations', () => {
    test('the personal one is there from the beginning, says its state, and its welcome is shown once', async () => {
      const ann = await stage.person('annabel');
      const mine = await ann.client.must(O.getMyOrganization);
      expect(mine).toMatchObject({
        org_name: 'annabel',
        role: 'owner',
        is_personal: true,
        is_new: true,
        phase: 'ready',
        namespace: `org-${mine.org_id}`,
        balance: null,
        card_info: null,
        rights: ['view', 'use', 'pay', 'manage'],
      });
      await ann.client.must(O.seeOrganization, { params: { org_id: mine.org_id }, body: { is_new: false } });
      expect((await ann.client.must(O.getMyOrganization)).is_new).toBe(false);
    });

    test('one is made, listed after the personal one, edited and deleted', async () => {
      const ann = await stage.person('annabel');
      const { id, people } = await stage.company(ann);
      const [inAcme] = people as [Person];
      await inAcme.client.must(O.editOrganization, { params: { org_id: id }, body: { description: 'Makes all' } });
      const list = await ann.client.must(O.listOrganizations);
      expect(list.map(({ org_name, description }) => [org_name, description])).toEqual([
        ['annabel', ''],
        ['Acme', 'Makes all'],
      ]);
      const unconfirmed = await inAcme.client.call(O.deleteOrganization, { params: { org_id: id } });
      expect(refusalOf(unconfirmed)).toBe('400 confirmation_missing');
      await inAcme.client.must(K.createKubeconfig, {
        body: { remark: 'laptop', expiration_time: '2026-12-01T00:00:00Z' },
      });
      await inAcme.client.must(O.deleteOrganization, { params: { org_id: id }, query: { confirm: id } });
      // Its Secret goes with the namespace, where the gateway has no rights any more.
      stage.open.leftovers.wake();
      await stage.open.leftovers.settled();
      expect([stage.revoked, await database().sql.select().from(kubeconfigs)]).toEqual([[], []]);
      expect((await ann.client.must(O.listOrganizations)).length).toBe(1);
      expect(refusalOf(await inAcme.client.call(O.getMyOrganization))).toBe('401 unauthenticated');
    });

    test('the personal one is neither deleted nor given away nor left', async () => {
      const ann = await stage.person('annabel');
      const params = { org_id: ann.organizationId };
      const calls = [
        ann.client.call(O.deleteOrganization, { params, query: { confirm: ann.organizationId } }),
        ann.client.call(O.leaveOrganization, { params }),
        ann.client.call(O.transferOrganization, { params, body: { account_id: ann.id } }),
        ann.client.call(O.editMember, { params: { ...params, account_id: ann.id }, body: { role: 'admin' } }),
      ];
      for (const call of calls) expect(refusalOf(await call)).toBe('409 personal_organization');
    });

    test("another organisation's id is one that does not exist, for whoever is in it elsewhere too", async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const { id } = await stage.company(bob, [ann, 'viewer']);
      for (const org_id of [bob.organizationId, id, 'nowhere']) {
        const params = { org_id };
        const calls = [
          ann.client.call(O.listMembers, { params }),
          ann.client.call(O.editOrganization, { params, body: {} }),
          ann.client.call(O.deleteOrganization, { params }),
          ann.client.call(O.leaveOrganization, { params }),
          ann.client.call(O.listInvitations, { params }),
          ann.client.call(O.inviteMembers, { params, body: { members: [{ account: 'annabel', role: 'owner' }] } }),
          ann.client.call(O.resendInvitation, { params: { ...params, id: 'inv-00000000' } }),
          ann.client.call(O.withdrawInvitation, { params: { ...params, id: 'inv-00000000' } }),
          ann.client.call(O.removeMember, { params: { org_id, account_id: bob.id } }),
        ];
        for (const call of calls) expect(refusalOf(await call)).toBe('404 not_found');
      }
    });

    test('an account makes twenty a day, those that it deleted again among them', async () => {
      const ann = await stage.person('annabel');
      const make = () => ann.client.call(O.createOrganization, { body: { org_name: 'Acme' } });
      expect((await make()).status).toBe(201);
      const key = `organizations:${ann.id}`;
      await database().sql.update(counters).set({ count: 19 }).where(eq(counters.key, key));
      expect((await make()).status).toBe(201);
      const refused = await make();
      expect([refusalOf(refused), refused.body.args]).toEqual(['429 too_many_requests', { seconds: 86400 }]);
      await database()
        .sql.update(counters)
        .set({ endsAt: new Date(stage.clock.now()) });
      expect((await make()).status).toBe(201);
    });

    test('names that hide or imitate are refused by their field', async () => {
      const ann = await stage.person('annabel');
      for (const org_name of ['Ac\u0000me', 'A\u202eemc', ' Acme', 'Ａcme', 'x'.repeat(64), ''])
        expect(await ann.client.call(O.createOrganization, { body: { org_name } })).toMatchObject({
          status: 400,
          body: { field: 'org_name' },
        });
    });
  });

  describe('members', () => {
    test('e-mail and phone are shown to members who manage, and to the person', async () => {
      const [ann, bob, cleo] = [
        await stage.person('annabel'),
        await stage.person('bobby'),
        await stage.person('cleopatra'),
      ];
      await database().sql.update(accounts).set({ phone: '+15550001' }).where(eq(accounts.id, bob.id));
      const { id, people } = await stage.company(ann, [bob, 'member'], [cleo, 'admin']);
      const [owner, member, admin] = people as [Person, Person, Person];
      const seen = async ({ client }: Person) =>
        (await client.must(O.listMembers, { params: { org_id: id } }))
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map(({ email, phone }) => [email, phone]);
      const all = [
        [ann.email, null],
        [bob.email, '+15550001'],
        [cleo.email, null],
      ];
      expect(await seen(owner)).toEqual(all);
      expect(await seen(admin)).toEqual(all);
      expect(await seen(member)).toEqual([[null, null], all[1], [null, null]]);
      const picked = await member.client.must(O.findAccounts, { query: {} });
      expect(picked.flatMap(({ email }) => email ?? [])).toEqual([bob.email]);
      // Nor by trying its beginnings.
      const search = { params: { org_id: id }, query: { q: 'annabel@' } };
      expect(await member.client.must(O.listMembers, search)).toEqual([]);
      expect(await member.client.must(O.findAccounts, { query: { q: 'annabel@' } })).toEqual([]);
      expect(await owner.client.must(O.listMembers, search)).toHaveLength(1);
    });

    test('e-mail and phone are shown to no API token, nor found by it', async () => {
      const ann = await stage.person('annabel');
      const expiration_time = new Date(stage.clock.now() + 1_000_000).toISOString();
      const { token } = await ann.client.must(K.createApiToken, {
        body: { remark: 'x', scopes: ['view', 'manage'], expiration_time },
      });
      const program = ann.client.with(token);
      const of = { params: { org_id: ann.organizationId } };
      expect(await program.must(O.listMembers, of)).toMatchObject([{ name: 'annabel', email: null, phone: null }]);
      expect(await program.must(O.findAccounts, { query: {} })).toMatchObject([{ email: null }]);
      expect(await program.must(O.listMembers, { ...of, query: { q: 'annabel@' } })).toEqual([]);
      expect(await ann.client.must(O.listMembers, of)).toMatchObject([{ email: ann.email }]);
    });

    test('they are listed in pages, and found by the beginning of name or address', async () => {
      const ann = await stage.person('annabel');
      const others: [Person, OrgRole][] = [];
      for (const name of ['bobby', 'bobette', 'carol']) others.push([await stage.person(name), 'member']);
      await stage.person('bobstranger');
      const { id, people } = await stage.company(ann, ...others);
      const [inAcme] = people as [Person];
      const params = { org_id: id };
      const page = await inAcme.client.call(O.listMembers, { params, query: { page: 2, size: 3 } });
      expect(page.body.paginated).toMatchObject({ page: 2, size: 3, total_num: 4, total_page: 2, num: 1 });
      expect((await inAcme.client.must(O.listMembers, { params, query: { q: 'BOB' } })).length).toBe(2);
      expect((await inAcme.client.must(O.listMembers, { params, query: { q: 'bob%' } })).length).toBe(0);
      expect((await inAcme.client.must(O.listMembers, { params, query: { role: 'owner' } })).length).toBe(1);

      const picked = async (q: string) =>
        (await inAcme.client.must(O.findAccounts, { query: { q } })).map(({ name, email }) => [name, email]);
      expect(await picked('bobst')).toEqual([]);
      expect(await picked('bobstranger')).toEqual([]);
      expect(await picked('bobstranger@example.test')).toEqual([]);
      expect((await picked('bob')).length).toBe(2);
    });

    test('a changed role holds at once; tokens of before live a minute more', async () => {
      const [ann, bob] = [await stage.person('annabel'), await stage.person('bobby')];
      const { id, people } = await stage.company(ann, [bob, 'member']);
      const [owner, member] = people as [Person, Person];
      await owner.client.must(O.editMember, { params: { org_id: id, account_id: bob.id }, body: { role: 'viewer' } });
      expect((await member.client.must(O.getMyOrganization)).role).toBe('viewer');
      await stage.clock.step(60_000);
      expect(refusalOf(await member.client.call(O.getMyOrganization))).toBe('401 unauthenticated');
      for (const other of [owner, bob]) expect((await other.client.call(O.getMyOrganization)).status).toBe(200);
    });

    test('an admin neither makes nor unmakes owners, and a member manages nobody', async () => {
      const [ann, bob, cleo, dora] = await Promise.all(
        ['annabel', 'bobby', 'cleopatra', 'doraemon'].map((name) => stage.person(name)),
      );
      const { id, people } = await stage.company(ann as Person, [bob as Person, 'admin'], [cleo as Person, 'member']);
      const [owner, admin, member] = people as [Person, Person, Person];
      const of = (person: Person) => ({ params: { org_id: id, account_id: person.id } });
      const denied = [
        admin.client.call(O.editMember, { ...of(member), body: { role: 'owner' } }),
        admin.client.call(O.editMember, { ...of(owner), body: { role: 'viewer' } }),
        admin.client.call(O.removeMember, of(owner)),
        admin.client.call(O.inviteMembers, {
          params: { org_id: id },
          body: { members: [{ account: (dora as Person).name, role: 'owner' }] },
        }),
        admin.client.call(O.transferOrganization, { params: { org_id: id }, body: { account_id: admin.id } }),
        admin.client.call(O.deleteOrganization, { params: { org_id: id }, query: { confirm: id } }),
        member.client.call(O.editMember, { ...of(admin), body: { role: 'viewer' } }),
        member.client.call(O.removeMember, of(admin)),
      ];
      for (const call of denied) expect(refusalOf(await call)).toBe('403 permission_missing');
      await admin.client.must(O.editMember, { ...of(member), body: { role: 'billing' } });
      expect(await stage.roleOf(id, member)).toBe('billing');
      expect((await member.client.must(O.getMyOrganization)).rights).toEqual(['view', 'pay']);
      await owner.client.must(O.transferOrganization, { params: { org_id: id }, body: { account_id: admin.id } });
      expect([await stage.roleOf(id, owner), await stage.roleOf(id, admin)]).toEqual(['admin', 'owner']);
    });

    test('the last owner neither leaves nor steps down', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const { id, people } = await stage.company(ann, [bob, 'admin']);
      const [owner] = people as [Person];
      const of = { params: { org_id: id, account_id: ann.id } };
      for (const call of [
        owner.client.call(O.leaveOrganization, { params: { org_id: id } }),
        owner.client.call(O.removeMember, of),
        owner.client.call(O.editMember, { ...of, body: { role: 'admin' } }),
      ])
        expect(refusalOf(await call)).toBe('409 last_owner');
    });

    test('one of two owners who step down at once stays', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      for (let round = 0; round < 5; round++) {
        const { id, people } = await stage.company(ann, [bob, 'owner']);
        const replies = await Promise.all(
          (people as [Person, Person]).flatMap((person, at) => [
            person.client.call(O.leaveOrganization, { params: { org_id: id } }),
            person.client.call(O.editMember, {
              params: { org_id: id, account_id: people[1 - at]?.id ?? '' },
              body: { role: 'member' },
            }),
          ]),
        );
        const roles = [await stage.roleOf(id, ann), await stage.roleOf(id, bob)];
        expect(roles).toContain('owner');
        expect(replies.every(({ status }) => [200, 401, 403, 404, 409].includes(status))).toBe(true);
      }
    });

    test("a member's spending cap ends with the membership, and comes back with nobody", async () => {
      const [ann, bob] = [await stage.person('annabel'), await stage.person('bobby')];
      const { id, people } = await stage.company(ann, [bob, 'member']);
      const [owner] = people as [Person];
      const memberCaps = { [ann.id]: '7', [bob.id]: '5' };
      await database().sql.insert(billingProfiles).values({ organizationId: id, memberCaps });
      await owner.client.must(O.removeMember, { params: { org_id: id, account_id: bob.id } });
      const [row] = await database().sql.select().from(billingProfiles);
      expect(row?.memberCaps).toEqual({ [ann.id]: '7' });
    });

    test('a removal ends sessions, tokens, kubeconfigs and keys there at once, and nothing elsewhere', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const { id, people } = await stage.company(ann, [bob, 'member']);
      const [owner, member] = people as [Person, Person];
      await bob.client.must(K.createPubKey, { body: { remark: 'mine', public_key: ED25519, expiration_time: null } });
      const { token } = await member.client.must(K.createApiToken, {
        body: { remark: 'ci', scopes: ['view'], expiration_time: null },
      });
      const kubeconfig = await member.client.must(K.createKubeconfig, {
        body: { remark: 'laptop', expiration_time: '2026-12-01T00:00:00Z' },
      });
      expect((await stage.client(token).must(O.getMyOrganization)).org_id).toBe(id);
      await owner.client.must(O.removeMember, { params: { org_id: id, account_id: bob.id } });
      await stage.open.leftovers.settled();
      for (const gone of [member.token, token])
        expect(refusalOf(await stage.client(gone).call(O.getMyOrganization))).toBe('401 unauthenticated');
      const removal = { namespace: `org-${id}`, actor: ann.id, publicKey: ED25519 };
      expect(stage.removed).toEqual([removal]);
      expect(stage.revoked).toEqual([`uid-${kubeconfig.id}`]);
      // Another gateway, which had not heard of it, may have created an instance with the key meanwhile.
      await stage.clock.step(15_000);
      await stage.open.leftovers.settled();
      expect([stage.removed, await database().sql.$count(keyRemovals)]).toEqual([[removal, removal], 0]);
      expect((await bob.client.must(O.listOrganizations)).length).toBe(1);
      expect((await bob.client.must(K.listPubKeys)).length).toBe(1);
      expect(stage.notices.at(-1)).toMatchObject({
        accountId: bob.id,
        title: { en: 'You are no longer in %{organization}' },
      });
    });
  });

  describe('invitations', () => {
    const DAY_MS = 24 * 3_600_000;
    let ann: Person;
    let bob: Person;
    /** Ann, a member. */
    let owner: Person;
    let id: string;
    let params: { org_id: string };
    beforeEach(async () => {
      [ann, bob] = [await stage.person('annabel'), await stage.person('bobby')];
      const made = await stage.company(ann);
      [owner] = made.people as [Person];
      id = made.id;
      params = { org_id: id };
    });
    const invite = ({ client, organizationId }: Person, wanted: Record<string, OrgRole>) =>
      client.must(O.inviteMembers, {
        params: { org_id: organizationId },
        body: { members: Object.entries(wanted).map(([account, role]) => ({ account, role })) },
      });
    const outcomes = async (by: Person, wanted: Record<string, OrgRole>) =>
      (await invite(by, wanted)).map(({ outcome, error }) => error ?? outcome);
    const states = async () =>
      (await owner.client.must(O.listInvitations, { params })).map(({ account, state }) => `${account} ${state}`);
    const only = async (person: Person) => {
      const [first] = await person.client.must(O.listMyInvitations);
      return { params: { id: first?.id ?? '' } };
    };
    const counted = (key: string, to: number) =>
      database().sql.update(counters).set({ count: to }).where(eq(counters.key, key));

    test('nobody becomes a member, or shows an address, before accepting', async () => {
      expect(await outcomes(owner, { bobby: 'member' })).toEqual(['invited']);
      const [row] = await owner.client.must(O.listInvitations, { params });
      expect(row).toMatchObject({ account: 'bobby', role: 'member', state: 'pending' });
      for (const seen of [row, await owner.client.must(O.listMembers, { params })])
        expect(JSON.stringify(seen)).not.toContain(bob.email);
      expect(await owner.client.must(O.findAccounts, { query: { q: 'bobby' } })).toEqual([]);
      expect(await stage.roleOf(id, bob)).toBeUndefined();
      expect(await bob.client.must(O.listMyInvitations)).toMatchObject([
        { org_id: id, org_name: 'Acme', role: 'member', invited_by: 'annabel' },
      ]);
      expect(stage.notices).toMatchObject([
        { accountId: bob.id, title: { en: '%{actor} invites you to %{organization}' }, args: { actor: 'annabel' } },
      ]);

      const accepted = await bob.client.must(O.acceptInvitation, await only(bob));
      expect(accepted).toEqual({ org_id: id, role: 'member' });
      expect(await stage.roleOf(id, bob)).toBe('member');
      const members = await owner.client.must(O.listMembers, { params });
      expect(members.map(({ email }) => email).sort()).toEqual([ann.email, bob.email]);
      expect(await states()).toEqual(['bobby accepted']);
      expect(stage.notices.at(-1)).toMatchObject({
        accountId: ann.id,
        title: { en: '%{member} joined %{organization}' },
      });
      expect(await bob.client.must(O.listMyInvitations)).toEqual([]);
    });

    test('the organisation follows on the cluster with the acceptance, and its log names it', async () => {
      const revision = async () =>
        (await database().sql.select().from(organizations).where(eq(organizations.id, id)))[0]?.revision;
      const before = await revision();
      await invite(owner, { bobby: 'member' });
      expect(await revision()).toBe(before);
      const wanted = await only(bob);
      await bob.client.must(O.acceptInvitation, wanted);
      expect(await revision()).toBe((before ?? 0) + 1);
      const object = `Invitation/${wanted.params.id}`;
      expect(stage.audited.at(-1)).toMatchObject({ action: 'acceptInvitation', object, organizationId: id });
    });

    test('an address with an account and one without are answered and listed alike', async () => {
      const answers = await invite(owner, { 'BOBBY@example.test': 'member', 'nobody@example.test': 'member' });
      const bare = answers.map(({ account, ...rest }) => rest);
      expect(bare).toEqual([bare[0], bare[0]]);
      expect(bare[0]).toEqual({ outcome: 'invited', error: null, message: null });
      const listed = await owner.client.must(O.listInvitations, { params });
      expect(listed.map(({ account, state }) => [account, state]).sort()).toEqual([
        ['bobby@example.test', 'pending'],
        ['nobody@example.test', 'pending'],
      ]);
      // Each letter alone says what its reader has to do.
      expect(stage.invited.map(({ email, hasAccount }) => [email, hasAccount])).toEqual([
        ['bobby@example.test', true],
        ['nobody@example.test', false],
      ]);
    });

    test('whoever registers with an invited address still has to accept', async () => {
      await invite(owner, { 'new@Example.test': 'viewer' });
      const fresh = await stage.person('new');
      expect(await stage.roleOf(id, fresh)).toBeUndefined();
      await fresh.client.must(O.acceptInvitation, await only(fresh));
      expect(await stage.roleOf(id, fresh)).toBe('viewer');
      expect(await (await fresh.in(id)).client.must(O.getMyOrganization)).toMatchObject({ org_id: id, role: 'viewer' });
    });

    test('each of a batch is answered separately', async () => {
      expect(
        await outcomes(owner, { bobby: 'member', annabel: 'viewer', 'nobody-known': 'member', 'x@y.test': 'admin' }),
      ).toEqual(['invited', 'already_member', 'account_unknown', 'invited']);
    });

    test('one person twice in a call is refused by the field', async () => {
      const twice = { members: ['x@y.test', 'X@y.test'].map((account) => ({ account, role: 'viewer' as const })) };
      expect(refusalOf(await owner.client.call(O.inviteMembers, { params, body: twice }))).toBe('400 invalid_field');
    });

    test('to others an invitation does not exist, neither to see nor to answer', async () => {
      const mallory = await stage.person('mallory');
      await invite(owner, { bobby: 'member' });
      const wanted = await only(bob);
      expect(await mallory.client.must(O.listMyInvitations)).toEqual([]);
      for (const route of [O.acceptInvitation, O.declineInvitation])
        expect(refusalOf(await mallory.client.call(route, wanted))).toBe('404 not_found');
      const theirs = { params: { org_id: mallory.organizationId, ...wanted.params } };
      for (const route of [O.withdrawInvitation, O.resendInvitation])
        expect(refusalOf(await mallory.client.call(route, theirs))).toBe('404 not_found');
      expect(await states()).toEqual(['bobby pending']);
    });

    test('an address that was given up is nobody’s to accept with', async () => {
      await invite(owner, { [bob.email]: 'member' });
      const wanted = await only(bob);
      await database().sql.update(accounts).set({ email: 'other@example.test' }).where(eq(accounts.id, bob.id));
      expect(refusalOf(await bob.client.call(O.acceptInvitation, wanted))).toBe('404 not_found');
    });

    test('declined: the inviter learns that, the organisation’s log no name', async () => {
      await invite(owner, { [bob.email]: 'member' });
      const wanted = await only(bob);
      await bob.client.must(O.declineInvitation, wanted);
      await bob.client.must(O.declineInvitation, wanted);
      expect(await states()).toEqual(['bobby@example.test declined']);
      expect(stage.notices.slice(1)).toMatchObject([{ accountId: ann.id, args: { invitee: bob.email } }]);
      expect(stage.audited.at(-1)).toMatchObject({ action: 'declineInvitation', organizationId: undefined });
      expect(refusalOf(await bob.client.call(O.acceptInvitation, wanted))).toBe('409 invitation_closed');
      for (const route of [O.withdrawInvitation, O.resendInvitation])
        expect(refusalOf(await owner.client.call(route, { params: { ...params, ...wanted.params } }))).toBe(
          '409 invitation_closed',
        );
      // A new one is a new question.
      expect(await outcomes(owner, { [bob.email]: 'member' })).toEqual(['invited']);
      expect(await states()).toHaveLength(2);
    });

    test('withdrawn or expired, it makes nobody a member', async () => {
      const cleo = await stage.person('cleopatra');
      await invite(owner, { bobby: 'member', cleopatra: 'viewer' });
      const [ofBob, ofCleo] = [await only(bob), await only(cleo)];
      await owner.client.must(O.withdrawInvitation, { params: { ...params, ...ofBob.params } });
      expect(refusalOf(await bob.client.call(O.acceptInvitation, ofBob))).toBe('409 invitation_closed');
      await database()
        .sql.update(invitations)
        .set({ expiresAt: new Date(stage.clock.now()) })
        .where(eq(invitations.id, ofCleo.params.id));
      expect(refusalOf(await cleo.client.call(O.acceptInvitation, ofCleo))).toBe('409 invitation_closed');
      expect((await states()).sort()).toEqual(['bobby withdrawn', 'cleopatra expired']);
      for (const state of ['withdrawn', 'expired'] as const)
        expect(await owner.client.must(O.listInvitations, { params, query: { state } })).toHaveLength(1);
      expect([await stage.roleOf(id, bob), await stage.roleOf(id, cleo)]).toEqual([undefined, undefined]);
    });

    test.each([
      ['has left', undefined],
      ['is no longer an admin', 'member' as const],
    ])('an inviter who %s invites nobody', async (_, to) => {
      const admin = await stage.person('cleopatra');
      const at = new Date(stage.clock.now());
      const place = { organizationId: id, accountId: admin.id, role: 'admin' as const, createdAt: at };
      await database().sql.insert(memberships).values(place);
      await invite(await admin.in(id), { bobby: 'member' });
      const here = and(eq(memberships.accountId, admin.id), eq(memberships.organizationId, id));
      if (to) await database().sql.update(memberships).set({ role: to }).where(here);
      else await database().sql.delete(memberships).where(here);
      const refused = await bob.client.call(O.acceptInvitation, await only(bob));
      expect(refusalOf(refused)).toBe('409 invitation_void');
      expect(refused.body).toMatchObject({ args: { actor: 'cleopatra', organization: 'Acme' } });
      expect(await stage.roleOf(id, bob)).toBeUndefined();
    });

    test('a role above the inviter’s is not theirs to give, to lower or to take back', async () => {
      const admin = await stage.person('cleopatra');
      const at = new Date(stage.clock.now());
      await database()
        .sql.insert(memberships)
        .values({ organizationId: id, accountId: admin.id, role: 'admin', createdAt: at });
      const inAcme = await admin.in(id);
      await invite(owner, { bobby: 'owner' });
      expect(await outcomes(inAcme, { bobby: 'viewer' })).toEqual(['permission_missing']);
      const wanted = { params: { ...params, ...(await only(bob)).params } };
      expect(refusalOf(await inAcme.client.call(O.withdrawInvitation, wanted))).toBe('403 permission_missing');
      expect(refusalOf(await inAcme.client.call(O.resendInvitation, wanted))).toBe('403 permission_missing');
      // The inviter was an owner and is now an admin, who cannot grant that role.
      await database()
        .sql.update(memberships)
        .set({ role: 'admin' })
        .where(and(eq(memberships.accountId, ann.id), eq(memberships.organizationId, id)));
      expect(refusalOf(await bob.client.call(O.acceptInvitation, await only(bob)))).toBe('409 invitation_void');
    });

    test('a deleted organisation has no invitations', async () => {
      await invite(owner, { bobby: 'member' });
      const wanted = await only(bob);
      await owner.client.must(O.deleteOrganization, { params, query: { confirm: id } });
      expect(await bob.client.must(O.listMyInvitations)).toEqual([]);
      expect(refusalOf(await bob.client.call(O.acceptInvitation, wanted))).toBe('404 not_found');
    });

    test('accepted twice at once, by name and by address, it is one membership with one role', async () => {
      await invite(owner, { bobby: 'member', [bob.email]: 'member' });
      const wanted = (await bob.client.must(O.listMyInvitations)).map((each) => ({ params: { id: each.id } }));
      expect(wanted).toHaveLength(2);
      const replies = await Promise.all(wanted.map((each) => bob.client.call(O.acceptInvitation, each)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await stage.roleOf(id, bob)).toBe('member');
      expect(await states()).toEqual(expect.arrayContaining(['bobby accepted', 'bobby@example.test accepted']));
      expect(await outcomes(owner, { bobby: 'member' })).toEqual(['already_member']);
    });

    test('a removal is final: the accepted invitation does not bring anybody back', async () => {
      await invite(owner, { bobby: 'member' });
      const wanted = await only(bob);
      await bob.client.must(O.acceptInvitation, wanted);
      await owner.client.must(O.removeMember, { params: { ...params, account_id: bob.id } });
      expect(refusalOf(await bob.client.call(O.acceptInvitation, wanted))).toBe('409 invitation_closed');
      expect(await stage.roleOf(id, bob)).toBeUndefined();
    });

    test('who may not manage neither invites nor sees invitations', async () => {
      const at = new Date(stage.clock.now());
      await database()
        .sql.insert(memberships)
        .values({ organizationId: id, accountId: bob.id, role: 'member', createdAt: at });
      const member = await bob.in(id);
      const members = [{ account: 'x@y.test', role: 'viewer' as const }];
      const calls = [
        member.client.call(O.inviteMembers, { params, body: { members } }),
        member.client.call(O.listInvitations, { params }),
        member.client.call(O.resendInvitation, { params: { ...params, id: 'inv-00000000' } }),
        member.client.call(O.withdrawInvitation, { params: { ...params, id: 'inv-00000000' } }),
      ];
      for (const call of calls) expect(refusalOf(await call)).toBe('403 permission_missing');
    });

    test('an invitation is sent again once an hour, and is then valid for seven days more', async () => {
      await invite(owner, { 'new@example.test': 'viewer' });
      const [row] = await owner.client.must(O.listInvitations, { params });
      const wanted = { params: { ...params, id: row?.id ?? '' } };
      const tooSoon = await owner.client.call(O.resendInvitation, wanted);
      expect([refusalOf(tooSoon), tooSoon.body.args]).toEqual(['429 too_many_requests', { seconds: 3600 }]);
      // Inviting again does not get around it.
      await invite(owner, { 'NEW@example.test': 'viewer' });
      expect(stage.invited).toHaveLength(1);
      const over = new Date(stage.clock.now());
      await database().sql.update(counters).set({ endsAt: over });
      await database().sql.update(invitations).set({ expiresAt: over });
      expect(await states()).toEqual(['new@example.test expired']);
      const sent = await owner.client.must(O.resendInvitation, wanted);
      expect(sent).toMatchObject({ state: 'pending', account: 'new@example.test' });
      expect(Date.parse(sent.expiration_time)).toBe(stage.clock.now() + 7 * DAY_MS);
      expect(stage.invited).toHaveLength(2);
    });

    test('a person is sent ten a day by all, and sends a hundred an hour; the list shows the others all the same', async () => {
      await invite(owner, { bobby: 'viewer', 'new@example.test': 'viewer' });
      const [elsewhere] = (await stage.company(ann)).people as [Person];
      await counted(`invited:${bob.id}`, 10);
      await counted('invited:new@example.test', 10);
      expect(await outcomes(elsewhere, { bobby: 'viewer', 'new@example.test': 'viewer' })).toEqual([
        'invited',
        'invited',
      ]);
      expect([stage.invited.length, stage.notices.length]).toEqual([2, 1]);
      expect(await bob.client.must(O.listMyInvitations)).toHaveLength(2);

      // By address or by name, and sent again: it is the same person.
      const [another] = (await stage.company(ann)).people as [Person];
      expect(await outcomes(another, { [bob.email]: 'viewer' })).toEqual(['invited']);
      const kept = { org_id: another.organizationId };
      const [row] = await another.client.must(O.listInvitations, { params: kept });
      await database().sql.delete(counters).where(like(counters.key, 'invited:% %'));
      await another.client.must(O.resendInvitation, { params: { ...kept, id: row?.id ?? '' } });
      expect([stage.invited.length, stage.notices.length]).toEqual([2, 1]);

      await counted(`invites:${ann.id}`, 99);
      expect(await outcomes(owner, { 'hundredth@example.test': 'viewer', 'nobody-known': 'viewer' })).toEqual([
        'invited',
        'too_many_invitations',
      ]);
    });
  });

  test('everything has an end, which is told with its number', async () => {
    const ann = await stage.person('annabel');
    const { accountId, organizationId } = { accountId: ann.id, organizationId: ann.organizationId };
    const createdAt = new Date(stage.clock.now());
    const expiresAt = new Date(stage.clock.now() + 1_000_000);
    const many = <Row>(count: number, row: (at: number) => Row) => Array.from({ length: count }, (_, at) => row(at));
    const held = { accountId, organizationId, remark: 'x', createdAt, expiresAt };
    await database()
      .sql.insert(apiTokens)
      .values(many(100, (at) => ({ ...held, id: `tok-${at}`, tokenHash: `${at}`, scopes: ['view' as const] })));
    await database()
      .sql.insert(kubeconfigs)
      .values(many(20, (at) => ({ ...held, id: `kubeconfig-${at}` })));
    await database()
      .sql.insert(invitations)
      .values(
        many(200, (at) => ({
          id: `inv-${at}`,
          organizationId,
          email: `${at}@example.test`,
          role: 'viewer' as const,
          invitedBy: accountId,
          createdAt,
          expiresAt,
        })),
      );
    await database().transaction(async (tx) => {
      const wanted = { name: 'x', owner: accountId, isPersonal: false, currency: 'USD', now: stage.clock.now() };
      for (let at = 0; at < 9; at++) await makeOrganization(tx, wanted);
    });
    const expiration_time = expiresAt.toISOString();
    const replies = await Promise.all([
      ann.client.call(K.createApiToken, { body: { remark: 'x', scopes: ['view'], expiration_time } }),
      ann.client.call(K.createKubeconfig, { body: { remark: 'x', expiration_time } }),
      ann.client.call(O.createOrganization, { body: { org_name: 'x' } }),
    ]);
    expect(replies.map(({ status, body }) => [status, body.error, body.args.most])).toEqual([
      [409, 'too_many_api_tokens', 100],
      [409, 'too_many_kubeconfigs', 20],
      [409, 'too_many_organizations', 10],
    ]);
    const params = { org_id: organizationId };
    const body = { members: [{ account: 'one-more@example.test', role: 'viewer' as const }] };
    expect(await ann.client.must(O.inviteMembers, { params, body })).toMatchObject([{ error: 'too_many_pending' }]);
  });

  describe('permission nodes', () => {
    test('follow the role, and what an API token was narrowed to', async () => {
      const ann = await stage.person('annabel', { staff: ['auditManager'] });
      const names = async (client: HttpClient, console: 'tenant' | 'admin' = 'tenant') =>
        (await client.must(O.getPermissionNodes, { query: { console } })).map(({ pname }) => pname);
      expect(await names(ann.client)).toEqual(expect.arrayContaining(['manage/billing', 'gpuInstance.stop']));
      const { token } = await ann.client.must(K.createApiToken, {
        body: { remark: 'ci', scopes: ['view'], expiration_time: null },
      });
      const narrow = await names(stage.client(token));
      expect(narrow).toContain('develop/instance');
      expect(narrow).not.toContain('manage/billing');
      expect(narrow).not.toContain('gpuInstance.stop');
      expect(await names(ann.client, 'admin')).toEqual(expect.arrayContaining(['manage/audit', 'manage/user']));
      expect(await names(stage.client(token), 'admin')).toEqual([]);
    });
  });

  describe('SSH keys', () => {
    const key = (public_key: string, more = {}) => ({
      body: { remark: 'laptop', public_key, expiration_time: null as string | null, ...more },
    });

    test('one is kept with its fingerprint, in one spelling, once', async () => {
      const ann = await stage.person('annabel');
      const made = await ann.client.must(K.createPubKey, key(`${ED25519} ann@laptop`));
      expect(made).toMatchObject({ public_key: ED25519, fingerprint: FINGERPRINT, status: 'permanent' });
      expect(refusalOf(await ann.client.call(K.createPubKey, key(`${ED25519} other`)))).toBe('409 pub_key_exists');
      const bob = await stage.person('bobby');
      await bob.client.must(K.createPubKey, key(ED25519));
      expect(refusalOf(await bob.client.call(K.deletePubKey, { params: { id: made.id } }))).toBe('404 not_found');
    });

    test('its expiry is confirmed and lies ahead, and runs out', async () => {
      const ann = await stage.person('annabel');
      const { expiration_time, ...unconfirmed } = key(ED25519).body;
      const missing = await ann.client.call(K.createPubKey, { body: unconfirmed as never });
      expect(missing).toMatchObject({ status: 400, body: { field: 'expiration_time' } });
      const past = await ann.client.call(K.createPubKey, key(ED25519, { expiration_time: '2025-12-31T23:59:59Z' }));
      expect(past).toMatchObject({ status: 400, body: { error: 'expiry_passed', field: 'expiration_time' } });
      await ann.client.must(K.createPubKey, key(ED25519, { expiration_time: '2026-01-01T00:00:01Z' }));
      expect(await ann.client.must(K.listPubKeys)).toMatchObject([{ status: 'active' }]);
      await stage.clock.step(1_000);
      expect(await ann.client.must(K.listPubKeys)).toMatchObject([{ status: 'expired' }]);
    });

    test('a broken, weak or private one is refused with its fault', async () => {
      const ann = await stage.person('annabel');
      for (const [public_key, fault] of [
        ['ssh-ed25519 AAAA', 'cut off'],
        ['ssh-dss AAAAB3NzaC1kc3M=', 'cannot log in'],
        [WEAK_RSA, '2048 bits'],
        [`${ED25519}\n${anotherKey(1)}`, 'more than one line'],
        ['-----BEGIN OPENSSH PRIVATE KEY-----', 'cannot log in'],
      ] as const) {
        const { status, body } = await ann.client.call(K.createPubKey, key(public_key));
        expect([status, body.error, body.field]).toEqual([400, 'ssh_key_broken', 'public_key']);
        expect(body.message).toContain(fault);
      }
    });

    test(`only ${MOST_PUB_KEYS} of fifteen added at once are kept`, async () => {
      const ann = await stage.person('annabel');
      const replies = await Promise.all(
        Array.from({ length: 15 }, (_, at) => ann.client.call(K.createPubKey, key(anotherKey(at)))),
      );
      const errors = replies.map(({ body }) => body.error ?? 'kept').sort();
      expect(errors).toEqual([...Array(10).fill('kept'), ...Array(5).fill('too_many_pub_keys')]);
      expect((await ann.client.must(K.listPubKeys)).length).toBe(MOST_PUB_KEYS);
    });

    test('one that is deleted is taken off instances in every organisation, once the cluster answers', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const { id } = await stage.company(bob, [ann, 'viewer']);
      const made = await ann.client.must(K.createPubKey, key(ED25519));
      stage.clusterFails = true;
      await ann.client.must(K.deletePubKey, { params: { id: made.id } });
      await stage.open.leftovers.settled();
      expect((await database().sql.select().from(keyRemovals)).length).toBe(2);
      stage.clusterFails = false;
      await stage.clock.step(15_000);
      await stage.open.leftovers.settled();
      // A viewer may not write instances there: its owner does.
      expect(stage.removed.map(({ namespace, actor }) => [namespace, actor]).sort()).toEqual(
        [
          [`org-${ann.organizationId}`, ann.id],
          [`org-${id}`, bob.id],
        ].sort(),
      );
      expect(await database().sql.select().from(keyRemovals)).toEqual([]);
    });
  });

  test('an SSH key that its owner adds again, before the deleted one could be taken off, stays', async () => {
    const ann = await stage.person('annabel');
    const body = { remark: 'laptop', public_key: ED25519, expiration_time: null };
    const { id } = await ann.client.must(K.createPubKey, { body });
    stage.clusterFails = true;
    await ann.client.must(K.deletePubKey, { params: { id } });
    await stage.open.leftovers.settled();
    await ann.client.must(K.createPubKey, { body });
    stage.clusterFails = false;
    stage.open.leftovers.wake();
    await stage.open.leftovers.settled();
    expect([stage.removed, await database().sql.$count(keyRemovals)]).toEqual([[], 0]);
  });

  test('a hundred removals that fail for good do not hold up the one after them', async () => {
    const [ann, bob] = [await stage.person('annabel'), await stage.person('bobby')];
    stage.refusing = `org-${ann.organizationId}`;
    const row = { publicKey: ED25519, createdAt: new Date(stage.clock.now() - 60_000) };
    const refused = Array.from({ length: 100 }, (_, at) => ({
      ...row,
      id: `rem-${at}`,
      namespace: stage.refusing,
      accountId: ann.id,
    }));
    const last = { ...row, id: 'rem-zzzzzzzz', namespace: `org-${bob.organizationId}`, accountId: bob.id };
    await database()
      .sql.insert(keyRemovals)
      .values([...refused, last]);
    stage.open.leftovers.wake();
    await stage.open.leftovers.settled();
    expect(stage.removed).toMatchObject([{ namespace: `org-${bob.organizationId}` }]);
    expect(await database().sql.$count(keyRemovals)).toBe(100);
  });

  describe('API tokens', () => {
    const token = (scopes: ('view' | 'use' | 'pay' | 'manage')[], expiration_time: string | null = null) => ({
      body: { remark: 'ci', scopes, expiration_time },
    });

    test('the secret is shown once, opens what it is for, and ends at once', async () => {
      const ann = await stage.person('annabel');
      const made = await ann.client.must(K.createApiToken, token(['use', 'view', 'view']));
      expect(made).toMatchObject({ creator: 'annabel', scopes: ['view', 'use'], status: 'permanent' });
      expect(made.token).toMatch(/^gty_[\w-]{43}$/);
      const read = await ann.client.call(K.getApiToken, { params: { id: made.id } });
      expect(JSON.stringify(read.body)).not.toContain(made.token);
      const client = stage.client(made.token);
      expect((await client.must(O.getMyOrganization)).rights).toEqual(['view', 'use']);
      const params = { org_id: ann.organizationId };
      expect(refusalOf(await client.call(O.editOrganization, { params, body: {} }))).toBe('403 permission_missing');
      await ann.client.must(K.deleteApiToken, { params: { id: made.id } });
      expect(refusalOf(await client.call(O.getMyOrganization))).toBe('401 unauthenticated');
    });

    test('it makes nothing that one comes in by', async () => {
      const ann = await stage.person('annabel', { staff: ['administrator'] });
      const made = await ann.client.must(K.createApiToken, token(['view', 'use', 'pay', 'manage']));
      const client = stage.client(made.token);
      for (const call of [
        client.call(K.createApiToken, token(['view'])),
        client.call(K.createPubKey, { body: { remark: 'x', public_key: ED25519, expiration_time: null } }),
        client.call(K.createKubeconfig, { body: { remark: 'x', expiration_time: '2026-12-01T00:00:00Z' } }),
        client.call(O.createOrganization, { body: { org_name: 'Acme' } }),
      ])
        expect(refusalOf(await call)).toBe('403 session_needed');
      expect(refusalOf(await client.call(R.listRealAuths))).toBe('403 permission_missing');
    });

    test('it changes no member and sees nothing that is the person’s own, whatever its rights', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const { id, people } = await stage.company(ann, [bob, 'member']);
      const [owner, member] = people as [Person, Person];
      const all = await owner.client.must(K.createApiToken, token(['view', 'use', 'pay', 'manage']));
      const client = stage.client(all.token);
      const params = { org_id: id };
      const ofBob = { org_id: id, account_id: bob.id };
      for (const call of [
        client.call(O.editOrganization, { params, body: { org_name: 'Other' } }),
        client.call(O.seeOrganization, { params, body: { is_new: false } }),
        client.call(O.inviteMembers, {
          params,
          body: { members: [{ account: 'mallory@example.test', role: 'owner' }] },
        }),
        client.call(O.resendInvitation, { params: { ...params, id: 'inv-00000000' } }),
        client.call(O.listMyInvitations),
        client.call(O.acceptInvitation, { params: { id: 'inv-00000000' } }),
        client.call(O.declineInvitation, { params: { id: 'inv-00000000' } }),
        client.call(O.editMember, { params: ofBob, body: { role: 'owner' } }),
        client.call(O.removeMember, { params: ofBob }),
        client.call(O.withdrawInvitation, { params: { ...params, id: 'inv-00000000' } }),
        client.call(R.getOwnRealAuth),
        client.call(R.getPicture, { params: { id: 'pic-00000000' } }),
      ])
        expect(refusalOf(await call)).toBe('403 session_needed');
      expect(await stage.roleOf(id, bob)).toBe('member');

      const theirs = await member.client.must(K.createApiToken, token(['view']));
      const narrow = await owner.client.must(K.createApiToken, token(['view']));
      const seen = async (by: string) => (await stage.client(by).must(K.listApiTokens)).map((each) => each.id).sort();
      expect(await seen(all.token)).toEqual([all.id, theirs.id, narrow.id].sort());
      expect(await seen(narrow.token)).toEqual([all.id, narrow.id].sort());
    });

    test('it is for one organisation, within the role, and shrinks with it', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const { id, people } = await stage.company(ann, [bob, 'member']);
      const [owner, member] = people as [Person, Person];
      const beyond = await member.client.call(K.createApiToken, token(['view', 'manage']));
      expect(beyond).toMatchObject({ status: 400, body: { error: 'scope_beyond_role', field: 'scopes' } });
      const made = await member.client.must(K.createApiToken, token(['view', 'use']));
      expect((await stage.client(made.token).must(O.getMyOrganization)).org_id).toBe(id);
      // Owners and admins see everybody's; others see their own, and nothing of other organisations.
      expect((await owner.client.must(K.listApiTokens)).map((each) => each.id)).toEqual([made.id]);
      expect(refusalOf(await bob.client.call(K.getApiToken, { params: { id: made.id } }))).toBe('404 not_found');
      await owner.client.must(O.editMember, { params: { org_id: id, account_id: bob.id }, body: { role: 'viewer' } });
      expect((await stage.client(made.token).must(O.getMyOrganization)).rights).toEqual(['view']);
      expect(refusalOf(await member.client.call(K.getApiToken, { params: { id: 'tok-nothere1' } }))).toBe(
        '404 not_found',
      );
    });

    test('it is over at its date', async () => {
      const ann = await stage.person('annabel');
      const made = await ann.client.must(K.createApiToken, token(['view'], '2026-01-01T00:00:05Z'));
      await stage.client(made.token).must(O.getMyOrganization);
      await stage.clock.step(5_000);
      expect(refusalOf(await stage.client(made.token).call(O.getMyOrganization))).toBe('401 unauthenticated');
    });
  });

  describe('kubeconfigs', () => {
    const wanted = { body: { remark: 'laptop', expiration_time: '2026-12-01T00:00:00Z' } };

    const tokenIn = (kubeconfig: string) => /token: "(.*)"/.exec(kubeconfig)?.[1] ?? '';

    test('one is made for the membership, and its revocation ends the token', async () => {
      const ann = await stage.person('annabel');
      const made = await ann.client.must(K.createKubeconfig, wanted);
      // The token is ours: nobody has the cluster's token, and the stored hash opens nothing.
      const token = tokenIn(made.kubeconfig);
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify(await stage.db.sql.select().from(kubeconfigs))).not.toContain(token);
      expect(made.kubeconfig).toContain('server: "https://gateway.test:8083"');
      expect(await stage.open.kubeconfigs.grantOf(token)).toEqual({
        id: made.id,
        secretUid: `uid-${made.id}`,
        accountId: ann.id,
        namespace: `org-${ann.organizationId}`,
        role: 'owner',
      });
      expect(made.kubeconfig).toContain(`namespace: "org-${ann.organizationId}"`);
      expect(await ann.client.must(K.listKubeconfigs)).toMatchObject([{ id: made.id, creator: 'annabel' }]);
      await ann.client.must(K.deleteKubeconfig, { params: { id: made.id } });
      expect(await stage.open.kubeconfigs.grantOf(token)).toBeUndefined();
      await stage.open.leftovers.settled();
      expect(stage.revoked).toEqual([`uid-${made.id}`]);
      expect(await ann.client.must(K.listKubeconfigs)).toEqual([]);
      expect(refusalOf(await ann.client.call(K.deleteKubeconfig, { params: { id: made.id } }))).toBe('404 not_found');
    });

    test.each<[string, (ann: Person) => Promise<unknown>]>([
      [
        'revoked',
        ({ id }) =>
          stage.db.sql
            .update(kubeconfigs)
            .set({ revokedAt: new Date(0) })
            .where(eq(kubeconfigs.accountId, id)),
      ],
      ['past its date', () => stage.clock.step(5_000)],
      [
        'of somebody with another role by now',
        ({ id }) => stage.db.sql.update(memberships).set({ role: 'viewer' }).where(eq(memberships.accountId, id)),
      ],
      ['without its membership', ({ id }) => stage.db.sql.delete(memberships).where(eq(memberships.accountId, id))],
      [
        'of a disabled account',
        ({ id }) =>
          stage.db.sql
            .update(accounts)
            .set({ disabledAt: new Date(0) })
            .where(eq(accounts.id, id)),
      ],
      [
        'of a deleted organisation',
        ({ organizationId }) =>
          stage.db.sql
            .update(organizations)
            .set({ deletedAt: new Date(0) })
            .where(eq(organizations.id, organizationId)),
      ],
    ])('what is open by one that is %s does not hold', async (_, ends) => {
      const ann = await stage.person('annabel');
      const body = { remark: 'laptop', expiration_time: '2026-01-01T00:00:05Z' };
      const { id, kubeconfig } = await ann.client.must(K.createKubeconfig, { body });
      const { kubeconfigs: held } = stage.open;
      const grant = await held.grantOf(tokenIn(kubeconfig));
      if (!grant) throw new Error('no grant');
      expect(await held.stillGood([grant])).toEqual(new Set([id]));
      await ends(ann);
      expect(await held.stillGood([grant])).toEqual(new Set());
    });

    test("one of before, whose token is the cluster's, is listed, opens nothing here and is revoked as ever", async () => {
      const ann = await stage.person('annabel');
      const { id } = await ann.client.must(K.createKubeconfig, wanted);
      await stage.db.sql.update(kubeconfigs).set({ tokenHash: null }).where(eq(kubeconfigs.id, id));
      expect(await stage.open.kubeconfigs.grantOf('')).toBeUndefined();
      expect(await ann.client.must(K.listKubeconfigs)).toMatchObject([{ id }]);
      await ann.client.must(K.deleteKubeconfig, { params: { id } });
      await stage.open.leftovers.settled();
      expect(stage.revoked).toEqual([`uid-${id}`]);
    });

    test('its date is at most a year ahead; without an account on the cluster nothing is left of it', async () => {
      const ann = await stage.person('annabel');
      const far = await ann.client.call(K.createKubeconfig, {
        body: { ...wanted.body, expiration_time: '2027-11-22T00:00:00Z' },
      });
      expect(refusalOf(far)).toBe('400 expiry_too_far');
      stage.hasAccount = false;
      expect(refusalOf(await ann.client.call(K.createKubeconfig, wanted))).toBe('409 organization_not_ready');
      await stage.open.leftovers.settled();
      expect(stage.revoked.length).toBe(1);
      expect(await ann.client.must(K.listKubeconfigs)).toEqual([]);
    });
  });

  describe('real names', () => {
    const person = {
      type: 1 as const,
      name: '张三',
      id_card: ID_CARD,
      phone: '+8613800000000',
      commitment: true as const,
    };
    const upload = async (who: Person, content: Uint8Array, headers: Record<string, string> = {}) => {
      const reply = await fetch(`${stage.url}/api${R.uploadPicture.path}`, {
        method: 'POST',
        headers: { 'x-token': who.token, ...headers },
        body: content,
      });
      return { status: reply.status, body: (await reply.json()) as Uploaded };
    };
    const enterprise = async (who: Person) => {
      const ids: string[] = [];
      for (let at = 0; at < 3; at++) ids.push((await upload(who, PNG)).body.result.id);
      const [license_picture = '', id_front_picture = '', id_back_picture = ''] = ids;
      return {
        type: 2 as const,
        legal_name: '张三',
        enterprise_name: '星尘科技',
        credit_code: '91110105MA00000000',
        id_card: ID_CARD,
        contact_name: '李四',
        license_picture,
        id_front_picture,
        id_back_picture,
        commitment: true as const,
      };
    };

    test('a person is submitted, rejected with a reason, submitted again and approved; the credit is recorded once', async () => {
      const ann = await stage.person('annabel');
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const { id } = await ann.client.must(R.submitRealAuth, { body: person });
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({ type: 1, status: 3 });
      const again = await ann.client.call(R.submitRealAuth, { body: person });
      expect(refusalOf(again)).toBe('409 real_auth_state');
      const silent = await auditor.client.call(R.auditRealAuth, { params: { id }, body: { result: 1, reason: ' ' } });
      expect(silent).toMatchObject({ status: 400, body: { error: 'reason_needed', field: 'reason' } });
      await auditor.client.must(R.auditRealAuth, { params: { id }, body: { result: 2, reason: 'blurred' } });
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({ status: 2, reason: 'blurred' });
      await ann.client.must(R.resubmitRealAuth, { body: person });
      await auditor.client.must(R.auditRealAuth, { params: { id }, body: { result: 3, reason: 'unsure' } });
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({
        status: 3,
        personal: { state: 'manualReview', reason: null },
      });
      await auditor.client.must(R.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({ type: 1, status: 1, reason: null });
      expect(refusalOf(await ann.client.call(R.resubmitRealAuth, { body: person }))).toBe('409 real_auth_state');
      const undone = await auditor.client.call(R.auditRealAuth, { params: { id }, body: { result: 2, reason: 'no' } });
      expect(refusalOf(undone)).toBe('409 real_auth_decided');
      expect(stage.notices.map(({ args }) => args.reason)).toEqual(['blurred', 'seen']);

      // The same person with another account, and with the older form of the number.
      const twin = await stage.person('twinning');
      const { id: other } = await twin.client.must(R.submitRealAuth, {
        body: { ...person, id_card: '110105491231002' },
      });
      await auditor.client.must(R.auditRealAuth, { params: { id: other }, body: { result: 1, reason: 'seen' } });
      const creditOf = async (who: Person) => (await who.client.must(R.getOwnRealAuth)).welcome_credit;
      expect([await creditOf(ann), await creditOf(twin), await creditOf(auditor)]).toEqual([
        'granted',
        'usedElsewhere',
        'none',
      ]);
      const { en, zh, ja } = stage.notices.at(-1)?.content ?? {};
      expect([en, zh, ja].join(' ')).toMatch(/no welcome credit.*不发放新用户赠金.*クレジットは付与されません/);
      const credits = await database().sql.select().from(events);
      expect(credits).toMatchObject([
        {
          type: 'welcome_credit',
          accountId: ann.id,
          organizationId: ann.organizationId,
          payload: { real_auth_id: id },
        },
      ]);
      const [row] = await database().sql.select().from(realAuths).where(eq(realAuths.id, id));
      expect(row?.idCard).not.toContain(ID_CARD);
    });

    test('a passport is shown to an auditor with its picture, never to the automatic check, and credited once', async () => {
      stage.verdict = { step: 'approve' };
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const passport = async (who: Person, more: object = {}) => {
        const document_picture = (await upload(who, PNG)).body.result.id;
        const { id_card: _, ...rest } = person;
        const document = { document: 'passport', document_country: 'US', document_number: 'x 123-4567' } as const;
        return { ...rest, ...document, document_picture, phone: '+1 415 555 0132', ...more };
      };
      const verified = async (name: string, more?: object) => {
        const who = await stage.person(name);
        const body = await passport(who, more);
        const made = await who.client.must(R.submitRealAuth, { body });
        await auditor.client.must(R.auditRealAuth, { params: { id: made.id }, body: { result: 1, reason: 'seen' } });
        const { welcome_credit } = await who.client.must(R.getOwnRealAuth);
        return { made, body, welcome_credit };
      };
      const first = await verified('annabel');
      expect(first.made).toMatchObject({ state: 'manualReview', phone: '+14155550132', id_card: null });
      expect(await auditor.client.must(R.getRealAuth, { params: { id: first.made.id } })).toMatchObject({
        document: 'passport',
        document_country: 'US',
        document_number: 'X1234567',
        document_picture: first.body.document_picture,
      });
      const seen = await fetch(`${stage.url}/api${R.getPicture.path.replace('{id}', first.body.document_picture)}`, {
        headers: { 'x-token': auditor.token },
      });
      expect(seen.status).toBe(200);
      const again = await verified('barbara');
      const other = await verified('charlie', { document_country: 'CA' });
      expect([first.welcome_credit, again.welcome_credit, other.welcome_credit]).toEqual([
        'granted',
        'usedElsewhere',
        'granted',
      ]);
      // A Chinese driving licence has the number of its holder's ID card, which has 15 or 18 characters.
      const card = await verified('dorothy', { document_country: 'CN', document_number: ID_CARD });
      const licence = await verified('edwards', {
        document: 'drivingLicence',
        document_country: 'CN',
        document_number: ID_CARD,
      });
      expect([card.welcome_credit, licence.welcome_credit]).toEqual(['granted', 'usedElsewhere']);
      expect(stage.checked).toEqual([]);
      const [row] = await database().sql.select().from(realAuths).where(eq(realAuths.id, first.made.id));
      expect(row?.idCard).not.toContain('1234567');
      const dave = await stage.person('dave_01');
      const theirs = { ...(await passport(dave)), document_picture: first.body.document_picture };
      const refused = await dave.client.call(R.submitRealAuth, { body: theirs });
      expect(refused).toMatchObject({ body: { error: 'picture_unknown', field: 'document_picture' } });
    });

    test('a foreign enterprise is proven by the passport of who represents it', async () => {
      const ann = await stage.person('annabel');
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const { id } = await ann.client.must(R.submitRealAuth, { body: person });
      await auditor.client.must(R.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
      const {
        id_card: _id,
        id_front_picture: document_picture,
        id_back_picture: _back,
        ...rest
      } = await enterprise(ann);
      const document = { document: 'passport', document_country: 'DE', document_number: 'C01X00T47' } as const;
      const body = { ...rest, ...document, document_picture, credit_code: 'HRB 12345' };
      expect(await ann.client.must(R.submitRealAuth, { body })).toMatchObject({
        ...document,
        document_picture,
        id_front_picture: null,
        credit_code: 'HRB 12345',
      });
    });

    test('where the ID card is the only document, another one is refused', async () => {
      stage.documents.splice(0, Number.POSITIVE_INFINITY, 'idCard');
      const ann = await stage.person('annabel');
      const document = { document: 'passport', document_country: 'US', document_number: 'X1234567' } as const;
      const { id_card: _, ...rest } = person;
      const body = { ...rest, ...document, document_picture: 'pic-1' };
      const refused = await ann.client.call(R.submitRealAuth, { body });
      expect(refused).toMatchObject({ status: 400, body: { error: 'document_not_accepted', field: 'document' } });
      await ann.client.must(R.submitRealAuth, { body: person });
    });

    test('an automatic check approves, rejects with its reason, or leaves it to an auditor', async () => {
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const submit = async (name: string, verdict: Verdict) => {
        stage.verdict = verdict;
        const who = await stage.person(name);
        return { who, made: await who.client.must(R.submitRealAuth, { body: person }) };
      };
      const sure = await submit('annabel', { step: 'approve' });
      expect(sure.made).toMatchObject({ state: 'approved', status: 1 });
      expect(await database().sql.select().from(events)).toMatchObject([{ type: 'welcome_credit' }]);
      const refused = await submit('barbara', { step: 'reject', reason: 'No such person.' });
      expect(await refused.who.client.must(R.getOwnRealAuth)).toMatchObject({ status: 2, reason: 'No such person.' });
      const unsure = await submit('charlie', { step: 'take' });
      expect(unsure.made).toMatchObject({ state: 'manualReview', status: 3 });
      await auditor.client.must(R.auditRealAuth, { params: { id: unsure.made.id }, body: { result: 1, reason: 'ok' } });
      expect(await unsure.who.client.must(R.getOwnRealAuth)).toMatchObject({ status: 1 });
      expect(stage.notices.map(({ args }) => args.reason)).toEqual(['', 'No such person.', 'ok']);
    });

    test('the automatic check is asked three times a day for an account, and an auditor decides about more', async () => {
      const ann = await stage.person('annabel');
      stage.verdict = { step: 'reject', reason: 'No such person.' };
      await ann.client.must(R.submitRealAuth, { body: person });
      const again = async () => (await ann.client.must(R.resubmitRealAuth, { body: person })).state;
      expect([await again(), await again(), await again()]).toEqual(['rejected', 'rejected', 'manualReview']);
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const { personal } = await ann.client.must(R.getOwnRealAuth);
      const params = { id: personal?.id ?? '' };
      await auditor.client.must(R.auditRealAuth, { params, body: { result: 2, reason: 'no' } });
      await stage.clock.step(24 * 3_600_000);
      const nextDay = await ann.in(ann.organizationId);
      stage.verdict = { step: 'approve' };
      expect(await nextDay.client.must(R.resubmitRealAuth, { body: person })).toMatchObject({ state: 'approved' });
    });

    test('a verdict that comes late does not decide about what was submitted meanwhile', async () => {
      const ann = await stage.person('annabel');
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const slow = Promise.withResolvers<Verdict>();
      stage.verdict = slow.promise;
      const first = ann.client.must(R.submitRealAuth, { body: person });
      const id = await eventually('it is submitted', async () => {
        const { personal } = await ann.client.must(R.getOwnRealAuth);
        return personal?.id;
      });
      await auditor.client.must(R.auditRealAuth, { params: { id }, body: { result: 2, reason: 'no' } });
      await stage.clock.step(1_000);
      stage.verdict = undefined;
      await ann.client.must(R.resubmitRealAuth, { body: { ...person, name: '李四' } });
      slow.resolve({ step: 'approve' });
      await first;
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({
        status: 3,
        personal: { name: '李四', state: 'pending' },
      });
      expect(await database().sql.select().from(events)).toEqual([]);
    });

    test.each([R.submitRealAuth, R.resubmitRealAuth])(
      '$id is open to an address once a second at most',
      async (route) => {
        const ann = await stage.person('annabel');
        for (let times = 0; times < 60; times++) await ann.client.call(route, { body: {} as never });
        expect(refusalOf(await ann.client.call(route, { body: person }))).toBe('429 too_many_requests');
      },
    );

    test('an enterprise comes after its person; rejected it falls back, approved it stays', async () => {
      const ann = await stage.person('annabel');
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const company = await enterprise(ann);
      expect(refusalOf(await ann.client.call(R.submitRealAuth, { body: company }))).toBe('409 personal_first');
      const { id } = await ann.client.must(R.submitRealAuth, { body: person });
      await auditor.client.must(R.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
      const { id: second } = await ann.client.must(R.submitRealAuth, { body: company });
      await auditor.client.must(R.auditRealAuth, { params: { id: second }, body: { result: 2, reason: 'expired' } });
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({ type: 1, status: 1, reason: 'expired' });
      await ann.client.must(R.resubmitRealAuth, { body: company });
      await auditor.client.must(R.auditRealAuth, { params: { id: second }, body: { result: 1, reason: 'seen' } });
      expect(await ann.client.must(R.getOwnRealAuth)).toMatchObject({ type: 2, status: 1 });
      expect(refusalOf(await ann.client.call(R.submitRealAuth, { body: person }))).toBe('409 real_auth_state');
    });

    test('a broken number is answered by its sentence and field', async () => {
      const ann = await stage.person('annabel');
      const reply = await ann.client.call(R.submitRealAuth, { body: { ...person, id_card: '110105194912310021' } });
      expect(reply).toMatchObject({
        status: 400,
        body: { error: 'id_card_format', message: 'ID card format error.', field: 'id_card' },
      });
      const unknown = { ...(await enterprise(ann)), credit_code: 'O1234' };
      const ill = [{ ...person, phone: 'none' }, unknown];
      const replies = await Promise.all(ill.map((body) => ann.client.call(R.submitRealAuth, { body })));
      expect(replies.map(({ status, body }) => [status, body.error, body.field])).toEqual([
        [400, 'contact_phone_rule', 'phone'],
        [400, 'credit_code_rule', 'credit_code'],
      ]);
      const unticked = await ann.client.call(R.submitRealAuth, { body: { ...person, commitment: false } as never });
      expect(unticked).toMatchObject({ status: 400, body: { error: 'commitment_missing' } });
    });

    test('nobody audits without the menu, and nobody themselves', async () => {
      const ann = await stage.person('annabel', { staff: ['finance'] });
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const { id } = await auditor.client.must(R.submitRealAuth, { body: person });
      for (const call of [
        ann.client.call(R.listRealAuths),
        ann.client.call(R.getRealAuth, { params: { id } }),
        ann.client.call(R.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } }),
      ])
        expect(refusalOf(await call)).toBe('403 permission_missing');
      const own = await auditor.client.call(R.auditRealAuth, { params: { id }, body: { result: 1, reason: 'seen' } });
      expect(refusalOf(own)).toBe('409 own_real_auth');
      expect(
        await auditor.client.must(R.listRealAuths, { query: { state: 'pending', type: 1, q: '张' } }),
      ).toMatchObject([{ id, account_name: 'auditor', id_card: ID_CARD }]);
    });

    test('whoever looks at others stands in the audit log', async () => {
      const ann = await stage.person('annabel');
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      expect(await auditor.client.must(R.listRealAuths)).toEqual([]);
      const { id } = await ann.client.must(R.submitRealAuth, { body: person });
      stage.audited.length = 0;
      await ann.client.must(R.getOwnRealAuth);
      await auditor.client.must(R.listRealAuths);
      await auditor.client.must(R.getRealAuth, { params: { id } });
      expect(stage.audited.map(({ action, object, caller }) => [action, object, caller?.account.id])).toEqual([
        ['listRealAuths', `RealAuth/${id}`, auditor.id],
        ['getRealAuth', `RealAuth/${id}`, auditor.id],
      ]);
    });

    test('pictures are known by their bytes, and seen by whoever sent them and by auditors of the submission', async () => {
      const ann = await stage.person('annabel');
      const bob = await stage.person('bobby');
      const auditor = await stage.person('auditor', { staff: ['auditManager'] });
      const form =
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.exe"\r\ncontent-type: text/html\r\n\r\n';
      const asForm = Buffer.concat([Buffer.from(form), PNG, Buffer.from('\r\n--b--\r\n')]);
      const made = await upload(ann, asForm, { 'content-type': 'multipart/form-data; boundary=b' });
      expect(made).toMatchObject({ status: 201, body: { result: { media_type: 'image/png', bytes: PNG.length } } });
      for (const [content, expected] of [
        [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), '400 picture_kind'],
        [Buffer.from('GIF89a0000000000000000000000'), '400 picture_kind'],
        [Buffer.alloc(0), '400 picture_missing'],
        [Buffer.concat([PNG, Buffer.alloc(PICTURE_BYTES)]), '413 too_large'],
      ] as const)
        expect(refusalOf(await upload(ann, content, { 'content-type': 'image/png' }))).toBe(expected);
      const { id } = made.body.result;
      const look = (who: Person) =>
        fetch(`${stage.url}/api/account/v1/real-auth/picture/${id}`, { headers: { 'x-token': who.token } });
      const mine = await look(ann);
      expect([mine.headers.get('content-type'), Buffer.from(await mine.arrayBuffer())]).toEqual(['image/png', PNG]);
      const [kept] = await stage.db.sql.select().from(pictures).where(eq(pictures.id, id));
      expect(Buffer.from(kept?.content ?? []).includes(PNG.subarray(0, 8))).toBe(false);
      expect([(await look(bob)).status, (await look(auditor)).status]).toEqual([404, 404]);

      const { id: first } = await ann.client.must(R.submitRealAuth, { body: person });
      await auditor.client.must(R.auditRealAuth, { params: { id: first }, body: { result: 1, reason: 'seen' } });
      const company = { ...(await enterprise(ann)), license_picture: id };
      const stolen = { ...company, id_back_picture: (await upload(bob, PNG)).body.result.id };
      expect(await ann.client.call(R.submitRealAuth, { body: stolen })).toMatchObject({
        status: 400,
        body: { error: 'picture_unknown', field: 'id_back_picture' },
      });
      await ann.client.must(R.submitRealAuth, { body: company });
      stage.audited.length = 0;
      expect([(await look(ann)).status, (await look(auditor)).status]).toEqual([200, 200]);
      expect(stage.audited.map(({ object, caller }) => [object, caller?.account.id])).toEqual([
        [`Picture/${id}`, auditor.id],
      ]);
      expect((await look(bob)).status).toBe(404);
    });
  });
});
