// A GpuHost's plan, as sentences. `given` is what was observed; every row says what must follow from it.
import type { GpuHost, GpuHostStatus } from '@gantry/contract/kinds/gpu-host.ts';
import { ANNOTATION, FINALIZER, LABEL } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../../../../test/support/golden.ts';
import type { Context, Plan } from '../../define-controller.ts';
import { desiredLease, type HostSettings, marked, unmarked } from './desired.ts';
import { gpuHostController } from './plan.ts';
import type { HostSeen } from './reads.ts';
import {
  active,
  at,
  claim,
  context,
  DAY,
  gpuHost,
  HOUR,
  node,
  ours,
  room,
  STRANGER,
  seen,
  settings,
  UID,
  wiped,
  wiping,
} from './testing/fixtures.ts';

interface Row {
  owner?: GpuHost;
  seen?: HostSeen;
  at?: number;
  context?: Partial<Context<HostSettings>>;
  /** Phase and reason; a status of undefined: none is written. */
  says?: [phase: string, reason: string] | 'nothing';
  args?: Record<string, string>;
  status?: GpuHostStatus;
  /** Names of nodes that are claimed, marked, cleared; and whose Lease is given up. */
  claims?: string[];
  marks?: string[];
  clears?: string[];
  gives?: string[];
  asksToWipe?: string[];
  /** Names of nodes for which the request, and any answer, is withdrawn. */
  takesBack?: string[];
  finalizer?: Plan['finalizer'];
  againInMs?: number;
  conditions?: Record<string, string>;
}

/** Credit for this generation, until so many seconds after START. */
const reserved = (until: number): GpuHostStatus => ({
  conditions: [
    {
      type: 'CreditReserved',
      status: 'True',
      reason: 'Reserved',
      message: '',
      lastTransitionTime: at(0),
      observedGeneration: 1,
    },
  ],
  credit: { until: at(until) },
});
const REQUIRED = { settings: { ...settings, creditGate: 'required' as const } };
const taken = (name: string) => ({
  refusals: [{ kind: 'Lease', name, reason: 'AlreadyExists', message: `leases "${name}" already exists` }],
});
const tenant = (name: string, namespace = 'org-acme', isFill = false) => ({ node: 'n1', namespace, name, isFill });
const held = (name = 'n1', more: object = {}) => ({ own: [claim(name)], nodes: [ours(name)], ...more });
const homes = {
  volumes: [
    { claim: 'dev-home', hostnames: ['n1'] },
    { claim: 'other-home', hostnames: ['n2'] },
  ],
};
const EXPIRED = 28 * DAY;
const GRACE_OVER = EXPIRED + 72 * HOUR;

function did({ owner = gpuHost(), seen: observed = seen(), at: seconds = 10, context: more = {} }: Row) {
  const plan = gpuHostController.plan(owner, observed, context(seconds, more));
  const patches = plan.patch ?? [];
  const bodies = patches.map(({ name, kind, body }) => ({ name, kind, text: JSON.stringify(body) }));
  const named = (kind: string, holds: (text: string) => boolean) =>
    bodies.filter((one) => one.kind === kind && holds(one.text)).map(({ name }) => name);
  return {
    plan,
    claims: (plan.create ?? []).map(({ metadata }) => metadata.name),
    marks: named('Node', (text) => text.includes(UID)),
    clears: named('Node', (text) => !text.includes(UID)),
    gives: (plan.remove ?? []).map(({ name }) => name),
    asksToWipe: named('Lease', (text) => text.includes(`"${ANNOTATION.wipe}":"`)),
    takesBack: named('Lease', (text) => text.includes(`"${ANNOTATION.wipe}":null,"${ANNOTATION.wiped}":null`)),
  };
}

function check(row: Row): void {
  const { plan, ...done } = did(row);
  const { status } = plan;
  if (row.says === 'nothing') expect(status).toBeUndefined();
  else if (row.says) expect([status?.phase, status?.reason]).toEqual(row.says);
  if (row.args) expect(status?.reasonArgs).toEqual(row.args);
  if (row.status) expect(status).toMatchObject(row.status);
  const wanted = Object.fromEntries(Object.keys(done).map((name) => [name, row[name as keyof typeof done] ?? []]));
  expect(done).toEqual(wanted);
  if (row.finalizer) expect(plan.finalizer).toBe(row.finalizer);
  if (row.againInMs !== undefined) expect(plan.againInMs).toBe(row.againInMs);
  for (const [type, is] of Object.entries(row.conditions ?? {})) {
    const found = status?.conditions?.find((condition) => condition.type === type);
    expect([type, found ? `${found.status} ${found.reason}` : 'absent']).toEqual([type, is]);
  }
}
const rows = (table: Record<string, Row>) => Object.entries(table);

