// Which modules share a file of the build. By itself the bundler makes a file for each set of pages that share something, which were
// fifty for the login page and ninety for a list: each costs a way to the gateway and back, six at a time. Pure.

/** What the bundler knows of a module. */
export interface ModuleFacts {
  readonly importedIds: readonly string[];
}
type FactsOf = (id: string) => ModuleFacts | null;

/** What so many pages need is one file for all of them. */
const SHARED_BY = 3;
/** Heavy, and not for every page: it keeps its own files, and so does what is made with it. */
const HEAVY = /node_modules\/(zod|react-hook-form|recharts|@xterm|altcha)\//;

/** Everything that comes along with a module, itself included, dynamic imports aside. */
function closure(id: string, factsOf: FactsOf, seen = new Set<string>()): Set<string> {
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(factsOf(next)?.importedIds ?? []));
  }
  return seen;
}

export interface Roots {
  readonly entry: string;
  /** What the first page of whoever is not signed in needs besides. */
  readonly login: string;
  readonly frame: readonly string[];
  readonly pages: readonly string[];
}

/** Each takes from those after it what it needs itself. */
export const FILES = ['first', 'login', 'frame', 'shared'] as const;

/** Gives which of them a module is in; undefined where the bundler may choose. */
export function scriptFiles(roots: Roots, factsOf: FactsOf): (id: string) => (typeof FILES)[number] | undefined {
  const first = closure(roots.entry, factsOf);
  const login = closure(roots.login, factsOf);
  const frame = new Set(roots.frame.flatMap((id) => [...closure(id, factsOf)]));
  const shares = new Map<string, number>();
  for (const page of roots.pages) for (const id of closure(page, factsOf)) shares.set(id, (shares.get(id) ?? 0) + 1);
  // What needs something heavy would bring it along.
  const isHeavy = (id: string) => [...closure(id, factsOf)].some((each) => HEAVY.test(each));
  return (id) => {
    // By itself: what of it runs is short, while the rest is mostly there to be called.
    if (id === roots.entry) return undefined;
    if (first.has(id)) return 'first';
    if (login.has(id)) return 'login';
    if (isHeavy(id)) return undefined;
    if (frame.has(id)) return 'frame';
    return (shares.get(id) ?? 0) >= SHARED_BY ? 'shared' : undefined;
  };
}
