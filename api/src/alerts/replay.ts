// When a policy would have had alarms: past values through the same state machine. Pure.
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { keyOf, type Sample, type Series, seriesOf } from './group.ts';
import { judge } from './judge.ts';
import { type Drawn, PastChart } from './past-chart.ts';
import { FRESH, type SeriesState, step } from './step.ts';

export interface Past {
  labels: Readonly<Record<string, string>>;
  object?: NonNullable<Sample['object']>;
  /** One a cycle, oldest first; NaN where there is no data. */
  points: ArrayLike<number>;
}

/** Of each of the three times that rules look at; empty where no rule does. */
export interface PastValues {
  now: readonly Past[];
  period: readonly Past[];
  week: readonly Past[];
}

export interface PastAlarm {
  object: string | null;
  labels: Readonly<Record<string, string>>;
  from: number;
  /** Undefined: it would be firing at the end. */
  to?: number;
}

export interface Replayed {
  alarms: PastAlarm[];
  /** What was measured, and how far apart its points are. */
  series: Drawn[];
  pointMs: number;
}

/** The values of one of a policy's series, by its key, one for each point. */
export function valuesOf(policy: Pick<AlertPolicy, 'spec'>, past: readonly Past[], key: string): (number | null)[] {
  const points = Math.max(0, ...past.map((one) => one.points.length));
  return Array.from({ length: points }, (_, at) => {
    for (const series of seriesOf(policy, samplesAt(past, at)).values())
      if (keyOf(series.object, series.labels) === key) return series.value;
    return null;
  });
}

/** Cycles at `start`, `start + stepMs`, …; at most as many alarms as a page can show: it ends there. */
export function replay(policy: Pick<AlertPolicy, 'spec'>, past: PastValues, start: number, stepMs: number): Replayed {
  const cycles = Math.max(0, ...past.now.map(({ points }) => points.length));
  const states = new Map<string, { state: SeriesState; series: Series; open?: PastAlarm }>();
  const alarms: PastAlarm[] = [];
  const chart = new PastChart(policy.spec, cycles);
  for (let cycle = 0; cycle < cycles && alarms.length < MOST_ALARMS; cycle++) {
    const at = start + cycle * stepMs;
    const [now, before, week] = [past.now, past.period, past.week].map((all) =>
      seriesOf(policy, samplesAt(all, cycle)),
    );
    for (const [key, series] of now ?? []) {
      if (!states.has(key)) states.set(key, { state: FRESH, series });
      chart.add(cycle, series);
    }
    for (const [key, known] of states) {
      const measured = {
        value: now?.get(key)?.value,
        before: before?.get(key)?.value,
        lastWeek: week?.get(key)?.value,
      };
      const { state, transitions } = step(policy.spec, known.state, judge(policy.spec, measured), at);
      known.state = state;
      if (transitions.includes('fired')) {
        known.open = { object: known.series.object ?? null, labels: known.series.labels, from: at };
        alarms.push(known.open);
        chart.fired(key);
      }
      if (transitions.includes('resolved') && known.open) known.open.to = at;
    }
  }
  return { alarms: alarms.slice(0, MOST_ALARMS), series: chart.drawn(), pointMs: chart.cyclesInPart * stepMs };
}

const MOST_ALARMS = 500;

const samplesAt = (all: readonly Past[], cycle: number): Sample[] =>
  all.flatMap(({ labels, object, points }) => {
    const value = points[cycle];
    return value === undefined || Number.isNaN(value) ? [] : [{ labels, value, ...(object && { object }) }];
  });
