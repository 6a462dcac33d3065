// Text that nothing behind the gateway could keep or show as it is: a database refuses NUL and half a surrogate pair, a screen
// is turned around by a bidirectional override, a terminal obeys an escape.
import { problem } from '@gantry/contract/http/problem.ts';

// Control characters but tab and line ends; bidirectional overrides and isolates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BAD = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/** Throws bad_text for any such string or member name, and for the member name `__proto__`. */
export function refuseBadText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (BAD.test(value) || !value.isWellFormed()) throw badText(path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseBadText(item, joined(path, `${index}`));
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (name === '__proto__' || BAD.test(name) || !name.isWellFormed()) throw badText(path);
      refuseBadText(member, joined(path, name));
    }
  }
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function badText(path: string) {
  const field = path === '' ? 'body' : path;
  return problem('bad_text', { field }, { field });
}