describe('claiming', () => {
  test.each(
    rows({
      'takes a free node by its Lease, and writes no status for that': {
        seen: seen({ room: room(['n1', 'n2']) }),
        claims: ['n1'],
        says: 'nothing',
      },
      'takes another where somebody was faster': {
        seen: seen({ room: room(['n1', 'n2']) }),
        context: taken('n1'),
        claims: ['n2'],
      },
      'waits with numbers where none is free': {
        seen: seen({ room: room([], { all: ['n1', 'n2'], ahead: 3 }) }),
        says: ['pending', 'WaitingForNodes'],
        args: { nodes: '1', count: '8', model: 'H100', all: '2', free: '0', ahead: '3' },
        againInMs: 15_000,
      },
      'counts less often the longer it waits': {
        seen: seen({ room: room([]) }),
        at: 400,
        says: ['pending', 'TooFewNodes'],
        againInMs: 100_000,
      },
      'says that 61 nodes are not to be had where 60 are': {
        owner: gpuHost({ spec: { nodes: 61 } }),
        seen: seen({ room: room([], { all: Array.from({ length: 60 }, (_, index) => `n${index}`) }) }),
        says: ['pending', 'TooFewNodes'],
        args: { nodes: '61', count: '8', model: 'H100', all: '60', free: '0', ahead: '0' },
      },
      'says what there is where there is no such node': {
        seen: seen({ room: room([], { sizes: ['4 × L40S', '8 × A100'] }) }),
        says: ['pending', 'UnknownNodes'],
        args: { nodes: '1', count: '8', model: 'H100', models: '4 × L40S, 8 × A100' },
      },
      'takes none of two where only one is free': {
        owner: gpuHost({ spec: { nodes: 2 } }),
        seen: seen({ room: room(['n1'], { all: ['n1', 'n2'] }) }),
        says: ['pending', 'WaitingForNodes'],
      },
      'gives back what it took where the rest cannot be had': {
        owner: gpuHost({ spec: { nodes: 2 } }),
        seen: seen({ own: [claim('n1')], nodes: [node('n1')], room: room([], { all: ['n1', 'n2'] }) }),
        says: ['pending', 'WaitingForNodes'],
        gives: ['n1'],
      },
      'waits for credit before it takes anything': {
        seen: seen({ room: room(['n1']) }),
        context: REQUIRED,
        says: ['pending', 'WaitingForCredit'],
      },
      'says that there is none': {
        owner: gpuHost({
          status: {
            conditions: [
              {
                type: 'CreditReserved',
                status: 'False',
                reason: 'OutOfCredit',
                message: '',
                lastTransitionTime: at(0),
              },
            ],
          },
        }),
        seen: seen({ room: room(['n1']) }),
        context: REQUIRED,
        says: ['pending', 'OutOfCredit'],
      },
      'takes a node once credit is reserved': {
        owner: gpuHost({
          status: reserved(600),
        }),
        seen: seen({ room: room(['n1']) }),
        context: REQUIRED,
        claims: ['n1'],
      },
      'says why the cluster refuses': {
        seen: seen({ room: room(['n1']) }),
        context: { refusals: [{ kind: 'Lease', name: 'n1', reason: 'Forbidden', message: 'not you' }] },
        says: ['pending', 'Refused'],
        args: { detail: 'not you' },
      },
    }),
  )('%s', (_, row) => check(row));
});

