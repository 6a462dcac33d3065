import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { GI } from '@gantry/contract/fields/quantity.ts';
import type { OrganizationStatus } from '@gantry/contract/kinds/organization.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import type { Refusal } from '@gantry/kube/api-error.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import { desiredInNamespace, desiredNamespace, desiredPullSecret } from './desired.ts';
import { organizationController } from './plan.ts';
import type { OrganizationSeen } from './reads.ts';
import { at, context, EMPTY, nothing, organizationFixture, probe, settings, whole } from './testing/fixtures.ts';

const READY: OrganizationStatus = {
  phase: 'ready',
  observedGeneration: 1,
  probedAt: at(0),
  conditions: [{ type: 'NetworkIsolated', status: 'True', reason: 'Isolated', message: '', lastTransitionTime: at(0) }],
};
const members = [
  { account: 'bo', role: 'viewer' as const },
  { account: 'ann', role: 'owner' as const },
];
const staffed = organizationFixture({ spec: { members }, status: READY });

interface Law {
  owner?: ReturnType<typeof organizationFixture>;
  sees?: OrganizationSeen;
  at?: number;
  refusals?: Refusal[];
  phase?: string;
  says?: string;
  creates?: string[];
  applies?: string[];
  removes?: string[];
  /** Without being seen. */
  keeps?: string[];
  patches?: object[];
  condition?: object;
  finalizer?: string;
  again?: number;
}

const named = (objects: readonly { kind: string; name?: string; metadata?: { name: string } }[] = []) =>
  objects.map(({ kind, name, metadata }) => `${kind} ${metadata?.name ?? name}`);

function judge(law: Law) {
  const owner = law.owner ?? organizationFixture({ status: READY });
  const plan = organizationController.plan(
    owner,
    law.sees ?? whole(owner),
    context(law.at ?? 1, { refusals: law.refusals ?? [] }),
  );
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.creates) expect(named(plan.create)).toEqual(law.creates);
  if (law.applies) expect(named(plan.apply)).toEqual(law.applies);
  if (law.removes) expect(named(plan.remove)).toEqual(law.removes);
  if (law.keeps) expect(named(plan.unseen)).toEqual(law.keeps);
  if (law.patches) expect((plan.patch ?? []).map(({ name, body }) => ({ name, ...body }))).toMatchObject(law.patches);
  if (law.condition) expect(plan.status?.conditions?.[0]).toMatchObject(law.condition);
  if (law.finalizer) expect(plan.finalizer).toBe(law.finalizer);
  if (law.again !== undefined) expect(plan.againInMs).toBe(law.again);
}

const without = (kind: string, sees: OrganizationSeen): OrganizationSeen =>
  Object.fromEntries(
    Object.entries(sees).map(([name, value]) => [
      name,
      Array.isArray(value) ? (value as KubeObject[]).filter((object) => object.kind !== kind) : value,
    ]),
  ) as unknown as OrganizationSeen;

const changed = (kind: string, name: string, body: object) =>
  whole(staffed, (object) => (object.kind === kind && object.metadata.name === name ? { ...object, ...body } : object));

