import { addMonths } from '@gantry/contract/billing/add-months.ts';
import { expect, test } from '@jest/globals';
import { nextMoment, renewals, rentalOf } from './rental.ts';
import { gpuHost } from './testing/fixtures.ts';

test.each([
  ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00.000Z'],
  ['2026-01-31T10:00:00Z', 2, '2026-03-31T10:00:00.000Z'],
  ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00.000Z'],
  ['2026-12-15T23:30:00Z', 1, '2027-01-15T23:30:00.000Z'],
  ['2026-08-30T00:00:00Z', 6, '2027-02-28T00:00:00.000Z'],
  ['2026-11-30T00:00:00Z', 13, '2027-12-30T00:00:00.000Z'],
])('%s and %i months is %s: the day it began, or the last of a shorter month', (from, months, to) => {
  expect(new Date(addMonths(Date.parse(from), months)).toISOString()).toBe(to);
});

const STARTED = '2026-01-31T10:00:00Z';
const rented = (spec: object = {}, status: object = {}) => gpuHost({ spec, status: { startedAt: STARTED, ...status } });
const rentalAt = (time: string, spec: object = {}) => rentalOf(rented(spec), 1, Date.parse(time));

test.each([
  ['2026-02-25T09:59:59Z', { isExpired: false, isGraceOver: false, hoursLeft: undefined }],
  ['2026-02-25T10:00:00Z', { isExpired: false, isGraceOver: false, hoursLeft: 72 }],
  ['2026-02-28T09:00:01Z', { isExpired: false, isGraceOver: false, hoursLeft: 1 }],
  ['2026-02-28T10:00:00Z', { isExpired: true, isGraceOver: false, hoursLeft: undefined }],
  ['2026-03-03T09:59:59Z', { isExpired: true, isGraceOver: false, hoursLeft: undefined }],
  ['2026-03-03T10:00:00Z', { isExpired: true, isGraceOver: true, hoursLeft: undefined }],
])('at %s a month since 31 January at ten is %j', (time, said) => {
  expect(rentalAt(time)).toMatchObject(said);
});

test('nodes of its own have no end', () => {
  expect(rentalAt('2036-01-01T00:00:00Z', { source: 'owned' })).toBeUndefined();
});

test('time moves a rental at 72 hours before, then hour by hour, at the end and at the end of grace', () => {
  const moments: string[] = [];
  let now: number | undefined = Date.parse(STARTED);
  for (let round = 0; round < 100 && now !== undefined; round++) {
    const rental = rentalOf(rented(), 1, now);
    now = rental && nextMoment(rental, now);
    if (now !== undefined) moments.push(new Date(now).toISOString().slice(5, 13));
  }
  expect(moments).toHaveLength(74);
  expect([moments[0], moments[1], ...moments.slice(-3)]).toEqual([
    '02-25T10',
    '02-25T11',
    '02-28T09',
    '02-28T10',
    '03-03T10',
  ]);
});

test.each([
  ['the last second of a month', '2026-02-28T09:59:59Z', {}, 0],
  ['its end', '2026-02-28T10:00:00Z', {}, 1],
  ['three months of nobody looking', '2026-04-30T10:00:00Z', {}, 3],
  ['a month that was renewed before', '2026-02-28T10:00:00Z', { renewedMonths: 1 }, 1],
])('at %s autoRenew has added as many months as it takes', (_, time, status, months) => {
  expect(renewals(rented({}, status), 1, Date.parse(time))).toBe(months);
});
