// The table of this room's README, cell by cell: what becomes of an alarm whose series appears, vanishes, comes back or never was.
import type { AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import { describe, expect, test } from '@jest/globals';
import type { Measured } from './judge.ts';
import { GIVEN_UP_MS, type Life, outcomeOf, SILENT_MS, VANISHED_MS } from './outcome.ts';
import { FRESH, type SeriesState, step } from './step.ts';

const MINUTE_MS = 60_000;
const THRESHOLD = { type: 'Threshold', compare: 'Above', value: 85, level: 'Warning' } as const;
const RULES = {
  Threshold: THRESHOLD,
  WeekOverWeek: { type: 'WeekOverWeek', compare: 'Above', value: 50, level: 'Warning' },
  PeriodOverPeriod: { type: 'PeriodOverPeriod', compare: 'Above', value: 50, level: 'Warning' },
  RateOfChange: { type: 'RateOfChange', compare: 'Above', value: 5, level: 'Warning' },
  NoData: { type: 'NoData', level: 'Warning' },
} as const;
type RuleName = keyof typeof RULES;
const VALUE_RULES = Object.keys(RULES).filter((name) => name !== 'NoData') as Exclude<RuleName, 'NoData'>[];

/** The owner of a series, and what else is known of it. */
const SERIES = {
  object: { hasObject: true, isPart: false, hasOthers: false },
  partBesideOthers: { hasObject: true, isPart: true, hasOthers: true },
  partAlone: { hasObject: true, isPart: true, hasOthers: false },
  queryPart: { hasObject: false, isPart: true, hasOthers: false },
  query: { hasObject: false, isPart: false, hasOthers: false },
} as const;
type SeriesName = keyof typeof SERIES;

/** A minute each: `h` a value that meets every rule, `c` one that meets none, `.` none, `?` an answer in part or too late. */
function live(
  rule: RuleName,
  series: SeriesName,
  minutes: string,
  lives: (minute: number) => Life | undefined = () => (SERIES[series].hasObject ? 'running' : undefined),
): string[] {
  const spec = { metric: SERIES[series].hasObject ? ('GpuTemperature' as const) : undefined };
  const policy = { ...spec, rules: [RULES[rule]], periodSeconds: 60, endsAfter: 1 } as unknown as AlertPolicySpec;
  const measured: Readonly<Record<string, Measured>> = {
    h: { value: 99, before: 40, lastWeek: 40 },
    c: { value: 40, before: 40, lastWeek: 40 },
    n: { value: 99 },
  };
  let state: SeriesState = FRESH;
  const happened: string[] = [];
  [...minutes].forEach((letter, minute) => {
    const sight = { ...SERIES[series], hadData: false, life: lives(minute), isSure: letter !== '?' };
    const outcome = outcomeOf(policy, { ...sight, measured: measured[letter] ?? {} });
    const next = step({ begins: { met: 1, of: 1 }, endsAfter: 1 }, state, outcome, START + minute * MINUTE_MS);
    state = next.state;
    happened.push(...next.transitions.map((transition) => `${minute}:${transition}`));
  });
  return happened;
}
const START = Date.UTC(2026, 10, 10);
const gap = (ms: number) => '.'.repeat(ms / MINUTE_MS);
const goneFrom =
  (from: number, life: Life | undefined = 'gone', until: Life | undefined = 'running') =>
  (minute: number) =>
    minute < from ? until : life;

describe.each(VALUE_RULES)('an alarm of a rule %s', (rule) => {
  test('begins with the first cycle of a series that appears', () => {
    expect(live(rule, 'object', '..h')).toEqual(['2:fired']);
    expect(live(rule, 'queryPart', '..h')).toEqual(['2:fired']);
  });
  test('ends with its object, whether Prometheus still has values or not', () => {
    expect(live(rule, 'object', 'hh..', goneFrom(2))).toEqual(['0:fired', '2:gone']);
    expect(live(rule, 'object', 'hhhh', goneFrom(2))).toEqual(['0:fired', '2:gone']);
    expect(live(rule, 'partAlone', 'hh..', goneFrom(2))).toEqual(['0:fired', '2:gone']);
  });
  test('of a query ends with its Pod once its series has ended, not before', () => {
    expect(live(rule, 'queryPart', 'hhh.', goneFrom(1))).toEqual(['0:fired', '3:gone']);
  });
  test('of a query ends when its series has been missing for five minutes', () => {
    expect(live(rule, 'queryPart', `h${gap(VANISHED_MS)}.`)).toEqual(['0:fired', '6:vanished']);
    expect(live(rule, 'query', `h${gap(VANISHED_MS)}.`)).toEqual(['0:fired', '6:vanished']);
  });
  test('goes on when its series comes back before that, and the minutes count from the last value', () => {
    expect(live(rule, 'queryPart', 'h....h.....h....c')).toEqual(['0:fired', '16:resolved']);
  });
  test('of one of several cards ends when only that one has been missing for five minutes', () => {
    expect(live(rule, 'partBesideOthers', `h${gap(VANISHED_MS)}.`)).toEqual(['0:fired', '6:vanished']);
  });
  test('of a running object without any values stands for an hour, and then says that there are none', () => {
    const silent = gap(SILENT_MS);
    expect(live(rule, 'object', `h${silent}`)).toEqual(['0:fired']);
    expect(live(rule, 'object', `h${silent}.`)).toEqual(['0:fired', '61:vanished']);
    expect(live(rule, 'partAlone', `h${silent}.`)).toEqual(['0:fired', '61:vanished']);
  });
  test('stands while its object starts again, but one of its cards belongs to the run that is over', () => {
    expect(live(rule, 'object', 'h..h', goneFrom(1, 'starting'))).toEqual(['0:fired']);
    expect(live(rule, 'partAlone', 'h..h', goneFrom(1, 'starting'))).toEqual(['0:fired', '1:gone', '3:fired']);
  });
  test('ends where its object runs on without what is measured', () => {
    expect(live(rule, 'object', 'h..', goneFrom(1, 'bare'))).toEqual(['0:fired', '1:gone']);
  });
  test('stands through answers in part and cycles that are caught up with, however long', () => {
    expect(live(rule, 'queryPart', `h${'?'.repeat(3 * 60)}h`)).toEqual(['0:fired']);
  });
  test('of a series that comes back after its end is another one', () => {
    expect(live(rule, 'queryPart', `h${gap(VANISHED_MS)}.h`)).toEqual(['0:fired', '6:vanished', '7:fired']);
  });
  test('is none of a series that never was', () => {
    for (const name of Object.keys(SERIES) as SeriesName[]) expect(live(rule, name, gap(SILENT_MS))).toEqual([]);
  });
});

test.each(['WeekOverWeek', 'PeriodOverPeriod', 'RateOfChange'] as const)(
  'an alarm of a rule %s with nothing to compare with stands, for five minutes at most',
  (rule) => {
    expect(live(rule, 'object', 'hnnnnh')).toEqual(['0:fired']);
    expect(live(rule, 'object', 'hnnnnnnn')).toEqual(['0:fired', '6:vanished']);
  },
);

describe('an alarm of a rule NoData', () => {
  const rule = 'NoData';
  test('begins when the series of a running object vanishes, and ends when it comes back, however long that takes', () => {
    expect(live(rule, 'object', `cc.${gap(2 * GIVEN_UP_MS)}c`)).toEqual(['2:fired', '2883:resolved']);
  });
  test('begins for a running object that never had a value', () => {
    expect(live(rule, 'object', '..')).toEqual(['0:fired']);
  });
  test('waits while its object starts', () => {
    expect(live(rule, 'object', '....', goneFrom(2, 'running', 'starting'))).toEqual(['2:fired']);
  });
  test('is none for what was deleted or rests on purpose, and ends with it', () => {
    expect(live(rule, 'object', 'cc..', goneFrom(2))).toEqual([]);
    expect(live(rule, 'object', 'cc....', goneFrom(4))).toEqual(['2:fired', '4:gone']);
    expect(live(rule, 'queryPart', 'cc..', goneFrom(2))).toEqual([]);
  });
  test('is none for an object that has nothing to measure', () => {
    expect(live(rule, 'object', '..', () => 'bare')).toEqual([]);
  });
  test('is one of the object, and not of each of its cards, where none has values', () => {
    expect(live(rule, 'partAlone', 'c....')).toEqual([]);
  });
  test('begins for one of several cards, and is given up after a day', () => {
    expect(live(rule, 'partBesideOthers', `c.${gap(GIVEN_UP_MS)}`)).toEqual(['1:fired', '1441:vanished']);
  });
  test('begins for a series of a query that nobody can ask for, and is given up after a day', () => {
    expect(live(rule, 'queryPart', 'c..c')).toEqual(['1:fired', '3:resolved']);
    expect(live(rule, 'queryPart', `c.${gap(GIVEN_UP_MS)}`)).toEqual(['1:fired', '1441:vanished']);
  });
  test('begins for a query that has never had data, and stands until it has', () => {
    expect(live(rule, 'query', `.${gap(2 * GIVEN_UP_MS)}c`)).toEqual(['0:fired', '2881:resolved']);
  });
  test('does not begin by an answer in part or in a cycle that is caught up with', () => {
    for (const name of Object.keys(SERIES) as SeriesName[]) expect(live(rule, name, 'c??????c')).toEqual([]);
  });
});
