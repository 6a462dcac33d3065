import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { turns } from '@gantry/kube/testing/stepped-clock.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PlacedOrganizations } from './placed-organizations.ts';
import { kindObject, type MemoryKinds, memoryKinds } from './testing/memory-kinds.ts';

const NAMESPACE = 'org-acme';
const HOME = 'us-east';
const MEMBERS = [{ account: 'acc-ann', role: 'owner' }];
const SPEC = { displayName: 'Acme', members: MEMBERS, quota: { hosts: 2 } };

/** Time goes on as soon as somebody waits for it. */
const clock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  after(_, run) {
    const timer = setTimeout(run, 20);
    return () => clearTimeout(timer);
  },
};

/** `of` is the uid of the one at home that it was made for. */
const acme = (
  fixture: { spec?: object; status?: object; home?: string; of?: string; uid?: string; isGoing?: boolean } = {},
) => {
  const { spec = SPEC, status, home, of = 'uid-1', uid = 'uid-1', isGoing } = fixture;
  const { metadata, ...rest } = kindObject(organization, 'acme', { spec, ...(status && { status }) });
  const { namespace: _, ...named } = metadata;
  return {
    ...rest,
    metadata: {
      ...{ ...named, uid },
      ...(home && { annotations: { [ANNOTATION.home]: home, [ANNOTATION.homeIdentity]: of } }),
      ...(isGoing && { deletionTimestamp: '2026-11-02T00:00:00Z', finalizers: ['a/b'] }),
    },
  };
};

let here: MemoryKinds;
let there: MemoryKinds;
const open: MemoryKinds[] = [];
const deleted = new Set<string>();

async function place(own: object[], others: object[] = []): Promise<PlacedOrganizations> {
  here = await memoryKinds(own as never);
  there = await memoryKinds(others as never);
  open.push(here, there);
  return new PlacedOrganizations({
    ...{ home: here.cache, homeRegion: HOME, cache: there.cache, client: there.cluster, clock },
    region: { id: 'eu-west', label: 'EU West Paris' },
    isDeleted: async (id) => deleted.has(id),
    log: { warn: () => {} },
  });
}
const seen = () => there.cache.get<Organization>(organization, undefined, 'acme');

beforeEach(() => deleted.clear());
afterEach(() => {
  for (const one of open.splice(0)) one.stop();
});

test('the first object takes its organisation along: members, quota and whose it is', async () => {
  const placed = await place([acme()]);
  await expect(placed.admit(NAMESPACE)).rejects.toMatchObject({ problem: 'organization_not_ready' });
  expect(seen()).toMatchObject({ spec: SPEC, metadata: { annotations: { [ANNOTATION.home]: HOME } } });
  expect(placed.isOurs(NAMESPACE)).toBe(true);
});

test('one that is ready there is admitted at once', async () => {
  const placed = await place([acme()], [acme({ home: HOME, status: { phase: 'ready' } })]);
  await expect(placed.admit(NAMESPACE)).resolves.toBeUndefined();
});

test.each([
  ['that was made there by somebody else', undefined],
  ["of another gateway's region", 'ap-south'],
])(
  'an organisation of the same name %s is a stranger: nothing is placed in it, and it is not touched',
  async (_, home) => {
    const stranger = acme({ spec: { displayName: 'Strangers' }, status: { phase: 'ready' }, ...(home && { home }) });
    const placed = await place([acme()], [stranger]);
    const refused = { problem: 'region_name_taken', args: { region: 'EU West Paris' } };
    await expect(placed.admit(NAMESPACE)).rejects.toMatchObject(refused);
    deleted.add('acme');
    await placed.compare('acme');
    expect(seen()?.spec).toEqual(stranger.spec);
  },
);

test('one that is not here, or goes, is not placed', async () => {
  const placed = await place([acme({ isGoing: true })]);
  await expect(placed.admit(NAMESPACE)).rejects.toMatchObject({ problem: 'organization_not_ready' });
  await expect(placed.admit('org-nobody')).rejects.toMatchObject({ problem: 'organization_not_ready' });
  expect(seen()).toBeUndefined();
});

