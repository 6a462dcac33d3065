// An organisation's credit status: whether it has credit, which notices it gets, and what happens to its data. Pure.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { leftText, type Micros, micros, neededText } from '@gantry/contract/fields/money.ts';
import { said } from '@gantry/contract/said.ts';
import { RETRY_MS } from './decide.ts';
import type { Cap } from './may-spend.ts';
import type { GateSettings, Verdict } from './parts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How many days before deleting data a warning is sent. */
const WARNED_DAYS = [7, 3, 1] as const;
/** After a top-up, wherever it came in: by then the gate has asked again for all that it had refused. */
const DECIDED_ANEW_MS = 2 * RETRY_MS;

export interface CreditStatus {
  currency: string;
  /** Balance and allowed overdraft, less unposted usage. */
  left: Micros;
  /** The current cost of everything in use. */
  perHour: Micros;
  /** The organisation's cap. */
  cap?: Cap | undefined;
  /** Something that ran was refused credit. */
  isStarved: boolean;
}

/** With nothing in use an empty wallet owes nobody anything. */
const isOut = ({ left, perHour }: CreditStatus): boolean => left < 0n || (left === 0n && perHour > 0n);

export function verdictOf(creditStatus: CreditStatus): Verdict {
  const { left, currency, cap } = creditStatus;
  if (isOut(creditStatus))
    return {
      status: 'False',
      reason: 'OutOfCredit',
      ...said(CREDIT_SENTENCES.left, { amount: leftText(left), currency }),
    };
  if (cap && cap.spent >= cap.cap) {
    const args = { spent: neededText(cap.spent), cap: leftText(cap.cap), currency };
    return { status: 'False', reason: 'SpendCapReached', ...said(CREDIT_SENTENCES.capSpent, args) };
  }
  // No number that changes by the second: it would be a write by the second.
  return { status: 'True', reason: 'InCredit', message: 'The organisation has credit.' };
}

/** The verdict on an Organization with a deleted one's name, whose wallet is not its own. */
export const nameUsed = (name: string): Verdict => ({
  status: 'False',
  reason: 'OutOfCredit',
  ...said(CREDIT_SENTENCES.nameUsed, { name }),
});

/** How long the rest lasts; undefined while nothing is in use. */
export const lastsMs = ({ left, perHour }: CreditStatus): number | undefined =>
  perHour <= 0n ? undefined : left <= 0n ? 0 : Number((left * BigInt(HOUR_MS)) / perHour);

/** The levels reached, the most serious first. */
export function levelsOf(
  creditStatus: CreditStatus,
  { lowHours }: Pick<GateSettings, 'lowHours'>,
  month: string,
): string[] {
  const lasts = lastsMs(creditStatus);
  const { cap } = creditStatus;
  const hours = [...lowHours].sort((a, b) => a - b).filter((most) => lasts !== undefined && lasts < most * HOUR_MS);
  return [
    ...(isOut(creditStatus) || creditStatus.isStarved ? ['out'] : []),
    ...(cap && cap.spent >= cap.cap ? [`cap-${month}-${cap.cap}`] : []),
    ...hours.map((most) => `h${most}`),
  ];
}

/** When time alone brings the next level, or the end; undefined if it brings none. */
export function nextLevelInMs(
  creditStatus: CreditStatus,
  { lowHours }: Pick<GateSettings, 'lowHours'>,
): number | undefined {
  const lasts = lastsMs(creditStatus);
  if (lasts === undefined || lasts <= 0) return undefined;
  const { left, perHour, cap } = creditStatus;
  const until = (amount: Micros) => Number(((left - amount) * BigInt(HOUR_MS)) / perHour);
  const moments = [
    lasts,
    ...lowHours.map((hours) => lasts - hours * HOUR_MS),
    ...(cap ? [until(micros(left - (cap.cap - cap.spent)))] : []),
  ].filter((ms) => ms > 0);
  return Math.min(...moments);
}

export interface Kept {
  /** Since when it is out of credit. */
  since: number;
  /** Warnings that were given. */
  warnings: number;
  /** The date in the last warning. */
  deleteAt?: number | undefined;
}

export type Retention =
  | { do: 'keep'; againAt?: number }
  /** Say that data are deleted then. */
  | { do: 'warn'; deleteAt: number; warnings: number }
  | { do: 'delete' };

