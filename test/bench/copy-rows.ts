// COPY over a connection of `pg`, whose own query knows no such answer.
import type pg from 'pg';

/** The output of `text` (COPY … TO STDOUT). */
export async function copyOut(client: pg.Client, text: string): Promise<Buffer> {
  const copy = new Copy(text);
  client.query(copy);
  await copy.done;
  return Buffer.concat(copy.chunks);
}

/** `text` is COPY … FROM STDIN. */
export async function copyIn(client: pg.Client, text: string, rows: Buffer): Promise<void> {
  const copy = new Copy(text, rows);
  client.query(copy);
  await copy.done;
}

interface CopyConnection extends pg.Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

class Copy implements pg.Submittable {
  readonly #text: string;
  readonly #rows: Buffer;
  readonly #end = Promise.withResolvers<void>();
  readonly chunks: Buffer[] = [];

  constructor(text: string, rows: Buffer = Buffer.alloc(0)) {
    this.#text = text;
    this.#rows = rows;
  }

  get done(): Promise<void> {
    return this.#end.promise;
  }

  submit(connection: pg.Connection): void {
    (connection as CopyConnection).query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // A part of the buffer that the next answer is read into.
    this.chunks.push(Buffer.from(chunk));
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#end.resolve();
  }

  handleError(error: Error): void {
    this.#end.reject(error);
  }
}
