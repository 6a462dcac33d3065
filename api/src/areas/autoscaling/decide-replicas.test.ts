import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Autoscaling, decideReplicas, type Seen } from './decide-replicas.ts';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const SECOND = 1000;

const rule = (over: Partial<Autoscaling> = {}): Autoscaling => ({
  min: 1,
  max: 10,
  scaleDownSeconds: 300,
  idleSeconds: 600,
  metrics: [{ type: 'InFlight', target: 10 }],
  ...over,
});
const seen = (over: Partial<Seen> = {}): Seen => ({
  now: NOW,
  current: 2,
  measured: [20],
  inFlight: 20,
  lastActiveAt: NOW,
  isPublished: true,
  isStarting: false,
  asked: [],
  ...over,
});
const quiet = { measured: [0], inFlight: 0, lastActiveAt: NOW - 600 * SECOND };
const two: Autoscaling['metrics'] = [
  { type: 'InFlight', target: 10 },
  { type: 'CPU', target: 50 },
];
const morning = { cron: '0 9 * * *', timeZone: 'UTC', minutes: 120, min: 3 };
const mornings = [morning];

type Row = [rule: Partial<Autoscaling>, seen: Partial<Seen>, replicas: number, because: string];
const decides = (rows: Record<string, Row>) =>
  test.each(Object.entries(rows))('%s', (_name, [given, state, replicas, because]) => {
    const { decision } = decideReplicas(rule(given), seen(state));
    expect([decision.replicas, decision.because]).toEqual([replicas, because]);
  });

describe('load', () =>
  decides({
    'at its target changes nothing': [{}, {}, 2, 'InFlight'],
    '9 % above its target changes nothing': [{}, { measured: [21.9] }, 2, 'InFlight'],
    '11 % above its target adds one': [{}, { measured: [22.3] }, 3, 'InFlight'],
    'of ten times the target at most doubles, or adds four': [{}, { measured: [200] }, 6, 'InFlight'],
    'of ten times the target doubles eight': [{ max: 64 }, { measured: [640], current: 8 }, 16, 'InFlight'],
    'never exceeds the greatest number': [{ max: 3 }, { measured: [900] }, 3, 'Max'],
    'that is less takes effect after the window': [{}, { measured: [1] }, 1, 'Min'],
    'that is less waits while the window has more': [
      {},
      { measured: [1], asked: [{ at: NOW - 299 * SECOND, replicas: 2 }] },
      2,
      'InFlight',
    ],
    'that was more before the window does not count': [
      {},
      { measured: [1], asked: [{ at: NOW - 300 * SECOND, replicas: 2 }] },
      1,
      'Min',
    ],
    'that falls goes down to the most of the window': [
      {},
      { current: 5, measured: [1], asked: [{ at: NOW - SECOND, replicas: 3 }] },
      3,
      'InFlight',
    ],
    'of two metrics: the one that asks for more decides': [{ metrics: two }, { measured: [20, 290] }, 6, 'CPU'],
    'of more than one target adds one': [{}, { current: 1, measured: [12] }, 2, 'InFlight'],
  }));

describe('a metric that is not known', () =>
  decides({
    'leaves the number': [{}, { measured: [undefined] }, 2, 'NoData'],
    'that is no number leaves the number': [{}, { measured: [Number.NaN] }, 2, 'NoData'],
    'lets another one add replicas': [{ metrics: two }, { measured: [undefined, 200] }, 4, 'CPU'],
    'lets no other one take replicas away': [{ metrics: two }, { measured: [undefined, 1] }, 2, 'NoData'],
    'leaves even a number above the greatest within bounds': [{ max: 1 }, { measured: [undefined] }, 1, 'Max'],
  }));

