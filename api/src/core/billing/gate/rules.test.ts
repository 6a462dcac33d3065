// The gate's pure rules as tables: what may be spent, what to do about an object, the price of a host's months, and an
// organisation's notices.

import { sizeUse } from '@gantry/contract/billing/resources.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../../test/support/eventually.ts';
import { Agenda } from './agenda.ts';
import {
  type CreditStatus,
  levelsOf,
  nextLevelInMs,
  type Profile,
  planTelling,
  verdictOf,
} from './credit-status-rules.ts';
import { type Decision, decide } from './decide.ts';
import { decideRental } from './decide-rental.ts';
import { refusalOf, roomOf, type SpendableBalance, sentenceOf } from './may-spend.ts';
import { coveredBy, planRental } from './rental.ts';

const usd = parseMoney;
const at = (text: string) => Date.parse(text);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = at('2026-03-10T12:00:00Z');

const balance = (
  available: string,
  ...caps: [whose: 'organization' | 'member', cap: string, spent: string][]
): SpendableBalance => ({
  currency: 'USD',
  available: usd(available),
  caps: caps.map(([whose, cap, spent]) => ({ whose, cap: usd(cap), spent: usd(spent) })),
});

describe('the amount that may be spent', () => {
  test.each<[string, string, SpendableBalance, string | undefined]>([
    ['what there is, to the last micro', '3.1', balance('3.10'), undefined],
    ['one micro more than there is', '3.100001', balance('3.10'), 'needs $3.11 for it, $3.10 available'],
    ['what is left is never rounded up', '0.01', balance('0.005'), 'needs $0.01 for it, $0.005 available'],
    ['nothing in debt', '0.01', balance('-5'), 'needs $0.01 for it, -$5.00 available'],
    ['what costs nothing also in debt', '0', balance('-5'), undefined],
    ['up to a cap', '2', balance('100', ['organization', '10', '8']), undefined],
    [
      'nothing beyond the cap of the organisation',
      '2.01',
      balance('100', ['organization', '10', '8']),
      "needs $2.01 for it, but $8.00 of the organisation's monthly cap of $10.00 are already spent or reserved",
    ],
    [
      'nothing beyond the cap of the member',
      '2',
      balance('100', ['organization', '10', '8'], ['member', '3', '2']),
      "needs $2.00 for it, but $2.00 of the member's monthly cap of $3.00 are already spent or reserved",
    ],
    [
      'nothing of nobody where members have caps',
      '2',
      { ...balance('100'), caps: [{ whose: 'nobody', cap: usd('0'), spent: usd('0') }] },
      'needs $2.00 for it; members have spending caps here, so spec.creator or spec.startedBy must name who it is for',
    ],
    [
      'a cap says nothing of what is not there',
      '2',
      balance('1', ['member', '3', '3']),
      'needs $2.00 for it, $1.00 available',
    ],
  ])('%s', (_, wanted, of, sentence) => {
    const refusal = refusalOf(usd(wanted), of);
    expect(refusal && sentenceOf(refusal, { message: 'for it', args: {} }).message).toBe(sentence);
  });

  test('the room is the least of all', () => {
    expect(roomOf(balance('9', ['organization', '10', '8'], ['member', '3', '2']))).toBe(usd('1'));
    expect(roomOf(balance('-9'))).toBe(0n);
  });
});