describe('setting aside', () => {
  test.each(
    rows({
      'label and taint go onto a node that is claimed': {
        seen: seen({ own: [claim('n1')], nodes: [node('n1')] }),
        says: ['activeSync', 'Confirming'],
        marks: ['n1'],
      },
      'a marked node is watched for a while before it counts': {
        seen: seen(held('n1', { nodes: [ours('n1', 9)] })),
        says: ['activeSync', 'Confirming'],
        againInMs: 1000,
      },
      'then the host is active, its month begins, and so does its bill': {
        seen: seen(held()),
        says: ['active', 'Active'],
        status: {
          nodes: [{ name: 'n1', lanAddress: '10.1.0.1', os: 'Debian 12', ready: true, gpus: 8 }],
          lanAddress: '10.1.0.1',
          os: 'Debian 12',
          gpuCount: 8,
          startedAt: at(10),
          intervals: [
            { seq: 1, subjectUID: UID, from: at(10), uses: [{ resource: 'host', model: 'H100', quantity: 1 }] },
          ],
        },
        conditions: { Ready: 'True Active', AcceptsInstances: 'True Active', ExpiresSoon: 'False NotSoon' },
      },
      "a node on which a tenant's Pod turns up goes back": {
        seen: seen(held('n1', { tenants: [tenant('x', 'org-other')], room: room(['n2']) })),
        clears: ['n1'],
      },
      'a node that is being filled with a model is waited for': {
        seen: seen(held('n1', { tenants: [tenant('chat.fill-1', 'org-other', true)], room: room(['n2']) })),
        says: ['activeSync', 'Confirming'],
        args: { node: 'n1' },
      },
      'cleared of its marks, the node is given up': {
        seen: seen({ own: [claim('n1')], nodes: [node('n1')], tenants: [tenant('x', 'org-other')] }),
        gives: ['n1'],
      },
      'a node that goes silent while it is taken goes back': {
        seen: seen(held('n1', { nodes: [ours('n1', 0, { ready: false })] })),
        clears: ['n1'],
      },
      'a node that is cordoned while it is taken goes back': {
        seen: seen(held('n1', { nodes: [ours('n1', 0, { unschedulable: true })] })),
        clears: ['n1'],
      },
      'two nodes join together, or none': {
        owner: gpuHost({ spec: { nodes: 2 } }),
        seen: seen({ own: [claim('n1'), claim('n2')], nodes: [ours('n1'), ours('n2', 9)] }),
        says: ['activeSync', 'Confirming'],
        args: { node: 'n2' },
      },
    }),
  )('%s', (_, row) => check(row));

  test('until all of its nodes are there it has none, and pays for none', () => {
    const owner = gpuHost({ spec: { nodes: 2 } });
    const own = [claim('n1'), claim('n2')];
    const { status } = did({ owner, seen: seen({ own, nodes: [ours('n1'), ours('n2', 9)] }) }).plan;
    expect([status?.nodes, status?.startedAt, status?.intervals]).toEqual([undefined, undefined, undefined]);
  });

  test("others' taints stay as they are, and an old one of ours goes", () => {
    const gpus = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
    const old = { key: 'gantry.dev/host', value: STRANGER, effect: 'NoSchedule' };
    const patch = marked(node('n1', { taints: [gpus, old] }), UID, 'gantry.dev/host', Date.parse(at(0)));
    expect(patch).toMatchObject({ uid: 'uid-n1', resourceVersion: '3' });
    expect(patch.body).toEqual({
      metadata: { labels: { [LABEL.nodeHost]: UID } },
      spec: { taints: [gpus, { key: 'gantry.dev/host', value: UID, effect: 'NoSchedule', timeAdded: at(0) }] },
    });
  });
});

test("taking marks off leaves others' taints where they are", () => {
  const gpus = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
  expect(unmarked(ours('n1', 0, { taints: [gpus] }), UID).body).toEqual({
    metadata: { labels: { [LABEL.nodeHost]: null } },
    spec: { taints: [gpus] },
  });
  expect(unmarked(ours('n1'), UID).body).toMatchObject({ spec: { taints: null } });
});

