// One save from before its schema must not take the list away.
import { expect, test } from '@jest/globals';
import { StorageRows } from './storage-rows.ts';

test('a save without a spec is nobody’s, and fails nothing', async () => {
  const rows = new StorageRows({
    cache: { list: () => [{ metadata: { name: 'old', namespace: 'org-acme' } }], get: () => undefined },
    client: { as: () => ({ list: async () => ({ items: [], metadata: {} }) }) },
    clock: { now: () => 0, monotonic: () => 0 },
  } as never);
  expect(await rows.orphans()).toMatchObject([{ id: 'snapshot:org-acme.old', why: 'instanceGone', node: null }]);
});
