// Where examples lie in a table that nobody believes, and which of them a page has.
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { Tables } from '../../core/tables/tables.ts';
import { examplesAt, placesIn, wantedPlaces } from './examples.ts';
import { type ExampleRow, examplesFile } from './testing/examples-file.ts';

const asking = { lane: 'acme' };
const one = (task: number, row: number, subject: number, score: number | null = 0): ExampleRow => ({
  ...{ task: `${task}`, row, subject: `${subject}`, answer: `${subject} says`, score },
  ...(score === null && { error: 'ModelFailed' }),
});
const reading = (rows: readonly ExampleRow[], subjects = 2) => {
  const bytes = examplesFile(rows);
  const store = {
    read: async (_: string, { from, to } = { from: 0, to: bytes.length }) =>
      Readable.from([bytes.subarray(from, to + 1)]),
  };
  const part = { key: 'examples', firstRow: 0, rows: rows.length, bytes: bytes.length };
  return { tables: new Tables(store), part, subjects };
};
/** Rows of two tasks, of which the second and the last differ. */
const ROWS = [
  ...[one(0, 4, 0), one(0, 4, 1), one(0, 9, 0, 1), one(0, 9, 1, 0)],
  ...[one(2, 1, 0), one(2, 1, 1), one(2, 2, 0, null), one(2, 2, 1, 1)],
];
const PLACES = [
  { task: 0, first: 0, rows: 2, different: [1] },
  { task: 2, first: 4, rows: 2, different: [1] },
];

describe('The places of a table', () => {
  test('are where each task begins, how many rows it has, and which differ', async () =>
    expect(await placesIn(reading(ROWS), asking)).toEqual(PLACES));

  test('are none of no examples', async () => expect(await placesIn(reading([]), asking)).toEqual([]));

  test.each<[string, ExampleRow[]]>([
    ['subjects in another order', [one(0, 1, 1), one(0, 1, 0)]],
    ['a subject that is missing', [one(0, 1, 0), one(0, 2, 0)]],
    ['a last one that is missing', [one(0, 1, 0), one(0, 1, 1), one(0, 2, 0)]],
    ['subjects of other rows', [one(0, 1, 0), one(0, 2, 1)]],
    ['tasks in another order', [one(1, 1, 0), one(1, 1, 1), one(0, 1, 0), one(0, 1, 1)]],
    [
      'a task that is no number',
      [
        { ...one(0, 1, 0), task: 'x' },
        { ...one(0, 1, 1), task: 'x' },
      ],
    ],
  ])('are not there of %s', async (_, rows) =>
    expect(placesIn(reading(rows), asking)).rejects.toMatchObject({ problem: 'table_unreadable' }),
  );
});

test.each<[string, Parameters<typeof wantedPlaces>[2], readonly number[], number]>([
  ['the first rows', { page: 1, size: 3 }, [0, 2, 4], 4],
  ['rows behind them', { page: 2, size: 3 }, [6], 4],
  ['rows of a task', { page: 1, size: 10, task: 2 }, [4, 6], 2],
  ['none of a task that there is not', { page: 1, size: 10, task: 1 }, [], 0],
  ['those that differ', { page: 1, size: 10, only: 'different' }, [2, 6], 2],
  ['those of a task that differ', { page: 1, size: 10, task: 0, only: 'different' }, [2], 1],
  ['nothing behind the end', { page: 5, size: 3 }, [], 4],
])('A page has %s', (_, asked, at, total) => {
  const found = wantedPlaces(PLACES, 2, asked);
  expect({ at: found.places.map((place) => place.at), total: found.total }).toEqual({ at, total });
  expect(found.places.filter(({ isDifferent }) => isDifferent).map((place) => place.at)).toEqual(
    at.filter((place) => [2, 6].includes(place)),
  );
});

test('An example has what all subjects answered, and why one has no score', async () => {
  const [first, last] = await examplesAt(
    reading(ROWS),
    [
      { at: 0, isDifferent: false },
      { at: 6, isDifferent: true },
    ],
    asking,
  );
  expect(first).toMatchObject({ task: 0, row: 4, expected: 'right 4', is_different: false });
  expect(last).toEqual({
    ...{ task: 2, row: 2, prompt: 'task 2, row 2', expected: 'right 2', is_different: true },
    answers: [
      { ...TIMES, subject: 0, answer: '0 says', score: null, is_right: null, error: 'ModelFailed' },
      { ...TIMES, subject: 1, answer: '1 says', score: 1, is_right: true, error: null },
    ],
  });
});

test('Examples that lie far apart are read a hundred rows at a time', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => one(0, Math.floor(at / 2) + 1, at % 2));
  const wanted = [0, 98, 100, 350].map((at) => ({ at, isDifferent: false }));
  const found = await examplesAt(reading(rows), wanted, asking);
  expect(found.map(({ row }) => row)).toEqual([1, 50, 51, 176]);
});

const TIMES = { ms: 12.5, prompt_tokens: 10, completion_tokens: 2 };
