// A browser's open connections: the stream of messages and resources, and a terminal. Everything received is kept, so that a
// state shorter than two looks is not missed.
import type { ResourceEvent } from '@gantry/contract/areas/messages/messages.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import { EventSource } from 'eventsource';
import WebSocket from 'ws';
import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';

export class LiveStream {
  readonly resources: ResourceEvent[] = [];
  /** Plural names of kinds to read anew, as often as it was told to. */
  readonly resets: string[] = [];
  readonly #source: EventSource;

  /** Open when it resolves. It reconnects automatically, from its last position. */
  static async open(client: HttpClient, watch: string): Promise<LiveStream> {
    const live = new LiveStream(client, watch);
    await eventually('the stream is open', () => live.isOpen);
    return live;
  }

  private constructor(client: HttpClient, watch: string) {
    const path = `/api${MESSAGE_ROUTES.streamMessages.path}?watch=${watch}`;
    this.#source = new EventSource(client.url(path), {
      // The reader is known by a header, which a browser's own EventSource could not send.
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, 'x-token': client.token ?? '' } }),
    });
    this.#source.addEventListener('resource', ({ data }) => this.resources.push(JSON.parse(data)));
    this.#source.addEventListener('reset', ({ data }) => this.resets.push(...JSON.parse(data).kinds));
  }

  get isOpen(): boolean {
    return this.#source.readyState === this.#source.OPEN;
  }

  /** The phases of one object, as received. */
  phasesOf(id: string): readonly string[] {
    return this.resources.filter((event) => event.id === id).map(({ view, type }) => String(view?.phase ?? type));
  }

  /** From the `from`th event of it on. */
  tells(id: string, phase: string, { from = 0, limitMs = 60_000 } = {}): Promise<true> {
    return eventually(
      `the stream tells that ${id} is ${phase}`,
      () => {
        const phases = this.phasesOf(id).slice(from);
        if (!phases.includes(phase)) throw new Error(`it told ${phases.join(' → ')}`);
        return true;
      },
      limitMs,
    );
  }

  close(): void {
    this.#source.close();
  }
}

export class LiveTerminal {
  readonly #socket: WebSocket;
  #shown = '';
  #statuses: { status: string; message: string; reason?: string }[] = [];

  constructor(client: HttpClient, path: string) {
    const url = client.url(path);
    url.protocol = 'ws:';
    this.#socket = new WebSocket(url);
    this.#socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#shown += data.toString('utf8');
      else this.#statuses.push(JSON.parse(data.toString('utf8')));
    });
    // The missing output tells why it was refused or lost.
    this.#socket.on('error', (error) => this.#statuses.push({ status: 'error', message: error.message }));
  }

  get statuses(): readonly { status: string; message: string; reason?: string }[] {
    return this.#statuses;
  }

  type(text: string): void {
    this.#socket.send(Buffer.from(text));
  }

  becomes(status: string): Promise<unknown> {
    return eventually(`the terminal is ${status}`, () => {
      const found = this.#statuses.find((each) => each.status === status);
      if (!found) throw new Error(JSON.stringify(this.#statuses));
      return found;
    });
  }

  shows(what: RegExp): Promise<true> {
    return eventually(`the terminal shows ${what}`, () => {
      if (!what.test(this.#shown)) throw new Error(`${JSON.stringify(this.#shown)} ${JSON.stringify(this.#statuses)}`);
      return true;
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
