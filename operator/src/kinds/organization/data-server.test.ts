import { GI } from '@gantry/contract/fields/quantity.ts';
import { INSTANCE_POD, TENANTS_PODS } from '@gantry/contract/names.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { desiredDataServer, desiredDataToken } from './data-server.ts';
import { organizationController } from './plan.ts';
import { at, context, organizationFixture, probe, settings, whole } from './testing/fixtures.ts';

const READY = {
  phase: 'ready',
  observedGeneration: 1,
  probedAt: at(0),
  conditions: [{ type: 'NetworkIsolated', status: 'True', reason: 'Isolated', message: '', lastTransitionTime: at(0) }],
} as const;
const wishing = (until: string | undefined, metadata = {}) =>
  organizationFixture({
    metadata,
    spec: until === undefined ? {} : { data: { until } },
    status: { ...READY, conditions: [...READY.conditions] },
  });
const asking = wishing(at(600));

type Status = Pod['status'];
const server = (status: Status = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  ...desiredDataServer(asking, settings),
  metadata: { name: 'data-server', namespace: 'org-acme', uid: 'uid-data-server', ...metadata },
  status,
});
const READY_AT = { type: 'Ready', status: 'True', lastTransitionTime: at(5) };
const answering = server({ phase: 'Running', podIP: '10.0.0.9', conditions: [READY_AT] });
const secretRefused: Refusal = { kind: 'Secret', name: 'data-server', reason: 'Forbidden', message: 'no' };
const podRefused: Refusal = { kind: 'Pod', name: 'data-server', reason: 'Forbidden', message: 'exceeded quota' };

interface Law {
  owner?: ReturnType<typeof wishing>;
  pod?: Pod;
  refusals?: Refusal[];
  creates?: string[];
  removes?: string[];
  keeps?: string[];
  /** Status, reason and sentence. Null: no condition. */
  says?: [status: string, reason: string, message?: string] | null;
  address?: string;
  again?: number;
}

const named = (objects: readonly { kind: string; name?: string; metadata?: { name: string } }[] = []) =>
  objects.map(({ kind, name, metadata }) => `${kind} ${metadata?.name ?? name}`);

function planOf({ owner = asking, pod, refusals = [] }: Law) {
  return organizationController.plan(owner, { ...whole(owner), dataServer: pod }, context(10, { refusals }));
}

const LAWS: Record<string, Law> = {
  'nobody asks for it: none': { owner: wishing(undefined), creates: [], keeps: ['Secret gantry-pull'], says: null },
  'a wish that is over asks for none': { owner: wishing(at(10)), creates: [], says: null },
  'a wish makes the token and the Pod, and holds until its moment': {
    creates: ['Pod data-server'],
    keeps: ['Secret gantry-pull', 'Secret data-server'],
    says: ['False', 'DataStarting'],
    again: 590_000,
  },
  'a Pod that starts is waited for': { pod: server(), creates: [], removes: [], says: ['False', 'DataStarting'] },
  'a Pod that is ready answers at its address': {
    pod: answering,
    removes: [],
    says: ['True', 'DataReady', 'The data server answers.'],
    address: '10.0.0.9:8092',
  },
  'an address of IPv6 is written as a host': {
    pod: server({ phase: 'Running', podIP: 'fd00::9', conditions: [READY_AT] }),
    address: '[fd00::9]:8092',
  },
  'a Pod without a place says why': {
    pod: server({
      conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes: insufficient memory' }],
    }),
    removes: [],
    says: ['False', 'DataFailed', 'The data server cannot run: 0/3 nodes: insufficient memory'],
  },
  'an image that is not there says so': {
    pod: server({
      containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }],
    } as Status),
    says: ['False', 'DataFailed', 'The data server cannot run: not found'],
  },
  'an evicted Pod is removed, to be made again': {
    pod: server({ phase: 'Failed' }),
    creates: [],
    removes: ['Pod data-server'],
    says: ['False', 'DataStarting'],
  },
  'a Pod that goes is waited for': {
    pod: server({ conditions: [READY_AT] }, { deletionTimestamp: at(9) }),
    creates: [],
    removes: [],
    says: ['False', 'DataStarting'],
  },
  'a Pod goes once nobody asks any more': {
    owner: wishing(at(10)),
    pod: answering,
    removes: ['Pod data-server'],
    keeps: ['Secret gantry-pull'],
    says: null,
  },
  'a time that is none is named': {
    owner: wishing('tomorrow'),
    pod: answering,
    creates: [],
    removes: ['Pod data-server'],
    says: [
      'False',
      'DataUntilMalformed',
      'spec.data.until: tomorrow is not a date and time such as 2027-01-31T09:00:00Z.',
    ],
  },
  'a wish for longer than a day waits until it is one': {
    owner: wishing(at(25 * 3600)),
    creates: [],
    says: ['False', 'DataTooLong', 'spec.data.until may be at most 24 hours ahead.'],
  },
  "a token that is refused, such as for a Secret of a tenant's, leaves no server": {
    pod: answering,
    refusals: [secretRefused],
    creates: [],
    removes: ['Pod data-server'],
    keeps: ['Secret gantry-pull'],
    says: ['False', 'DataFailed', 'The data server cannot run: Secret data-server: no'],
  },
  'a Pod that is refused is not sent again in the same round': {
    refusals: [podRefused],
    creates: [],
    says: ['False', 'DataFailed', 'The data server cannot run: Pod data-server: exceeded quota'],
  },
  'an organisation that goes takes it along': {
    owner: wishing(at(600), { deletionTimestamp: at(9) }),
    pod: answering,
    removes: ['Pod data-server'],
    creates: [],
  },
};

