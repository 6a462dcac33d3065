// Which backups go. Pure.
import type { Instant } from '@gantry/kube/clock.ts';

/** So many of the newest stay however old they are: a schedule that has failed for months leaves the last ones. */
const LEAST_KEPT = 3;
const DAY_MS = 24 * 3_600_000;

/** The whole backups that are older than so many days; 0 keeps all. */
export function expired<Kept extends { readonly at: Instant }>(
  backups: readonly Kept[],
  keepDays: number,
  now: Instant,
): Kept[] {
  if (keepDays === 0) return [];
  const newestFirst = backups.toSorted((a, b) => b.at - a.at);
  return newestFirst.slice(LEAST_KEPT).filter(({ at }) => now - at > keepDays * DAY_MS);
}