const MAKING: Record<string, Law> = {
  'a new organisation gets its namespace, and nothing before it': {
    owner: organizationFixture(),
    sees: nothing,
    phase: 'preparing',
    says: 'Namespace org-acme is being set up.',
    creates: ['Namespace org-acme'],
    condition: { status: 'Unknown', reason: 'Probing' },
    finalizer: 'keep',
  },
  'then all that lives in it': {
    owner: organizationFixture({ spec: { members } }),
    sees: { ...nothing, namespace: whole(staffed).namespace },
    phase: 'preparing',
    creates: [
      'ResourceQuota compute',
      'ResourceQuota platform',
      'ResourceQuota files',
      'ResourceQuota objects',
      'ResourceQuota kinds',
      'LimitRange limits',
      'NetworkPolicy tenant',
      'NetworkPolicy data-server',
      'NetworkPolicy data-task',
      'NetworkPolicy data-task-peers',
      'Service instances',
      'Service workers',
      'ServiceAccount ann',
      'ServiceAccount bo',
      'RoleBinding gantry-tenant-owner',
      'RoleBinding gantry-tenant-admin',
      'RoleBinding gantry-tenant-member',
      'RoleBinding gantry-tenant-billing',
      'RoleBinding gantry-tenant-viewer',
      'Role gantry-gateway',
      'RoleBinding gantry-gateway',
      'Role gantry-registry',
      'RoleBinding gantry-registry',
      'Role gantry-backup',
      'RoleBinding gantry-backup',
    ],
    keeps: [],
  },
  'a whole one is left alone until its next probe': {
    phase: 'ready',
    says: 'Namespace org-acme is ready.',
    creates: [],
    applies: [],
    removes: [],
    keeps: ['Secret gantry-pull'],
    again: 599_000,
  },
  'a namespace that somebody deletes is waited for': {
    sees: whole(staffed, (object) =>
      object.kind === 'Namespace' ? { ...object, metadata: { ...object.metadata, deletionTimestamp: at(0) } } : object,
    ),
    phase: 'preparing',
    creates: [],
    applies: [],
  },
  'a member gets an account and a binding': {
    owner: staffed,
    sees: whole(organizationFixture({ status: READY })),
    phase: 'preparing',
    creates: ['ServiceAccount ann', 'ServiceAccount bo'],
    applies: ['RoleBinding gantry-tenant-owner', 'RoleBinding gantry-tenant-viewer', 'Role gantry-gateway'],
  },
  'a removed member loses both, and the gateway may no longer act as them': {
    owner: organizationFixture({ status: READY, metadata: { generation: 2 } }),
    sees: whole(staffed),
    phase: 'preparing',
    removes: ['ServiceAccount ann', 'ServiceAccount bo'],
    applies: ['RoleBinding gantry-tenant-owner', 'RoleBinding gantry-tenant-viewer', 'Role gantry-gateway'],
  },
  'an operator that crashed between two members does not call the rest drift': {
    owner: organizationFixture({
      status: { ...READY, phase: 'preparing', observedGeneration: 2 },
      metadata: { generation: 2 },
    }),
    sees: whole(staffed),
    phase: 'preparing',
  },
  'a quota that was raised by hand is put back': {
    owner: staffed,
    sees: changed('ResourceQuota', 'compute', { spec: { hard: { pods: '1k', 'requests.cpu': '999' } } }),
    applies: ['ResourceQuota compute'],
    phase: 'ready',
  },
  'a network policy that was opened is put back': {
    owner: staffed,
    sees: changed('NetworkPolicy', 'tenant', { spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}] } }),
    applies: ['NetworkPolicy tenant'],
  },
  'a stranger bound to a role is put out': {
    owner: staffed,
    sees: changed('RoleBinding', 'gantry-tenant-admin', {
      subjects: [{ kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' }],
    }),
    applies: ['RoleBinding gantry-tenant-admin'],
  },
  'a label that was taken off the namespace is put back': {
    owner: staffed,
    sees: changed('Namespace', 'org-acme', { metadata: { name: 'org-acme', uid: 'u', labels: {} } }),
    applies: ['Namespace org-acme'],
  },
  'a limit range that is gone is made again': {
    sees: without('LimitRange', whole(staffed)),
    creates: ['LimitRange limits'],
    phase: 'preparing',
  },
};
describe('an organisation is made and kept', () => {
  test.each(Object.entries(MAKING))('%s', (_, law) => judge(law));
});

const taken: Refusal = { kind: 'Namespace', name: 'org-acme', reason: 'AlreadyExists', message: 'it exists' };
const forbidden: Refusal = { kind: 'Role', name: 'gantry-gateway', reason: 'Forbidden', message: 'no' };
const REFUSED: Record<string, Law> = {
  "a namespace of somebody else's is named, and the POST is not repeated at once": {
    owner: organizationFixture(),
    sees: nothing,
    refusals: [taken],
    phase: 'failed',
    says: 'Namespace org-acme already belongs to something else.',
    creates: [],
    again: 60_000,
  },
  'it is tried again later, and meanwhile the phase stays': {
    owner: organizationFixture({
      status: { phase: 'failed', reason: 'NameTaken', reasonArgs: { namespace: 'org-acme' } },
    }),
    sees: nothing,
    phase: 'failed',
    creates: ['Namespace org-acme'],
  },
  'a refused part is named': {
    sees: without('Role', whole(organizationFixture())),
    refusals: [forbidden],
    phase: 'failed',
    says: 'The cluster refuses a part of the organisation: Role gantry-gateway: no',
  },
  'a refused repair is named': {
    owner: staffed,
    sees: changed('Role', 'gantry-gateway', { rules: [] }),
    refusals: [forbidden],
    phase: 'failed',
    applies: [],
  },
  'a refused password for the registry is named, and not sent in the same breath': {
    owner: organizationFixture({ status: READY }),
    refusals: [{ ...forbidden, kind: 'Secret', name: 'gantry-pull' }],
    phase: 'failed',
    says: 'The cluster refuses a part of the organisation: Secret gantry-pull: no',
    keeps: [],
  },
  'once all is there, an old refusal is forgotten': {
    owner: organizationFixture({
      status: { ...READY, phase: 'failed', reason: 'Refused', reasonArgs: { detail: 'no' } },
    }),
    phase: 'ready',
  },
};
describe("the cluster's refusals are reported", () => {
  test.each(Object.entries(REFUSED))('%s', (_, law) => judge(law));
});

const fresh = organizationFixture();
const wholeWith = (...probes: ReturnType<typeof probe>[]) => ({ ...whole(fresh), probes });
const ended = (message: string) => ({ terminated: { exitCode: 0, message } });
const listens = { running: {} };
const target = probe('acme-target', { listen: listens }, '10.0.0.1');
const inside = (message: string) => probe('gantry-probe', { listen: listens, dial: ended(message) }, '10.0.0.2');
const control = (message: string) => probe('acme-control', { dial: ended(message) }, '10.0.0.3');
const PROBING: Record<string, Law> = {
  'a whole organisation is probed: first a target outside': {
    owner: fresh,
    sees: whole(fresh),
    creates: ['Pod acme-target'],
    condition: { status: 'Unknown', reason: 'Probing' },
  },
  'a target that does not listen yet is waited for': {
    owner: fresh,
    sees: wholeWith(probe('acme-target', { listen: { waiting: {} } })),
    creates: [],
    removes: [],
  },
  'then a Pod inside dials it': { owner: fresh, sees: wholeWith(target), creates: ['Pod gantry-probe'] },
  'then a Pod outside dials both': {
    owner: fresh,
    sees: wholeWith(target, probe('gantry-probe', { listen: listens, dial: { running: {} } })),
    creates: ['Pod acme-control'],
  },
  'nobody got through, and the control did: isolated, and the Pods go': {
    owner: fresh,
    sees: wholeWith(target, inside('target=closed self=open '), control('target=open inside=closed ')),
    condition: { status: 'True', reason: 'Isolated' },
    removes: ['Pod acme-target', 'Pod gantry-probe', 'Pod acme-control'],
    creates: [],
  },
  'a way out is a way out': {
    owner: fresh,
    sees: wholeWith(target, inside('target=open self=open '), control('target=open inside=closed ')),
    condition: { status: 'False', reason: 'EgressOpen' },
  },
  'a way in is a way in': {
    owner: fresh,
    sees: wholeWith(target, inside('target=closed self=open '), control('target=open inside=open ')),
    condition: { status: 'False', reason: 'IngressOpen' },
  },
  'without the positive control nothing is known': {
    owner: fresh,
    sees: wholeWith(target, inside('target=closed self=open '), control('target=closed inside=closed ')),
    condition: { status: 'Unknown', reason: 'ControlFailed' },
  },
  'a listener that was gone when it was dialled proves nothing': {
    owner: fresh,
    sees: wholeWith(
      target,
      probe('gantry-probe', { listen: ended(''), dial: ended('target=closed self=open ') }),
      control('target=open inside=closed '),
    ),
    condition: { status: 'Unknown', reason: 'ProbeSilent' },
  },
  'a Pod that ended without a word proves nothing': {
    owner: fresh,
    sees: wholeWith(target, inside(''), control('')),
    condition: { status: 'Unknown', reason: 'ControlFailed' },
  },
  'a probe that never ends is given up after three minutes': {
    owner: fresh,
    sees: wholeWith(probe('acme-target', { listen: { waiting: { reason: 'ImagePullBackOff' } } })),
    at: 180,
    condition: { status: 'Unknown', reason: 'NoResult' },
    removes: ['Pod acme-target'],
  },
  'a verdict holds until the next probe': { at: 300, condition: { status: 'True' }, creates: [], again: 300_000 },
  'after ten minutes it is probed again, and the verdict stays meanwhile': {
    at: 600,
    creates: ['Pod acme-target'],
    condition: { status: 'True' },
  },
  'Pods of an ended probe are removed': {
    at: 5,
    sees: { ...whole(organizationFixture()), probes: [target] },
    removes: ['Pod acme-target'],
    creates: [],
  },
};
describe('isolation is tried out, not assumed', () => {
  test.each(Object.entries(PROBING))('%s', (_, law) => judge(law));
});

const deleted = organizationFixture({ metadata: { deletionTimestamp: at(0) } });
const instance = (annotations?: Record<string, string>): KubeObject => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'GpuInstance',
  metadata: { name: 'dev', namespace: 'org-acme', uid: 'uid-dev', ...(annotations && { annotations }) },
});
const confirmed = whole(deleted, (object) =>
  object.kind === 'Namespace'
    ? { ...object, metadata: { ...object.metadata, annotations: { 'gantry.dev/confirm-delete': 'org-acme' } } }
    : object,
);
const DELETING: Record<string, Law> = {
  'what tenants hold is marked first, and the namespace, so that they make no more': {
    owner: deleted,
    sees: { ...whole(deleted), 'held gpuinstances': [instance()] },
    phase: 'deleting',
    says: 'The contents of the organisation are being deleted: 2 left.',
    patches: [
      { name: 'dev', metadata: { annotations: { 'gantry.dev/force': 'dev' } } },
      { name: 'org-acme', metadata: { annotations: { 'gantry.dev/confirm-delete': 'org-acme' } } },
    ],
    removes: [],
    finalizer: 'keep',
  },
  'then it is removed, and the namespace stays until it is gone': {
    owner: deleted,
    sees: { ...confirmed, 'held gpuinstances': [instance({ 'gantry.dev/force': 'dev' })] },
    patches: [],
    removes: ['GpuInstance dev'],
  },
  'an empty one is confirmed': {
    owner: deleted,
    sees: whole(deleted),
    patches: [{ name: 'org-acme', metadata: { annotations: { 'gantry.dev/confirm-delete': 'org-acme' } } }],
    removes: [],
  },
  'and removed': {
    owner: deleted,
    sees: confirmed,
    removes: ['Namespace org-acme'],
    patches: [],
  },
  'Pods of a probe go at once': {
    owner: deleted,
    sees: { ...nothing, probes: [target] },
    removes: ['Pod acme-target'],
    finalizer: 'keep',
  },
  'with nothing left, it may go': { owner: deleted, sees: nothing, finalizer: 'drop' },
};
describe('a deleted organisation takes everything with it, in order', () => {
  test.each(Object.entries(DELETING))('%s', (_, law) => judge(law));
});

