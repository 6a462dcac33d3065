// Real names that staff have looked at stand in the audit log, as changes do.
import type { Call } from './serve.ts';

/** An entry names at most this many: a longer page is recorded by its beginning and its length. */
const MOST_NAMED = 20;

/** A page that shows nobody is no look at anybody. */
export function noteRead(audit: Call['audit'], shown: readonly { id: string | number }[]): void {
  if (shown.length === 0) return;
  const named = shown.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = shown.length > named.length ? ` and ${shown.length - named.length} more` : '';
  Object.assign(audit, { object: `RealAuth/${named.join(',')}${more}`, evenIfRead: true });
}
