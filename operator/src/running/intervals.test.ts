import type { Interval } from '@gantry/contract/fields/metering.ts';
import type { TaskWorker } from '@gantry/contract/fields/task.ts';
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../../test/support/seeded-fast-check.ts';
import { at, START } from '../kinds/job/testing/fixtures.ts';
import { intervalsOf, partsOf } from './intervals.ts';

test.each<[string, number[]]>([
  ['', []],
  ['0', [0]],
  ['0-3, 5', [5, 3, 1, 0, 2]],
  ['0, 2, 4-5', [0, 2, 4, 5]],
])('the parts %j stand for workers %j', (text, indexes) => expect(partsOf(indexes)).toBe(text));

const one = (index: number, from: number, to?: number, phase: TaskWorker['phase'] = 'running'): TaskWorker => ({
  index,
  podUID: `pod-${index}`,
  startedAt: at(from),
  phase: to === undefined ? phase : 'succeeded',
  ...(to !== undefined && { endedAt: at(to) }),
});
const uses = (count: number) => [{ resource: 'cpu', quantity: count }];

interface Law {
  known?: Interval[];
  before?: TaskWorker[];
  after: TaskWorker[];
  now: number;
  lastSign?: number;
  line: [parts: string, from: number, to?: number][];
}
const open = (parts: string, from: number): Interval => ({
  seq: 1,
  subjectUID: 'batch',
  run: 1,
  parts,
  from: at(from),
  uses: uses(1),
});

const TABLE: Record<string, Law> = {
  'workers that start in the same second begin one interval': {
    after: [one(0, 5), one(1, 5)],
    now: 6,
    line: [['0-1', 5]],
  },
  'each later start begins the next': {
    after: [one(0, 5), one(1, 8)],
    now: 9,
    line: [
      ['0', 5, 8],
      ['0-1', 8],
    ],
  },
  'an end takes its worker out at its own moment': {
    known: [{ ...open('0-1', 5), uses: uses(2) }],
    before: [one(0, 5), one(1, 5)],
    after: [one(0, 5, 20), one(1, 5)],
    now: 30,
    line: [
      ['0-1', 5, 20],
      ['1', 20],
    ],
  },
  'what came and went unseen is billed from its start to its end': {
    after: [one(0, 5, 20)],
    now: 30,
    line: [['0', 5, 20]],
  },
  'a silent node pauses at its last sign of life': {
    known: [open('0', 5)],
    before: [one(0, 5)],
    after: [one(0, 5, undefined, 'lost')],
    lastSign: 12,
    now: 60,
    line: [['0', 5, 12]],
  },
  'a node that answers again resumes now': {
    known: [{ ...open('0', 5), to: at(12) }],
    before: [one(0, 5, undefined, 'lost')],
    after: [one(0, 5)],
    now: 90,
    line: [
      ['0', 5, 12],
      ['0', 90],
    ],
  },
  'a worker that is gone without a word ends with the last sign': {
    known: [open('0', 5)],
    before: [one(0, 5)],
    after: [],
    lastSign: 12,
    now: 60,
    line: [['0', 5, 12]],
  },
  'an end in the future counts as now': { after: [one(0, 5, 500)], now: 30, line: [['0', 5, 30]] },
  'a run of no length is not recorded': { after: [one(0, 5, 5)], now: 30, line: [] },
};

describe('Intervals', () => {
  test.each(Object.entries(TABLE))('%s', (_, { known = [], before = [], after, now, lastSign = now, line }) => {
    const found = intervalsOf(known, {
      subjectUID: 'batch',
      run: 1,
      before,
      after,
      uses,
      lastSign: () => START + lastSign * 1000,
      now: START + now * 1000,
    });
    expect(found.map(({ parts, from, to }) => [parts, from, ...(to === undefined ? [] : [to])])).toEqual(
      line.map(([parts, from, to]) => [parts, at(from), ...(to === undefined ? [] : [at(to)])]),
    );
  });

  test('bill exactly the time of every worker, however late anybody looks', () => {
    const life = fc.record({ from: fc.integer({ min: 1, max: 50 }), runs: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(
        fc.array(life, { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 6 }),
        (lives, looks) => {
          let line: readonly Interval[] = [];
          let before: TaskWorker[] = [];
          for (const now of [...looks.sort((a, b) => a - b), 121]) {
            const after = lives.flatMap(({ from, runs }, index) =>
              from > now ? [] : [one(index, from, from + runs <= now ? from + runs : undefined)],
            );
            line = intervalsOf(line, {
              subjectUID: 'batch',
              run: 1,
              before,
              after,
              uses,
              lastSign: () => 0,
              now: START + now * 1000,
            });
            before = after;
          }
          const billed = line.reduce(
            (sum, { from, to = '', uses: [use] }) =>
              sum + ((Date.parse(to) - Date.parse(from)) / 1000) * (use?.quantity ?? 0),
            0,
          );
          // A look that finds an earlier start cannot change what is closed: nothing is billed twice, and never too much.
          expect(billed).toBeLessThanOrEqual(lives.reduce((sum, { runs }) => sum + runs, 0));
          if (looks.length === 0) expect(billed).toBe(lives.reduce((sum, { runs }) => sum + runs, 0));
        },
      ),
    );
  });
});
