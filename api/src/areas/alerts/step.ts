// One cycle of one alarm's life. Pure and total. What is not known changes nothing: an alarm ends when its value is seen to be normal,
// when what it is about no longer runs, or when there has been no value for as long as the outcome allows.
import { ALERT_LEVELS, type AlertLevel, type AlertPolicySpec } from '@gantry/contract/kinds/alert-policy.ts';

/** The part of a policy that decides. */
export type Timing = Pick<AlertPolicySpec, 'begins' | 'endsAfter'>;

/** The outcome of a cycle for a series. `unknown`: nobody can say. `gone`: the object no longer runs. */
export type Seen = 'met' | 'unmet' | 'unknown' | 'gone';
export interface Outcome {
  seen: Seen;
  /** The worst level of the rules that are met, if any. */
  level?: AlertLevel;
  /** There is no value, and after so long without one the alarm is over; `Infinity`: never. */
  patienceMs?: number;
}

/** `inactive`: met, but too seldom. `closed`: by hand; the next episode needs the end of this one. */
export interface SeriesState {
  phase: 'normal' | 'inactive' | 'firing' | 'closed';
  /** The last cycles, newest last: `1` met, `0` not. */
  cycles: string;
  /** The cycle that was counted last, in ms: none is counted twice. */
  at: number;
  /** When a rule was first met, of what has not ended. */
  since?: number;
  level?: AlertLevel;
  /** The first cycle of those in a row that found no value. */
  missingSince?: number;
  /** For the series that stands for a whole query: others of it have had values. */
  hadData?: true;
  /** The part of the policy that the series is of: what another definition has measured is over. */
  of?: string;
}

export const FRESH: SeriesState = { phase: 'normal', cycles: '', at: 0 };

/** `began`: inactive. `dropped`: what was inactive came to nothing. `raised`: the level became worse. */
export type Transition = 'began' | 'dropped' | 'fired' | 'raised' | 'resolved' | 'gone' | 'vanished';

export interface Step {
  state: SeriesState;
  transitions: readonly Transition[];
}

const count = (cycles: string, of: number): number => cycles.slice(-of).replaceAll('0', '').length;
const worse = (one: AlertLevel | undefined, other: AlertLevel | undefined): boolean =>
  ALERT_LEVELS.indexOf(one as AlertLevel) > ALERT_LEVELS.indexOf(other as AlertLevel);

/** The next state after the cycle at `at`. A cycle that is not newer than the last changes nothing. */
export function step(timing: Timing, { missingSince, ...known }: SeriesState, outcome: Outcome, at: number): Step {
  const { seen, patienceMs } = outcome;
  const isMissing = patienceMs !== undefined && (known.phase !== 'normal' || seen === 'met');
  const since = isMissing ? (missingSince ?? at) : undefined;
  if (at <= known.at)
    return { state: { ...known, ...(missingSince !== undefined && { missingSince }) }, transitions: [] };
  if (seen === 'gone') return end(known, at, known.phase === 'firing' ? 'gone' : 'dropped');
  if (since !== undefined && at - since >= (patienceMs ?? 0))
    return end(known, at, known.phase === 'firing' ? 'vanished' : 'dropped');
  if (seen === 'unknown') {
    // Whoever cannot say whether there is a value does not say that there is one.
    const still = since ?? missingSince;
    return { state: { ...known, ...(still !== undefined && { missingSince: still }) }, transitions: [] };
  }
  const next = counted(timing, known, outcome, at);
  const isOver = next.state.phase === 'normal';
  return since === undefined || isOver ? next : { ...next, state: { ...next.state, missingSince: since } };
}

function counted({ begins, endsAfter }: Timing, state: SeriesState, { seen, level }: Outcome, at: number): Step {
  const isMet = seen === 'met';
  const cycles = `${state.cycles}${isMet ? 1 : 0}`.slice(-Math.max(begins.of, endsAfter));
  const since = state.since ?? (isMet ? at : undefined);
  const next: SeriesState = {
    ...state,
    cycles,
    at,
    ...(since !== undefined && { since }),
    ...(isMet && level && { level }),
  };
  return state.phase === 'firing' || state.phase === 'closed'
    ? goOn(endsAfter, state, next)
    : comeUp(begins, state, next);
}

/** The next step of an episode under way. */
function goOn(endsAfter: number, state: SeriesState, next: SeriesState): Step {
  const isOver = next.cycles.length >= endsAfter && count(next.cycles, endsAfter) === 0;
  if (isOver) return end(state, next.at, 'resolved');
  const isRaised = state.phase === 'firing' && worse(next.level, state.level);
  return { state: next, transitions: isRaised ? ['raised'] : [] };
}

/** Before one. */
function comeUp({ met, of }: Timing['begins'], state: SeriesState, next: SeriesState): Step {
  const isPending = state.phase === 'inactive';
  const seen = count(next.cycles, of);
  if (seen >= met) return { state: { ...next, phase: 'firing' }, transitions: ['fired'] };
  if (seen > 0) return { state: { ...next, phase: 'inactive' }, transitions: isPending ? [] : ['began'] };
  return isPending ? end(state, next.at, 'dropped') : { state: fresh(next.cycles, next.at), transitions: [] };
}

const fresh = (cycles: string, at: number): SeriesState => ({ phase: 'normal', cycles, at });

/** Cycles of an episode that is over do not count for the next. */
function end({ phase }: SeriesState, at: number, transition: Transition): Step {
  const transitions = phase === 'firing' || phase === 'inactive' ? [transition] : [];
  return { state: fresh('', at), transitions };
}

/** The state after a person closes it. */
export const close = (state: SeriesState): SeriesState =>
  state.phase === 'firing' ? { ...state, phase: 'closed' } : state;
