import { expect, test } from '@jest/globals';
import type { Prometheus } from '../../platform/prometheus/prometheus.ts';
import { measuredUse } from './measured-use.ts';

const clock = { now: () => 0 };
/** Answers in the order of the questions: GPUs, processors, memory. */
const metrics = (...values: readonly (number | Error)[]) => {
  const left = [...values];
  const instant = async () => {
    const value = left.shift();
    if (value instanceof Error) throw value;
    return { series: value === undefined ? [] : [{ labels: {}, value }], warnings: [] };
  };
  return { instant } as unknown as Pick<Prometheus, 'instant'>;
};

test.each([
  ['The cluster is as busy as Prometheus measured.', metrics(40, 20, 12.5), { gpu: 40, cpu: 20, memory: 12.5 }],
  ['A value that is no number is unknown.', metrics(Number.NaN, 20, 12.5), { gpu: null, cpu: 20, memory: 12.5 }],
  ['A query without a result is unknown.', metrics(40, 20), { gpu: 40, cpu: 20, memory: null }],
  ['Nothing is known while Prometheus is away.', metrics(40, new Error('away'), 12.5), null],
  ['Nothing is known without Prometheus.', undefined, null],
])('%s', async (_, prometheus, wanted) => {
  expect(await measuredUse(prometheus, clock)).toEqual(wanted);
});
