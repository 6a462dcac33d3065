// The answers that are read in the quick way, and those left to JSON.parse. prometheus.test.ts shows that both ways read the same.
import { describe, expect, test } from '@jest/globals';
import { readMatrix, vectorSteps } from './read-answer.ts';

function readVector<T>(...of: Parameters<typeof vectorSteps<T>>): T[] | undefined {
  const steps = vectorSteps(...of);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const STEPS = { start: 60_000, end: 240_000, stepMs: 60_000 };
const answer = (resultType: string, ...result: object[]) =>
  JSON.stringify({ status: 'success', data: { resultType, result } });
const matrix = (...values: unknown[][]) =>
  answer('matrix', ...values.map((of) => ({ metric: { pod: 'a' }, values: of })));
const points = (text: string) => readMatrix(Buffer.from(text), STEPS, 9)?.map((row) => row.points);

describe('a range', () => {
  test.each<[string, unknown[], string]>([
    [
      'has a point for each step',
      [
        [60, '1'],
        [120, '-2.5'],
        [180, '1e+21'],
        [240, '-0.5E-07'],
      ],
      '[1,-2.5,1e+21,-0.5E-07]',
    ],
    [
      'has null where there is no number',
      [
        [120, 'NaN'],
        [180, '3'],
        [240, '-Inf'],
      ],
      '[null,null,3,null]',
    ],
    ['has null before and behind what there is', [[120, '1']], '[null,1,null,null]'],
    [
      'takes a sample to the step that it is nearest to',
      [
        [60.001, '1'],
        [119.999, '2'],
      ],
      '[1,2,null,null]',
    ],
  ])('%s', (_, values, expected) => {
    expect(points(matrix(values))).toEqual([expected]);
  });

  test('without series has none', () => expect(points(answer('matrix'))).toEqual([]));
  test('is read no further than what is allowed, and one more', () => {
    const rows = readMatrix(Buffer.from(matrix([[60, '1']], [[60, '2']], [[60, '3']])), STEPS, 1);
    expect(rows).toEqual([
      { metric: '{"pod":"a"}', points: '[1,null,null,null]' },
      { metric: '{"pod":"a"}', points: '[2,null,null,null]' },
    ]);
  });

  test.each<[string, string]>([
    [
      'another order of time',
      matrix([
        [120, '1'],
        [60, '2'],
      ]),
    ],
    [
      'two samples of a step',
      matrix([
        [60, '1'],
        [60, '2'],
      ]),
    ],
    ['a time before the range', matrix([[0, '1']])],
    ['a time behind the range', matrix([[300, '1']])],
    ['a value that no number of JSON begins with', matrix([[60, '.5']])],
    ['a value that no number of JSON ends with', matrix([[60, '1.']])],
    ...['01', '-01', '1-2', '1.5.5', '1e5e5', '1e+-5', '1e', '1e+', '1.e5', '1+1', '--1', '-'].map(
      (value): [string, string] => [`the value ${value}`, matrix([[60, value]])],
    ),
    ['a value of other letters', matrix([[60, '1x']])],
    ['a value that is no text', matrix([[60, 1]])],
    ['no sample', matrix([])],
    ['warnings', matrix([[60, '1']]).replace(/\}$/, ',"warnings":["w"]}')],
    ['a blank', `${matrix([[60, '1']])} `],
    ['a vector', answer('vector')],
    ['an end that is cut off', matrix([[60, '1']]).slice(0, -1)],
  ])('is not read with %s', (_, text) => {
    expect(points(text)).toBeUndefined();
  });
});

describe('a moment', () => {
  const read = (text: string) => readVector(text, 9, (metric, value) => ({ metric, value }));
  test('has the texts of each series', () => {
    const text = answer(
      'vector',
      { metric: { a: '},"value":[1,"2' }, value: [1, '1'] },
      { metric: {}, value: [1.5, 'NaN'] },
    );
    expect(read(text)).toEqual([
      { metric: JSON.stringify({ a: '},"value":[1,"2' }), value: '1' },
      { metric: '{}', value: 'NaN' },
    ]);
    expect(read(answer('vector'))).toEqual([]);
  });

  test('is not read where one of its series cannot be made', () => {
    const text = answer('vector', { metric: {}, value: [1, '1'] }, { metric: {}, value: [1, '2'] });
    expect(readVector(text, 9, (_, value) => (value === '1' ? value : undefined))).toBeUndefined();
    expect(readVector(text, 0, (_, value) => value)).toEqual(['1']);
  });

  test('of many series rests on its way', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ metric: {}, value: [1, `${at}`] }));
    const steps = vectorSteps(answer('vector', ...many), 9_999, (_, value) => value);
    expect(steps.next().done).toBe(false);
    expect(readVector(answer('vector', ...many), 9_999, (_, value) => value)).toHaveLength(5_000);
  });

  test.each<[string, string]>([
    ['histograms alone', answer('vector', { metric: {}, histogram: [1, {}] })],
    ['warnings', answer('vector', { metric: {}, value: [1, '1'] }).replace(/\}$/, ',"warnings":["w"]}')],
    ['an end that is cut off', answer('vector', { metric: {}, value: [1, '1'] }).slice(0, -1)],
    ['a value that is no text', answer('vector', { metric: {}, value: [1, 1] })],
    ['a scalar', JSON.stringify({ status: 'success', data: { resultType: 'scalar', result: [1, '1'] } })],
  ])('is not read with %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});