/** Data are deleted no earlier than a day after a warning: a gateway that was away warns late, and deletes late. */
function planRetention({ since, warnings, deleteAt }: Kept, keepDataDays: number, now: number): Retention {
  if (keepDataDays === 0) return { do: 'keep' };
  const due = Math.max(since + keepDataDays * DAY_MS, deleteAt ?? 0);
  // Warnings that would come before the start are skipped.
  const days = WARNED_DAYS.filter((one) => one <= Math.max(keepDataDays, 1));
  const skipped = WARNED_DAYS.length - days.length;
  const sent = Math.max(warnings, skipped);
  const reached = WARNED_DAYS.filter((one) => due - now <= one * DAY_MS).length;
  if (reached > sent) {
    const last = WARNED_DAYS[reached - 1] ?? 1;
    // The last warning leaves a whole day, however late it comes.
    return { do: 'warn', warnings: reached, deleteAt: last === 1 ? Math.max(due, now + DAY_MS) : due };
  }
  if (sent < WARNED_DAYS.length) return { do: 'keep', againAt: due - (WARNED_DAYS[sent] ?? 1) * DAY_MS };
  return now >= due ? { do: 'delete' } : { do: 'keep', againAt: due };
}

/** Kept in `billing_profiles.warned`. */
export interface Warned {
  /** The top-up that the levels count from. */
  topUp: string;
  /** When that was first seen. */
  seenAt?: number;
  levels: string[];
  deleteAt?: number;
}

export interface Profile {
  warned: Warned;
  /** Since when it is out of credit. */
  since: number | undefined;
  warnings: number;
}

export interface Telling {
  next: Profile;
  /** One at a time: several that are due together are the gravest. */
  tell?: { what: 'level'; level: string } | { what: 'dataKept'; deleteAt: number } | { what: 'dataDeleted' };
  does: 'tell' | 'keep' | 'delete';
  againAt?: number | undefined;
}

interface Now {
  topUp: string;
  levels: readonly string[];
  isOut: boolean;
  /** It has objects that hold data. */
  holds: boolean;
}

const DELETING = 'deleting';

/** The notices to send now, each once since the last top-up; and what happens to data without credit. */
export function planTelling(profile: Profile, seen: Now, keepDataDays: number, now: number): Telling {
  const { topUp, isOut, holds } = seen;
  const isKnown = profile.warned.topUp === topUp;
  const announced = isKnown ? profile.warned.levels : [];
  const seenAt = isKnown ? (profile.warned.seenAt ?? 0) : now;
  // Refusals from before the top-up say nothing about the balance since.
  const levels = seen.levels.filter((level) => level !== 'out' || isOut || now - seenAt >= DECIDED_ANEW_MS);
  const since = isOut ? (profile.since ?? now) : undefined;
  const deleteAt = since === undefined ? undefined : profile.warned.deleteAt;
  const next = (change: { levels?: readonly string[]; deleteAt?: number | undefined; warnings?: number } = {}) => {
    const until = change.deleteAt ?? deleteAt;
    const all = [...new Set([...announced, ...levels, ...(change.levels ?? [])])];
    return {
      warned: { topUp, seenAt, levels: all, ...(until !== undefined && { deleteAt: until }) },
      since,
      warnings: change.warnings ?? (since === undefined ? 0 : profile.warnings),
    };
  };
  const gravest = levels.find((level) => !announced.includes(level));
  if (gravest !== undefined)
    return { next: next(), tell: { what: 'level', level: gravest }, does: 'tell', againAt: isOut ? now : undefined };
  if (since === undefined || !holds) return { next: next(), does: 'keep' };
  const retention = planRetention({ since, warnings: profile.warnings, deleteAt }, keepDataDays, now);
  if (retention.do === 'keep') return { next: next(), does: 'keep', againAt: retention.againAt };
  if (retention.do === 'warn') {
    const { warnings } = retention;
    const tell = { what: 'dataKept' as const, deleteAt: retention.deleteAt };
    return { next: next({ deleteAt: retention.deleteAt, warnings }), tell, does: 'tell', againAt: now };
  }
  const isFirst = !announced.includes(DELETING);
  return { next: next({ levels: [DELETING] }), ...(isFirst && { tell: { what: 'dataDeleted' } }), does: 'delete' };
}
