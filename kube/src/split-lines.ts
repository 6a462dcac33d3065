// A watch is one JSON text per line; lines do not end where chunks do.

const NEWLINE = 10;

/** Feed it chunks; it calls back with every line that is complete. What follows the last newline is held for the next chunk. */
export function splitLines(onLine: (line: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  return (chunk) => {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, to);
      const line = held.length > 0 ? Buffer.concat([...held, rest]) : rest;
      held = [];
      from = to + 1;
      if (line.length > 0) onLine(line);
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  };
}