describe('sleep', () =>
  decides({
    'comes after the idle time': [{ min: 0 }, quiet, 0, 'Idle'],
    'comes not a second earlier': [{ min: 0 }, { ...quiet, lastActiveAt: NOW - 599 * SECOND }, 1, 'InFlight'],
    'comes even where a metric is not known': [{ min: 0 }, { ...quiet, measured: [undefined] }, 0, 'Idle'],
    'comes not with a request in flight': [{ min: 0 }, { ...quiet, inFlight: 1 }, 1, 'InFlight'],
    'comes not while a gateway is not heard': [{ min: 0 }, { ...quiet, inFlight: undefined }, 1, 'InFlight'],
    'comes not where one replica is the least': [{ min: 1 }, quiet, 1, 'Min'],
    'comes not to what has no address that could wake it': [
      { min: 0 },
      { ...quiet, isPublished: false },
      1,
      'InFlight',
    ],
    'comes not during a schedule': [{ min: 0, schedules: mornings }, quiet, 3, 'Schedule'],
    'goes on': [{ min: 0 }, { ...quiet, current: 0, lastActiveAt: NOW }, 0, 'Idle'],
    'goes on while a gateway is not heard': [{ min: 0 }, { ...quiet, inFlight: undefined, current: 0 }, 0, 'Idle'],
    'ends with a request': [{ min: 0 }, { current: 0, measured: [1], inFlight: 1 }, 1, 'InFlight'],
    'ends when a schedule begins': [{ min: 0, schedules: mornings }, { ...quiet, current: 0 }, 3, 'Schedule'],
    'ends when the least number is raised': [{ min: 2 }, { ...quiet, current: 0 }, 2, 'Min'],
  }));

describe('a schedule', () =>
  decides({
    'raises the least number': [{ schedules: mornings }, { measured: [1] }, 3, 'Schedule'],
    'does not hold back more': [{ schedules: mornings }, { measured: [50] }, 5, 'InFlight'],
    'is over at its end': [{ schedules: [{ ...morning, minutes: 60 }] }, {}, 2, 'InFlight'],
    'is of its own time zone': [{ schedules: [{ ...morning, timeZone: 'Asia/Tokyo' }] }, {}, 2, 'InFlight'],
    'that cannot be read is none': [{ schedules: [{ ...morning, cron: '99 9 * * *' }] }, {}, 2, 'InFlight'],
    'needs no metric': [{ metrics: [], schedules: mornings }, { measured: [] }, 3, 'Schedule'],
  }));

test('whatever is measured, the number is within bounds, and zero only where it may be', () => {
  const amount = fc.option(
    fc.oneof(fc.double(), fc.integer({ min: 0, max: 5000 }), fc.constantFrom(-1, 0, Infinity, -Infinity, Number.NaN)),
    { nil: undefined },
  );
  void fc.assert(
    fc.property(
      fc.record({
        min: fc.integer({ min: 0, max: 5 }),
        more: fc.integer({ min: 1, max: 59 }),
        target: fc.double({ min: 0.001, max: 1e9, noNaN: true }),
      }),
      fc.integer({ min: 0, max: 64 }),
      amount,
      fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      fc.integer({ min: 0, max: 2000 }),
      fc.boolean(),
      ({ min, more, target }, current, value, inFlight, idle, isPublished) => {
        const autoscaling = rule({ min, max: min + more, metrics: [{ type: 'PromQL', target, query: 'x' }] });
        const { decision } = decideReplicas(
          autoscaling,
          seen({ current, measured: [value], inFlight, lastActiveAt: NOW - idle * SECOND, isPublished }),
        );
        expect(Number.isInteger(decision.replicas)).toBe(true);
        expect(decision.replicas).toBeGreaterThanOrEqual(min);
        expect(decision.replicas).toBeLessThanOrEqual(min + more);
        if (decision.replicas === 0)
          expect(min === 0 && isPublished && (current === 0 || (inFlight === 0 && idle >= 600))).toBe(true);
        if (decision.replicas > current)
          expect(decision.replicas).toBeLessThanOrEqual(Math.max(current * 2, current + 4, min));
        if (value === undefined) expect([min, min + more, current, 1, 0]).toContain(decision.replicas);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a constant load is followed without oscillating', () => {
  for (const value of [1, 9, 23, 57, 99]) {
    let current = 1;
    const asked: { at: number; replicas: number }[] = [];
    const counts: number[] = [];
    for (let step = 0; step < 300; step++) {
      const now = NOW + step * 2 * SECOND;
      const result = decideReplicas(rule(), seen({ now, current, measured: [value], asked }));
      asked.push(result.asked);
      current = result.decision.replicas;
      counts.push(current);
    }
    expect(new Set(counts.slice(-100))).toEqual(new Set([current]));
    expect(Math.abs(value / (10 * current) - 1) <= 0.1 || current === Math.ceil(value / 10)).toBe(true);
  }
});
