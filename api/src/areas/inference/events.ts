// Cuts an engine's stream into server-sent events, as they come. Hostile input: one that never ends is refused.

import { Gathered } from '../../platform/gathered.ts';

/** The most bytes of one event: it is read, and written again, between two requests of others. */
const MOST_BYTES = 1024 * 1024;
/** Each is looked at by itself. */
const MOST_LINES = 10_000;
const LINE_END = /\r\n|\r|\n/;

class BadStream extends Error {}

export class EventCutter {
  readonly #rest = new Gathered();

  /** Whole events, each with the empty line that ends it. Throws BadStream. */
  take(bytes: Buffer): string[] {
    const before = this.#rest.size;
    if (before > 0) this.#rest.add(bytes);
    const all = before > 0 ? this.#rest.bytes : bytes;
    const events: string[] = [];
    let from = 0;
    // The earlier bytes have no end in them, but for the last three. Neither form of an end is looked for twice in the same bytes, however
    // many of the other there are.
    let plain = placeOf('\n\n', all, Math.max(0, before - 3));
    let carried = placeOf('\r\n\r\n', all, Math.max(0, before - 3));
    while (plain !== carried) {
      const end = plain < carried ? plain + 2 : carried + 4;
      events.push(all.toString('utf8', from, end));
      from = end;
      if (plain < end) plain = placeOf('\n\n', all, end);
      if (carried < end) carried = placeOf('\r\n\r\n', all, end);
    }
    if (all.length - from > MOST_BYTES) throw new BadStream('an event is too long');
    if (before > 0) this.#rest.drop(from);
    else if (from < bytes.length) this.#rest.add(bytes.subarray(from));
    return events;
  }

  /** The bytes after the last whole event. */
  get left(): number {
    return this.#rest.size;
  }
}

/** Infinity: it is not there. */
function placeOf(end: string, bytes: Buffer, from: number): number {
  const at = bytes.indexOf(end, from, 'latin1');
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Its `data` lines, joined; undefined for a comment. Throws BadStream. */
export function dataOf(event: string): string | undefined {
  // Nearly all are this.
  if (event.startsWith('data: ') && event.indexOf('\n') === event.length - 2) return event.slice(6, -2);
  const all = event.split(LINE_END, MOST_LINES + 1);
  if (all.length > MOST_LINES) throw new BadStream('an event has too many lines');
  const lines = all.flatMap((line) => {
    if (line === 'data') return [''];
    if (!line.startsWith('data:')) return [];
    return [line.slice(line[5] === ' ' ? 6 : 5)];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}
