// Logins to private registries: made as the caller, listed without what logs in, and one organisation's alone.
import { MOST_REGISTRIES, REGISTRY_ROUTES as R } from '@gantry/contract/http/registries.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { memoryDatabase, resetDatabase } from '../../../test/support/database.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/memory-gateway.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await memoryDatabase();
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
  expect(gateway.secrets).toEqual([
    'system:serviceaccount:org-acmeorgs:acc-member creates org-acmeorgs/ghcr',
    'system:serviceaccount:org-acmeorgs:acc-owner deletes org-acmeorgs/ghcr uid-ghcr',
  ]);
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
  ['token', 'invalid_field', { token: 'x'.repeat(8193) }],
])('a %s that is none is refused with %s', async (field, error, wrong) => {
  const { status, body } = await as('owner').call(R.createRegistry, login('fine', wrong));
  expect([status, body]).toMatchObject([400, { error, field }]);
  expect(JSON.stringify(body)).not.toContain(TOKEN);
});

test('there are at most so many', async () => {
  for (let at = 0; at < MOST_REGISTRIES; at++) await as('owner').must(R.createRegistry, login(`reg-${at}`));
  const more = await as('owner').call(R.createRegistry, login('one-more'));
  expect(more.body).toMatchObject({ error: 'too_many_registries' });
});
