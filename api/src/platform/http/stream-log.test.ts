import { expect, test } from '@jest/globals';
import { fc } from '../../../../test/support/seeded-fast-check.ts';
import { StreamLog } from './stream-log.ts';

const values = ({ entries }: ReturnType<StreamLog<string>['after']>) => entries.map(({ value }) => value);

test("one organisation's missed changes, for the kinds it watches, in order", () => {
  const log = new StreamLog<string>();
  log.add('acme', 'hosts', 'a');
  const seen = log.add('acme', 'instances', 'b');
  log.add('acme', 'hosts', 'c');
  log.add('other', 'hosts', 'd');
  log.add('acme', 'disks', 'e');
  log.add('acme', 'instances', 'f');
  expect(values(log.after(seen, 'acme', ['instances', 'hosts']))).toEqual(['c', 'f']);
  expect(log.after(log.last, 'acme', ['instances', 'hosts'])).toEqual({ entries: [], lost: [] });
});

test('a noisy kind forgets only its own', () => {
  const log = new StreamLog<string>({ mostOfOne: 2, most: 100 });
  const seen = log.add('acme', 'hosts', 'a');
  log.add('acme', 'hosts', 'b');
  for (const value of ['c', 'd', 'e']) log.add('acme', 'instances', value);
  const missed = log.after(seen, 'acme', ['hosts', 'instances']);
  expect(values(missed)).toEqual(['b']);
  expect(missed.lost).toEqual(['instances']);
});

test('whoever missed nothing that is gone is told so, and whoever cannot be sure is not', () => {
  const log = new StreamLog<string>({ mostOfOne: 10, most: 2 });
  const first = log.add('acme', 'hosts', 'a');
  log.add('other', 'hosts', 'b');
  log.add('other', 'hosts', 'c');
  expect(log.size).toBe(2);
  expect(log.after(first, 'acme', ['hosts'])).toEqual({ entries: [], lost: [] });
  expect(log.after(0, 'acme', ['hosts']).lost).toEqual(['hosts']);
});

test('never a gap: everything after a place is given, or its kind is called lost', () => {
  const addition = fc.record({ organization: fc.constantFrom('a', 'b'), kind: fc.constantFrom('x', 'y', 'z') });
  fc.assert(
    fc.property(
      fc.array(addition, { maxLength: 60 }),
      fc.nat(60),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 20 }),
      (additions, seen, mostOfOne, most) => {
        const log = new StreamLog<number>({ mostOfOne, most });
        for (const [at, { organization, kind }] of additions.entries()) log.add(organization, kind, at + 1);
        expect(log.size).toBeLessThanOrEqual(most);
        const { entries, lost } = log.after(seen, 'a', ['x', 'y']);
        const wanted = additions.flatMap(({ organization, kind }, at) =>
          organization === 'a' && kind !== 'z' && at + 1 > seen && !lost.includes(kind) ? [at + 1] : [],
        );
        expect(entries.map(({ number, value }) => [number, value])).toEqual(wanted.map((number) => [number, number]));
      },
    ),
  );
});