describe('a quota whose controller does not know a kind yet', () => {
  const NEW = 'count/gpujobs.gantry.dev';
  type Counted = { spec: { hard: Record<string, string> } };
  const kinds = (used: (hard: Record<string, string>) => object, isThere = true) =>
    whole(staffed, (object) => {
      if (object.kind !== 'ResourceQuota' || object.metadata.name !== 'kinds') return object;
      const { hard } = (object as unknown as Counted).spec;
      return { ...object, ...(isThere && { status: { hard, used: used(hard) } }) };
    });
  const butOne = kinds(({ [NEW]: _, ...known }) => known);
  const planAt = (seconds: number, sees: OrganizationSeen) =>
    organizationController.plan(staffed, sees, context(seconds));
  const limitOf = (object?: KubeObject) => (object as Counted | undefined)?.spec.hard[NEW];

  test('is changed every 20 seconds, by one less of that kind alone, so that it is counted again', () => {
    expect(planAt(1, butOne)).toMatchObject({ apply: [], againInMs: 19_000 });
    const { apply = [], againInMs } = planAt(21, butOne);
    expect(named(apply)).toEqual(['ResourceQuota kinds']);
    expect([limitOf(apply[0]), againInMs]).toEqual(['1999', 19_000]);
    const [before] = butOne.quotas.filter(({ metadata }) => metadata.name === 'kinds') as unknown as [Counted];
    expect((apply[0] as unknown as Counted).spec.hard).toEqual({ ...before.spec.hard, [NEW]: '1999' });
  });

  test('goes on by itself: the lowered limit is put back, and the organisation stays ready', () => {
    const lowered = whole(staffed, (object) => {
      const [seen] = planAt(21, butOne).apply ?? [];
      return object.kind === 'ResourceQuota' && object.metadata.name === 'kinds'
        ? { ...object, ...(seen as Counted | undefined), status: { hard: { [NEW]: '1999' }, used: {} } }
        : object;
    });
    expect(planAt(22, lowered)).toMatchObject({ apply: [], status: { phase: 'ready' } });
    const { apply = [], status } = planAt(41, lowered);
    expect([limitOf(apply[0]), status?.phase]).toEqual(['2k', 'ready']);
  });

  test.each([
    ['that is counted', kinds((hard) => hard)],
    ['without a controller', kinds(() => ({}), false)],
  ])('%s is left alone', (_, sees) => {
    expect(planAt(21, sees).apply).toEqual([]);
  });
});