describe('the decision about an instance', () => {
  interface Case {
    power?: string;
    runs?: boolean;
    /** GiB of the home disk that is there. */
    disk?: number | boolean;
    unposted?: boolean;
    hopeless?: boolean;
    deleting?: boolean;
    until?: number;
    status?: 'True' | 'False';
    generation?: number;
    unpriced?: string[];
    accrued?: string;
  }
  const decided = (row: Case): Decision => {
    const interval = (seq: number, resource: string, to?: string, quantity = 20) => ({
      seq,
      subjectUID: 'x',
      from: '2026-03-10T10:00:00Z',
      ...(to && { to }),
      uses: [{ resource, quantity }],
    });
    const object = {
      metadata: { name: 'dev', generation: 2, ...(row.deleting && { deletionTimestamp: '2026-03-10T11:00:00Z' }) },
      spec: { power: row.power ?? 'Running', cores: 2, memoryGi: 4, homeDisk: { sizeGi: 20 } },
      status: {
        intervals: [
          ...(row.unposted ? [interval(1, 'cpu', '2026-03-10T11:00:00Z')] : []),
          ...(row.runs ? [interval(2, 'cpu')] : []),
          ...(row.disk ? [interval(3, 'disk', undefined, row.disk === true ? 20 : row.disk)] : []),
        ],
        ...((row.status || row.hopeless) && {
          conditions: [
            ...(row.hopeless ? [{ type: 'CanStart', status: 'False', reason: 'x', message: '' }] : []),
            {
              type: 'CreditReserved',
              status: row.status ?? 'Unknown',
              observedGeneration: row.generation ?? 2,
              reason: 'x',
              message: '',
            },
          ],
        }),
        ...(row.until !== undefined && { credit: { until: new Date(NOW + row.until).toISOString() } }),
      },
    };
    const billed = { facts: gpuInstance, object, uid: 'u', organizationId: 'acme', region: 'here' } as never;
    return decide(
      billed,
      { perHour: usd('2'), unpriced: row.unpriced ?? [] },
      { now: NOW, holdAheadMs: HOUR_MS, accrued: usd(row.accrued ?? '0') },
    );
  };
  const held = (amount: string) => ({ do: 'reserve', amount: usd(amount), until: NOW + HOUR_MS });

  test.each<[string, Case, object]>([
    ['a new one is reserved for', {}, held('2')],
    [
      'one that is reserved for waits for its half',
      { status: 'True', until: HOUR_MS },
      { do: 'wait', againAt: NOW + HOUR_MS / 2 },
    ],
    [
      'at its half it is extended, with what was used and is not posted',
      { status: 'True', until: HOUR_MS / 2, runs: true, accrued: '0.5' },
      held('2.5'),
    ],
    [
      'another generation is decided anew, whatever is reserved',
      { status: 'True', until: HOUR_MS, generation: 1 },
      held('2'),
    ],
    ['what ran out is decided anew', { status: 'True', until: -1 }, held('2')],
    ['one that was refused is asked about again', { status: 'False' }, held('2')],
    [
      'nothing without a price is made',
      { unpriced: ['gpu/x'] },
      { do: 'refuse', condition: expect.objectContaining({ reason: 'NoPrice' }) },
    ],
    ['at rest nothing is held', { power: 'Stopped', disk: true, status: 'True', until: HOUR_MS }, { do: 'rest' }],
    [
      'at rest what was refused is taken back',
      { power: 'Stopped', disk: true, status: 'False' },
      { do: 'rest', condition: expect.objectContaining({ status: 'True' }) },
    ],
    ['at rest a disk that grows is reserved for', { power: 'Stopped', disk: 10 }, held('2')],
    [
      'what has stopped keeps its hold until its use is posted',
      { power: 'Stopped', disk: true, unposted: true },
      { do: 'wait' },
    ],
    ['what is still being stopped keeps it too', { power: 'Stopped', disk: true, runs: true }, { do: 'wait' }],
    [
      'for what cannot start nothing is held, and it is decided on again before it starts',
      { hopeless: true, status: 'True', until: HOUR_MS },
      { do: 'rest', condition: expect.objectContaining({ status: 'False', reason: 'WaitingForCredit' }) },
    ],
    ['what runs keeps its hold, whatever its next start lacks', { hopeless: true, runs: true }, { do: 'wait' }],
    ['one that goes holds nothing', { deleting: true }, { do: 'rest' }],
    ['one that goes and still runs keeps its hold', { deleting: true, runs: true }, { do: 'wait' }],
  ])('%s', (_, row, wanted) => expect(decided(row)).toMatchObject(wanted));

  test.each([
    ['before there was an exact size', { resource: 'snapshot', quantity: 0.093 }, { do: 'rest' }],
    ['with its exact size', sizeUse('snapshot', 100_000_000), { do: 'rest' }],
    ['as less than it is now', { resource: 'snapshot', quantity: 0.092 }, held('2')],
  ])('a saved image that was metered %s', (_, use, wanted) => {
    const interval = { seq: 1, subjectUID: 'x', from: '2026-03-10T10:00:00Z', uses: [use] };
    const object = {
      metadata: { name: 'mine', generation: 1 },
      spec: { source: 'registry.gantry.internal/org-acme/mine:1', fromInstance: 'dev' },
      status: { phase: 'ready', savedBytes: 100_000_000, intervals: [interval] },
    };
    const billed = { facts: image, object, uid: 'u', organizationId: 'acme', region: 'here' } as never;
    const known = { now: NOW, holdAheadMs: HOUR_MS, accrued: usd('0') };
    expect(decide(billed, { perHour: usd('2'), unpriced: [] }, known)).toMatchObject(wanted);
  });

  test('an instance at rest whose disk is not there wishes for none: nothing would make it', () => {
    const wished = (power: string, resource?: string) =>
      gpuInstance.cost?.desired({
        metadata: { name: 'dev' },
        spec: { power, cores: 2, memoryGi: 4, homeDisk: { sizeGi: 20 } },
        status: resource ? { intervals: [{ uses: [{ resource, quantity: 20 }] }] } : {},
      } as never);
    expect(wished('Stopped')).toEqual([]);
    expect(wished('Hibernated', 'snapshot')).toEqual([]);
    expect(wished('Stopped', 'disk')).toEqual([{ resource: 'disk', quantity: 20 }]);
    expect(wished('Running')).toContainEqual({ resource: 'disk', quantity: 20 });
  });

  test('a running one gets less where less is left, and nothing below a minute; a starting one gets all or nothing', () => {
    const running = decided({ runs: true, accrued: '0.5' });
    if (running.do !== 'reserve') throw new Error('nothing was reserved');
    expect(running.fallback?.(balance('1.5'))).toEqual({ amount: usd('1.5'), until: NOW + HOUR_MS / 2 });
    expect(running.fallback?.(balance('0.52'))).toBeUndefined();
    const starting = decided({});
    expect(starting.do === 'reserve' && starting.fallback).toBeUndefined();
  });
});

