import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { keyText } from './object-key.ts';
import type { Resource } from './resource.ts';
import { type Change, Store } from './store.ts';

const PODS: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

function pod(
  name: string,
  version: number,
  more: Partial<KubeObject['metadata']> & { node?: string } = {},
): KubeObject {
  const { node, ...metadata } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'x', uid: `uid-${name}`, resourceVersion: `${version}`, ...metadata },
    spec: { node },
  } as KubeObject;
}

function setUp(resource: Partial<Resource> = {}) {
  const changes: string[] = [];
  const tell = ({ before, after }: Change, source: unknown) => {
    const [from, to] = [before?.metadata.resourceVersion ?? '-', after?.metadata.resourceVersion ?? '-'];
    changes.push(`${(after ?? before)?.metadata.name} ${from}>${to}${source ? ` by ${source}` : ''}`);
  };
  return { changes, store: new Store({ ...PODS, ...resource }, tell) };
}
const versions = (store: Store) => store.list().map(({ metadata }) => metadata.resourceVersion);

test('an older version never replaces a newer one, and an equal one is no news', () => {
  const { store, changes } = setUp();
  expect([store.put(pod('a', 5)), store.put(pod('a', 4)), store.put(pod('a', 5)), store.put(pod('a', 7))]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(changes).toEqual(['a ->5', 'a 5>7']);
});

test('versions compare as numbers', () => {
  const { store } = setUp();
  store.put(pod('a', 9));
  store.put(pod('a', 10));
  expect(versions(store)).toEqual(['10']);
});

test('a late event does not bring back a deleted object, but a new object of that name comes in', () => {
  const { store, changes } = setUp();
  store.put(pod('a', 5));
  store.bury(pod('a', 8), 8, 'us');
  expect(store.put(pod('a', 7))).toBe(false);
  expect(store.put(pod('a', 9, { uid: 'other' }))).toBe(true);
  expect(changes).toEqual(['a ->5', 'a 5>- by us', 'a ->9']);
});

test('a late deletion of a former object of that name leaves the present one', () => {
  const { store } = setUp();
  store.put(pod('a', 9, { uid: 'other' }));
  store.bury(pod('a', 8), 8);
  store.bury(pod('a', 8), Number.MAX_SAFE_INTEGER);
  expect(versions(store)).toEqual(['9']);
});

test('an object replaced by another of its name is told as one gone and one come', () => {
  const { store, changes } = setUp();
  store.put(pod('a', 5));
  store.put(pod('a', 9, { uid: 'other' }));
  expect(changes).toEqual(['a ->5', 'a 5>-', 'a ->9']);
});

test('a complete list takes out what it lacks, but nothing that is newer than the list', () => {
  const { store, changes } = setUp();
  for (const [name, version] of [
    ['a', 5],
    ['b', 6],
    ['c', 12],
  ] as const)
    store.put(pod(name, version));
  expect(store.keepOnly(new Set(['x/a']), 10)).toBe(1);
  expect(changes.slice(3)).toEqual(['b 6>-']);
  expect(versions(store)).toEqual(['5', '12']);
});

test('indexes follow every change', () => {
  const node = (object: KubeObject) => [(object as KubeObject & { spec: { node: string } }).spec.node];
  const { store } = setUp({ indexes: { node } });
  const on = (name: string) => store.by('node', name).map(({ metadata }) => metadata.name);
  store.put(pod('a', 1, { node: 'n1' }));
  store.put(pod('b', 2, { node: 'n1' }));
  store.put(pod('a', 3, { node: 'n2' }));
  expect([on('n1'), on('n2')]).toEqual([['b'], ['a']]);
  store.bury(pod('b', 4), 4);
  expect([on('n1'), store.list('x').length, store.list('y').length]).toEqual([[], 1, 0]);
  expect(() => store.by('nothing', '')).toThrow('pods have no index "nothing"');
});

test('sums follow every change, each in its namespace, and one unreadable share counts as none', () => {
  const size = (object: KubeObject) => Number((object as KubeObject & { spec: { node: string } }).spec.node);
  const { store } = setUp({ sums: { size } });
  store.put(pod('a', 1, { node: '1.5' }));
  store.put(pod('b', 2, { node: '4' }));
  store.put(pod('c', 3, { node: 'much' }));
  store.put(pod('a', 4, { node: '8', namespace: 'y' }));
  expect([store.sum('size', 'x'), store.sum('size', 'y'), store.sum('size', 'z')]).toEqual([5.5, 8, 0]);
  store.put(pod('a', 5, { node: '2' }));
  store.put(pod('b', 6, { node: '1', uid: 'other' }));
  store.bury(pod('c', 7), 7);
  expect(store.sum('size', 'x')).toBe(3);
  expect(() => store.sum('nothing', 'x')).toThrow('pods have no sum "nothing"');
});

test('an object of ours that the selector does not want stays out, and leaves when it stops matching', () => {
  const { store, changes } = setUp({ labelSelector: 'app=x', namespace: 'x' });
  expect(store.put(pod('a', 1))).toBe(false);
  store.put(pod('b', 2, { labels: { app: 'x' } }));
  store.put(pod('b', 3, { labels: { app: 'y' } }));
  store.put(pod('c', 4, { labels: { app: 'x' }, namespace: 'elsewhere' }));
  expect(changes).toEqual(['b ->2', 'b 2>-']);
});

test('field owners are dropped, and a change of nothing that is kept wakes nobody', () => {
  const changes: Change[] = [];
  const keep = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ apiVersion, kind, metadata });
  const store = new Store({ ...PODS, keep }, (change) => changes.push(change));
  const owned = { managedFields: [{}] } as Partial<KubeObject['metadata']>;
  store.put(pod('a', 1, { ...owned, node: 'n1' }));
  store.put(pod('a', 2, { node: 'n2' }));
  expect(changes).toHaveLength(1);
  expect(store.get('x', 'a')).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: pod('a', 2).metadata });
});

test('an object that cannot be read keeps nobody from the others', () => {
  const complaints: string[] = [];
  const refuse = (object: KubeObject) => {
    if (object.metadata.name === 'bad') throw new Error('it is hostile');
  };
  const resource: Resource = {
    ...PODS,
    keep(object) {
      refuse(object);
      return { ...object, metadata: { ...object.metadata, labels: { thin: 'yes' } } };
    },
    indexes: {
      node(object) {
        refuse(object);
        return [(object as KubeObject & { spec: { node: string } }).spec.node];
      },
    },
  };
  const store = new Store(
    resource,
    () => {},
    (error) => complaints.push((error as Error).message),
  );
  const all = [pod('a', 1, { node: 'n' }), pod('bad', 2, { node: 'n' }), pod('b', 3, { node: 'n' })];
  expect(all.map((object) => store.put(object))).toEqual([true, true, true]);
  expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'bad', 'b']);
  expect(store.by('node', 'n').map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  expect(store.keepOnly(new Set([keyText('x', 'a'), keyText('x', 'b')]), 9)).toBe(1);
  expect(store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  expect(new Set(complaints)).toEqual(new Set(['Pod x/bad cannot be read: it is hostile']));
});
