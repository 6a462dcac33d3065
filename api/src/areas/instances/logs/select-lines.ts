// Which lines of a log are sent, as they come. The source has the time before each line, as `kubectl logs --timestamps` shows it.
// The bytes are a tenant's: nothing of them is decoded but to search, and a line without an end is passed on in pieces.

export interface Selection {
  timestamps: boolean;
  /** An instant in milliseconds. */
  sinceMs?: number | undefined;
  /** Lines that contain it, in any case. */
  search?: string | undefined;
}

const NEWLINE = 10;
const SPACE = 32;
/** The most bytes of one line, held until its end comes. */
const MOST_HELD_BYTES = 256 * 1024;
/** A time has at most so many bytes: 2026-11-23T10:00:00.123456789+09:00. */
const MOST_TIME_BYTES = 35;

export async function* selectLines(source: AsyncIterable<Buffer>, asked: Selection): AsyncGenerator<Buffer> {
  const wanted = { ...asked, search: asked.search?.toLowerCase() };
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** The rest of a line whose beginning was passed on, or was not wanted, has its fate. */
  let fate: boolean | undefined;
  const take = (piece: Buffer, isEnd: boolean): Buffer | undefined => {
    const line = held.length > 0 ? Buffer.concat([...held, piece]) : piece;
    held = [];
    heldBytes = 0;
    const isBeginning = fate === undefined;
    const isSent = fate ?? isWanted(line, wanted);
    fate = isEnd ? undefined : isSent;
    if (!isSent) return undefined;
    return isBeginning && !wanted.timestamps ? line.subarray(textAt(line)) : line;
  };
  for await (const chunk of source) {
    const sent: Buffer[] = [];
    const send = (part: Buffer | undefined) => part && sent.push(part);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      send(take(chunk.subarray(from, end + 1), true));
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    if (heldBytes + rest.length > MOST_HELD_BYTES) send(take(rest, false));
    else if (rest.length > 0) {
      held.push(rest);
      heldBytes += rest.length;
    }
    if (sent.length > 0) yield Buffer.concat(sent);
  }
  const last = heldBytes > 0 ? take(Buffer.alloc(0), true) : undefined;
  if (last) yield last;
}

/** The index at which the text begins, after its time. */
function textAt(line: Buffer): number {
  let end = 0;
  while (end < MOST_TIME_BYTES && end < line.length && line[end] !== SPACE) end++;
  return line[end] !== SPACE || Number.isNaN(timeOf(line, end)) ? 0 : end + 1;
}

const timeOf = (line: Buffer, end: number): number => Date.parse(line.toString('latin1', 0, end));

/** `search`: in lower case. */
function isWanted(line: Buffer, { sinceMs, search = '' }: Selection): boolean {
  if (sinceMs !== undefined) {
    const at = timeOf(line, Math.max(0, textAt(line) - 1));
    if (at < sinceMs) return false;
  }
  if (search === '') return true;
  // Half a letter at the end of a piece of a line matches nothing.
  return line.toString('utf8', textAt(line)).toLowerCase().includes(search);
}

/** The last so many lines of a text. */
export function tailOf(text: Buffer, lines: number): Buffer {
  if (lines === 0) return Buffer.alloc(0);
  let from = text.length - 1;
  for (let seen = 0; seen < lines; seen++) {
    if (from <= 0) return text;
    from = text.lastIndexOf(NEWLINE, from - 1);
    if (from === -1) return text;
  }
  return text.subarray(from + 1);
}