describe('an active host', () => {
  const owner = gpuHost({ status: active(['n1']) });
  const two = gpuHost({ spec: { nodes: 2 }, status: active(['n1', 'n2']) });
  test.each(
    rows({
      'is left alone': { owner, seen: seen(held()), says: ['active', 'Active'] },
      'gets a label back that a hand took off': {
        owner,
        seen: seen(held('n1', { nodes: [node('n1', { taints: ours('n1').spec?.taints as never })] })),
        says: ['active', 'Active'],
        marks: ['n1'],
      },
      'gets a taint back that a hand took off': {
        owner,
        seen: seen(held('n1', { nodes: [node('n1', { labels: { [LABEL.nodeHost]: UID } })] })),
        says: ['active', 'Active'],
        marks: ['n1'],
      },
      'gets a Lease back that a hand took off, without asking for credit again': {
        owner,
        seen: seen({ nodes: [ours('n1')], room: room([]) }),
        context: REQUIRED,
        says: 'nothing',
        claims: ['n1'],
      },
      'loses the node where somebody else was faster, and takes its marks off': {
        owner,
        seen: seen({ nodes: [ours('n1')], others: ['n1'], room: room([], { all: ['n1'] }) }),
        says: ['lost', 'NodesLost'],
        clears: ['n1'],
        conditions: { AcceptsInstances: 'False NodesLost', NodesComplete: 'False WaitingForNodes' },
      },
      'does not answer when none of its nodes does': {
        owner,
        seen: seen(held('n1', { nodes: [ours('n1', 0, { ready: false })] })),
        says: ['notReady', 'NodesNotReady'],
        args: { nodes: 'n1' },
        conditions: { AcceptsInstances: 'False NodesNotReady' },
      },
      'goes on with the nodes that do': {
        owner: two,
        seen: seen({ own: [claim('n1'), claim('n2')], nodes: [ours('n1', 0, { ready: false }), ours('n2')] }),
        says: ['active', 'NodesNotReady'],
        args: { nodes: 'n1' },
      },
      'says when a node lost a card': {
        owner,
        seen: seen(held('n1', { nodes: [ours('n1', 0, { cards: 7 })] })),
        says: ['activeSync', 'GpusMissing'],
        args: { node: 'n1', seen: '7', count: '8' },
        conditions: { AcceptsInstances: 'False GpusMissing' },
      },
      'gives up the Lease of a node that is gone, and its bill ends': {
        owner,
        seen: seen({ own: [claim('n1')], room: room([]) }),
        says: ['lost', 'NodesLost'],
        gives: ['n1'],
        status: { intervals: [{ seq: 1, subjectUID: UID, from: at(0), to: at(10), uses: expect.anything() as never }] },
      },
      'takes another node for one that is gone': {
        owner,
        seen: seen({ room: room(['n3']) }),
        says: ['lost', 'NodesLost'],
        claims: ['n3'],
      },
      'goes on with one node while it waits for the other': {
        owner: two,
        seen: seen(held('n1', { room: room([], { all: ['n1'] }) })),
        says: ['active', 'TooFewNodes'],
        conditions: { AcceptsInstances: 'True Active', NodesComplete: 'False WaitingForNodes' },
      },
      'is billed by the nodes it has': {
        owner: gpuHost({ spec: { nodes: 2 }, status: active(['n1']) }),
        seen: seen({ own: [claim('n1'), claim('n2')], nodes: [ours('n1'), ours('n2')] }),
        says: ['active', 'Active'],
        status: {
          intervals: [
            { seq: 1, subjectUID: UID, from: at(0), to: at(10), uses: expect.anything() as never },
            { seq: 2, subjectUID: UID, from: at(10), uses: [{ resource: 'host', model: 'H100', quantity: 2 }] },
          ],
        },
      },
      "says when a stranger's Pod is still on its node": {
        owner,
        seen: seen(held('n1', { tenants: [tenant('x', 'org-other')] })),
        says: ['active', 'Active'],
        conditions: { Alone: 'False OthersLeft' },
      },
      'takes its marks off a node that it does not hold': {
        owner,
        seen: seen(held('n1', { nodes: [ours('n1'), ours('n9')] })),
        says: ['active', 'Active'],
        clears: ['n9'],
      },
    }),
  )('%s', (_, row) => check(row));
});