test.each([
  ['the renewal of one that is paid is not', true, 0, 'paid'],
  ['more months of one that is paid are not', false, 0, 'paid'],
  ['more nodes are refused', false, 1, 'refuse'],
])('beyond the plan a paid host has credit to its end: %s', (_, isRenewal, nodes, does) => {
  const billed = { object: { spec: {}, metadata: {} } } as never;
  const steps = { counted: 1, wished: 2, nodes, ofNodes: 1, nodesHold: usd('0'), months: 1, monthHold: usd('500') };
  const plan = {
    orders: [],
    hold: usd('500'),
    what: { message: '', args: {} },
    paidUntil: NOW + DAY_MS,
    isRenewal,
    steps,
  };
  const beyond = { status: 'False' as const, reason: 'PlanLimit', message: 'No.' };
  const decision = decideRental(billed, plan, { now: NOW, holdAheadMs: HOUR_MS, held: undefined, beyond });
  expect(decision.do).toBe(does);
  if (does === 'paid') expect(decision).toMatchObject({ until: NOW + DAY_MS, months: 1 });
});

describe('the agenda', () => {
  test('gives everybody a turn, also while others are never done', async () => {
    let worked = 0;
    let enough: () => void = () => {};
    const isOver = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const agenda = new Agenda({
      clock: new SteppedClock(),
      async work(_lane, keys) {
        worked++;
        await Promise.resolve();
        for (const key of keys)
          if (key === 'calm/1' || worked > 5_000) enough();
          else agenda.add(key);
        return new Map();
      },
      laneOf: (key) => key.split('/')[0] ?? '',
      failed: (_, error) => {
        throw error;
      },
    });
    for (const lane of ['a', 'b', 'c', 'd']) for (const key of [1, 2, 3]) agenda.add(`${lane}/${key}`);
    agenda.add('calm/1');
    await isOver;
    expect(worked).toBeLessThan(100);
    await agenda.stop();
  });

  test('takes what gives up before what asks, of its own lane and of others', async () => {
    const worked: string[] = [];
    const agenda = new Agenda({
      clock: new SteppedClock(),
      async work(_lane, keys) {
        worked.push(...keys);
        return new Map();
      },
      laneOf: (key) => key.split('/')[0] ?? '',
      isUrgent: (key) => key.endsWith('stop'),
      failed: (_, error) => {
        throw error;
      },
    });
    for (const lane of ['a', 'b', 'c', 'd', 'e', 'f']) for (const key of [1, 2]) agenda.add(`${lane}/${key}`);
    agenda.add('f/stop');
    agenda.add('b/stop');
    await eventually('all was looked at', () => worked.length === 14);
    expect(worked.slice(0, 6)).toEqual(['b/stop', 'b/1', 'b/2', 'f/stop', 'f/1', 'f/2']);
    await agenda.stop();
  });

  test('does again what failed, and only that, later each time', async () => {
    const clock = new SteppedClock();
    const worked: string[][] = [];
    const agenda = new Agenda({
      clock,
      async work(_lane, keys) {
        worked.push([...keys]);
        return new Map([['a/bad', { error: new Error('no') }]]);
      },
      laneOf: () => 'a',
      failed: () => {},
    });
    agenda.add('a/good');
    agenda.add('a/bad');
    await eventually('both were looked at', () => worked.length === 1);
    await clock.step(200);
    await eventually('the bad one again', () => worked.length === 2);
    await clock.step(399);
    await clock.step(1);
    await eventually('and again', () => worked.length === 3);
    expect(worked).toEqual([['a/good', 'a/bad'], ['a/bad'], ['a/bad']]);
    await agenda.stop();
  });
});

