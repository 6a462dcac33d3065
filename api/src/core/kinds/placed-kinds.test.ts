// Our own cluster and another in which objects of ours are: read as one, commanded where they are.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL } from '@gantry/contract/names.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { WatchCache } from '../../platform/kube/watch-cache.ts';
import { KindStore } from './kind-store.ts';
import { isMadeBy } from './placed.ts';
import type { Pricing } from './pricing.ts';
import { STAFF_USER, StaffWrites } from './staff/staff-writes.ts';
import { kindObject, type MemoryKinds, memoryKinds } from './testing/memory-kinds.ts';

const ANN = { namespace: 'org-acme', role: 'member', language: 'en', account: 'acc-ann' } as const;
const EVE = { ...ANN, namespace: 'org-other', account: 'acc-eve' } as const;
const UNKEYED = { route: 'test', key: undefined };
const PLAIN = { page: 1, size: 2, order_by: 'create_time', order_type: 'desc', filters: {} } as const;
const REGION = { id: 'eu-west', label: 'EU West Paris' };
const RUNNING = { phase: 'running', run: { seq: 1, cause: 'first', readyAt: '2026-11-01T00:01:00Z' } };

const instance = (name: string, minute: number, namespace = 'org-acme') =>
  kindObject(gpuInstance, name, {
    namespace,
    spec: { displayName: `n_${name.replaceAll('-', '_')}` },
    status: RUNNING,
    metadata: { creationTimestamp: `2026-11-01T00:0${minute}:00Z` },
  });
const away = (object: KubeObject) => ({
  ...object,
  metadata: { ...object.metadata, labels: { [LABEL.region]: REGION.id } },
});
const acme = (id: string, home?: string): KubeObject => {
  const { metadata, ...rest } = kindObject(organization, id, { spec: {} });
  const { namespace: _, ...named } = metadata;
  return { ...rest, metadata: { ...named, ...(home && { annotations: { [ANNOTATION.home]: home } }) } };
};

const node = (name: string, model: string, cards: number): KubeObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name, labels: { [LABEL.gpuModel]: model } } },
    status: {
      allocatable: { [GPU_RESOURCE]: `${cards}`, cpu: '64', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }) as KubeObject;
const quota = (namespace: string, used: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'limits', namespace, uid: `quota of ${namespace}` },
  ...{
    spec: { hard: { [`requests.${GPU_RESOURCE}`]: '8' } },
    status: { used: { [`requests.${GPU_RESOURCE}`]: used } },
  },
});

let here: MemoryKinds;
let there: MemoryKinds;
let store: KindStore;
let admitted: string[];
beforeEach(async () => {
  here = await memoryKinds([instance('ins-a', 1), instance('ins-c', 3), instance('ins-e', 5)]);
  there = await memoryKinds([
    acme('acme', 'us-east'),
    // Another gateway's: of a name that we have, too.
    acme('other', 'ap-south'),
    ...[instance('ins-b', 2), instance('ins-d', 4), instance('ins-x', 6, 'org-other')].map(away),
    ...[node('far', 'H100', 8), quota('org-acme', '6'), quota('org-other', '1')],
  ]);
  store = here.store;
  admitted = [];
  place(true);
});
afterEach(() => {
  here.stop();
  there.stop();
});

function place(isSynced: boolean): void {
  const quiet = { warn: () => {}, info: () => {} };
  const cache = isSynced ? there.cache : new WatchCache({ client: there.cluster, clock: systemClock, log: quiet });
  const other = new KindStore({ cache, client: { as: there.as }, region: REGION });
  const admit = async (namespace: string) => void admitted.push(namespace);
  store.placeIn([{ store: other, admit, isOurs: isMadeBy('us-east', there.cache), since: 7 }]);
}

const page = (asked: object, reader: typeof ANN | typeof EVE = ANN) => {
  const { etag, body } = store.reads.page(gpuInstance, reader, { ...PLAIN, ...asked });
  const { data, paginated } = JSON.parse(body().toString()) as {
    data: { id: string; region: string }[];
    paginated: { total_num: number };
  };
  return { etag, ids: data.map(({ id }) => id), regions: data.map(({ region }) => region), total: paginated.total_num };
};

test.each([
  ['newest first', {}, [['ins-e', 'ins-d'], ['ins-c', 'ins-b'], ['ins-a']]],
  ['oldest first', { order_type: 'asc' }, [['ins-a', 'ins-b'], ['ins-c', 'ins-d'], ['ins-e']]],
  ['by name', { order_by: 'name', order_type: 'desc' }, [['ins-e', 'ins-d'], ['ins-c', 'ins-b'], ['ins-a']]],
])('pages of both clusters, %s, are one list', (_, asked, pages) => {
  expect([1, 2, 3].map((number) => page({ ...asked, page: number }).ids)).toEqual(pages);
  expect(page(asked).total).toBe(5);
});

