// What counts of days have in common: days are UTC's, and today is one of those that are shown.

const DAY_MS = 86_400_000;

/** YYYY-MM-DD. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** The first of so many days that end today. */
export const firstDayOf = (now: number, days: number): string => dayOf(now - (days - 1) * DAY_MS);
/** With two decimals. */
export const percentOf = (part: number, all: number): number => Math.round((part / all) * 10_000) / 100;
