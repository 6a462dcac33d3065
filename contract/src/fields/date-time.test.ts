import { expect, test } from '@jest/globals';
import { HOSTILE } from '../../../test/support/hostile.ts';
import { fc } from '../../../test/support/seeded-fast-check.ts';
import { dateTime, instantOf } from './date-time.ts';

test.each(HOSTILE.dates.unreadable)('%j is no point in time', (text) => {
  expect(dateTime.safeParse(text).success).toBe(false);
  expect(instantOf(text)).toBeUndefined();
});

test.each(HOSTILE.dates.readable)('%j is a point in time', (text) => {
  expect(dateTime.safeParse(text).success).toBe(true);
  expect(instantOf(text)).toBe(Date.parse(text));
});

test.each([undefined, null, 0, Number.NaN, {}, [], ['2027-01-31T12:00:00Z']])('%j is no point in time', (value) => {
  expect(instantOf(value)).toBeUndefined();
});

test('every day of the calendar from 2000 to 2999 is taken, and no other', () => {
  const digit = (most: number) => fc.integer({ min: 0, max: most });
  fc.assert(
    fc.property(fc.integer({ min: 1990, max: 3010 }), digit(19), digit(39), (year, month, day) => {
      const text = `${year}-${`${month}`.padStart(2, '0')}-${`${day}`.padStart(2, '0')}`;
      const exists = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text);
      expect(instantOf(`${text}T00:00:00Z`) !== undefined).toBe(exists && year >= 2000 && year < 3000);
    }),
    { numRuns: 5000 },
  );
});

test('what the platform itself writes as a time is one', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2999-12-31T23:59:59Z'), noInvalidDate: true }),
      (at) => {
        expect(instantOf(at.toISOString())).toBe(at.getTime());
      },
    ),
  );
});