test('each shows the region that it is in, and a change in either is another list', async () => {
  const before = page({ size: 5 });
  expect(before.regions).toEqual(['us-east', 'eu-west', 'us-east', 'eu-west', 'us-east']);
  await store.act(gpuInstance, ANN, 'ins-b', { action: 'stop' }, UNKEYED);
  expect(page({ size: 5 }).etag).not.toBe(before.etag);
});

test('a list finds what is elsewhere', () => {
  expect(page({ search: 'ins-d' })).toMatchObject({ ids: ['ins-d'], total: 1 });
});

test('a namesake of the organisation there is a stranger: nothing of it is shown or commanded', async () => {
  expect(page({}, EVE)).toMatchObject({ ids: [], total: 0 });
  expect(() => store.reads.one(gpuInstance, EVE, 'ins-x')).toThrow(expect.objectContaining({ problem: 'not_found' }));
  const command = store.act(gpuInstance, EVE, 'ins-x', { action: 'stop' }, UNKEYED);
  await expect(command).rejects.toMatchObject({ problem: 'not_found' });
});

test('a command goes to the cluster that has the object, as the member', async () => {
  const object = await store.act(gpuInstance, ANN, 'ins-b', { action: 'stop' }, UNKEYED);
  expect(object).toMatchObject({ spec: { power: 'Stopped' } });
  expect(there.users).toEqual(['system:serviceaccount:org-acme:acc-ann']);
  expect(here.users).toEqual([]);
  expect(store.isHere(object)).toBe(false);
  expect(store.reads.view(gpuInstance, object, ANN)).toMatchObject({ region: 'eu-west', data_center: 'EU West Paris' });
});

test('a batch commands each where it is', async () => {
  const batch = { action: 'stop', ids: ['ins-a', 'ins-b', 'ins-none'] };
  const { answers } = await store.batch(gpuInstance, ANN, batch, UNKEYED);
  expect(answers.map(({ error }) => error)).toEqual([null, null, 'not_found']);
});

test('an object is made in the region that is asked for, once its organisation is there, and the region is no part of it', async () => {
  const wish = { displayName: 'far', image: 'library/busybox:1.36', region: 'eu-west' };
  const made = await store.create(gpuInstance, ANN, wish, UNKEYED);
  expect(admitted).toEqual(['org-acme']);
  expect(made).not.toHaveProperty('spec.region');
  expect(there.cache.get(gpuInstance, 'org-acme', made.metadata.name)).toBeDefined();
  const own = await store.create(gpuInstance, ANN, { ...wish, region: 'us-east' }, UNKEYED);
  expect(here.cache.get(gpuInstance, 'org-acme', own.metadata.name)).toBeDefined();
  const nowhere = store.create(gpuInstance, ANN, { ...wish, region: 'moon' }, UNKEYED);
  await expect(nowhere).rejects.toMatchObject({ problem: 'region_closed', args: { region: 'moon' } });
});

test.each([
  ['here', 'us-east', 'eu-west'],
  ['there', 'eu-west', 'us-east'],
])('a key that has made an object %s makes it again, and none elsewhere', async (_, region, other) => {
  const wish = { displayName: 'far', image: 'library/busybox:1.36' };
  const keyed = { route: 'test', key: 'key-1' };
  const made = await store.create(gpuInstance, ANN, { ...wish, region }, keyed);
  const again = await store.create(gpuInstance, ANN, { ...wish, region }, keyed);
  expect(again.metadata.uid).toBe(made.metadata.uid);
  const second = store.create(gpuInstance, ANN, { ...wish, region: other }, keyed);
  await expect(second).rejects.toMatchObject({ problem: 'idempotency_mismatch', field: 'Idempotency-Key' });
  expect(page({ search: 'far' }).ids).toEqual([made.metadata.name]);
});

test('a key that makes one in each of two regions at once makes two ids, and both can be commanded', async () => {
  const wish = { displayName: 'far', image: 'library/busybox:1.36' };
  const keyed = { route: 'test', key: 'key-1' };
  const regions = ['us-east', 'eu-west'];
  const made = await Promise.all(regions.map((region) => store.create(gpuInstance, ANN, { ...wish, region }, keyed)));
  const [here, there] = made.map(({ metadata }) => metadata.name);
  expect(here).not.toBe(there);
  const { answers } = await store.batch(gpuInstance, ANN, { action: 'stop', ids: [`${here}`, `${there}`] }, UNKEYED);
  expect(answers.map(({ error }) => error)).toEqual([null, null]);
});

test('what would make another object is offered here alone', () => {
  const offers = (id: string) => {
    const { result } = JSON.parse(store.reads.one(gpuInstance, ANN, id).body().toString());
    return result.actions.map(({ action }: { action: string }) => action);
  };
  expect(offers('ins-a')).toContain('exportTemplate');
  expect(offers('ins-b')).toContain('stop');
  expect(offers('ins-b')).not.toContain('exportTemplate');
});