test('who leaves it here leaves it there, and fields that are taken away go', async () => {
  const before = { ...SPEC, description: 'old', members: [...MEMBERS, { account: 'acc-bob', role: 'member' }] };
  const placed = await place([acme()], [acme({ home: HOME, spec: before })]);
  await placed.compare('acme');
  expect(seen()?.spec).toEqual(SPEC);
});

test('the server of its datasets is asked for at home alone', async () => {
  const asking = acme({ spec: { ...SPEC, data: { until: '2026-11-29T12:00:00Z' } } });
  const made = await place([asking]);
  await expect(made.admit(NAMESPACE)).rejects.toMatchObject({ problem: 'organization_not_ready' });
  expect(seen()?.spec).toEqual(SPEC);
  const placed = await place([asking], [acme({ home: HOME, spec: { ...SPEC, displayName: 'Old' } })]);
  await placed.compare('acme');
  expect(seen()?.spec).toEqual(SPEC);
});

test('one that was deleted is deleted there, with the confirmation that a policy wants', async () => {
  const placed = await place([], [acme({ home: HOME })]);
  const writes: unknown[] = [];
  const patch = there.cluster.mergePatch.bind(there.cluster);
  there.cluster.mergePatch = (...args) => {
    writes.push(args[1]?.body);
    return patch(...args);
  };
  deleted.add('acme');
  await placed.compare('acme');
  expect(writes).toEqual([{ metadata: { annotations: { [ANNOTATION.confirmDelete]: 'acme' } } }]);
  expect(await there.cluster.list({ ...organization, apiVersion: 'gantry.dev/v1alpha1' } as never, {})).toMatchObject({
    items: [],
  });
});

test('one that is merely absent here keeps what it has there: it is made again', async () => {
  const placed = await place([], [acme({ home: HOME })]);
  await placed.compare('acme');
  expect(seen()?.metadata.deletionTimestamp).toBeUndefined();
});

describe('under the name of a deleted one', () => {
  const OLD = { displayName: 'Old', members: [{ account: 'acc-old', role: 'owner' }] };
  const old = () => acme({ home: HOME, of: 'uid-0', uid: 'far-0', spec: OLD, status: { phase: 'ready' } });
  const isThere = async () => (await there.cluster.list(resourceOf(organization), {})).items.length > 0;

  test.each([
    ['the next look', (placed: PlacedOrganizations) => placed.compare('acme')],
    [
      'its first object',
      (placed: PlacedOrganizations) =>
        expect(placed.admit(NAMESPACE)).rejects.toMatchObject({ problem: 'organization_not_ready' }),
    ],
  ])('what the old one had there is not the new one’s, and ends with %s', async (_, look) => {
    const placed = await place([acme()], [old()]);
    deleted.add('acme');
    expect(placed.isOurs(NAMESPACE)).toBe(false);
    await look(placed);
    expect(await isThere()).toBe(false);
    expect(there.cluster.writes).toEqual(['patch Organization acme', 'delete Organization acme']);
  });

  test('the new one has its own there from then on, and it stays', async () => {
    const placed = await place([acme()], [old()]);
    deleted.add('acme');
    await placed.compare('acme');
    await turns();
    await expect(placed.admit(NAMESPACE)).rejects.toMatchObject({ problem: 'organization_not_ready' });
    await placed.compare('acme');
    expect(placed.isOurs(NAMESPACE)).toBe(true);
    expect(seen()).toMatchObject({ spec: SPEC });
  });

  test('one that was not deleted, and was made again here, keeps what it has there', async () => {
    const placed = await place([acme()], [old()]);
    await placed.compare('acme');
    expect(placed.isOurs(NAMESPACE)).toBe(true);
    expect(seen()?.spec).toEqual(SPEC);
  });
});
