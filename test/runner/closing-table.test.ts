import { expect, test } from '@jest/globals';
import { closingTable, prefixed, rowLine } from './closing-table.ts';
import { NOTHING } from './outcome.ts';
import type { Row } from './play-parts.ts';

const row = (name: string, seconds: readonly number[], more: Partial<Row> = {}): Row => ({
  ...{ name, passed: 3, failed: 0, skipped: 0, seconds: 12.34, flaky: [] },
  files: seconds.map((each, at) => ({ name: `${name}/${at}`, seconds: each, counts: NOTHING, output: '' })),
  ...more,
});

test('a row has its counts, and flaky and skipped only where there are any', () => {
  expect(rowLine(row('unit', []))).toBe('unit             3 passed    0 failed                              12.3 s');
  expect(rowLine(row('web', [], { flaky: ['web/0'], skipped: 2 }))).toMatch(/0 failed +1 flaky +2 skipped +12\.3 s$/);
});

test('the twenty slowest files of all parts are named, slowest first', () => {
  const lines = closingTable(
    [
      row('agent', [1, 40]),
      row(
        'unit',
        Array.from({ length: 30 }, (_, at) => at),
      ),
    ],
    'there',
  )
    .split('\n')
    .filter((line) => /^ +[\d.]+ s {2}/.test(line));
  expect(lines).toHaveLength(20);
  expect(lines.slice(0, 2)).toEqual(['     40.0 s  agent        agent/1', '     29.0 s  unit         unit/29']);
});

test('flaky files are named, with what failed first and the folder that has both outputs', () => {
  const files = [{ name: 'life.test.ts', seconds: 1, output: '', counts: NOTHING, failures: ['it starts: late'] }];
  const table = closingTable([row('stories', [], { flaky: ['life.test.ts'], files })], '.run/results/repeats');
  expect(table.split('\n').slice(-2)).toEqual([
    expect.stringMatching(/^flaky: life\.test\.ts, .* see \.run\/results\/repeats$/),
    '  failed first: it starts: late',
  ]);
});

test('what failed is named last; a flaky file is not among it', () => {
  const broken = (name: string, failures: readonly string[]) => ({
    ...{ name, seconds: 1, output: '', failures },
    counts: { ...NOTHING, failed: Math.max(1, failures.length) },
  });
  const files = [broken('a.test.ts', ['one', 'two']), broken('b.test.ts', []), broken('c.test.ts', ['three'])];
  const table = closingTable(
    [row('unit', [], { failed: 3, files, flaky: ['c.test.ts'] }), row('fuzz', [], { failed: 1 })],
    'there',
  );
  expect(table.split('\n').slice(-4)).toEqual([
    'failed: unit a.test.ts: one',
    'failed: unit a.test.ts: two',
    'failed: unit b.test.ts: broke outside its tests',
    'failed: fuzz',
  ]);
});

test('of very many failures the first are named', () => {
  const failures = Array.from({ length: 50 }, (_, at) => `${at}`);
  const files = [{ name: 'a', seconds: 1, output: '', counts: { ...NOTHING, failed: 50 }, failures }];
  expect(closingTable([row('web', [], { failed: 50, files })], 'there')).toMatch(/: 39\nand 10 more$/);
});

test('lines of two parts never meet within a line, however the pieces arrive', () => {
  const written: string[] = [];
  const [one, two] = ['unit', 'web'].map((name) => prefixed(name, (text) => written.push(text)));
  one?.heard('PASS a\nPA');
  two?.heard('FAIL z\n');
  one?.heard('SS b\nlast');
  one?.end();
  two?.end();
  expect(written.map((line) => line.replace(/ +\| /, '|'))).toEqual([
    'unit|PASS a\n',
    'web|FAIL z\n',
    'unit|PASS b\n',
    'unit|last\n',
  ]);
});
