import { describe, expect, test } from '@jest/globals';
import { tickText } from './unit-text.ts';
import { valueAxis } from './value-axis.ts';

const MI = 2 ** 20;
const GI = 2 ** 30;

describe('the value axis', () => {
  test.each([
    ['cores', [], ['0', '0.5', '1']],
    ['cores', [0, 0], ['0', '0.5', '1']],
    ['cores', [0.012], ['0', '0.005', '0.01', '0.015']],
    ['cores', [0.97], ['0', '0.5', '1']],
    ['cores', [7.5, 2], ['0', '2', '4', '6', '8']],
    ['cores', [128], ['0', '50', '100', '150']],
    ['count', [1], ['0', '1']],
    ['count', [3], ['0', '1', '2', '3']],
    ['bytes', [0], ['0 B', '1 B']],
    ['bytes', [900], ['0 B', '256 B', '512 B', '768 B', '1 KiB']],
    ['bytes', [300 * MI], ['0 B', '128 MiB', '256 MiB', '384 MiB']],
    ['bytes', [1.4 * GI], ['0 B', '512 MiB', '1 GiB', '1.5 GiB']],
    ['bytes', [80 * GI], ['0 B', '32 GiB', '64 GiB', '96 GiB']],
    ['bytesPerSecond', [3 * 1024], ['0 B/s', '1 KiB/s', '2 KiB/s', '3 KiB/s']],
    ['percent', [], ['0%', '25%', '50%', '75%', '100%']],
    ['percent', [3], ['0%', '25%', '50%', '75%', '100%']],
    ['percent', [140], ['0%', '50%', '100%', '150%']],
    ['celsius', [61], ['0 °C', '20 °C', '40 °C', '60 °C', '80 °C']],
    ['none', [2.31, 2.39], ['2.3', '2.32', '2.34', '2.36', '2.38', '2.4']],
    ['none', [-3, 5], ['-4', '-2', '0', '2', '4', '6']],
    ['nobody knows it', [7], ['0', '2', '4', '6', '8']],
  ] as const)('of %s with %j has round steps', (unit, values, texts) => {
    const { ticks, least, most } = valueAxis(unit, values);
    expect(ticks.map(tickText(unit))).toEqual(texts);
    expect([least, most]).toEqual([ticks[0], ticks.at(-1)]);
    for (const value of values) expect(value >= least && value <= most).toBe(true);
  });

  test('of a small chart has few steps', () => {
    expect(valueAxis('percent', [3], 2).ticks).toEqual([0, 50, 100]);
    expect(valueAxis('bytes', [1.4 * GI], 2).ticks).toEqual([0, GI, 2 * GI]);
  });

  test('stands for whatever a query may answer', () => {
    for (const values of [[Number.NaN], [Infinity], [1e308, -1e308], [5e-324], [Number.MAX_SAFE_INTEGER]])
      for (const unit of ['none', 'bytes', 'percent', 'count']) {
        const { ticks } = valueAxis(unit, values);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(20);
      }
  });
});
