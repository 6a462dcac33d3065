// Which reports are accepted: tables.
import { sizeUse, type Use } from '@gantry/contract/billing/resources.ts';
import { describe, expect, test } from '@jest/globals';
import { type Anomaly, type Known, takeIn } from './intake.ts';
import type { Seen } from './seen.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const MINUTE = 60_000;
const USES: Use[] = [{ resource: 'gpu', model: 'H200', quantity: 1 }];

/** Minutes before now; ends that are absent are open. */
const reported = (seq: number, from: number, to?: number, uses = USES): Seen => ({
  uid: 'u1',
  seq,
  organizationId: 'acme',
  region: 'r1',
  kind: 'GpuInstance',
  name: 'ins-1',
  subjectUid: `pod-${seq}`,
  uses,
  from: NOW + from * MINUTE,
  ...(to !== undefined && { to: NOW + to * MINUTE }),
});
const known = (seq: number, from: number, to?: number): Known => ({
  ...reported(seq, from),
  to: to === undefined ? undefined : NOW + to * MINUTE,
});

interface Case {
  known?: Known[];
  reports: Seen[];
  /** [seq, from, to] */
  adds?: (number | undefined)[][];
  closes?: number[][];
  anomalies?: Anomaly[];
  refuses?: number[];
}

const CASES: Record<string, Case> = {
  'what is new is taken as it is': { reports: [reported(1, -10)], adds: [[1, -10, undefined]] },
  'one report twice is one interval': { reports: [reported(1, -10), reported(1, -10)], adds: [[1, -10, undefined]] },
  'an end that comes in the same batch closes it': {
    reports: [reported(1, -10), reported(1, -10, -5)],
    adds: [[1, -10, -5]],
  },
  'an end closes what was open': { known: [known(1, -10)], reports: [reported(1, -10, -5)], closes: [[1, -5]] },
  'an old report of what has ended says nothing': { known: [known(1, -10, -5)], reports: [reported(1, -10)] },
  'a repeated end says nothing': { known: [known(1, -10, -5)], reports: [reported(1, -10, -5)] },
  'intervals in any order': {
    reports: [reported(3, -3), reported(1, -10, -5), reported(2, -5, -3)],
    adds: [
      [1, -10, -5],
      [2, -5, -3],
      [3, -3, undefined],
    ],
  },
  'one that comes after its successor': {
    known: [known(2, -5)],
    reports: [reported(1, -10, -5)],
    adds: [[1, -10, -5]],
  },
  'of zero length': { reports: [reported(1, -5, -5)], adds: [[1, -5, -5]] },
  'one that is closed stays as it is when it shrinks': {
    known: [known(1, -10, -5)],
    reports: [reported(1, -10, -7)],
    anomalies: ['shrank'],
  },
  'one that is closed stays as it is when it grows': {
    known: [known(1, -10, -5)],
    reports: [reported(1, -10, -2)],
    anomalies: ['grew'],
  },
  'a beginning that moves is not believed': {
    known: [known(1, -10)],
    reports: [reported(1, -20)],
    anomalies: ['changed'],
  },
  'uses that change are not believed, the end is': {
    known: [known(1, -10)],
    reports: [reported(1, -10, -5, [{ resource: 'gpu', model: 'H200', quantity: 8 }])],
    closes: [[1, -5]],
    anomalies: ['changed'],
  },
  'a use that was known by its rounded size alone is no other': {
    known: [{ ...known(1, -10), uses: [{ resource: 'memory', quantity: 0.063 }] }],
    reports: [reported(1, -10, -5, [sizeUse('memory', 2 ** 26)])],
    closes: [[1, -5]],
  },
  'what overlaps its predecessor begins where that ended': {
    known: [known(1, -10, -5)],
    reports: [reported(2, -7, -2)],
    adds: [[2, -5, -2]],
    anomalies: ['overlaps'],
  },
  'what lies within its predecessor was nothing': {
    known: [known(1, -10, -2)],
    reports: [reported(2, -7, -5)],
    adds: [[2, -2, -2]],
    anomalies: ['overlaps'],
  },
  'an end beyond the successor is the successor’s beginning': {
    known: [known(1, -10), known(2, -5)],
    reports: [reported(1, -10, -3)],
    closes: [[1, -5]],
    anomalies: ['overlaps'],
  },
  'a report that was clamped before is no second anomaly of another kind': {
    known: [known(1, -10, -5), known(2, -5)],
    reports: [reported(2, -7)],
  },
  'ends before it begins: nothing was used': {
    reports: [reported(1, -5, -6)],
    adds: [[1, -5, -5]],
    anomalies: ['backwards'],
  },
  'a clock that is two minutes ahead is believed': { reports: [reported(1, 2)], adds: [[1, 2, undefined]] },
  'what begins in the future is not taken in yet': { reports: [reported(1, 3)], anomalies: ['future'], refuses: [1] },
  'what ends in the future runs': { reports: [reported(1, -5, 60)], adds: [[1, -5, undefined]], anomalies: ['future'] },
  'a time that is none is not taken in': {
    reports: [{ ...reported(1, 0), from: Number.NaN }],
    anomalies: ['future'],
    refuses: [1],
  },
};

describe('reports', () => {
  test.each(Object.entries(CASES))('%s', (_sentence, { known: rows = [], reports, ...wanted }) => {
    const minutes = (at: number | undefined) => (at === undefined ? undefined : (at - NOW) / MINUTE);
    const { add, close, anomalies, refused } = takeIn(reports, rows, NOW);
    expect({
      adds: add.map(({ seq, from, to }) => [seq, minutes(from), minutes(to)]),
      closes: close.map(({ seq, to }) => [seq, minutes(to)]),
      anomalies: anomalies.map(({ reason }) => reason),
      refuses: refused.map(({ seq }) => seq),
    }).toEqual({ adds: [], closes: [], anomalies: [], refuses: [], ...wanted });
  });
});
