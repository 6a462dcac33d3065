// When a policy would have had alarms: past values through the same state machine. Pure. Nobody knows any more when objects were at
// rest: each series counts from its first value on.
import type { AlertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { keyOf, type Sample, type Series, seriesOf } from './group.ts';
import { countValues, outcomeOf, sightOf } from './outcome.ts';
import { type Drawn, PastChart } from './past-chart.ts';
import { FRESH, type SeriesState, step } from './step.ts';

export interface Past {
  labels: Readonly<Record<string, string>>;
  object?: NonNullable<Sample['object']>;
  /** One a cycle, oldest first; NaN where there is no data. */
  points: ArrayLike<number>;
}

/** Values at each of the three times that rules look at; empty if no rule does. */
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
  /** The measured series, and the distance of their points. */
  series: Drawn[];
  pointMs: number;
}

/** The values of one of a policy's series, by its key, one for each point. */
export function valuesOf(policy: Pick<AlertPolicy, 'spec'>, past: readonly Past[], key: string): (number | null)[] {
  const points = Math.max(0, ...past.map((one) => one.points.length));
  const seriesAt = seriesOfCycles(policy, past);
  return Array.from({ length: points }, (_, at) => {
    for (const series of seriesAt(at).values()) if (keyOf(series.object, series.labels) === key) return series.value;
    return null;
  });
}

/** Cycles at `start`, `start + stepMs`, …; at most as many alarms as a page can show: it ends there. */
export function replay(policy: Pick<AlertPolicy, 'spec'>, past: PastValues, start: number, stepMs: number): Replayed {
  const cycles = Math.max(0, ...past.now.map(({ points }) => points.length));
  const states = new Map<string, Living>();
  const alarms: PastAlarm[] = [];
  const chart = new PastChart(policy.spec, cycles);
  const seriesAt = [past.now, past.period, past.week].map((all) => seriesOfCycles(policy, all));
  for (let cycle = 0; cycle < cycles && alarms.length < MOST_ALARMS; cycle++) {
    const at = start + cycle * stepMs;
    const [now, before, week] = seriesAt.map((of) => of(cycle));
    const withValues = countValues(now ?? new Map());
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
      const begun = live(policy, known, sightOf(known.series, measured, withValues), at);
      if (begun) {
        alarms.push(begun);
        chart.fired(key);
      }
      // As the evaluator does: a series that has ended is known no more.
      if (known.isOver) states.delete(key);
    }
  }
  return { alarms: alarms.slice(0, MOST_ALARMS), series: chart.drawn(), pointMs: chart.cyclesInPart * stepMs };
}

interface Living {
  state: SeriesState;
  series: Series;
  open?: PastAlarm;
  isOver?: boolean;
}

/** One cycle of one series. Returns an alarm that begins. */
function live(
  { spec }: Pick<AlertPolicy, 'spec'>,
  known: Living,
  sight: ReturnType<typeof sightOf>,
  at: number,
): PastAlarm | undefined {
  const { object, labels } = known.series;
  const outcome = outcomeOf(spec, { ...sight, life: object === undefined ? undefined : 'running' });
  const { state, transitions } = step(spec, known.state, outcome, at);
  known.state = state;
  known.isOver = transitions.includes('vanished');
  if (known.open && (known.isOver || transitions.includes('resolved'))) known.open.to = at;
  if (!transitions.includes('fired')) return undefined;
  known.open = { object: object ?? null, labels, from: at };
  return known.open;
}

const MOST_ALARMS = 500;

/** The series of each cycle. Where every one is measured alone, which is usual, who it is need not be found out in each cycle. */
function seriesOfCycles(
  policy: Pick<AlertPolicy, 'spec'>,
  all: readonly Past[],
): (cycle: number) => ReadonlyMap<string, Series> {
  const alone = all.map(
    ({ points, ...one }) =>
      seriesOf(policy, [{ ...one, value: 0 }])
        .values()
        .next().value,
  );
  const keys = alone.flatMap((series) => series?.key ?? []);
  if (new Set(keys).size < keys.length) return (cycle) => seriesOf(policy, samplesAt(all, cycle));
  return (cycle) => {
    const series = new Map<string, Series>();
    for (const [at, one] of alone.entries()) {
      const value = all[at]?.points[cycle] ?? Number.NaN;
      if (one && !Number.isNaN(value)) series.set(one.key, { ...one, value });
    }
    return series;
  };
}

const samplesAt = (all: readonly Past[], cycle: number): Sample[] =>
  all.flatMap(({ labels, object, points }) => {
    const value = points[cycle];
    return value === undefined || Number.isNaN(value) ? [] : [{ labels, value, ...(object && { object }) }];
  });
