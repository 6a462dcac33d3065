import { describe, expect, test } from '@jest/globals';
import { countedPlan, type HeldPlan, monthFrom, type PaidMonth, planState, renewalDue } from './plan-state.ts';

const at = (text: string) => Date.parse(text);
const held = (...rows: readonly (readonly [plan: HeldPlan['plan'], from: string])[]): HeldPlan[] =>
  rows.map(([plan, from], index) => ({ id: BigInt(index + 1), plan, validFrom: at(from) }));
const paid = (...months: readonly (readonly [from: string, to: string])[]): PaidMonth[] =>
  months.map(([from, to], number) => ({ number, plan: 'standard', from: at(from), to: at(to) }));

const NOW = at('2026-01-20');
const MONTH = ['2026-01-10', '2026-02-10'] as const;

describe('the plan that holds', () => {
  test.each([
    ['it is free where nothing was ever chosen', held(), paid(), { plan: 'free' }],
    [
      'it is the last that began',
      held(['standard', '2026-01-10']),
      paid(MONTH),
      { plan: 'standard', since: at('2026-01-10'), paidTo: at('2026-02-10'), months: 1 },
    ],
    [
      'one that begins later is next',
      held(['standard', '2026-01-10'], ['free', '2026-02-10']),
      paid(MONTH),
      { plan: 'standard', next: { plan: 'free', at: at('2026-02-10') } },
    ],
    [
      'of two rows of one moment the later was decided last',
      held(['enterprise', '2026-01-10'], ['standard', '2026-01-10']),
      paid(),
      { plan: 'standard' },
    ],
  ])('%s', (_, rows, months, expected) => {
    expect(planState(rows, months, NOW)).toMatchObject(expected);
  });

  test('a change that was called off is no next', () => {
    const rows = held(['standard', '2026-01-10'], ['free', '2026-02-10'], ['standard', '2026-02-10']);
    expect(planState(rows, paid(MONTH), NOW).next).toBeUndefined();
  });

  test('hosts are counted by a lower one from the moment on at which it was ordered', () => {
    const counted = (rows: HeldPlan[]) => countedPlan(planState(rows, paid(MONTH), NOW));
    expect(counted(held(['standard', '2026-01-10']))).toBe('standard');
    expect(counted(held(['standard', '2026-01-10'], ['free', '2026-02-10']))).toBe('free');
    expect(counted(held(['free', '2026-01-10'], ['standard', '2026-02-10']))).toBe('free');
  });

  test('a free plan has no paid-until time, whatever was paid before', () => {
    expect(planState(held(['free', '2026-01-15']), paid(MONTH), NOW)).not.toHaveProperty('paidTo');
  });
});

describe('a month is due', () => {
  const due = (rows: HeldPlan[], months: PaidMonth[], now: string) =>
    renewalDue(planState(rows, months, at(now)), at(now));
  test.each([
    ['not while the last one runs', held(['standard', '2026-01-10']), paid(MONTH), '2026-02-09', undefined],
    ['at its end', held(['standard', '2026-01-10']), paid(MONTH), '2026-02-10', '2026-02-10'],
    ['from then on where staff gave the plan', held(['standard', '2026-01-10']), paid(), '2026-01-11', '2026-01-10'],
    [
      'for no break in which the plan was another',
      held(['standard', '2026-01-10'], ['free', '2026-02-10'], ['standard', '2026-05-01']),
      paid(MONTH),
      '2026-05-02',
      '2026-05-01',
    ],
    ['never of what is free', held(), paid(), '2026-05-02', undefined],
    ['never of what people agreed upon', held(['enterprise', '2026-01-10']), paid(), '2026-05-02', undefined],
  ])('%s', (_, rows, months, now, expected) => {
    expect(due(rows, months, now)).toBe(expected === undefined ? undefined : at(expected));
  });
});

test.each([
  ['the first', [], '2026-01-31', '2026-02-28'],
  ['one after a shorter month goes back to the first day', [['2026-01-31', '2026-02-28']], '2026-02-28', '2026-03-31'],
  ['one after a break begins anew', [['2026-01-31', '2026-02-28']], '2026-03-05', '2026-04-05'],
] as const)('a month ends on the day of the first of its row: %s', (_, before, from, to) => {
  expect(monthFrom(paid(...before), 'standard', at(from))).toEqual({
    number: before.length,
    plan: 'standard',
    from: at(from),
    to: at(to),
  });
});