describe('the end of its months', () => {
  const owner = gpuHost({ status: active(['n1']) });
  const renewing = gpuHost({ spec: { autoRenew: true }, status: active(['n1']) });
  test.each(
    rows({
      'is said 72 hours before': {
        owner,
        seen: seen(held()),
        at: EXPIRED - 71.5 * HOUR,
        says: ['active', 'ExpiresSoon'],
        args: { at: '2026-02-28T10:00:00Z', hours: '72' },
        againInMs: 0.5 * HOUR * 1000,
        conditions: { ExpiresSoon: 'True ExpiresSoon', AcceptsInstances: 'True Active' },
      },
      'closes the host to new instances, and leaves those on it alone': {
        owner,
        seen: seen(held('n1', { tenants: [tenant('dev-1')] })),
        at: EXPIRED,
        says: ['expired', 'Expired'],
        args: { at: '2026-02-28T10:00:00Z', until: '2026-03-03T10:00:00Z' },
        conditions: { AcceptsInstances: 'False Expired', GraceOver: 'False InGrace' },
        againInMs: DAY * 1000,
      },
      'is moved by a renewal in the grace': {
        owner: gpuHost({ spec: { months: 2 }, status: active(['n1']) }),
        seen: seen(held()),
        at: EXPIRED + HOUR,
        says: ['active', 'Active'],
        status: { expiresAt: '2026-03-31T10:00:00Z' },
        conditions: { AcceptsInstances: 'True Active', ExpiresSoon: 'False NotSoon' },
      },
      'moves by itself where that is wished, and nobody writes the wish': {
        owner: renewing,
        seen: seen(held()),
        at: EXPIRED,
        says: ['active', 'Active'],
        status: { renewedMonths: 1, expiresAt: '2026-03-31T10:00:00Z' },
      },
      'is not moved by months that nobody has credit for': {
        owner: gpuHost({ spec: { months: 1200 }, status: active(['n1'], { countedMonths: 1 }) }),
        seen: seen(held()),
        at: EXPIRED,
        context: REQUIRED,
        says: ['expired', 'Expired'],
        status: { countedMonths: 1, expiresAt: '2026-02-28T10:00:00Z' },
        conditions: { MonthsCounted: 'False MonthsUnpaid', GraceOver: 'False InGrace' },
      },
      'and its grace ends as any other': {
        owner: gpuHost({ spec: { months: 1200 }, status: active(['n1'], { countedMonths: 1 }) }),
        seen: seen(held()),
        at: GRACE_OVER,
        context: REQUIRED,
        says: ['draining', 'Releasing'],
        clears: ['n1'],
      },
      'is moved by months once there is credit for them': {
        owner: gpuHost({
          spec: { months: 2 },
          status: active(['n1'], { countedMonths: 1, ...reserved(EXPIRED + 600) }),
        }),
        seen: seen(held()),
        at: EXPIRED,
        context: REQUIRED,
        says: ['active', 'Active'],
        status: { countedMonths: 2, expiresAt: '2026-03-31T10:00:00Z' },
        conditions: { MonthsCounted: 'absent' },
      },
      'is moved by as many months as credit covers': {
        owner: gpuHost({
          spec: { months: 5 },
          status: active(['n1'], {
            countedMonths: 1,
            ...reserved(EXPIRED + 600),
            credit: { until: at(EXPIRED + 600), months: 2 },
          }),
        }),
        seen: seen(held()),
        at: EXPIRED,
        context: REQUIRED,
        says: ['active', 'Active'],
        status: { countedMonths: 2, expiresAt: '2026-03-31T10:00:00Z' },
        conditions: { MonthsCounted: 'False MonthsUnpaid' },
      },
      'loses no month that counted when credit covers fewer': {
        owner: gpuHost({
          spec: { months: 5 },
          status: active(['n1'], {
            countedMonths: 2,
            ...reserved(EXPIRED + 600),
            credit: { until: at(EXPIRED + 600), months: 1 },
          }),
        }),
        seen: seen(held()),
        at: EXPIRED,
        context: REQUIRED,
        says: ['active', 'Active'],
        status: { countedMonths: 2 },
      },
      'stays where it was when credit closes later': {
        owner: gpuHost({ spec: { months: 2 }, status: active(['n1'], { countedMonths: 2 }) }),
        seen: seen(held()),
        at: EXPIRED,
        context: REQUIRED,
        says: ['active', 'Active'],
        status: { countedMonths: 2 },
      },
      'comes where billing has no credit for another month': {
        owner: renewing,
        seen: seen(held()),
        at: EXPIRED,
        context: REQUIRED,
        says: ['expired', 'Expired'],
      },
      'makes room after the grace: what is left on the node is waited for': {
        owner,
        seen: seen(held('n1', { tenants: [tenant('dev-1')], agents: ['n1'] })),
        at: GRACE_OVER,
        says: ['draining', 'InstancesLeft'],
        args: { names: 'dev-1' },
        conditions: { GraceOver: 'True GraceOver', AcceptsInstances: 'False InstancesLeft' },
      },
      'takes an answer back that came before a container did': {
        owner,
        seen: seen(held('n1', { own: [claim('n1', wiped)], tenants: [tenant('dev-1')], agents: ['n1'] })),
        at: GRACE_OVER,
        says: ['draining', 'InstancesLeft'],
        takesBack: ['n1'],
      },
      'takes the wipe back when it is renewed: it would hit what lives': {
        owner: gpuHost({ spec: { months: 3 }, status: active(['n1']) }),
        seen: seen(held('n1', { own: [claim('n1', wiping)], agents: ['n1'] })),
        at: GRACE_OVER,
        says: ['active', 'Active'],
        takesBack: ['n1'],
      },
      'takes an answer back when it is renewed: it says nothing of the true end': {
        owner: gpuHost({ spec: { months: 3 }, status: active(['n1']) }),
        seen: seen(held('n1', { own: [claim('n1', wiped)], agents: ['n1'] })),
        at: GRACE_OVER,
        says: ['active', 'Active'],
        takesBack: ['n1'],
      },
      'then for homes that only this node can reach': {
        owner,
        seen: seen(held('n1', { ...homes, agents: ['n1'] })),
        at: GRACE_OVER,
        says: ['draining', 'WaitsForDisks'],
        args: { node: 'n1', disks: 'dev-home' },
      },
      'for none that nobody can move: it stays, and the node goes back': {
        owner,
        seen: seen(held('n1', homes)),
        at: GRACE_OVER,
        says: ['draining', 'Releasing'],
        clears: ['n1'],
      },
      'then the agent is asked to wipe': {
        owner,
        seen: seen(held('n1', { agents: ['n1'] })),
        at: GRACE_OVER,
        says: ['draining', 'Wiping'],
        asksToWipe: ['n1'],
      },
      'and waited for': {
        owner,
        seen: seen(held('n1', { agents: ['n1'], own: [claim('n1', wiping)] })),
        at: GRACE_OVER,
        says: ['draining', 'Wiping'],
      },
      'an answer to another question is none': {
        owner,
        seen: seen(held('n1', { agents: ['n1'], own: [claim('n1', { ...wiped, [ANNOTATION.wipe]: 'org-other' })] })),
        at: GRACE_OVER,
        says: ['draining', 'Wiping'],
        asksToWipe: ['n1'],
      },
      'then the marks go': {
        owner,
        seen: seen(held('n1', { agents: ['n1'], own: [claim('n1', wiped)] })),
        at: GRACE_OVER,
        says: ['draining', 'Releasing'],
        clears: ['n1'],
      },
      'and the Lease last of all, when the node is out of the books': {
        owner,
        seen: seen({ own: [claim('n1', wiped)], nodes: [node('n1')], agents: ['n1'] }),
        at: GRACE_OVER,
        says: ['draining', 'Releasing'],
        gives: ['n1'],
        status: {
          intervals: [{ seq: 1, subjectUID: UID, from: at(0), to: at(GRACE_OVER), uses: expect.anything() as never }],
        },
      },
      'a node whose marks a hand took off is wiped all the same': {
        owner,
        seen: seen({ own: [claim('n1')], nodes: [node('n1')], agents: ['n1'] }),
        at: GRACE_OVER,
        says: ['draining', 'Wiping'],
        asksToWipe: ['n1'],
      },
      'a node without an agent is given back as it is, and that is said': {
        owner,
        seen: seen(held()),
        at: GRACE_OVER,
        says: ['draining', 'Releasing'],
        clears: ['n1'],
        conditions: { Wiped: 'Unknown NoAgentOnNode' },
      },
      'is written down, and the bill ends': {
        owner,
        seen: seen({ nodes: [node('n1')] }),
        at: GRACE_OVER,
        says: ['expired', 'Returned'],
        status: {
          returnedAt: at(GRACE_OVER),
          intervals: [{ seq: 1, subjectUID: UID, from: at(0), to: at(GRACE_OVER), uses: expect.anything() as never }],
        },
      },
      'is final: nothing is taken again': {
        owner: gpuHost({ spec: { months: 99 }, status: { ...active([]), intervals: [], returnedAt: at(GRACE_OVER) } }),
        seen: seen({ room: room(['n1']) }),
        at: GRACE_OVER + DAY,
        says: ['expired', 'Returned'],
      },
      'never comes for nodes of its own': {
        owner: gpuHost({ spec: { source: 'owned' }, status: active(['n1']) }),
        seen: seen(held()),
        at: 400 * DAY,
        says: ['active', 'Active'],
      },
    }),
  )('%s', (_, row) => check(row));
});

