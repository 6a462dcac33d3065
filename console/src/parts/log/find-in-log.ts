// The occurrences of a text in a log, in any case, and a line's parts with its occurrences apart.
import { PLAIN, type Span } from './ansi.ts';
import type { LogLine } from './log-lines.ts';

export interface Occurrence {
  readonly line: number;
  readonly from: number;
}

export const MOST_FOUND = 10_000;

/** In order; at most MOST_FOUND. */
export function findInLog(lines: readonly LogLine[], wanted: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const sought = wanted.toLowerCase();
  if (sought === '') return found;
  for (let line = 0; line < lines.length; line++) {
    for (const from of placesIn(lines[line]?.text ?? '', sought)) {
      found.push({ line, from });
      if (found.length === MOST_FOUND) return found;
    }
  }
  return found;
}

function placesIn(text: string, sought: string): number[] {
  const lower = text.toLowerCase();
  const places: number[] = [];
  // A letter whose lower case is longer moves the places: such a line is not marked, and counts once.
  if (lower.length !== text.length) return lower.includes(sought) ? [0] : [];
  for (let from = lower.indexOf(sought); from !== -1; from = lower.indexOf(sought, from + sought.length))
    places.push(from);
  return places;
}

export interface Part extends Span {
  /** The index in the line at which it begins. */
  readonly from: number;
  /** The index at which the occurrence that it belongs to begins. */
  readonly found?: number;
}

/** A line's text in parts of one style each, those that are found apart. */
export function partsOf({ text, spans }: LogLine, wanted: string): readonly Part[] {
  const sought = wanted.toLowerCase();
  const isMarked = sought !== '' && text.toLowerCase().length === text.length;
  const places = isMarked ? placesIn(text, sought) : [];
  const styled: readonly Span[] = spans ?? (text === '' ? [] : [{ text, style: PLAIN }]);
  const parts: Part[] = [];
  let from = 0;
  for (const { text: part, style } of styled) {
    const ends = from + part.length;
    const add = (to: number, found?: number) => {
      if (to > from) parts.push({ text: text.slice(from, to), style, from, ...(found !== undefined && { found }) });
      from = Math.max(from, to);
    };
    for (const place of places) {
      const end = place + sought.length;
      if (end <= from || place >= ends) continue;
      add(place);
      add(Math.min(end, ends), place);
    }
    add(ends);
  }
  return parts;
}
