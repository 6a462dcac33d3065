// Which revision a rollback returns to.
import { expect, test } from '@jest/globals';
import { canReturn, rollbackPatch, rollbackTo } from './revisions.ts';

const FIELDS = ['image', 'cores'];
const revision = (number: number, image: string, outcome = 'good') => ({
  ...{ revision: number, outcome },
  template: JSON.stringify({ image, cores: 1 }),
});
const service = (image: string, present: number, ...revisions: ReturnType<typeof revision>[]) => ({
  ...{ apiVersion: 'gantry.dev/v1alpha1', kind: 'ContainerService', metadata: { name: 'web' } },
  spec: { image, cores: 1 },
  status: { revision: present, revisions },
});

test('after a restart it is the one before, not the same once more', () => {
  const restarted = service('v2', 3, revision(3, 'v2'), revision(2, 'v2'), revision(1, 'v1'));
  expect(rollbackTo(restarted, FIELDS)?.revision).toBe(1);
  expect([1, 2, 3].map((one) => canReturn(restarted, FIELDS, one))).toEqual([true, false, false]);
});

test('while an edit is refused it is what serves', () => {
  const refused = service('v4', 3, revision(3, 'v3'), revision(2, 'v2'));
  expect(rollbackTo(refused, FIELDS)?.revision).toBe(3);
  expect(rollbackPatch(refused, FIELDS)).toEqual({ image: 'v3', cores: 1 });
});

test('one that failed is returned to only by its number', () => {
  const failed = service('v3', 3, revision(3, 'v3'), revision(2, 'v2', 'failed'));
  expect([rollbackTo(failed, FIELDS), rollbackTo(failed, FIELDS, 2)?.revision]).toEqual([undefined, 2]);
});