test('a node that is given back is out of the status before its Lease goes', () => {
  const owner = gpuHost({ status: active(['n1']), deleting: true });
  const { plan, gives } = did({ owner, seen: seen({ own: [claim('n1')], nodes: [node('n1')] }) });
  expect([plan.status?.nodes, gives]).toEqual([undefined, ['n1']]);
});

describe('released', () => {
  const owner = gpuHost({ status: active(['n1']), deleting: true });
  test.each(
    rows({
      'it waits for the containers on it': {
        owner,
        seen: seen(held('n1', { tenants: [tenant('dev-1'), tenant('work-4')] })),
        says: ['releasing', 'InstancesLeft'],
        args: { names: 'dev-1, work-4' },
        finalizer: 'keep',
      },
      'it gives its node back': { owner, seen: seen(held()), says: ['releasing', 'Releasing'], clears: ['n1'] },
      'it goes once nothing is held, without a word': {
        owner,
        seen: seen(),
        says: 'nothing',
        finalizer: 'drop',
      },
      'it stays while a mark of it is left': {
        owner,
        seen: seen({ nodes: [ours('n1')] }),
        clears: ['n1'],
        finalizer: 'keep',
      },
      'it says that the bill is what is left': {
        owner: {
          ...owner,
          metadata: { ...owner.metadata, finalizers: [FINALIZER.operator, FINALIZER.billing] },
        },
        seen: seen(),
        says: ['releasing', 'Released'],
        status: { intervals: [{ seq: 1, subjectUID: UID, from: at(0), to: at(10), uses: expect.anything() as never }] },
        finalizer: 'drop',
      },
      'a claim that never joined is not wiped for': {
        owner: gpuHost({ deleting: true }),
        seen: seen(held('n1', { agents: ['n1'] })),
        clears: ['n1'],
      },
      'it takes no other node': { owner, seen: seen({ room: room(['n2']) }), finalizer: 'drop' },
    }),
  )('%s', (_, row) => check(row));
});