describe("a host's months", () => {
  const price = { list: usd('600'), net: usd('500') };
  const host = (spec: object, status?: object, metadata?: object): GpuHost =>
    ({
      apiVersion: 'gantry.dev/v1alpha1',
      kind: gpuHost.kind,
      metadata: { name: 'big', uid: 'u', ...metadata },
      spec: { source: 'rented', gpu: { model: 'H100', count: 8 }, nodes: 1, months: 1, autoRenew: false, ...spec },
      status,
    }) as KubeObject as GpuHost;
  const active = (countedMonths: number, nodes: number, more: object = {}) => ({
    startedAt: '2026-01-31T00:00:00Z',
    countedMonths,
    nodes: Array.from({ length: nodes }, (_, index) => ({ name: `${index}` })),
    ...more,
  });
  const short = (of: GpuHost, paid: [month: number, nodes: number][], now: string) => {
    const { orders, hold, what, paidUntil } = planRental(
      of,
      paid.map(([month, nodes]) => ({ month, nodes })),
      price,
      at(now),
    );
    return [
      orders.map(({ id, net }) => `${id} ${net / 1_000_000n}`).join(', '),
      `${hold / 1_000_000n}`,
      what.message,
      paidUntil && new Date(paidUntil).toISOString().slice(0, 10),
    ];
  };

  test.each<[string, GpuHost, [number, number][], string, unknown[]]>([
    [
      'pending: all of it is held',
      host({ months: 3, nodes: 2 }),
      [],
      '2026-01-31',
      ['', '3000', 'for 3 months of 2 nodes', undefined],
    ],
    [
      'never started and going: nothing',
      host({}, undefined, { deletionTimestamp: 'x' }),
      [],
      '2026-01-31',
      ['', '0', '', undefined],
    ],
    [
      'active: every month is charged, at month ends clamped',
      host({ months: 2 }, active(2, 1)),
      [],
      '2026-01-31',
      ['u/0/1 500, u/1/1 500', '0', '', '2026-03-31'],
    ],
    [
      'nodes that are wished for before the first charge are held for, and not charged',
      host({ nodes: 50 }, active(1, 1)),
      [],
      '2026-01-31',
      ['u/0/1 500', '24500', 'for 49 more nodes', '2026-02-28'],
    ],
    ['charged: nothing more', host({}, active(1, 1)), [[0, 1]], '2026-02-10', ['', '0', '', '2026-02-28']],
    [
      'a renewal that does not count yet is held',
      host({ months: 2 }, active(1, 1)),
      [[0, 1]],
      '2026-02-10',
      ['', '500', 'for 1 month', '2026-02-28'],
    ],
    [
      'one that counts is charged',
      host({ months: 2 }, active(2, 1)),
      [[0, 1]],
      '2026-02-10',
      ['u/1/1 500', '0', '', '2026-03-31'],
    ],
    [
      'a node that is added is held for the rest of the month',
      host({ nodes: 2 }, active(1, 1)),
      [[0, 1]],
      '2026-02-14',
      ['', '250', 'for 1 more node', '2026-02-28'],
    ],
    [
      'and charged for it once it is there',
      host({ nodes: 2 }, active(1, 2)),
      [[0, 1]],
      '2026-02-14',
      ['u/0/2 250', '0', '', '2026-02-28'],
    ],
    [
      'and for whole months that come',
      host({ nodes: 2, months: 2 }, active(2, 2)),
      [
        [0, 1],
        [1, 1],
      ],
      '2026-02-14',
      ['u/0/2 250, u/1/2 500', '0', '', '2026-03-31'],
    ],
    [
      'a node that is lost is not given back',
      host({ nodes: 2, months: 2 }, active(2, 1)),
      [[0, 2]],
      '2026-02-14',
      ['u/1/2 1000', '0', '', '2026-03-31'],
    ],
    [
      'autoRenew holds the next month a day before',
      host({ autoRenew: true }, active(1, 1)),
      [[0, 1]],
      '2026-02-27',
      ['', '500', 'for 1 month', '2026-02-28'],
    ],
    [
      'and not before that',
      host({ autoRenew: true }, active(1, 1)),
      [[0, 1]],
      '2026-02-26',
      ['', '0', '', '2026-02-28'],
    ],
    [
      'what autoRenew added is charged',
      host({ autoRenew: true }, active(1, 1, { renewedMonths: 1 })),
      [[0, 1]],
      '2026-02-28',
      ['u/1/1 500', '0', '', '2026-03-31'],
    ],
  ])('%s', (_, of, paid, now, wanted) => expect(short(of, paid, now)).toEqual(wanted));
});