test('an organisation without members lets the gateway act as nobody, not as everybody', () => {
  const role = whole(organizationFixture()).roles.find(({ metadata }) => metadata.name === 'gantry-gateway');
  expect(role).toMatchObject({ rules: [{ resources: ['secrets'], verbs: ['create', 'delete'] }] });
});

test('settings open and close ranges', () => {
  const owner = organizationFixture();
  const { apply } = organizationController.plan(owner, whole(owner), {
    ...context(1),
    settings: { ...settings, allowedCidrs: ['10.1.0.0/16'], clusterCidrs: ['20.0.0.0/8'], dnsCidrs: ['10.9.9.9/32'] },
  });
  const text = JSON.stringify(apply?.find(({ kind }) => kind === 'NetworkPolicy'));
  for (const cidr of ['10.1.0.0/16', '20.0.0.0/8', '10.9.9.9/32']) expect(text).toContain(cidr);
});

test('tenants reach no address of IPv6 that stands for one of IPv4', () => {
  const text = JSON.stringify(desiredInNamespace(organizationFixture(), settings, EMPTY));
  const networks = ['64:ff9b:1::/48', '2002::/16', '2001::/32', 'fec0::/10', '::/96', '::ffff:0:0:0/96'];
  expect(networks.filter((cidr) => !text.includes(`"${cidr}"`))).toEqual([]);
});

