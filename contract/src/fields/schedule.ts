// Times that recur: cron's five fields in a time zone, and when they come round. Pure: `from` is an argument.
import { Cron } from 'croner';
import * as z from 'zod';
import { cel } from '../define-kind.ts';
import { RULE_WORDS } from '../rule-words.ts';

export const UTC = 'UTC';
const FIELD = '[0-9A-Za-z*/,?#-]+';

/** The shape only: `nextTimes` says whether it can be read. */
export const cron = z
  .string()
  .max(100)
  .meta(cel([`self.matches('^${FIELD}( ${FIELD}){4}$')`, RULE_WORDS.cron]));

export const timeZone = z
  .string()
  .max(64)
  .meta(cel(["self.matches('^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$')", RULE_WORDS.timeZone]));

export interface Recurrence {
  cron: string;
  /** Absent: UTC. */
  timeZone?: string | undefined;
}

/**
 * The first `count` times after `from`, in milliseconds since the epoch, earliest first; fewer where no more follow. Undefined for a
 * cron or a time zone that cannot be read. Where clocks go forward, a time that is left out comes when they have; where they go
 * back, one that is there twice comes once.
 */
export function nextTimes({ cron, timeZone = UTC }: Recurrence, from: number, count: number): number[] | undefined {
  try {
    const times = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(count, new Date(from));
    return times.map((time) => time.getTime());
  } catch {
    return undefined;
  }
}

/** Whether one of the times, each of which lasts `minutes`, is now. False for a cron or a time zone that cannot be read. */
export function isWithin(recurrence: Recurrence, minutes: number, now: number): boolean {
  // Times after the oldest that could still last, and that one is no longer one of them.
  const [first] = nextTimes(recurrence, now - minutes * MINUTE_MS, 1) ?? [];
  return first !== undefined && first <= now;
}

const MINUTE_MS = 60_000;