describe('the decision about the months that a host wishes for', () => {
  const price = { list: usd('600'), net: usd('500') };
  const host = (spec: object, isActive = true) =>
    ({
      metadata: { name: 'big', uid: 'u' },
      spec: { source: 'rented', nodes: 1, months: 1, autoRenew: false, ...spec },
      ...(isActive && { status: { startedAt: '2026-01-31T00:00:00Z', countedMonths: 1, nodes: [{ name: 'a' }] } }),
    }) as unknown as GpuHost;
  const covered = (of: GpuHost, room: string, now = '2026-02-14') => {
    const plan = planRental(of, of.status ? [{ month: 0, nodes: 1 }] : [], price, at(now));
    const part = coveredBy(plan, usd(room), at(now));
    return part && [part.hold / 1_000_000n, part.total, part.rest / 1_000_000n, part.what.message];
  };

  test.each<[string, GpuHost, string, unknown[] | undefined]>([
    ['none but the one that is paid is covered', host({ months: 4 }), '499.999999', [0n, 1, 1500n, 'for 3 months']],
    ['one is', host({ months: 4 }), '500', [500n, 2, 1000n, 'for 2 months']],
    ['two are', host({ months: 4 }), '1499', [1000n, 3, 500n, 'for 1 month']],
    ['nothing is not enough to begin with', host({ months: 4 }, false), '499', undefined],
    ['one is enough to begin with', host({ months: 4 }, false), '999', [500n, 1, 1500n, 'for 3 months']],
    ['nodes come first', host({ months: 2, nodes: 2 }), '1249', [250n, 1, 1000n, 'for 1 month of 2 nodes']],
    ['without money for its nodes no month is covered', host({ months: 2, nodes: 2 }), '249', undefined],
    ['what is paid needs nothing', host({ months: 1 }), '0', [0n, 1, 0n, '']],
  ])('%s', (_, of, room, wanted) => expect(covered(of, room)).toEqual(wanted));

  test('in its grace a host comes back with one month at least', () => {
    expect(covered(host({ months: 4 }), '499', '2026-03-01')).toBeUndefined();
    expect(covered(host({ months: 4 }), '500', '2026-03-01')).toEqual([500n, 2, 1000n, 'for 2 months']);
  });
});