type Limits = KubeObject & { spec: { hard: Readonly<Record<string, string>> } };
const isOfKinds = ({ kind, metadata }: KubeObject) => kind === 'ResourceQuota' && metadata.name === 'kinds';
/** The limit of a kind that the organisation's quota does not name: it changes no golden file. */
const BY_DEFAULT = '200';

test('all that an organisation is made of', () => {
  const owner = organizationFixture({ spec: { members } });
  const inNamespace = desiredInNamespace(owner, settings, EMPTY).map((object) => {
    if (!isOfKinds(object)) return object;
    const named = Object.entries((object as Limits).spec.hard).filter(([, most]) => most !== BY_DEFAULT);
    return { ...object, spec: { hard: Object.fromEntries(named) } };
  });
  expectGolden(new URL('golden/organization.yaml', import.meta.url), [
    desiredNamespace(owner),
    ...inNamespace,
    desiredPullSecret(owner, settings),
  ]);
});

test('there is a limit to the objects of every kind that tenants write', () => {
  const limits = desiredInNamespace(organizationFixture({ spec: { members } }), settings, EMPTY).find(
    isOfKinds,
  ) as Limits;
  const { hard } = limits.spec;
  const written = Object.values<KindFacts>(KINDS).filter(({ tenants }) => tenants === 'write');
  expect(Object.keys(hard)).toEqual(written.map(({ plural }) => `count/${plural}.gantry.dev`));
  expect([hard['count/images.gantry.dev'], hard['count/alertpolicies.gantry.dev']]).toEqual([BY_DEFAULT, BY_DEFAULT]);
});

