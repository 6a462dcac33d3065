// What a Pod says that its program logged: what is taken of it, within bounds, and what becomes a point of the curve.
import { expect, test } from '@jest/globals';
import type { Line } from './task-lines.ts';
import { readAnswer } from './task-lines.ts';
import { isLogged, type LoggedLine, pointOf, withLogged } from './task-logged.ts';

const read = (line: string): Line | undefined =>
  readAnswer(new TextEncoder().encode(`{"boot":"b","lines":[{"seq":1,"line":${line}}]}`), 'journal').lines[0]?.line;
const metric = (name: string, value: number, step = 1): LoggedLine => ({ type: 'metric', name, value, step });
const NONE = { params: [], tags: [], metrics: [], artifacts: [] };

test.each([
  ['a metric without a step', '{"type":"metric","name":"loss","value":1}'],
  ['a metric of half a step', '{"type":"metric","name":"loss","value":1,"step":0.5}'],
  ['an infinite metric', '{"type":"metric","name":"loss","value":1e999,"step":1}'],
  ['a metric that is text', '{"type":"metric","name":"loss","value":"NaN","step":1}'],
  ['a name without letters', '{"type":"param","name":"","value":"1"}'],
  ['an endless name', `{"type":"tag","name":"${'a'.repeat(251)}","value":"1"}`],
  ['an artifact of less than nothing', '{"type":"artifact","name":"a","size":-1}'],
])('%s is not taken', (_, line) => expect(read(line)).toBeUndefined());

test('an endless value is cut, and letters that SQL cannot have are replaced', () => {
  const line = read(`{"type":"param","name":"a","value":"\\u0000${'b'.repeat(1000)}"}`);
  expect(line && isLogged(line) && line.type === 'param' && line.value).toBe(`�${'b'.repeat(249)}`);
});

test('the first value of a parameter stays, and the last of the rest', () => {
  const lines: LoggedLine[] = [
    { type: 'param', name: 'lr', value: '1' },
    { type: 'tag', name: 'note', value: 'old' },
    metric('__proto__', 1),
    { type: 'artifact', name: 'a.txt', size: 1 },
  ];
  const once = withLogged(undefined, lines);
  const more: LoggedLine[] = [
    { type: 'param', name: 'lr', value: '2' },
    { type: 'tag', name: 'note', value: 'new' },
    metric('__proto__', 2, 7),
  ];
  const twice = withLogged(once, more);
  expect(twice).toEqual({
    params: [['lr', '1']],
    tags: [['note', 'new']],
    metrics: [['__proto__', { value: 2, step: 7 }]],
    artifacts: [['a.txt', 1]],
  });
  // Lines may come twice.
  expect(withLogged(twice, more)).toEqual(twice);
});

test('names beyond 64 are passed over, and those that are known go on', () => {
  const many = Array.from({ length: 100 }, (_, at) => metric(`m${at}`, at));
  const { metrics } = withLogged(withLogged(undefined, many), [metric('m0', 7)]);
  expect([metrics.length, metrics[0]]).toEqual([64, ['m0', { value: 7, step: 1 }]]);
  expect(withLogged(undefined, [])).toEqual(NONE);
});

test.each([
  ['loss', { type: 'point', step: 1, loss: -2 }],
  ['eval/loss', { type: 'point', step: 1, evalLoss: -2 }],
  ['lr', undefined],
  ['accuracy', undefined],
  ['constructor', undefined],
])('%s below zero as a point of the curve', (name, point) => expect(pointOf(metric(name, -2))).toEqual(point));
