// The lines of a log as they arrive: decoded, cut from their times, coloured. Bounded, whatever comes: the newest lines are kept,
// and a line without an end is shown in pieces.
import { PLAIN, parseLine, type Span, type Style } from './ansi.ts';

export interface LogLine {
  /** RFC 3339; null for a later piece of a line. */
  readonly at: string | null;
  readonly text: string;
  readonly spans?: readonly Span[];
}

export const MOST_LINES = 100_000;
/** Dropped at once, so that it is rare. */
const DROPPED = 10_000;
export const MOST_LETTERS = 4096;
const TIME = /^(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)) /;

export class LogLines {
  #lines: LogLine[] = [];
  #dropped = 0;
  #longest = 0;
  #held = '';
  #style: Style = PLAIN;
  #isWithin = false;
  #newest = '';
  /** Lines up to this time are there already. */
  #known = '';
  #decoder = new TextDecoder();

  get all(): readonly LogLine[] {
    return this.#lines;
  }
  /** Lines that are not kept any more. */
  get dropped(): number {
    return this.#dropped;
  }
  /** Letters of the longest line. */
  get longest(): number {
    return this.#longest;
  }
  /** The time of the newest line; empty where there is none. */
  get newest(): string {
    return this.#newest;
  }

  push(bytes: Uint8Array): void {
    this.#take(this.#held + this.#decoder.decode(bytes, { stream: true }));
  }

  /** Later lines are read anew from about the newest line on. */
  goOn(): void {
    this.#known = this.#newest;
  }

  /** Nothing follows, or what follows begins with a whole line. */
  end(): void {
    const rest = this.#held + this.#decoder.decode();
    this.#held = '';
    if (rest !== '') this.#line(rest, true);
    this.#isWithin = false;
    this.#decoder = new TextDecoder();
  }

  /** It broke off: the line under way comes once more. */
  breakOff(): void {
    this.#held = '';
    this.#isWithin = false;
    this.#decoder = new TextDecoder();
  }

  #take(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#line(text.slice(from, end), true);
      from = end + 1;
    }
    this.#held = text.slice(from);
    if (this.#held.length <= 2 * MOST_LETTERS) return;
    this.#line(this.#held, false);
    this.#held = '';
  }

  #line(line: string, isEnd: boolean): void {
    const time = this.#isWithin ? undefined : TIME.exec(line)?.[1];
    let rest = time === undefined ? line : line.slice(time.length + 1);
    // A progress bar writes over itself: its last state counts.
    let end = rest.length;
    while (rest[end - 1] === '\r') end--;
    rest = rest.slice(rest.lastIndexOf('\r', end - 1) + 1, end);
    if (this.#known !== '') {
      this.#isWithin = !isEnd;
      // Times have one length, so that their letters have their order.
      if (time === undefined || time <= this.#known) return;
      this.#known = '';
    }
    if (time !== undefined) this.#newest = time;
    let at = time ?? null;
    do {
      const { text, spans, end } = parseLine(rest.slice(0, MOST_LETTERS), this.#style);
      this.#style = end;
      this.#longest = Math.max(this.#longest, text.length);
      this.#lines.push({ at, text, ...(spans && { spans }) });
      rest = rest.slice(MOST_LETTERS);
      at = null;
    } while (rest !== '');
    this.#isWithin = !isEnd;
    if (this.#lines.length < MOST_LINES + DROPPED) return;
    const most = this.#lines.length - MOST_LINES;
    this.#lines = this.#lines.slice(most);
    this.#dropped += most;
  }
}
