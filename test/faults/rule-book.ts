// Which rules hit a call or a watch event. A rule counts its own hits, so "the 3rd status write" needs no state in the test.
import type { Action, EventAction, RequestAction } from './action.ts';
import type { Call } from './call.ts';
import type { WatchEvent } from './live-watch.ts';

/** A predicate, or fields of the call that must be equal (`{ verb: 'create', resource: 'pods' }`). */
export type Match = ((call: Call) => boolean) | Partial<Call>;

/** Counted from 1 among the calls (or events) that the rule matches. */
export type Nth = number | ((n: number) => boolean);

export interface Rule {
  readonly match: Match;
  /** For actions on watch events only: which events of the matched watches. Without it, every one, bookmarks too. */
  readonly event?: (event: WatchEvent) => boolean;
  /** Without it every match is a hit. */
  readonly nth?: Nth;
  readonly do: Action;
}

export interface AddedRule {
  /** How often it matched, whether or not `nth` let it act. */
  matched(): number;
  /** How often it acted. */
  hits(): number;
  remove(): void;
}

export function matches(match: Match, call: Call): boolean {
  if (typeof match === 'function') return match(call);
  return Object.entries(match).every(([field, wanted]) => call[field as keyof Call] === wanted);
}

interface Entry {
  readonly rule: Rule;
  matched: number;
  hits: number;
}

export class RuleBook {
  readonly #entries = new Set<Entry>();

  /** Acts from the next request, and from the next event of the watches already open. */
  add(rule: Rule): AddedRule {
    const entry: Entry = { rule, matched: 0, hits: 0 };
    this.#entries.add(entry);
    return {
      matched: () => entry.matched,
      hits: () => entry.hits,
      remove: () => void this.#entries.delete(entry),
    };
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The actions that hit this call, in the order in which they were added. Counts: ask once for each call. */
  hitsOfCall(call: Call): readonly RequestAction[] {
    return this.#hits((rule) => rule.do.on === 'request' && matches(rule.match, call)).filter(
      (action) => action.on === 'request',
    );
  }

  /** The same for one event of a watch. */
  hitsOfEvent(call: Call, event: WatchEvent): readonly EventAction[] {
    return this.#hits(
      (rule) => rule.do.on === 'event' && matches(rule.match, call) && (rule.event?.(event) ?? true),
    ).filter((action) => action.on === 'event');
  }

  #hits(isMatch: (rule: Rule) => boolean): readonly Action[] {
    const actions: Action[] = [];
    for (const entry of this.#entries) {
      if (!isMatch(entry.rule)) continue;
      entry.matched += 1;
      if (!isNth(entry.rule.nth, entry.matched)) continue;
      entry.hits += 1;
      actions.push(entry.rule.do);
    }
    return actions;
  }
}

function isNth(nth: Nth | undefined, n: number): boolean {
  if (nth === undefined) return true;
  return typeof nth === 'number' ? nth === n : nth(n);
}
