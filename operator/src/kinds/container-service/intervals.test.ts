import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { ContainerServiceStatus } from '@gantry/contract/kinds/container-service.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { describe, expect, test } from '@jest/globals';
import type { ServiceSeen } from '../../serving/reads.ts';
import { containerServiceController } from './plan.ts';
import { at, context, pod, record, revision, rolling, seen, service, silentSince } from './testing/fixtures.ts';

const ofCards = (cards: number) => [
  { resource: 'cpu', quantity: 2 * cards },
  { resource: 'gpu', model: 'H100', quantity: cards },
  { resource: 'memory', quantity: 4 * cards },
];
const open = (from: number, cards: number, parts: string, seq = 1): Interval => ({
  seq,
  subjectUID: 'uid-chat',
  run: 1,
  parts,
  from: at(from),
  uses: ofCards(cards),
});
const closed = (from: number, to: number, cards: number, parts: string, seq = 1): Interval => ({
  ...open(from, cards, parts, seq),
  to: at(to),
});

const counted = (n: number, from = 20) => record(n, { billedFrom: at(from), readyAt: at(from) });
const status = (more: ContainerServiceStatus = {}) => rolling(more);

interface Law {
  status?: ContainerServiceStatus;
  sees?: Partial<ServiceSeen>;
  pods?: Pod[];
  at: number;
  intervals: readonly object[];
}

const planned = (law: Omit<Law, 'intervals'>) =>
  containerServiceController.plan(
    service({ status: law.status ?? status() }),
    seen({ pods: law.pods ?? [], ...law.sees }),
    context(law.at),
  );

const laws = (table: Record<string, Law>): void => {
  test.each(Object.entries(table))('%s', (_sentence, law) => {
    expect(planned(law).status?.intervals ?? []).toEqual(law.intervals);
  });
};

const backOff = { state: { waiting: { reason: 'CrashLoopBackOff' } } };

describe('a replica', () => {
  laws({
    'that waits for a node, pulls or starts is free': {
      pods: [pod('unplaced'), pod('placed', { n: 2 }), pod('started', { n: 3, startedAt: 40 })],
      at: 60,
      intervals: [],
    },
    'is billed from its first Ready': { pods: [pod('ready')], at: 60, intervals: [open(20, 1, '00001')] },
    'that starts and fails within a minute is free, however often': {
      pods: [
        pod('ended', { phase: 'Running', finishedAt: 30 }),
        pod('placed', { n: 2, main: { ...backOff, lastState: { terminated: { exitCode: 1 } } } }),
      ],
      at: 600,
      intervals: [],
    },
    'whose program runs and never answers is compute from its 60th second on': {
      pods: [pod('started', { startedAt: 5 })],
      at: 65,
      intervals: [open(65, 1, '00001')],
    },
    'whose program runs and never answers is free until then': { pods: [pod('started')], at: 64, intervals: [] },
    'that was Ready goes on being billed while its probe fails': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('broken', { finishedAt: 30 })],
      at: 600,
      intervals: [open(20, 1, '00001')],
    },
    'that was Ready goes on being billed while its program starts over: it holds its cards': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('placed', { main: backOff })],
      at: 600,
      intervals: [open(20, 1, '00001')],
    },
    'that ends is billed until its container has': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('ended', { deleting: true, finishedAt: 90 })],
      at: 95,
      intervals: [closed(20, 90, 1, '00001')],
    },
    'that is told to end is billed until it does': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('ready', { deleting: true })],
      at: 95,
      intervals: [open(20, 1, '00001')],
    },
    'that came and went while no operator looked is billed from its 60th second': {
      pods: [pod('ended', { deleting: true, startedAt: 5, finishedAt: 500 })],
      at: 1000,
      intervals: [closed(65, 500, 1, '00001')],
    },
    'whose end is recorded is not billed again': {
      status: status({ pods: [record(1, { endedAt: at(90) })], intervals: [closed(20, 90, 1, '00001')] }),
      pods: [pod('ended', { deleting: true, finishedAt: 90 })],
      at: 300,
      intervals: [closed(20, 90, 1, '00001')],
    },
    'whose Pod nobody sees any more is billed until that is noticed': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      at: 95,
      intervals: [closed(20, 95, 1, '00001')],
    },
    'whose Pod went with its node is billed until the last heartbeat': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      sees: silentSince(70),
      at: 200,
      intervals: [closed(20, 70, 1, '00001')],
    },
    'that failed a moment ago is billed until its kubelet says when it ended': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('broken', { phase: 'Failed', finishedAt: 90 })],
      at: 95,
      intervals: [open(20, 1, '00001')],
    },
    'of which the kubelet says nothing more is billed until it was not Ready': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('broken', { phase: 'Failed', finishedAt: 90 })],
      at: 300,
      intervals: [closed(20, 90, 1, '00001')],
    },
    'on a silent node is billed until its last heartbeat': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('ready')],
      sees: silentSince(70),
      at: 130,
      intervals: [closed(20, 70, 1, '00001')],
    },
    'whose node is back is billed from then on': {
      status: status({ pods: [record(1, { readyAt: at(20) })], intervals: [closed(20, 70, 1, '00001')] }),
      pods: [pod('ready')],
      sees: { nodes: { 'node-a': { ready: 'True', since: Date.parse(at(150)) } } },
      at: 160,
      intervals: [closed(20, 70, 1, '00001'), open(150, 1, '00001', 2)],
    },
    'that ended on a silent node was billed until its last heartbeat': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('ready', { deleting: true })],
      sees: silentSince(70),
      at: 300,
      intervals: [closed(20, 70, 1, '00001')],
    },
  });
});

