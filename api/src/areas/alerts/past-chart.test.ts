import { expect, test } from '@jest/globals';
import { PastChart } from './past-chart.ts';

const rules = (...compare: ('Above' | 'Below')[]) => ({
  rules: compare.map((one) => ({ type: 'Threshold' as const, compare: one, value: 5, level: 'Warning' as const })),
});
const one = (value: number, key = 'a') => ({ key, object: key, labels: {}, value });

test.each([
  ['the highest, where a rule looks at what is above', rules('Above', 'Below'), 9],
  ['the lowest, where all rules look at what is below', rules('Below'), 1],
])('a part of a long time shows %s', (_title, policy, shown) => {
  const chart = new PastChart(policy, 672 * 3);
  for (const [cycle, value] of [4, 9, 1].entries()) chart.add(cycle, one(value));
  chart.add(6, one(7));
  expect(chart.cyclesInPart).toBe(3);
  const [series] = chart.drawn();
  expect(series?.points).toHaveLength(672);
  expect(series?.points.slice(0, 4)).toEqual([shown, null, 7, null]);
});

test('of many series those with alarms are drawn, and no more than a chart has room for', () => {
  const chart = new PastChart(rules('Above'), 2);
  for (let at = 0; at < 30; at++) chart.add(0, one(at, `${at}`));
  chart.fired('29');
  const drawn = chart.drawn();
  expect(drawn).toHaveLength(20);
  expect(drawn.slice(0, 2).map(({ object }) => object)).toEqual(['29', '0']);
});
