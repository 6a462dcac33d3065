// The value axis of a chart, by the largest value that it has to show: round steps, in the unit of the largest.
import { bytesText } from '@gantry/ui/format/size.ts';

export interface Axis {
  readonly top: number;
  readonly ticks: readonly number[];
  textOf(value: number): string;
}

const STEPS = 4;
const STEP = 1024;
/** There are no parts of a byte. */
const LEAST = { cores: 0, bytes: 1 } as const;
const ROUND = [1, 2, 5, 10] as const;

/** A series without values, or of zeros, goes up to one unit. */
export function axisOf(unit: 'cores' | 'bytes' | 'percent', most: number): Axis {
  const base = unit === 'bytes' && most >= 1 ? STEP ** Math.floor(Math.log(most) / Math.log(STEP)) : 1;
  const shown = unit === 'percent' ? 100 : most > 0 ? most : 1;
  const step = unit === 'percent' ? shown / STEPS : Math.max(LEAST[unit], roundUp(shown / base / STEPS) * base);
  const count = Math.ceil(Number((shown / step).toPrecision(12)));
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
  return { top: ticks.at(-1) ?? step, ticks, textOf: TEXT[unit] };
}

/** To 1, 2 or 5 of a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find((each) => each * power >= value) ?? 10) * power;
}

const TEXT = {
  cores: (value: number) => `${Number(value.toPrecision(3))}`,
  bytes: (value: number) => bytesText(value).replace('.00 ', ' '),
  percent: (value: number) => `${Number(value.toFixed(1))}%`,
} as const;