describe('several replicas', () => {
  const pair = status({ pods: [counted(1), counted(2)], intervals: [open(20, 2, '00001, 00002')] });
  laws({
    'that get ready in one second begin one interval': {
      pods: [pod('ready'), pod('ready', { n: 2 })],
      at: 60,
      intervals: [open(20, 2, '00001, 00002')],
    },
    'that get ready one after the other begin one each, though seen at once': {
      pods: [pod('ready'), pod('ready', { n: 2, readyAt: 40 })],
      at: 60,
      intervals: [closed(20, 40, 1, '00001'), open(40, 2, '00001, 00002', 2)],
    },
    'that end one after the other end one interval each, though seen at once': {
      status: pair,
      pods: [pod('ended', { deleting: true, finishedAt: 90 }), pod('ended', { n: 2, deleting: true, finishedAt: 95 })],
      at: 100,
      intervals: [closed(20, 90, 2, '00001, 00002'), closed(90, 95, 1, '00002', 2)],
    },
    'of which one takes the other’s place in the same second change whose use it is': {
      status: status({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }),
      pods: [pod('ended', { deleting: true, finishedAt: 90 }), pod('ready', { n: 2, startedAt: 60, readyAt: 90 })],
      at: 95,
      intervals: [closed(20, 90, 1, '00001'), open(90, 1, '00002', 2)],
    },
    'of which one is on a silent node leave the others billed': {
      status: pair,
      pods: [pod('ready', { node: 'node-b' }), pod('ready', { n: 2 })],
      sees: {
        nodes: { 'node-a': { ready: 'True', since: 0 }, 'node-b': { ready: 'Unknown', since: 0 } },
        leases: { 'node-b': at(70) },
      },
      at: 130,
      intervals: [closed(20, 70, 2, '00001, 00002'), open(70, 1, '00002', 2)],
    },
    'of two revisions are billed together, each as it requested, under the newer': {
      status: rolling({ pods: [counted(1)], intervals: [open(20, 1, '00001')] }, revision(2, { restartCount: 1 })),
      pods: [pod('ready'), pod('ready', { n: 2, revision: 2, gpus: 4, readyAt: 50 })],
      at: 60,
      intervals: [
        closed(20, 50, 1, '00001'),
        {
          ...open(50, 2, '00001, 00002', 2),
          run: 2,
          uses: [
            { resource: 'cpu', quantity: 4 },
            { resource: 'gpu', model: 'H100', quantity: 5 },
            { resource: 'memory', quantity: 8 },
          ],
        },
      ],
    },
    'on a host of the organisation’s are paid for with the host': {
      pods: [pod('ready', { host: true })],
      at: 60,
      intervals: [
        {
          ...open(20, 1, '00001'),
          uses: [
            { resource: 'hosted-cpu', quantity: 2 },
            { resource: 'hosted-gpu', model: 'H100', quantity: 1 },
            { resource: 'hosted-memory', quantity: 4 },
          ],
        },
      ],
    },
    'that are recorded stay as they are, whenever the plan is made again': {
      status: pair,
      pods: [pod('ready'), pod('ready', { n: 2 })],
      at: 5000,
      intervals: [open(20, 2, '00001, 00002')],
    },
  });

  test('more than can be named are counted', () => {
    const pods = Array.from({ length: 64 }, (_, index) => pod('ready', { n: index + 10 }));
    expect(planned({ pods, at: 60 }).status?.intervals?.[0]?.parts).toBe('64');
  });

  test('fifty intervals are kept', () => {
    const intervals = Array.from({ length: 51 }, (_, index) => closed(index, index + 1, 1, 'x', index + 1));
    const kept = planned({ status: status({ intervals }), at: 100 }).status?.intervals;
    expect(kept?.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  });
});

describe('while billing is away', () => {
  const many = Array.from({ length: 199 }, (_, index) => closed(index / 100, index / 100, 1, 'x', index + 1));
  const line = [...many, open(20, 1, '00001', 200)];
  const gated = (pods: Pod[]) => {
    const now = context(100);
    const owner = service({ status: status({ pods: [counted(1)], intervals: line }) });
    const settings = { ...now.settings, creditGate: 'required' as const };
    return containerServiceController.plan(owner, seen({ pods }), { ...now, settings }).status?.intervals ?? [];
  };
  test('beyond what a status holds no other stretch begins', () => {
    expect(gated([pod('ready'), pod('ready', { n: 2, readyAt: 90 })])).toHaveLength(200);
  });
  test('the end of all use is recorded all the same', () => {
    expect(gated([pod('ended', { deleting: true, finishedAt: 90 })]).at(-1)).toMatchObject({ seq: 200, to: at(90) });
  });
});
