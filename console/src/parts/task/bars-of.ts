// The bars of a run's time line: stretches of one scale, as shares of its whole length.
import type { TaskRun as Run } from './task.ts';

export interface Bar {
  readonly state: 'queued' | 'starting' | 'running';
  readonly fromMs: number;
  readonly toMs: number;
  /** Percent of the run's whole length. */
  readonly left: number;
  readonly width: number;
}

export interface RunBars {
  readonly fromMs: number;
  readonly toMs: number;
  readonly run: readonly Bar[];
  /** By rank, as the workers are listed. */
  readonly workers: readonly { readonly rank: number; readonly bars: readonly Bar[] }[];
}

const instant = (time: string | null): number | undefined => {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : ms;
};

/** Undefined for a run of which no time is known. What has not ended ends now. */
export function barsOf(run: Run, now: number): RunBars | undefined {
  const ends = instant(run.end_time) ?? now;
  const starts = instant(run.start_time);
  const admitted = instant(run.admit_time);
  const begins = instant(run.queue_time) ?? admitted ?? starts;
  if (begins === undefined) return undefined;
  const [fromMs, toMs] = [begins, Math.max(ends, begins)];
  const whole = Math.max(toMs - fromMs, 1);
  const bar = (state: Bar['state'], from: number, to: number): Bar[] => {
    const [first, last] = [within(from, fromMs, toMs), within(to, fromMs, toMs)];
    if (last <= first) return [];
    return [
      { state, fromMs: first, toMs: last, left: share(first - fromMs, whole), width: share(last - first, whole) },
    ];
  };
  const leaves = admitted ?? starts ?? toMs;
  return {
    fromMs,
    toMs,
    run: [
      ...bar('queued', fromMs, leaves),
      ...bar('starting', leaves, starts ?? toMs),
      ...(starts === undefined ? [] : bar('running', starts, toMs)),
    ],
    workers: run.workers.map(({ rank, start_time, end_time }) => {
      const from = instant(start_time);
      return { rank, bars: from === undefined ? [] : bar('running', from, instant(end_time) ?? toMs) };
    }),
  };
}

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
const share = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100;
