import { expect, test } from '@jest/globals';
import { seriesCsv, timesOf } from './series-csv.ts';

test('each point is a line, missing data an empty cell, and no name a formula', async () => {
  const series = [
    { name: 'a, b', points: [1.5, null] },
    { name: '=1+1', points: [0, -2] },
  ];
  expect((await seriesCsv(timesOf(Date.UTC(2026, 0, 1), 60_000, series), series)).split('\n')).toEqual([
    `time,"a, b",'=1+1`,
    '2026-01-01T00:00:00.000Z,1.5,0',
    '2026-01-01T00:01:00.000Z,,-2',
    '',
  ]);
});
