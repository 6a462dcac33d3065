// The value axis of a chart: round steps in the unit of its values. Bytes go by powers of two, percentages to 100.
import type { PanelUnit } from '@gantry/contract/monitor/panels.ts';

export interface ValueAxis {
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
}

type Steps = 'decimal' | 'whole' | 'binary' | 'percent';
const STEPS: Readonly<Record<PanelUnit, Steps>> = {
  none: 'decimal',
  count: 'whole',
  percent: 'percent',
  cores: 'decimal',
  bytes: 'binary',
  bytesPerSecond: 'binary',
  celsius: 'decimal',
  watts: 'decimal',
  seconds: 'decimal',
};
const MOST_STEPS = 4;
const ROUND = [1, 2, 5, 10] as const;
/** Steps are compared with some tolerance: 0.3 / 3 is not 0.1. */
const NEARLY = 1 - 1e-9;
const DIGITS = 12;

/** A unit that is not known has no steps of its own. */
const stepsOf = (unit: string): Steps => (Object.hasOwn(STEPS, unit) ? STEPS[unit as PanelUnit] : 'decimal');

/**
 * From the smallest to the greatest value, and from zero unless a unit-less series stays far from it. Without values, or of zeros alone,
 * it goes up to one unit. `mostSteps`: as many as there is room for.
 */
export function valueAxis(unit: string, values: readonly number[], mostSteps = MOST_STEPS): ValueAxis {
  const known = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...known, Infinity), Math.max(...known, -Infinity)];
  const steps = stepsOf(unit);
  const most = known.length === 0 || (high <= 0 && low >= 0) ? 1 : Math.max(high, 0);
  const isFarFromZero = unit === 'none' && low > 0 && high - low < high / 2 && high > low;
  const least = isFarFromZero ? low : Math.min(low, 0);
  if (steps === 'percent' && least >= 0 && most <= 100) return axis(0, 100, mostSteps < MOST_STEPS ? 50 : 25);
  const step = stepOf(steps, (isFarFromZero ? high - low : most - least) / mostSteps);
  // Sums beyond the largest number have no steps.
  if (!Number.isFinite(step) || step <= 0) return { least, most, ticks: [least, most] };
  return axis(Math.floor(least / step / NEARLY) * step, Math.ceil((most / step) * NEARLY) * step, step);
}

function axis(least: number, most: number, step: number): ValueAxis {
  const count = Math.round((most - least) / step);
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((least + at * step).toPrecision(DIGITS)));
  return { least: ticks[0] ?? least, most: ticks.at(-1) ?? most, ticks };
}

function stepOf(steps: Steps, least: number): number {
  if (steps === 'binary') return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
  const step = roundUp(least);
  return steps === 'whole' ? Math.max(1, step) : step;
}

/** To 1, 2 or 5 of a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find((each) => each * power >= value * NEARLY) ?? 10) * power;
}
