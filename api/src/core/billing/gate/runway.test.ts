import { parseMoney } from '@gantry/contract/fields/money.ts';
import { expect, test } from '@jest/globals';
import { type MonthlyCharge, runwayMs } from './runway.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-03-10T12:00:00Z');

const charge = (amount: string, inDays: number): MonthlyCharge => ({
  start: NOW + inDays * DAY_MS,
  month: 0,
  amount: parseMoney(amount),
});

test.each<[string, string, string, MonthlyCharge[], number | undefined]>([
  ['with nothing in use there is no end', '10', '0', [], undefined],
  ['usage alone: the balance over its rate', '10', '0.1', [], 100 * HOUR_MS],
  ['a debt lasts for nothing', '-1', '0.1', [], 0],
  ['an empty wallet does not last until the plan is charged', '0', '0', [charge('49', 3)], 0],
  ['a plan alone: until the month that is not there', '100', '0', [charge('49', 3)], (3 + 31 + 30) * DAY_MS],
  ['a plan that costs nothing changes nothing', '10', '0.1', [charge('0', 1)], 100 * HOUR_MS],
  ['usage and a plan: what the plan leaves', '59', '0.1', [charge('49', 1)], 100 * HOUR_MS],
  ['usage ends first', '1', '0.1', [charge('49', 3)], 10 * HOUR_MS],
  ['an overdue month is charged at once', '50', '0.1', [charge('49', -3)], 10 * HOUR_MS],
  ['two that are charged on different days', '60', '0', [charge('49', 5), charge('10', 2)], (2 + 31) * DAY_MS],
  [
    'a hundred hosts that renew themselves',
    '30000',
    '0',
    Array.from({ length: 100 }, () => charge('10', 0)),
    Date.parse('2028-09-10T12:00:00Z') - NOW,
  ],
  ['what lasts longer than a hundred years', '1000000', '0', [charge('1', 1)], 100 * 8766 * HOUR_MS],
])('%s', (_, left, perHour, monthly, lasts) => {
  expect(runwayMs({ left: parseMoney(left), perHour: parseMoney(perHour), monthly }, NOW)).toBe(lasts);
});

test('months keep the day of the month on which they began', () => {
  const start = Date.parse('2026-01-31T00:00:00Z');
  const monthly = [{ start, month: 1, amount: parseMoney('10') }];
  const now = Date.parse('2026-02-01T00:00:00Z');
  expect(new Date(now + (runwayMs({ left: parseMoney('15'), perHour: 0n, monthly }, now) ?? 0)).toISOString()).toBe(
    '2026-03-31T00:00:00.000Z',
  );
});
