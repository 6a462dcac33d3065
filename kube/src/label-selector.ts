// The part of the API server's label selectors that caches need for objects they did not get from a watch: our own writes.
import { own } from '@gantry/contract/own.ts';

/** Understands `a`, `!a`, `a=b`, `a==b`, `a!=b`, joined by commas. Throws on anything else, when the cache is made. */
export function selects(selector: string | undefined): (labels: Record<string, string> | undefined) => boolean {
  if (!selector) return () => true;
  const rules = selector.split(',').map((text) => {
    const found = /^\s*(!?)([A-Za-z0-9._/-]+)\s*(?:(==?|!=)\s*([A-Za-z0-9._-]*))?\s*$/.exec(text);
    if (!found || (found[1] && found[3])) throw new Error(`label selector "${selector}": "${text}" is not understood`);
    const [, not, key = '', operator, value] = found;
    return (labels: Record<string, string>): boolean => {
      if (operator === undefined) return Object.hasOwn(labels, key) !== (not === '!');
      return (own(labels, key) === value) === (operator !== '!=');
    };
  });
  return (labels = {}) => rules.every((rule) => rule(labels));
}
