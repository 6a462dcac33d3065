import { describe, expect, test } from '@jest/globals';
import { isZone, monthAt, monthStarts, nextMonth } from './months.ts';

const iso = (at: number) => new Date(at).toISOString();
const spoken = (zone: string, at: string) => {
  const { name, from, to } = monthAt(zone, Date.parse(at));
  return [name, iso(from), iso(to)];
};

describe('a month', () => {
  test.each([
    ['begins at midnight UTC in UTC', 'UTC', '2026-11-22T05:00:00Z', '2026-11', '2026-11-01T00:00', '2026-12-01T00:00'],
    [
      'begins half an hour past in Kolkata',
      'Asia/Kolkata',
      '2026-10-31T18:30:00Z',
      '2026-11',
      '2026-10-31T18:30',
      '2026-11-30T18:30',
    ],
    [
      'has its last moment before that',
      'Asia/Kolkata',
      '2026-10-31T18:29:59.999Z',
      '2026-10',
      '2026-09-30T18:30',
      '2026-10-31T18:30',
    ],
    [
      'is an hour shorter in New York where summer begins',
      'America/New_York',
      '2026-03-20T00:00:00Z',
      '2026-03',
      '2026-03-01T05:00',
      '2026-04-01T04:00',
    ],
    [
      'is an hour longer where it ends on its first day',
      'America/New_York',
      '2026-11-01T05:30:00Z',
      '2026-11',
      '2026-11-01T04:00',
      '2026-12-01T05:00',
    ],
    ['ends with its year', 'Asia/Shanghai', '2026-12-31T15:59:59Z', '2026-12', '2026-11-30T16:00', '2026-12-31T16:00'],
    // Clocks in Amman went from 31 March 24:00 to 1:00 of 1 April 2011: that midnight never was.
    [
      'begins late where midnight is skipped',
      'Asia/Amman',
      '2011-04-10T00:00Z',
      '2011-04',
      '2011-03-31T22:00',
      '2011-04-30T21:00',
    ],
  ])('%s', (_title, zone, at, name, from, to) => {
    expect(spoken(zone, at)).toEqual([name, `${from}:00.000Z`, `${to}:00.000Z`]);
  });

  test('follows another without a gap, over twenty years and every kind of zone', () => {
    for (const zone of [
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'America/Sao_Paulo',
      'Pacific/Apia',
    ]) {
      let month = monthAt(zone, Date.UTC(2010, 0, 15));
      while (month.from < Date.UTC(2030, 0)) {
        const next = nextMonth(zone, month);
        expect(next.from).toBe(month.to);
        expect(monthAt(zone, month.from)).toEqual(month);
        expect(monthAt(zone, month.to - 1)).toEqual(month);
        month = next;
      }
    }
  });
});

test('starts of months strictly between two moments', () => {
  const [from, to] = [Date.parse('2026-09-30T18:30Z'), Date.parse('2026-11-30T18:30Z')];
  expect(monthStarts('Asia/Kolkata', from, to).map(iso)).toEqual(['2026-10-31T18:30:00.000Z']);
  expect(monthStarts('Asia/Kolkata', from - 1, to + 1).map(iso)).toHaveLength(3);
  expect(monthStarts('UTC', from, from)).toEqual([]);
});

test.each([
  ['UTC', true],
  ['Asia/Kolkata', true],
  ['America/Argentina/Buenos_Aires', true],
  ['+05:30', false],
  ['Mars/Olympus', false],
  ['', false],
  ["UTC'; --", false],
])('%j is a zone: %s', (zone, is) => expect(isZone(zone)).toBe(is));
