// The names in a log line lead to the object that it is about: Pods of runs, addresses with their ports, nodes.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { AdminMenu } from '@gantry/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { Search } from './search.ts';

let db: Database;
beforeAll(async () => {
  db = await migratedDatabase();
});
afterAll(() => db.close());

const OBJECTS: readonly KubeObject[] = [
  kindObject(gpuInstance, 'ins-a1', {
    metadata: { uid: '0b9c7a52-uid' },
    spec: { displayName: 'Training run', power: 'Running' },
    status: {
      phase: 'running',
      podIP: '10.0.0.7',
      address: 'ins-a1.instances.org-acme.svc',
      node: 'gpu-1',
      run: { seq: 3, cause: 'start' },
    },
  }),
  kindObject(gpuInstance, 'ins-a10', { namespace: 'org-other', spec: { displayName: 'ins-a1 of old' }, status: {} }),
  kindObject(gpuInstance, 'ins-odd', { spec: { displayName: 7 }, status: { podIP: {}, node: null, nodes: 'x' } }),
  kindObject(gpuHost, 'hst-a', { status: { phase: 'active', lanAddress: '10.1.0.4', nodes: [{ name: 'gpu-9' }] } }),
];
const NODES = [
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'gpu-1' }, status: { addresses: [{ address: '10.1.0.1' }] } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'gpu-10' }, status: {} },
] as unknown as KubeObject[];

const find = async (q: string, may: (menu: AdminMenu) => boolean = (menu) => menu === 'computing') => {
  const list = ({ kind }: { kind: string }) => OBJECTS.filter((object) => object.kind === kind) as never;
  const { groups } = await new Search({ db, cache: { list }, nodes: () => NODES }).find(q, may, 'en');
  return Object.fromEntries(groups.map(({ resource, items }) => [resource, items.map(({ id }) => id)]));
};

test.each([
  ['the Pod of the run', 'ins-a1-3', { instances: ['org-acme.ins-a1'] }],
  ['the Pod of a run that is over', 'ins-a1-2', { instances: ['org-acme.ins-a1'] }],
  ['its address', '10.0.0.7', { instances: ['org-acme.ins-a1'] }],
  ['its address with a port', '10.0.0.7:8888', { instances: ['org-acme.ins-a1'] }],
  ['its SSH name', 'INS-A1.instances.org-acme.svc', { instances: ['org-acme.ins-a1'] }],
  ['namespace and name', 'org-acme/ins-a1', { instances: ['org-acme.ins-a1'] }],
  ['its uid', '0b9c7a52-uid', { instances: ['org-acme.ins-a1'] }],
  ['a word of its display name', 'training', { instances: ['org-acme.ins-a1'] }],
  ['the address of a host', '10.1.0.4', { hosts: ['org-acme.hst-a'] }],
  ['a node, and what is on it', 'gpu-1', { instances: ['org-acme.ins-a1'], nodes: ['gpu-1', 'gpu-10'] }],
  ['the address of a node', '10.1.0.1:10250', { nodes: ['gpu-1'] }],
  ['an address that only begins like one', '10.0.0.70', {}],
])('%s', async (_, q, wanted) => {
  expect(await find(q)).toEqual(wanted);
});

test('what is exactly so comes before what begins so, and that before a part of a name', async () => {
  expect(await find('ins-a1')).toEqual({ instances: ['org-acme.ins-a1', 'org-other.ins-a10'] });
});

test('other menus’ objects are not looked for', async () => {
  expect(await find('gpu-1', (menu) => menu === 'billing')).toEqual({});
});
