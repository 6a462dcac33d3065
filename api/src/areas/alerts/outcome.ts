// The outcome of a cycle for one series: the table of this room's README. Pure and total. Rules judge values; without a value the life of
// the series' object decides, and if no life is known, time.
import { ALERT_METRICS } from '@gantry/contract/alerts/metrics.ts';
import type { AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';
import type { Series } from './group.ts';
import { hasValue, judge, type Measured } from './judge.ts';
import type { Outcome } from './step.ts';

/** `gone`: deleted, or at rest because somebody wants that. `bare`: it runs, and has nothing to measure. `starting`: it has no values yet. */
export type Life = 'gone' | 'bare' | 'starting' | 'running';

export interface Sight {
  measured: Measured;
  /** The answer was whole and in time: what is missing in it is missing. */
  isSure: boolean;
  /** The life of the object, or of the Pod that a query's labels name; undefined: nothing is known to die with the series. */
  life: Life | undefined;
  /** The series is an object's. */
  hasObject: boolean;
  /** Labels tell it from others of the object, or of the query. */
  isPart: boolean;
  /** Others of the object, or of the query, have values in this cycle. */
  hasOthers: boolean;
  /** For a query as a whole: it has had series that labels tell apart, each of which is known by itself. */
  hadData: boolean;
}

/** The number of series with a value in a cycle, by object, or of a query. */
export type WithValues = ReadonlyMap<string | undefined, number>;

export function countValues(series: ReadonlyMap<string, Series>): WithValues {
  const counts = new Map<string | undefined, number>();
  for (const { object, value } of series.values())
    if (hasValue(value)) counts.set(object, (counts.get(object) ?? 0) + 1);
  return counts;
}

/** The sight of a series in an answer that was whole and in time. */
export function sightOf(
  { object, labels }: Pick<Series, 'labels'> & { object?: string | undefined },
  measured: Measured,
  withValues: WithValues,
): Omit<Sight, 'life'> {
  const others = (withValues.get(object) ?? 0) - (hasValue(measured.value) ? 1 : 0);
  return {
    ...{ measured, isSure: true, hadData: false, hasOthers: others > 0 },
    hasObject: object !== undefined,
    isPart: Object.keys(labels).length > 0,
  };
}

const MINUTE_MS = 60_000;
/** A series that ended ends its alarm: as long as Prometheus itself looks back for a value. */
export const VANISHED_MS = 5 * MINUTE_MS;
/** A running object of which nothing is measured any more. */
export const SILENT_MS = 60 * MINUTE_MS;
/** Whoever waits for a series that nobody can ask for. */
export const GIVEN_UP_MS = 24 * 60 * MINUTE_MS;

type Rules = Pick<AlertPolicySpec, 'rules' | 'periodSeconds' | 'endsAfter' | 'metric'>;

export function outcomeOf(spec: Rules, sight: Sight): Outcome {
  const { measured, isSure, life, hasObject } = sight;
  const isThere = hasValue(measured.value);
  // Labels of a query prove nothing: what still has values is judged by them.
  if (life === 'gone' && (hasObject || !isThere)) return { seen: 'gone' };
  if (isThere) {
    const outcome = judge(spec, measured);
    return outcome.seen === 'unknown' ? { ...outcome, patienceMs: goneAfter(spec) } : outcome;
  }
  if (!isSure) return { seen: 'unknown' };
  if (life === 'bare') return { seen: 'gone' };
  return hasObject ? ofObject(spec, sight) : ofQuery(spec, sight);
}

/** In any case after as many cycles as end an alarm otherwise. */
const goneAfter = ({ periodSeconds, endsAfter }: Rules): number =>
  Math.max(VANISHED_MS, endsAfter * periodSeconds * 1000);

function ofObject(spec: Rules, { measured, life, isPart, hasOthers }: Sight): Outcome {
  const noData = judge(spec, { ...measured, value: undefined });
  // A series that labels tell apart belongs to one run of the object.
  if (life === 'starting') return isPart ? { seen: 'gone' } : { seen: 'unknown', patienceMs: SILENT_MS };
  if (isPart && hasOthers) return noData.seen === 'met' ? { ...noData, patienceMs: GIVEN_UP_MS } : waiting(spec);
  if (isPart) return { seen: 'unknown', patienceMs: SILENT_MS };
  if (hasOthers) return { seen: 'unmet' };
  if (noData.seen === 'met') return noData;
  // The platform's own values are complete: an object without a value has none that could be wrong.
  const isKnown = spec.metric !== undefined && ALERT_METRICS[spec.metric].source === 'platform';
  return isKnown ? { seen: 'unmet' } : { seen: 'unknown', patienceMs: SILENT_MS };
}

function ofQuery(spec: Rules, { measured, isPart, hasOthers, hadData }: Sight): Outcome {
  const noData = judge(spec, { ...measured, value: undefined });
  if (noData.seen !== 'met') return waiting(spec);
  if (isPart) return { ...noData, patienceMs: GIVEN_UP_MS };
  return hasOthers || hadData ? { seen: 'unmet' } : noData;
}

const waiting = (spec: Rules): Outcome => ({ seen: 'unknown', patienceMs: goneAfter(spec) });
