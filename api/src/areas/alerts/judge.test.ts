import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { hasValue, judge, type Measured } from './judge.ts';
import type { Outcome } from './step.ts';

type Rules = Parameters<typeof judge>[0]['rules'];
const rule = (over: Partial<Rules[number]>): Rules[number] => ({
  type: 'Threshold',
  compare: 'Above',
  value: 85,
  level: 'Warning',
  ...over,
});
const NO_DATA: Rules[number] = { type: 'NoData', level: 'Critical' };
const UNMET: Outcome = { seen: 'unmet' };
const UNKNOWN: Outcome = { seen: 'unknown' };
const MET: Outcome = { seen: 'met', level: 'Warning' };

const rows: Record<string, [Rules, Measured, Outcome]> = {
  'above its limit': [[rule({})], { value: 85.1 }, MET],
  'a rule that names neither type nor level is a threshold and a warning': [
    [{ compare: 'Above', value: 85 }],
    { value: 85.1 },
    MET,
  ],
  'at its limit is not above': [[rule({})], { value: 85 }, UNMET],
  'at its limit is at least': [[rule({ compare: 'AtLeast' })], { value: 85 }, MET],
  'below its limit': [[rule({ compare: 'Below', value: 5 })], { value: 4 }, MET],
  'at its limit is at most': [[rule({ compare: 'AtMost', value: 5 })], { value: 5 }, MET],
  equal: [[rule({ compare: 'Equal', value: 0 })], { value: 0 }, MET],
  'not equal': [[rule({ compare: 'NotEqual', value: 0 })], { value: 0 }, UNMET],
  'a fifth more than last week': [[rule({ type: 'WeekOverWeek', value: 19 })], { value: 120, lastWeek: 100 }, MET],
  'a fifth more than last week, by its old name': [
    [rule({ type: 'YearOverYear', value: 19 })],
    { value: 120, lastWeek: 100 },
    MET,
  ],
  'last week is not known': [[rule({ type: 'WeekOverWeek', value: 19 })], { value: 120 }, UNKNOWN],
  'a share of nothing is not known': [
    [rule({ type: 'WeekOverWeek', value: 19 })],
    { value: 120, lastWeek: 0 },
    UNKNOWN,
  ],
  'nothing that stays nothing has not changed': [
    [rule({ type: 'WeekOverWeek', value: 19 })],
    { value: 0, lastWeek: 0 },
    UNMET,
  ],
  'last week is not known, and its value is too high': [
    [rule({ type: 'WeekOverWeek', value: 19 }), rule({})],
    { value: 120 },
    MET,
  ],
  'a half less than before': [
    [rule({ type: 'PeriodOverPeriod', compare: 'Below', value: -49 })],
    { value: 5, before: 10 },
    MET,
  ],
  'two a minute more': [[rule({ type: 'RateOfChange', value: 1.9 })], { value: 14, before: 10 }, MET],
  'of two the worst': [
    [rule({}), rule({ value: 95, level: 'Critical' })],
    { value: 99 },
    { seen: 'met', level: 'Critical' },
  ],
  'the worse one is not met': [[rule({}), rule({ value: 95, level: 'Critical' })], { value: 90 }, MET],
  'no value, and nobody waits for that': [[rule({})], {}, { seen: 'unknown' }],
  'no value, which is what it waits for': [[NO_DATA], {}, { seen: 'met', level: 'Critical' }],
  'a value, where it waits for none': [[NO_DATA], { value: 0 }, UNMET],
  'NaN is no value': [[rule({}), NO_DATA], { value: Number.NaN }, { seen: 'met', level: 'Critical' }],
  'infinity is above everything': [[rule({})], { value: Number.POSITIVE_INFINITY }, MET],
};
test.each(Object.entries(rows))('%s', (_title, [rules, measured, outcome]) => {
  expect(judge({ rules, periodSeconds: 120 }, measured)).toEqual(outcome);
});

test('any numbers are judged, and only what is met has a level', () => {
  const number = fc.option(fc.double(), { nil: undefined });
  const types = fc.constantFrom('Threshold', 'WeekOverWeek', 'PeriodOverPeriod', 'RateOfChange') as fc.Arbitrary<
    Rules[number]['type']
  >;
  void fc.assert(
    fc.property(
      fc.record({ value: number, before: number, lastWeek: number }),
      types,
      fc.double({ noNaN: true }),
      (measured, type, value) => {
        const outcome = judge({ rules: [rule({ type, value })], periodSeconds: 60 }, measured);
        expect(outcome.level !== undefined).toBe(outcome.seen === 'met');
        if (type === 'Threshold') expect(outcome.seen === 'unknown').toBe(!hasValue(measured.value));
        if (!hasValue(measured.value)) expect(outcome.seen).toBe('unknown');
      },
    ),
  );
});
