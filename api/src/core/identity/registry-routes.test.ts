// Logins to private registries: their rows come before their Secrets, they are listed without what logs in, and one organisation's alone.
import { MOST_REGISTRIES, REGISTRY_ROUTES as R } from '@gantry/contract/areas/identity/registries.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { Registries, type RegistrySecrets } from './keys/registries.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await migratedDatabase();
  await resetDatabase(db);
  gateway = await startMemoryGateway({ db });
}, 120_000);
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.secrets.length = 0;
});

const TOKEN = 'a-token-that-nobody-sees';
const login = (id: string, more: object = {}) => ({
  body: { id, server: 'ghcr.io', user: 'ann', token: TOKEN, ...more },
});
const as = (role: 'owner' | 'member' | 'viewer' | 'billing') => gateway.client(gateway.tokens[role]);

test('a member adds a login, everybody sees it without its token, and it goes with its Secret', async () => {
  const made = await as('member').must(R.createRegistry, login('ghcr'));
  expect(made).toMatchObject({ id: 'ghcr', server: 'ghcr.io', user: 'ann', creator: 'acc-member' });
  const listed = await as('viewer').call(R.listRegistries);
  expect(listed.body).toMatchObject({ data: [{ id: 'ghcr', server: 'ghcr.io', user: 'ann' }] });
  expect(JSON.stringify([made, listed.body])).not.toContain(TOKEN);
  expect((await as('owner').call(R.createRegistry, login('ghcr'))).body).toMatchObject({
    error: 'registry_exists',
    field: 'id',
  });
  await as('owner').must(R.deleteRegistry, { params: { id: 'ghcr' } });
  expect((await as('viewer').call(R.listRegistries)).body).toMatchObject({ data: [] });
  expect(gateway.secrets).toEqual(['creates org-acmeorgs/ghcr for ghcr.io', 'deletes org-acmeorgs/ghcr uid-ghcr']);
});

test("a Secret that was made with kubectl keeps its name, and is not anybody's to delete here", async () => {
  expect((await as('owner').call(R.createRegistry, login('by-kubectl'))).body).toMatchObject({
    error: 'registry_exists',
  });
  expect((await as('owner').call(R.deleteRegistry, { params: { id: 'by-kubectl' } })).status).toBe(404);
  expect(gateway.secrets).toHaveLength(1);
});

test.each(['viewer', 'billing'] as const)('a %s may neither add nor delete one', async (role) => {
  expect((await as(role).call(R.createRegistry, login('mine'))).status).toBe(403);
  expect((await as(role).call(R.deleteRegistry, { params: { id: 'mine' } })).status).toBe(403);
  expect(gateway.secrets).toEqual([]);
});

test.each([
  ['id', 'registry_name_rule', { id: 'Not A Name' }],
  ['id', 'registry_name_rule', { id: '-a' }],
  ['server', 'registry_server_rule', { server: 'https://ghcr.io/v2' }],
  ['server', 'registry_server_rule', { server: 'ghcr.io","evil.example' }],
  ['user', 'invalid_field', { user: '' }],
  ['user', 'registry_user_rule', { user: 'ann:more' }],
  ['token', 'invalid_field', { token: 'x'.repeat(8193) }],
])('a %s that is none is refused with %s', async (field, error, wrong) => {
  const { status, body } = await as('owner').call(R.createRegistry, login('fine', wrong));
  expect([status, body]).toMatchObject([400, { error, field }]);
  expect(JSON.stringify(body)).not.toContain(TOKEN);
});

test('the host is written as images write it', async () => {
  const made = await as('owner').must(R.createRegistry, login('upper', { server: 'GHCR.io:5000' }));
  expect(made).toMatchObject({ server: 'ghcr.io:5000' });
  expect(gateway.secrets).toEqual(['creates org-acmeorgs/upper for ghcr.io:5000']);
  await as('owner').must(R.deleteRegistry, { params: { id: 'upper' } });
});

const CALLER = {
  account: { id: 'acc-owner', name: 'acc-owner', email: null, locale: 'en' as const, platformRoles: [] },
  organization: { id: 'acmeorgs', role: 'owner' as const, namespace: 'org-acmeorgs' },
  session: { id: 'ses-1', kind: 'session' as const, scopes: [], expiresAt: 0 },
};
const LOGIN = { server: 'ghcr.io', user: 'ann', token: TOKEN };
const names = async () => (await as('owner').must(R.listRegistries)).map(({ id }) => id);

/** A gateway whose cluster answers so. */
function registriesOver(secrets: RegistrySecrets) {
  const warnings: string[] = [];
  const log = { warn: (_: object, text: string) => void warnings.push(text) };
  return { registries: new Registries({ db: gateway.db, clock: systemClock, secrets, log }), warnings };
}
const removed: string[] = [];
const remove: RegistrySecrets['remove'] = async ({ name, uid }) => {
  removed.push(`${name} ${uid ?? 'by its name'}`);
};
beforeEach(() => {
  removed.length = 0;
});

test('a gateway that ends before its Secret is known leaves a row, which members see and delete with the Secret', async () => {
  // Its creation never returns, as far as this gateway is concerned.
  const { registries } = registriesOver({ create: () => new Promise(() => {}), remove });
  void registries.add(CALLER, 'halfway', LOGIN);
  await eventually('it is listed', async () => (await names()).includes('halfway'));
  expect((await as('owner').call(R.createRegistry, login('halfway'))).body).toMatchObject({ error: 'registry_exists' });
  await as('owner').must(R.deleteRegistry, { params: { id: 'halfway' } });
  expect(gateway.secrets).toEqual(['deletes org-acmeorgs/halfway by its name']);
  await as('owner').must(R.createRegistry, login('halfway'));
  await as('owner').must(R.deleteRegistry, { params: { id: 'halfway' } });
});

test('a creation without an answer leaves neither a row nor a Secret', async () => {
  const { registries, warnings } = registriesOver({ create: () => Promise.reject(new Error('cut off')), remove });
  await expect(registries.add(CALLER, 'lost', LOGIN)).rejects.toThrow('cut off');
  expect([removed, await names(), warnings]).toEqual([['lost by its name'], [], []]);
});

test('while its Secret cannot be removed the row stays, and the log says so', async () => {
  const gone = () => Promise.reject(new Error('cut off'));
  const { registries, warnings } = registriesOver({ create: gone, remove: gone });
  await expect(registries.add(CALLER, 'stays', LOGIN)).rejects.toThrow('cut off');
  expect(warnings).toEqual(['a private registry whose Secret could not be created stays listed']);
  expect(await names()).toEqual(['stays']);
  await as('owner').must(R.deleteRegistry, { params: { id: 'stays' } });
});

test('a Secret whose row was deleted meanwhile goes too', async () => {
  const { registries } = registriesOver({
    async create() {
      await as('owner').must(R.deleteRegistry, { params: { id: 'meanwhile' } });
      return 'uid-late';
    },
    remove,
  });
  await expect(registries.add(CALLER, 'meanwhile', LOGIN)).rejects.toMatchObject({ problem: 'not_found' });
  expect([removed, await names()]).toEqual([['meanwhile uid-late'], []]);
});

test('there are at most so many', async () => {
  for (let at = 0; at < MOST_REGISTRIES; at++) await as('owner').must(R.createRegistry, login(`reg-${at}`));
  const more = await as('owner').call(R.createRegistry, login('one-more'));
  expect(more.body).toMatchObject({ error: 'too_many_registries' });
});
