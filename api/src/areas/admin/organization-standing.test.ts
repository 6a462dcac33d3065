// One object from before its schema must not take an organisation's figures away.
import { expect, test } from '@jest/globals';
import { OrganizationStanding } from './organization-standing.ts';

test('an object without a spec counts, and fails nothing', async () => {
  const bare = { apiVersion: 'gantry.dev/v1alpha1', metadata: { name: 'old', namespace: 'org-acme' } };
  const standing = new OrganizationStanding({
    db: { sql: { select: () => ({ from: () => ({ where: async () => [] }) }) } },
    cache: { list: () => [bare], get: () => bare },
    wallet: async () => ({}),
    plan: async () => 'free',
    modelBytes: async () => 1024 ** 3,
  } as never);
  const { objects, quota } = await standing.of('acme');
  expect(objects.map(({ total }) => total)).toEqual([1, 1, 1, 1, 1]);
  expect(quota.find(({ name }) => name === 'instances')).toMatchObject({ used: 1, allowed: null });
});