describe('leftovers of a force-deleted host', () => {
  const owner = gpuHost({ status: active(['n1']) });
  const lost = (lease: ReturnType<typeof claim> | undefined, more: object = {}) => ({
    uid: STRANGER,
    lease,
    node: node('n7', {
      labels: { [LABEL.nodeHost]: STRANGER },
      taints: [{ key: 'gantry.dev/host', value: STRANGER, effect: 'NoSchedule', timeAdded: at(0) }],
    }),
    isUsed: false,
    hasAgent: false,
    ...more,
  });
  test.each(
    rows({
      'is left alone for a minute: its host may be too new to be seen': {
        owner,
        seen: seen(held('n1', { remains: [lost(claim('n7'))] })),
        at: 59,
      },
      'then loses its marks': {
        owner,
        seen: seen(held('n1', { remains: [lost(claim('n7'))] })),
        at: 61,
        clears: ['n7'],
      },
      'and its Lease': {
        owner,
        seen: seen(held('n1', { remains: [lost(claim('n7'), { node: node('n7') })] })),
        at: 61,
        gives: ['n7'],
      },
      'stays while a tenant is on the node': {
        owner,
        seen: seen(held('n1', { remains: [lost(claim('n7'), { isUsed: true })] })),
        at: 61,
      },
      'is wiped first where there is an agent': {
        owner,
        seen: seen(held('n1', { remains: [lost(claim('n7'), { hasAgent: true })] })),
        at: 61,
        asksToWipe: ['n7'],
      },
      'loses its marks also where nobody holds the node': {
        owner,
        seen: seen(held('n1', { remains: [lost(undefined)] })),
        at: 61,
        clears: ['n7'],
      },
    }),
  )('%s', (_, row) => check(row));
});

test('reasons to set a node aside', () => {
  const now = Date.parse(at(0));
  expectGolden(new URL('golden/claim.yaml', import.meta.url), [
    desiredLease(gpuHost(), 'n1'),
    marked(node('n1'), UID, 'gantry.dev/host', now),
  ]);
});
