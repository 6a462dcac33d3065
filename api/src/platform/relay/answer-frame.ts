// The framing of a replica's answer. Output of a program is hostile, and behind a shared proxy an answer whose end two servers see
// differently becomes another visitor's: whatever is not plain HTTP/1 is refused. Pure.
import { isBodiless, namedIn } from './passing-headers.ts';

/** The most bytes of the head, and of the lines after the last chunk. */
export const MOST_HEAD_BYTES = 64 * 1024;
/** The most bytes of the line before a chunk. */
const MOST_LINE_BYTES = 1024;

export class BadAnswer extends Error {}

export interface AnswerHead extends Framing {
  status: number;
  /** Names and values in turn, as they came. */
  headers: readonly string[];
  /** Names in lower case, each as often as it came. */
  names: readonly string[];
  /** `none` also of an answer without a body to come, whatever it announces. */
  body: 'none' | 'length' | 'chunks' | 'untilClose';
}

interface Framing {
  /** With a body of this kind. */
  length: number;
  /** The replica waits for another request on the same connection. */
  isKept: boolean;
  /** How long it says it waits. */
  keepSeconds: number | undefined;
  /** The headers that are about the connection besides the usual ones. */
  named: readonly string[] | undefined;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Values that Node itself would write, too.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const LENGTH = /^\d{1,15}$/;
const KEEP_SECONDS = /\btimeout=(\d{1,6})\b/i;

/** `text` is the head in Latin-1 without the empty line that ends it. Throws BadAnswer. */
export function readAnswerHead(text: string, isToHead: boolean): AnswerHead {
  const end = text.indexOf('\r\n');
  const line = STATUS_LINE.exec(end < 0 ? text : text.slice(0, end));
  if (!line) throw new BadAnswer('the answer does not begin with a status');
  const status = Number(line[2]);
  const headers: string[] = [];
  const names: string[] = [];
  readHeaders(text, end, headers, names);
  const isOld = line[1] === '0';
  const { hasLength, hasChunks, framing } = framingOf(names, headers, isOld);
  const isBare = isToHead || isBodiless(status);
  const body = isBare ? 'none' : hasChunks ? 'chunks' : hasLength ? 'length' : 'untilClose';
  // One that says how a body ends which it must not have may bring it all the same.
  const hasEnd = isBare ? !hasChunks && framing.length === 0 : body !== 'untilClose';
  return { status, headers, names, body, ...framing, isKept: framing.isKept && !isOld && hasEnd };
}

/** `end` is that of the line before. */
function readHeaders(text: string, end: number, headers: string[], names: string[]): void {
  let at = end;
  while (at >= 0) {
    const from = at + 2;
    at = text.indexOf('\r\n', from);
    const to = at < 0 ? text.length : at;
    const colon = text.indexOf(':', from);
    if (colon < 0 || colon >= to) throw new BadAnswer('a line of the head is no header');
    const name = text.slice(from, colon);
    const value = trimmed(text, colon + 1, to);
    if (!NAME.test(name) || !VALUE.test(value)) throw new BadAnswer('a header has characters that none may have');
    headers.push(name, value);
    names.push(name.toLowerCase());
  }
}

function framingOf(names: readonly string[], headers: readonly string[], isOld: boolean) {
  const framing: Framing = { length: 0, isKept: true, keepSeconds: undefined, named: undefined };
  let hasLength = false;
  let hasChunks = false;
  for (let at = 0; at < names.length; at++) {
    const value = headers[2 * at + 1] as string;
    switch (names[at]) {
      case 'content-length':
        if (hasLength || !LENGTH.test(value)) throw new BadAnswer('the length is no number, or there are two');
        hasLength = true;
        framing.length = Number(value);
        break;
      case 'transfer-encoding':
        if (hasChunks || isOld || value.toLowerCase() !== 'chunked') throw new BadAnswer('the coding is not "chunked"');
        hasChunks = true;
        break;
      case 'connection':
        heedConnection(framing, value);
        break;
      case 'keep-alive': {
        const seconds = KEEP_SECONDS.exec(value)?.[1];
        if (seconds !== undefined) framing.keepSeconds = Number(seconds);
      }
    }
  }
  if (hasLength && hasChunks) throw new BadAnswer('the answer has a length and chunks');
  return { hasLength, hasChunks, framing };
}

function heedConnection(framing: Framing, value: string): void {
  if (value === 'keep-alive') return;
  framing.isKept &&= value.toLowerCase() === 'keep-alive';
  framing.named = [...(framing.named ?? []), ...(namedIn(value) ?? [])];
}

/** Without the blanks around it. */
function trimmed(text: string, from: number, to: number): string {
  let begin = from;
  let end = to;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

// Extensions that mean the same to everybody; they are dropped.
const SIZE_LINE = /^([0-9a-f]{1,12})(?:;[!#$%&'*+\-.^_`|~0-9a-z]+(?:=[!#$%&'*+\-.^_`|~0-9a-z]+)?)*$/i;
const TRAILER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;
const CR = 0x0d;
const LF = 0x0a;

/** The body in chunks: takes bytes as they come, and gives the parts that are content. */
export class ChunkReader {
  #state: 'size' | 'content' | 'contentEnd' | 'trailer' | 'over' = 'size';
  #line = '';
  #left = 0;
  #trailerBytes = 0;

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** Returns how many bytes it took: all of them, unless the body ends before. Throws BadAnswer. */
  take(bytes: Buffer, content: (part: Buffer) => void): number {
    let at = 0;
    while (at < bytes.length && this.#state !== 'over') {
      if (this.#state === 'content') {
        const part = bytes.subarray(at, at + this.#left);
        at += part.length;
        this.#left -= part.length;
        if (this.#left === 0) this.#state = 'contentEnd';
        content(part);
        continue;
      }
      const newline = bytes.indexOf(LF, at);
      const to = newline < 0 ? bytes.length : newline + 1;
      this.#line += bytes.toString('latin1', at, to);
      const most = this.#state === 'trailer' ? MOST_HEAD_BYTES - this.#trailerBytes : MOST_LINE_BYTES;
      if (this.#line.length > most) throw new BadAnswer('a line of the body is too long');
      at = to;
      if (newline >= 0) this.#endLine();
    }
    return at;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = '';
    if (line.charCodeAt(line.length - 2) !== CR) throw new BadAnswer('a line of the body does not end with CRLF');
    const text = line.slice(0, -2);
    if (this.#state === 'contentEnd') {
      if (text !== '') throw new BadAnswer('a chunk is longer than it says');
      this.#state = 'size';
    } else if (this.#state === 'size') {
      const size = SIZE_LINE.exec(text);
      if (!size) throw new BadAnswer('the size of a chunk is none');
      this.#left = Number.parseInt(size[1] ?? '', 16);
      this.#state = this.#left === 0 ? 'trailer' : 'content';
    } else if (text === '') this.#state = 'over';
    else {
      if (!TRAILER.test(text)) throw new BadAnswer('a line after the body is no header');
      this.#trailerBytes += line.length;
    }
  }
}
