import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { Store } from '@gantry/kube/store.ts';
import { expect, test } from '@jest/globals';
import { reads } from './reads.ts';
import { recounted } from './recount.ts';

const children: Resource[] = Object.values<{ of: Resource }>(reads)
  .map(({ of }) => of)
  // A namespace's status says only whether it is going, and other kinds read it too.
  .filter(({ labelSelector, plural }) => labelSelector === LABEL.organization && plural !== 'namespaces');

test.each(children.map((of) => [of.plural, of] as const))(
  'what others write into the status of %s wakes no organisation, and what they write elsewhere does',
  (_plural, of) => {
    let told = 0;
    const store = new Store(of, () => told++);
    const child = (version: number, spec: object, status: object) =>
      ({
        metadata: {
          name: 'a',
          namespace: 'x',
          uid: 'u',
          resourceVersion: `${version}`,
          labels: { [LABEL.organization]: 'x' },
        },
        ...{ kind: of.kind, spec, status },
      }) as unknown as KubeObject;
    store.put(child(1, { hard: 1 }, { used: 1 }));
    store.put(child(2, { hard: 1 }, { used: 2 }));
    expect(told).toBe(1);
    store.put(child(3, { hard: 2 }, { used: 2 }));
    expect(told).toBe(2);
  },
);

test('a quota shows which kinds are not counted, and wakes its organisation once they are', () => {
  let told = 0;
  const store = new Store(reads.quotas.of, () => told++);
  const quota = (version: number, used: object) =>
    ({
      metadata: {
        name: 'kinds',
        namespace: 'x',
        uid: 'u',
        resourceVersion: `${version}`,
        labels: { [LABEL.organization]: 'x' },
      },
      ...{ kind: 'ResourceQuota', spec: { hard: {} }, status: { hard: { 'count/a': '5', pods: '1' }, used } },
    }) as unknown as KubeObject;
  const againInMs = () => recounted([], store.list(), 0).againInMs;
  store.put(quota(1, { pods: '0' }));
  expect(againInMs()).toBe(20_000);
  store.put(quota(2, { pods: '1' }));
  expect(told).toBe(1);
  store.put(quota(3, { pods: '1', 'count/a': '0' }));
  expect([told, againInMs()]).toEqual([2, undefined]);
});
