import { describe, expect, test } from '@jest/globals';
import { axisOf } from './axis.ts';

const MI = 2 ** 20;
const GI = 2 ** 30;

describe('the value axis', () => {
  test.each([
    ['cores', 0, ['0', '0.5', '1']],
    ['cores', 0.012, ['0', '0.005', '0.01', '0.015']],
    ['cores', 0.97, ['0', '0.5', '1']],
    ['cores', 7.5, ['0', '2', '4', '6', '8']],
    ['cores', 128, ['0', '50', '100', '150']],
    ['bytes', 0, ['0 B', '1 B']],
    ['bytes', 900, ['0 B', '500 B', '1000 B']],
    ['bytes', 300 * MI, ['0 B', '100 MiB', '200 MiB', '300 MiB']],
    ['bytes', 1.4 * GI, ['0 B', '512 MiB', '1 GiB', '1.50 GiB']],
    ['percent', 3, ['0%', '25%', '50%', '75%', '100%']],
  ] as const)('of %s up to %d has round steps', (unit, most, texts) => {
    const { ticks, top, textOf } = axisOf(unit, most);
    expect(ticks.map(textOf)).toEqual(texts);
    expect(top).toBeGreaterThanOrEqual(most);
  });
});