describe('how an organisation stands', () => {
  const creditStatus = (left: string, perHour: string, more: Partial<CreditStatus> = {}): CreditStatus => ({
    currency: 'USD',
    left: usd(left),
    perHour: usd(perHour),
    isStarved: false,
    ...more,
  });
  const cap = { whose: 'organization' as const, cap: usd('10'), spent: usd('10') };

  test.each<[string, CreditStatus, string]>([
    ['with money', creditStatus('1', '2'), 'InCredit'],
    ['with nothing, and nothing in use', creditStatus('0', '0'), 'InCredit'],
    ['with nothing, and something in use', creditStatus('0', '1'), 'OutOfCredit'],
    ['in debt', creditStatus('-0.000001', '0'), 'OutOfCredit'],
    ['at its cap', creditStatus('100', '1', { cap }), 'SpendCapReached'],
    ['in debt and at its cap', creditStatus('-1', '1', { cap }), 'OutOfCredit'],
  ])('%s', (_, of, reason) =>
    expect(verdictOf(of)).toMatchObject({ reason, status: reason === 'InCredit' ? 'True' : 'False' }),
  );

  test('levels are the gravest first, and the next one is foreseen', () => {
    const settings = { lowHours: [24, 3] };
    expect(levelsOf(creditStatus('100', '2'), settings, '2026-03')).toEqual([]);
    expect(nextLevelInMs(creditStatus('100', '2'), settings)).toBe(26 * HOUR_MS);
    expect(levelsOf(creditStatus('47', '2'), settings, '2026-03')).toEqual(['h24']);
    expect(levelsOf(creditStatus('4', '2', { cap }), settings, '2026-03')).toEqual([
      'cap-2026-03-10000000',
      'h3',
      'h24',
    ]);
    expect(levelsOf(creditStatus('0', '2'), settings, '2026-03')).toEqual(['out', 'h3', 'h24']);
  });

  test('each level is told once for each top-up', () => {
    const step = (profile: Profile, levels: string[], topUp = '1') =>
      planTelling(profile, { topUp, levels, isOut: false, holds: true }, 30, NOW);
    const first = step({ warned: { topUp: '', levels: [] }, since: undefined, warnings: 0 }, ['h24']);
    expect(first.tell).toEqual({ what: 'level', level: 'h24' });
    expect(step(first.next, ['h24']).tell).toBeUndefined();
    expect(step(first.next, ['h3', 'h24']).tell).toEqual({ what: 'level', level: 'h3' });
    expect(step(first.next, ['h24'], '2').tell).toEqual({ what: 'level', level: 'h24' });
  });

  test('a refusal from before a top-up does not mark it out of credit again, a refusal long after it does', () => {
    const paid: Profile = { warned: { topUp: '1', levels: ['out'] }, since: undefined, warnings: 0 };
    const step = (profile: Profile, afterMs: number, isOut = false) =>
      planTelling(profile, { topUp: '2', levels: ['out'], isOut, holds: true }, 30, NOW + afterMs);
    const first = step(paid, 0);
    expect(first).toMatchObject({ does: 'keep', next: { warned: { topUp: '2', levels: [] } } });
    const second = step(first.next, 15_000);
    expect(second.does).toBe('keep');
    expect(step(second.next, 60_000).tell).toEqual({ what: 'level', level: 'out' });
    expect(step(second.next, 16_000, true).tell).toEqual({ what: 'level', level: 'out' });
  });

  /** Looks on these days after the credit ended, and records the results. */
  const kept = (days: readonly number[], keepDataDays = 30) => {
    let profile: Profile = { warned: { topUp: '1', levels: ['out'] }, since: undefined, warnings: 0 };
    return days.flatMap((day) => {
      const said: string[] = [];
      for (;;) {
        const { next, tell, does } = planTelling(
          profile,
          { topUp: '1', levels: ['out'], isOut: true, holds: true },
          keepDataDays,
          NOW + day * DAY_MS,
        );
        profile = next;
        if (tell?.what === 'dataKept') said.push(`${day}: deleted on day ${(tell.deleteAt - NOW) / DAY_MS}`);
        if (does !== 'tell') return does === 'delete' ? [...said, `${day}: delete`] : said;
      }
    });
  };
  test.each<[string, readonly number[], number | undefined, string[]]>([
    [
      'warnings come seven, three and one day before the end',
      [0, 22, 23, 24, 27, 28, 29, 29.9, 30],
      30,
      ['23: deleted on day 30', '27: deleted on day 30', '29: deleted on day 30', '30: delete'],
    ],
    ['whoever was away warns late, and gives a day', [0, 40, 40.5, 41], 30, ['40: deleted on day 41', '41: delete']],
    ['of a short time the warnings that fit', [0, 1, 2], 2, ['1: deleted on day 2', '2: delete']],
    ['for ever is for ever', [0, 30, 10_000], 0, []],
  ])('%s', (_, days, keepDataDays, wanted) => expect(kept(days, keepDataDays)).toEqual(wanted));

  test('money ends the count, and what comes after begins anew', () => {
    const profile: Profile = {
      warned: { topUp: '1', levels: ['out'], deleteAt: NOW + DAY_MS },
      since: NOW - 29 * DAY_MS,
      warnings: 3,
    };
    const { next } = planTelling(profile, { topUp: '2', levels: [], isOut: false, holds: true }, 30, NOW);
    expect(next).toEqual({ warned: { topUp: '2', seenAt: NOW, levels: [] }, since: undefined, warnings: 0 });
  });
});
