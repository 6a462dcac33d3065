// Refuses a kind whose name, plural or short name kubectl would resolve to something else.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { BUILT_IN_NAMES } from './built-in-names.ts';

type Named = Pick<KindFacts, 'kind' | 'singular' | 'plural' | 'shortNames'>;

/** Throws one error with every name that is taken, by a built-in or by another kind of ours, as `Kind: sentence`. */
export function checkNames(kinds: readonly Named[]): void {
  const owners = new Map<string, string>();
  const faults = kinds.flatMap((facts) => {
    const names = new Set([facts.singular ?? facts.kind.toLowerCase(), facts.plural, ...facts.shortNames]);
    return [...names].flatMap((name) => {
      const taken = BUILT_IN_NAMES.has(name) ? 'a built-in kind' : owners.get(name);
      owners.set(name, facts.kind);
      return taken ? [`${facts.kind}: the name ${name} belongs to ${taken}`] : [];
    });
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
