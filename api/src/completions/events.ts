// Cuts an engine's stream into server-sent events, as they come. Hostile input: one that never ends is refused.

import { Gathered } from '../gathered.ts';

/** Of one event. */
const MOST_BYTES = 4 * 1024 * 1024;
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
    // What was there before has no end in it, but for its last three bytes.
    for (let end = endOf(all, Math.max(0, before - 3)); end >= 0; end = endOf(all, from)) {
      events.push(all.toString('utf8', from, end));
      from = end;
    }
    if (all.length - from > MOST_BYTES) throw new BadStream('an event is too long');
    if (before > 0) this.#rest.drop(from);
    else if (from < bytes.length) this.#rest.add(bytes.subarray(from));
    return events;
  }

  /** What came after the last whole event. */
  get left(): number {
    return this.#rest.size;
  }
}

/** Behind the first empty line; -1 without one. */
function endOf(bytes: Buffer, from: number): number {
  const plain = bytes.indexOf('\n\n', from, 'latin1');
  const carried = bytes.indexOf('\r\n\r\n', from, 'latin1');
  if (carried >= 0 && (plain < 0 || carried < plain)) return carried + 4;
  return plain < 0 ? -1 : plain + 2;
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