test('the Pods that try out its isolation', () => {
  const steps = [[], [target], [target, probe('gantry-probe', { listen: listens, dial: { running: {} } }, '10.0.0.2')]];
  const pods = steps.flatMap((probes) => {
    const { create = [] } = organizationController.plan(fresh, { ...whole(fresh), probes }, context(1));
    return create;
  });
  expectGolden(new URL('golden/probe.yaml', import.meta.url), pods);
});

describe('an organisation without credit', () => {
  const required = { settings: { ...settings, creditGate: 'required' as const } };
  const credit = (status: 'True' | 'False', reason: string, message = 'needs 1.20 USD, 0.34 USD available') =>
    organizationFixture({
      status: {
        ...READY,
        conditions: [
          ...(READY.conditions ?? []),
          { type: 'InCredit', status, reason, message, lastTransitionTime: at(0) },
        ],
      },
    });
  const broke = credit('False', 'OutOfCredit');
  const WHY = 'The organisation is out of credit: needs 1.20 USD, 0.34 USD available';
  const closed = (owner: ReturnType<typeof organizationFixture>, why = WHY) =>
    whole(
      owner,
      (object) =>
        object.kind === 'Namespace'
          ? { ...object, metadata: { ...object.metadata, annotations: { 'gantry.dev/out-of-credit': why } } }
          : object,
      required.settings,
    );
  const asked = (owner: ReturnType<typeof organizationFixture>, sees: OrganizationSeen, more: object = required) => {
    const { create, patch, remove, apply, status } = organizationController.plan(owner, sees, context(1, more));
    return {
      creates: named(create),
      patches: (patch ?? []).map(({ body }) => body),
      removes: named(remove),
      applies: named(apply),
      phase: status?.phase,
    };
  };
  const nothingToDo = { creates: [], patches: [], removes: [], applies: [], phase: 'ready' };
  const says = (why: string | null) => ({ metadata: { annotations: { 'gantry.dev/out-of-credit': why } } });

  test('gets a quota of no Pods, and its namespace says why, while it stays ready', () => {
    expect(asked(broke, whole(broke))).toEqual({
      ...nothingToDo,
      creates: ['ResourceQuota credit'],
      patches: [says(WHY)],
    });
  });

  test('the quota counts what tenants run and nothing of the platform', () => {
    const quota = desiredInNamespace(broke, required.settings, EMPTY).find(
      ({ metadata }) => metadata.name === 'credit',
    );
    expect(quota).toMatchObject({
      spec: {
        hard: { pods: '0' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['gantry-tenant'] }],
        },
      },
    });
  });

  test('the namespace names the registries inside that the installation allows, and no others any more', () => {
    const allows = (allowedRegistries: string[]) => ({ settings: { ...settings, allowedRegistries } });
    const owner = organizationFixture({ status: READY });
    const named = whole(owner, (object) =>
      object.kind === 'Namespace'
        ? {
            ...object,
            metadata: { ...object.metadata, annotations: { 'gantry.dev/inner-registries': 'a:5000,b.internal' } },
          }
        : object,
    );
    const list = (text: string | null) => ({ metadata: { annotations: { 'gantry.dev/inner-registries': text } } });
    expect(asked(owner, whole(owner), allows(['a:5000', 'b.internal'])).patches).toEqual([list('a:5000,b.internal')]);
    expect(asked(owner, named, allows(['a:5000', 'b.internal'])).patches).toEqual([]);
    expect(asked(owner, named, allows([])).patches).toEqual([list(null)]);
  });

  test('that is closed is left alone', () => {
    expect(asked(broke, closed(broke))).toEqual(nothingToDo);
  });

  test('at a spending cap is told so', () => {
    const capped = credit('False', 'SpendCapReached', '50.00 USD a month, 50.01 USD spent');
    expect(asked(capped, closed(capped)).patches).toEqual([
      says('A spending cap has been reached: 50.00 USD a month, 50.01 USD spent'),
    ]);
  });

  test('is opened again when it has paid', () => {
    expect(asked(credit('True', 'InCredit', ''), closed(broke))).toEqual({
      ...nothingToDo,
      removes: ['ResourceQuota credit'],
      patches: [says(null)],
    });
  });

  test('is not closed while nobody has said anything', () => {
    expect(asked(organizationFixture({ status: READY }), whole(organizationFixture()))).toEqual(nothingToDo);
  });

  test('is not closed where credit is not asked for, and opened where it no longer is', () => {
    expect(asked(broke, whole(broke), {})).toEqual(nothingToDo);
    expect(asked(broke, closed(broke), {})).toMatchObject({ removes: ['ResourceQuota credit'], patches: [says(null)] });
  });
});

