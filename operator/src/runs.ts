// The ended runs that an object of any kind remembers, and for how long their logs are kept: a log that no status names any more is swept
// from the registry.
import { MOST_RUNS, type RunRecord } from '@gantry/contract/fields/runs.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { LABEL } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant } from './metering.ts';

/** The installation's settings. */
export interface LogSettings {
  /** How many ended runs of an object keep their logs. */
  logRuns: number;
  /** How many days after its end. */
  logDays: number;
}

const DAY_MS = 24 * 3_600_000;

/** Newest first. A run is recorded once. */
export const withRun = (known: readonly RunRecord[], ended: RunRecord): readonly RunRecord[] =>
  [ended, ...known.filter(({ seq }) => seq !== ended.seq)].slice(0, MOST_RUNS);

/** With the logs that were saved meanwhile, and without those that are too old. */
export function withLogs(
  known: readonly RunRecord[],
  snapshots: readonly Snapshot[],
  settings: LogSettings,
  now: Instant,
): readonly RunRecord[] {
  return known.map(({ log: kept, ...run }, at) => {
    const log = isLogOver({ ...run, at }, settings, now) ? undefined : (kept ?? savedLog(run.seq, snapshots));
    return { ...run, ...(log && { log }) };
  });
}

/** No longer kept; `at`: how many runs are newer. */
export const isLogOver = (
  { endedAt, at }: { endedAt?: string | undefined; at: number },
  { logRuns, logDays }: LogSettings,
  now: Instant,
): boolean => at >= logRuns || (instant(endedAt) ?? now) + logDays * DAY_MS <= now;

function savedLog(run: number, snapshots: readonly Snapshot[]): RunRecord['log'] {
  const saved = snapshots.find(
    ({ metadata, spec, status }) =>
      metadata.labels?.[LABEL.run] === String(run) && spec.log !== undefined && status?.log !== undefined,
  );
  return saved?.spec.log !== undefined && saved.status?.log
    ? { image: saved.spec.log, ...saved.status.log }
    : undefined;
}
