// Two people edit one row: the second decides, field by field, whose value stands. The data provider asks here, and the dialog of the
// frame answers, so that every form of every resource has it.
import type { AdminTableName } from '@gantry/contract/http/admin-tables.ts';
import { tableOf } from '../tables.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface Conflict {
  readonly name: AdminTableName;
  /** The row that was about to be saved. */
  readonly mine: Row;
  /** The row as it is now. */
  readonly theirs: Row;
  /** The row with which the form began, if it is known. */
  readonly before: Row | undefined;
}

export interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Undefined: both have changed it, and the person has to choose. */
  readonly suggestion: Side | undefined;
}
export type Side = 'mine' | 'theirs';

/** Travels with a row and is no content of it. */
const NO_CONTENT = new Set(['id', 'version', 'reason']);

/** The fields in which the two differ, and where only one of them changed it, whose. */
export function differencesOf({ name, mine, theirs, before = theirs }: Conflict): Difference[] {
  const { edits, fields } = tableOf(name);
  const wishes = Object.keys(mine).filter((field) => !NO_CONTENT.has(field) && !same(mine[field], before[field]));
  return [...new Set([...wishes, ...edits])].flatMap((field) => {
    const [own, other] = [mine[field], theirs[field]];
    if (same(own, other)) return [];
    const isMine = wishes.includes(field);
    const isTheirs = field in fields && !same(other, before[field]);
    const suggestion = isMine && isTheirs ? undefined : isMine ? 'mine' : 'theirs';
    return [{ field, mine: own, theirs: other, suggestion }];
  });
}

/** The row to save on top of the current one. */
export function mergedOf({ mine, theirs }: Conflict, chosen: Readonly<Record<string, Side>>): Row {
  const merged: Record<string, unknown> = { ...mine, version: theirs.version };
  for (const [field, side] of Object.entries(chosen)) {
    if (side === 'mine') continue;
    // A wish that is no field of the row is given up.
    if (field in theirs) merged[field] = theirs[field];
    else delete merged[field];
  }
  return merged;
}

/** The order of an object's members means nothing. */
const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? '';

interface Asked {
  readonly conflict: Conflict;
  /** Undefined: the person does not save. */
  answer(merged: Row | undefined): void;
}

/** The conflict that is shown, for `useSyncExternalStore`. */
export class Conflicts {
  #asked: Asked | undefined;
  readonly #listeners = new Set<() => void>();

  /** Resolves with what is to be saved instead; undefined: nothing. */
  ask(conflict: Conflict): Promise<Row | undefined> {
    this.#asked?.answer(undefined);
    return new Promise((resolve) => {
      this.#set({
        conflict,
        answer: (merged) => {
          this.#set(undefined);
          resolve(merged);
        },
      });
    });
  }

  readonly current = (): Asked | undefined => this.#asked;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #set(asked: Asked | undefined): void {
    this.#asked = asked;
    for (const listener of this.#listeners) listener();
  }
}

export const conflicts = new Conflicts();