test('staff see what is ours there, with its region, and command it there as staff', async () => {
  const { everywhere } = store;
  const listed = everywhere
    .list(gpuInstance)
    .map((object) => [object.metadata.name, everywhere.placeOf(object).region]);
  expect(listed.sort()).toEqual([
    ['ins-a', 'US East Washington'],
    ['ins-b', 'EU West Paris'],
    ['ins-c', 'US East Washington'],
    ['ins-d', 'EU West Paris'],
    ['ins-e', 'US East Washington'],
  ]);
  const staff = new StaffWrites(store);
  const by = { language: 'en', request: UNKEYED } as const;
  for (const action of ['stop', 'pauseReconciling']) await staff.act(gpuInstance, 'org-acme.ins-b', { action }, by);
  expect([new Set(there.users), here.users]).toEqual([new Set([STAFF_USER]), []]);
  const { metadata, spec } = there.cache.get(gpuInstance, 'org-acme', 'ins-b') as KubeObject & { spec: object };
  expect([spec, metadata.annotations]).toMatchObject([
    { power: 'Stopped' },
    { [ANNOTATION.paused]: expect.anything() },
  ]);
  const stranger = staff.act(gpuInstance, 'org-other.ins-x', { action: 'stop' }, by);
  await expect(stranger).rejects.toMatchObject({ problem: 'not_found' });
});

test('its money is asked for with the prices of its region', async () => {
  const asked: string[] = [];
  const priced: string[] = [];
  store.payBy(async (_, { region }) => void asked.push(region));
  const price = (_: unknown, __: unknown, region: string) => {
    priced.push(region);
    return null;
  };
  const pricing: Pricing = { of: price, shown: price, gpu: () => ({ card: null, host: null }), version: () => 1 };
  store.priceBy(pricing);
  await store.create(gpuInstance, ANN, { displayName: 'far', image: 'a/b:1', region: 'eu-west' }, UNKEYED);
  store.reads.one(gpuInstance, ANN, 'ins-b').body();
  expect([asked, new Set(priced)]).toEqual([['eu-west'], new Set(['eu-west'])]);
});

test('whether it fits is asked where it would be, with the quota there, and none of a namesake', () => {
  const wish = { gpu: { model: 'H100', count: 2 }, cores: 1, memoryGi: 1 };
  expect(store.fit(ANN, { ...wish, region: 'eu-west' })).toMatchObject({ fits: true, free: 8, quota_left: 2 });
  expect(store.fit(ANN, { ...wish, region: 'us-east' })).toMatchObject({ fits: false, free: 0, quota_left: null });
  expect(store.fit(EVE, { ...wish, region: 'eu-west' })).toMatchObject({ fits: true, quota_left: null });
  const nowhere = () => store.fit(ANN, { ...wish, region: 'moon' });
  expect(nowhere).toThrow(expect.objectContaining({ problem: 'region_closed' }));
});

test('regions say what takes instances, and which are out of reach', () => {
  store.showAlso([new KindStore({ cache: there.cache, client: { as: there.as }, region: { id: 'x', label: 'X' } })]);
  expect(store.regions()).toEqual([
    { region: 'us-east', name: 'US East Washington', takes_instances: true, isReached: true },
    { region: 'x', name: 'X', takes_instances: false, isReached: true },
  ]);
});

test.each([
  ['a template of it', () => store.act(gpuInstance, ANN, 'ins-b', { action: 'exportTemplate' }, UNKEYED)],
  ['what runs in it', async () => store.findHere(gpuInstance, 'org-acme', 'ins-b')],
])('%s is refused with the name of its region', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({ problem: 'placed_elsewhere', args: { region: 'EU West Paris' } });
});

test('while the other cluster was never seen, an id that is not here may be there; lists say since when', () => {
  place(false);
  const one = (id: string) => () => store.reads.one(gpuInstance, ANN, id);
  expect(one('ins-none')).toThrow(expect.objectContaining({ problem: 'unavailable' }));
  expect(one('ins-a')).not.toThrow();
  expect(store.staleSince(gpuInstance)).toBe(7);
  expect(store.staleSince(job)).toBeUndefined();
});

test('changes there are told with ours, and only of our organisations and of kinds that can be there', async () => {
  const told: string[] = [];
  const off = store.reads.on(({ name }) => told.push(name));
  there.cluster.put(away(instance('ins-y', 7, 'org-other')));
  there.cluster.put(kindObject(job, 'job-1', {}));
  await store.act(gpuInstance, ANN, 'ins-b', { action: 'stop' }, UNKEYED);
  off();
  expect([...new Set(told)]).toEqual(['ins-b']);
});
