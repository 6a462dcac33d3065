// Splits a typed command into program and arguments, like a shell: quotes group text with spaces, a backslash escapes the next
// character (inside double quotes only what means something to a shell there, inside single quotes never), and before the end of a
// line it is nothing, with that end. Nothing is filled in: `$HOME` stays as it is.

/** A line that goes on; space; 'literal'; "with escapes"; an escaped letter; letters; the rest: an unclosed quote. */
const PIECE = /\\\r?\n|(\s+)|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)|(.)/gs;

const CONTINUED = /^\\\r?\n$/;
const ESCAPED = /\\(?:\r?\n|(["\\$`]))/g;

/** Undefined for nothing at all, and for a quote that is not closed. */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (const [piece, space, single, double, escaped, plain, left] of line.matchAll(PIECE)) {
    if (left === "'" || left === '"') return undefined;
    if (CONTINUED.test(piece)) continue;
    if (space === undefined) {
      const quoted = single ?? double?.replace(ESCAPED, '$1');
      word = (word ?? '') + (quoted ?? escaped ?? plain ?? left ?? '');
    } else {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  return words.length === 0 ? undefined : words;
}

/** The way back: what `splitCommand` reads as these very words. */
export const joinCommand = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