describe('the data server is there while it is asked for', () => {
  test.each(Object.entries(LAWS))('%s', (_, law) => {
    const plan = planOf(law);
    if (law.creates) expect(named(plan.create)).toEqual(law.creates);
    if (law.removes) expect(named(plan.remove)).toEqual(law.removes);
    if (law.keeps) expect(named(plan.unseen)).toEqual(law.keeps);
    const said = plan.status?.conditions?.find(({ type }) => type === 'DataAvailable');
    if (law.says === null) expect(said).toBeUndefined();
    else if (law.says) {
      const [status, reason, message = said?.message] = law.says;
      expect(said).toMatchObject({ status, reason, message });
    }
    expect(plan.status?.data?.address).toBe(law.address);
    if (law.again !== undefined) expect(plan.againInMs).toBe(law.again);
    // Whatever becomes of it, the organisation itself is well.
    if (!law.owner?.metadata.deletionTimestamp) expect(plan.status).toMatchObject({ phase: 'ready', reason: 'Ready' });
  });
});

test('a probe that begins comes first, so that a refused token never stops it', () => {
  const owner = organizationFixture({ spec: { data: { until: at(9000) } }, status: { ...READY, conditions: [] } });
  const due = context(600);
  const first = organizationController.plan(owner, whole(owner), due);
  expect([named(first.create), named(first.unseen)]).toEqual([['Pod acme-target'], ['Secret gantry-pull']]);
  const probes = [probe('acme-target', { listen: { waiting: {} } })];
  const next = organizationController.plan(owner, { ...whole(owner), probes }, due);
  expect(named(next.create)).toEqual(['Pod data-server']);
});

test('the Pod and its token', () => {
  expectGolden(new URL('golden/data-server.yaml', import.meta.url), [
    desiredDataServer(asking, settings),
    desiredDataToken(asking, settings),
  ]);
});

test('members can neither enter its Pod nor mistake it for their own', () => {
  expect([INSTANCE_POD, ...TENANTS_PODS].filter((pattern) => new RegExp(pattern).test('data-server'))).toEqual([]);
});

test('on a small node it has a small disk, half of it for what arrives', () => {
  const { spec } = desiredDataServer(asking, { ...settings, dataServerDiskGi: 2 });
  const [container] = spec?.containers ?? [];
  expect(container?.args).toContain('--disk-mb=1024');
  expect(spec?.volumes?.find(({ name }) => name === 'data')).toEqual({
    name: 'data',
    emptyDir: { sizeLimit: '2048Mi' },
  });
  expect(container?.resources?.limits?.['ephemeral-storage']).toBe(`${(2 * GI) / 2 ** 20 + 64}Mi`);
});
