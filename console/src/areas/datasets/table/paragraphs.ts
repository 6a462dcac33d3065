// Paragraphs of a document's text, as the worker numbers them (`data-worker/gantry_worker/task/texts.py`): blocks between blank lines; the
// lines of a long block, and of a kind of file that has a paragraph a line. Pure.

/** Numbers from 1, both included. */
export interface Paragraphs {
  readonly first: number;
  readonly last: number;
}

/** Where they stand in a text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Characters of a block, from which on its lines are paragraphs. */
const LONG = 2000;
/** What Python's `\s` is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: four of them are spaces there
const SPACE = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const BLANK_LINES = new RegExp(`\\n[ \\t\\u3000]*\\n${SPACE.source}*`, 'g');

/** `2` or `2-4`, as an address has them. */
export function paragraphsIn(text: string | null): Paragraphs | undefined {
  const [, first, last = first] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(text ?? '') ?? [];
  return first === undefined ? undefined : { first: Number(first), last: Number(last) };
}

/** Undefined where the text has no such paragraph. */
export function placeOf(text: string, { first, last }: Paragraphs, isByLine: boolean): Place | undefined {
  let number = 0;
  let place: Place | undefined;
  for (const { from, to } of paragraphsOf(text, isByLine)) {
    number += 1;
    if (number >= first) place = { from: place?.from ?? from, to };
    if (number >= last) break;
  }
  return place;
}

function* paragraphsOf(text: string, isByLine: boolean): Generator<Place> {
  for (const block of between(text, BLANK_LINES, { from: 0, to: text.length }))
    for (const each of isByLine || isLong(text, block) ? between(text, /\n/g, block) : [block]) {
      const place = trimmed(text, each);
      if (place.from < place.to) yield place;
    }
}

function* between(text: string, apart: RegExp, { from, to }: Place): Generator<Place> {
  let at = from;
  for (const { index, 0: found } of text.slice(from, to).matchAll(apart)) {
    yield { from: at, to: from + index };
    at = from + index + found.length;
  }
  yield { from: at, to };
}

const isLong = (text: string, { from, to }: Place): boolean =>
  to - from > LONG && [...text.slice(from, to)].length > LONG;

function trimmed(text: string, { from, to }: Place): Place {
  let [first, end] = [from, to];
  while (first < end && SPACE.test(text.charAt(first))) first += 1;
  while (first < end && SPACE.test(text.charAt(end - 1))) end -= 1;
  return { from: first, to: end };
}
