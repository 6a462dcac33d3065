import { sizeUse } from '@gantry/contract/billing/resources.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { MI } from '@gantry/contract/fields/quantity.ts';
import { describe, expect, test } from '@jest/globals';
import { instant, iso, kept, stretched, tooManyUnposted, withoutEmpty } from './metering.ts';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const ms = (second: number): number => Date.parse(at(second));
const disk = (quantity: number) => [{ resource: 'disk', quantity }];
const one = (seq: number, from: number, to?: number): Interval => ({
  seq,
  subjectUID: 'a',
  from: at(from),
  ...(to !== undefined && { to: at(to) }),
  uses: disk(1),
});
const owner = (status: object = {}, generation = 2) => ({
  apiVersion: 'gantry.dev/v1alpha1',
  kind: 'DataDisk',
  metadata: { name: 'data', generation },
  status,
});

describe('a line of intervals', () => {
  const from = (known: readonly Interval[], second: number, quantity = 1, subjectUID = 'a') =>
    stretched(known, { subjectUID, uses: quantity === 0 ? [] : disk(quantity), at: ms(second) });

  test('stays the very same while nothing differs', () => {
    const known = [one(1, 0)];
    expect(from(known, 10)).toBe(known);
  });
  test('follows on itself without a gap', () => {
    expect(from([one(1, 0)], 10, 2)).toEqual([one(1, 0, 10), { ...one(2, 10), uses: disk(2) }]);
    expect(from([one(1, 0)], 10, 1, 'b')).toEqual([one(1, 0, 10), { ...one(2, 10), subjectUID: 'b' }]);
  });
  test('is not cut by an upgrade, nor where a schema drops the exact size; by another exact size it is', () => {
    const uses = [sizeUse('memory', 64 * MI)];
    const next = (known: Interval) => stretched([known], { subjectUID: 'a', uses, at: ms(10) });
    const rounded = { ...one(1, 0), uses: [{ resource: 'memory', quantity: 0.063 }] };
    const known = [rounded];
    expect(stretched(known, { subjectUID: 'a', uses, at: ms(10) })).toBe(known);
    expect(next({ ...rounded, uses: [sizeUse('memory', 64 * MI + 1)] })).toMatchObject([{ to: at(10) }, { uses }]);
    expect(next({ ...rounded, uses: [{ resource: 'memory', quantity: 0.062 }] })).toMatchObject([
      { to: at(10) },
      { uses },
    ]);
  });
  test('ends where nothing is used', () => {
    expect(from([one(1, 0)], 10, 0)).toEqual([one(1, 0, 10)]);
    expect(from([one(1, 0, 10)], 20, 0)).toEqual([one(1, 0, 10)]);
  });
  test('never goes back, whatever the clocks say', () => {
    expect(from([one(1, 10)], 5, 2)).toEqual([one(1, 10, 10), { ...one(2, 10), uses: disk(2) }]);
    expect(from([one(1, 10, 20)], 5)).toEqual([one(1, 10, 20), one(2, 20)]);
  });
  test('changes at whole seconds, as a kubelet says them: a Lease knows parts of one', () => {
    const known = [one(1, 0, 10), one(2, 10)];
    expect(stretched(known, { subjectUID: 'a', uses: [], at: ms(10) + 659 })).toEqual([one(1, 0, 10), one(2, 10, 10)]);
    expect(from([one(1, 0)], 10, 2)).toEqual(
      stretched([one(1, 0)], { subjectUID: 'a', uses: disk(2), at: ms(10) + 1 }),
    );
  });
  test('has nothing new in it that took no time, and what is recorded stays', () => {
    const known = [one(1, 0, 0), one(2, 0)];
    const next = [one(1, 0, 0), one(2, 0, 10), one(3, 10, 10), one(4, 10)];
    expect(withoutEmpty(known, next)).toEqual([one(1, 0, 0), one(2, 0, 10), one(3, 10)]);
  });
});

describe('fifty intervals', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => one(index + 1, 0, 1));
  const seqs = (intervals: readonly Interval[]) => intervals.map(({ seq }) => seq);

  test('are kept, and of more than that the oldest goes', () => {
    expect(seqs(kept(many(51), owner(), 'off'))).toEqual(seqs(many(51).slice(1)));
  });
  test('nobody drops what billing has not posted', () => {
    expect(kept(many(52), owner(), 'required')).toHaveLength(52);
    expect(seqs(kept(many(52), owner({ credit: { postedSeq: 1 } }), 'required'))).toEqual(seqs(many(52).slice(1)));
  });
  test('unposted are too many; posted, or open, or of another sort they are not', () => {
    const is = (status: object, counts?: (one: Interval) => boolean) =>
      tooManyUnposted(owner(status), 'required', counts);
    expect(is({ intervals: many(50) })).toBe(true);
    expect(is({ intervals: many(50), credit: { postedSeq: 1 } })).toBe(false);
    expect(is({ intervals: [...many(49), one(50, 0)] })).toBe(false);
    expect(is({ intervals: many(50) }, ({ seq }) => seq > 1)).toBe(false);
    expect(tooManyUnposted(owner({ intervals: many(50) }), 'off')).toBe(false);
  });
});

test.each([
  ['2027-11-23T02:00:00Z', '2027-11-23T02:00:00Z'],
  ['2027-11-23T02:00:00.5+09:00', '2027-11-22T17:00:00.500Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['2027-02-29T00:00:00Z', undefined],
  ['2099-11-23T02:00:00+24:00', undefined],
  ['2027-11-23T02:00:00ZTgarbage', undefined],
  ['2027-11-23t02:00:00z', undefined],
  ['9999-12-31T23:59:59-23:59', undefined],
  ['2027-11-23', undefined],
  ['1', undefined],
  [null, undefined],
])('%s is the moment %s', (text, moment) => {
  const at = instant(text);
  expect(at === undefined ? undefined : iso(at)).toBe(moment);
});

test('other parts of the same run begin another interval, though they use as much', () => {
  const of = { subjectUID: 'batch', run: 2, uses: disk(1) };
  const line = stretched(stretched([], { ...of, parts: '0', at: ms(1) }), { ...of, parts: '1', at: ms(5) });
  expect(line).toEqual([
    { seq: 1, subjectUID: 'batch', run: 2, parts: '0', from: at(1), to: at(5), uses: disk(1) },
    { seq: 2, subjectUID: 'batch', run: 2, parts: '1', from: at(5), uses: disk(1) },
  ]);
  expect(stretched(line, { ...of, parts: '1', at: ms(9) })).toBe(line);
});
