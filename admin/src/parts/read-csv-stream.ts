// Reads a CSV file as it arrives, and counts its rows: a line end within quotes is none.
const QUOTE = 0x22;
const LINE_END = 0x0a;

export interface ReadCsv {
  parts: Uint8Array<ArrayBuffer>[];
  /** Without the header. */
  rows: number;
}

/** Rejects where the answer breaks off, or the call that it answers is aborted. */
export async function readCsvStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onRows: (rows: number) => void,
): Promise<ReadCsv> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body.getReader();
  let lines = 0;
  let isQuoted = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_END && !isQuoted) lines++;
    }
    parts.push(value);
    onRows(Math.max(0, lines - 1));
  }
  return { parts, rows: Math.max(0, lines - 1) };
}
