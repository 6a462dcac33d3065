// One object from before its schema must not take an organisation's summary away.
import { expect, test } from '@jest/globals';
import { OrganizationSummary } from './organization-summary.ts';

test('an object without a spec counts, and fails nothing', async () => {
  const bare = { apiVersion: 'gantry.dev/v1alpha1', metadata: { name: 'old', namespace: 'org-acme' } };
  const noRows = { where: async () => [] };
  const sql = {
    select: () => ({ from: () => Object.assign([{ bytes: `${1024 ** 3}` }], noRows) }),
    selectDistinctOn: () => ({ from: () => ({ where: () => ({ as: () => ({}) }) }) }),
  };
  const summary = new OrganizationSummary(
    { db: { sql } as never },
    {
      cluster: { cache: { list: () => [bare], get: () => bare } } as never,
      billing: {
        gate: { checks: { walletOf: async () => ({}) } },
        prices: { plans: { ofMany: async () => new Map() } },
      } as never,
    },
  );
  const { objects, quota } = await summary.of('acme');
  expect(objects.length).toBeGreaterThan(5);
  expect(objects.map(({ total }) => total)).toEqual(objects.map(() => 1));
  expect(quota.find(({ name }) => name === 'instances')).toMatchObject({ used: 1, allowed: null });
});
