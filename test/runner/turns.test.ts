import { existsSync, globSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { filesInTurn, isTooLate, SEEDS, TURNS } from './turns.ts';

test('three seeds in a row play every file, and each of them leaves some out', () => {
  for (const folder of Object.keys(TURNS)) {
    const all = globSync(`${folder}/**/*.test.ts`).sort();
    const played = Array.from({ length: SEEDS }, (_, turn) => filesInTurn(folder, 20_000 + turn));
    expect([...new Set(played.flat())].sort()).toEqual(all);
    expect(Math.max(...played.map(({ length }) => length))).toBeLessThan(all.length);
  }
});

test('every name is that of a file', () => {
  const named = Object.entries(TURNS).flatMap(([folder, turns]) =>
    turns.flat().map((name) => `${folder}/${name}.test.ts`),
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('a folder without turns is played whole', () => {
  expect(filesInTurn('test/machine', 1)).toEqual(globSync('test/machine/*.test.ts').sort());
});

test.each([
  ['takes turns, after the end', 'test/web/admin.test.ts', '1000', 1001, true],
  ['takes turns, before it', 'test/web/admin.test.ts', '1000', 999, false],
  ['is in every run', 'test/stories/money.test.ts', '1000', 1001, false],
  ['takes turns, in the long run', 'test/web/admin.test.ts', undefined, 1001, false],
])('a file that %s', (_, path, end, now, isLate) => {
  expect(isTooLate(path, end, now)).toBe(isLate);
});

test('files in folders below are in every run', () => {
  for (const seed of [0, 1, 2])
    expect(filesInTurn('test/integration', seed)).toContain('test/integration/chart/chart.test.ts');
});
