// An open watch: events pass one line at a time, so that each can be dropped, held back or followed by silence.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from './call.ts';
import { statusObject } from './status-object.ts';

export interface WatchEvent {
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string;
  readonly object: {
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly resourceVersion?: string };
    readonly [field: string]: unknown;
  };
}

/** Ends a watch whose resourceVersion was compacted away. */
const EXPIRED: WatchEvent = { type: 'ERROR', object: { ...statusObject(410) } };

export class LiveWatch {
  readonly call: Call;
  readonly #from: IncomingMessage;
  readonly #to: ServerResponse;
  #isSilent: boolean = false;

  constructor(call: Call, from: IncomingMessage, to: ServerResponse) {
    this.call = call;
    this.#from = from;
    this.#to = to;
    to.once('close', () => from.destroy());
    to.writeHead(200, { 'content-type': from.headers['content-type'] ?? 'application/json' });
    to.flushHeaders();
  }

  /** Puts an event of the test's own into the stream. */
  send(event: WatchEvent): void {
    this.#write(JSON.stringify(event));
  }

  /** Keeps the connection and says nothing more on it, whatever upstream sends and even when upstream ends it. */
  stall(): void {
    this.#isSilent = true;
  }

  /** Says 410 Expired inside the stream, then ends it, as the API server does. */
  expire(): void {
    this.send(EXPIRED);
    this.end();
  }

  end(): void {
    if (!this.#isSilent) this.#to.end();
  }

  /** Destroys the caller's socket, stalled or not. */
  cut(): void {
    this.#to.destroy();
  }

  /** Passes lines on until either side ends. `decide` sees each event first, and may take its time. */
  async pump(decide: (event: WatchEvent) => Promise<'pass' | 'drop'>): Promise<void> {
    try {
      for await (const line of linesOf(this.#from)) {
        if (this.#to.writableEnded || this.#to.destroyed) return;
        // A stalled watch still reads: the API server must not notice, or it would end the connection for us.
        if (this.#isSilent) continue;
        if ((await decide(JSON.parse(line))) === 'pass') this.#write(line);
      }
      this.end();
    } catch {
      // Upstream broke off in the middle: so does this side, silent or not being its own affair.
      if (!this.#isSilent) this.cut();
    }
  }

  #write(line: string): void {
    if (!this.#isSilent && !this.#to.writableEnded) this.#to.write(`${line}\n`);
  }
}

// node:readline also splits at U+2028 and U+2029, which are legal inside a JSON string.
async function* linesOf(stream: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}