test.each([
  [
    'what instances and images saved is taken off the room for disks',
    { savedByInstances: 3 * GI, savedAsImages: GI },
    '6Gi',
  ],
  ['more than the quota leaves no room, and no negative one', { savedByInstances: 20 * GI }, '0'],
  ['a home that hibernated into the registry finds room again', { savedByInstances: 6 * GI, homesGi: 6 }, '6Gi'],
  ['less than a GiB takes nothing', { savedByInstances: 4 * GI - 1 }, '7Gi'],
])('%s', (_, stored, left) => {
  const fixture = organizationFixture({ status: READY });
  const owner = { ...fixture, spec: { ...fixture.spec, quota: { ...fixture.spec.quota, storageGi: 10 } } };
  const { apply = [] } = organizationController.plan(owner, { ...whole(owner), ...stored }, context(1));
  const quota = apply.find(({ metadata }) => metadata.name === 'objects') as unknown as { spec: { hard: object } };
  expect(quota.spec.hard).toMatchObject({ 'requests.storage': left });
});

test('homes that were enlarged at rest get no more than the quota', () => {
  const fixture = organizationFixture();
  const owner = { ...fixture, spec: { ...fixture.spec, quota: { ...fixture.spec.quota, storageGi: 10 } } };
  const objects = desiredInNamespace(owner, settings, { savedBytes: GI, disksGi: 5000 });
  const quota = objects.find(({ metadata }) => metadata.name === 'objects');
  expect(quota).toMatchObject({ spec: { hard: { 'requests.storage': '10Gi' } } });
});
