// The record of a finished run.
import type { RunRecord } from '@gantry/contract/fields/runs.ts';
import { iso, wholeSeconds } from '../../metering.ts';
import type { Facts } from './facts.ts';
import { NOT_STARTED } from './hold.ts';
import { type Run, startOf } from './pod-facts.ts';

/** Undefined if it never came to a Pod. */
export function runRecord({ pods, rebootWanted, power, now }: Facts, ended: Run): RunRecord | undefined {
  const { current, exit, exitCode, finishedAt = 0 } = pods;
  const { seq, cause, readyAt } = ended;
  if (!current && readyAt === undefined) return undefined;
  const startedAt = startOf(pods) ?? 0;
  const isAsked =
    current?.spec?.activeDeadlineSeconds !== undefined || (exit === 'Deleted' && (rebootWanted || power !== 'Running'));
  return {
    seq,
    cause,
    // A start that failed has the year 1970.
    ...(startedAt > 0 && { startedAt: iso(startedAt) }),
    endedAt: iso(finishedAt > 0 ? finishedAt : wholeSeconds(now)),
    exit: isAsked ? 'Stopped' : ended.freedAt === undefined ? exit : NOT_STARTED,
    ...(exitCode !== undefined && { exitCode }),
  };
}
