// A program behind a relay, at the wire: it keeps what each connection brings, reads requests in one of the ways in which real
// servers do, and answers each with what it has read. It closes no connection by itself, whatever a request says.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

interface Reading {
  headers: ReadonlyMap<string, readonly string[]>;
  method: string;
}

/** How many bytes of `rest` are the body; undefined: they are not all there. */
type ReadsBody = (request: Reading, rest: string) => number | undefined;

const lengthIn = ({ headers }: Reading, which: 0 | -1): number | undefined => {
  const length = Number.parseInt(headers.get('content-length')?.at(which) ?? '', 10);
  return Number.isNaN(length) ? undefined : Math.max(0, length);
};
const isThere = (length: number, rest: string) => (rest.length < length ? undefined : length);
const byLength =
  (which: 0 | -1): ReadsBody =>
  (request, rest) =>
    isThere(lengthIn(request, which) ?? 0, rest);
const byChunks = (rest: string): number | undefined => {
  for (let at = 0; ; ) {
    const newline = rest.indexOf('\n', at);
    if (newline < 0) return undefined;
    const size = Number.parseInt(rest.slice(at, newline), 16) || 0;
    at = newline + 1;
    if (size === 0) {
      const end = /^(?:[^\r\n]+\r?\n)*\r?\n/.exec(rest.slice(at));
      return end ? at + end[0].length : undefined;
    }
    at += size + (rest[at + size] === '\r' ? 2 : 1);
    if (at > rest.length) return undefined;
  }
};
const isChunked = ({ headers }: Reading) =>
  headers.get('transfer-encoding')?.some((coding) => /chunked/i.test(coding)) ?? false;
const byStandard: ReadsBody = (request, rest) => (isChunked(request) ? byChunks(rest) : byLength(0)(request, rest));

/** Each is how some server has read bodies. */
export const PROGRAMS = {
  'that reads as the standard says': byStandard,
  'that knows lengths alone': byLength(0),
  'that believes the last length': byLength(-1),
  'that reads no body of GET': (request, rest) =>
    /^(GET|HEAD|OPTIONS|DELETE)$/.test(request.method) ? 0 : byStandard(request, rest),
  'that reads no body at all': () => 0,
} satisfies Record<string, ReadsBody>;
export type ProgramName = keyof typeof PROGRAMS;

/** Its answer to a request of its own choice, in pieces of their own. */
export interface Script {
  pieces: readonly string[];
  closes?: boolean;
}

export interface Heard {
  connection: number;
  /** As it came. */
  text: string;
  method: string;
  headers: ReadonlyMap<string, readonly string[]>;
}

export class RecordingProgram {
  style: ProgramName = 'that reads as the standard says';
  /** For requests with this in them. */
  script: { for: string; says: Script } | undefined;
  heard: Heard[] = [];
  /** All that each connection brought. */
  brought: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((socket) => this.#take(socket));
  }

  async listen(ip = '127.0.0.1', port = 0): Promise<number> {
    await once(this.#server.listen(port, ip), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  get open(): number {
    return this.#sockets.size;
  }

  /** Unasked, on all of its connections. */
  says(text: string): void {
    for (const socket of this.#sockets) socket.write(text, 'latin1');
  }

  forget(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.heard = [];
    this.brought = [];
    this.script = undefined;
  }

  stop(): void {
    this.forget();
    this.#server.close();
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    const connection = this.brought.push('') - 1;
    let left = '';
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      this.brought[connection] += text;
      left += text;
      for (let read = this.#read(left); read; read = this.#read(left)) {
        left = left.slice(read.text.length);
        const heard = { connection, ...read };
        this.heard.push(heard);
        void this.#answer(socket, heard);
      }
    });
  }

  #read(text: string): Omit<Heard, 'connection'> | undefined {
    const end = /\r?\n\r?\n/.exec(text);
    if (!end) return undefined;
    const to = end.index + end[0].length;
    const [line = '', ...rest] = text.slice(0, end.index).split(/\r?\n/);
    const headers = new Map<string, string[]>();
    for (const one of rest) {
      const colon = one.indexOf(':');
      const name = one.slice(0, colon).trim().toLowerCase();
      headers.set(name, [...(headers.get(name) ?? []), one.slice(colon + 1).trim()]);
    }
    const reading = { method: line.split(' ')[0] ?? '', headers };
    const body = PROGRAMS[this.style](reading, text.slice(to));
    return body === undefined ? undefined : { ...reading, text: text.slice(0, to + body) };
  }

  async #answer(socket: Socket, { text, method, headers }: Heard): Promise<void> {
    const scripted = this.script && text.includes(this.script.for) ? this.script.says : undefined;
    if (scripted) {
      for (const piece of scripted.pieces) {
        socket.write(piece, 'latin1');
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (scripted.closes) socket.end();
      return;
    }
    if (headers.get('upgrade')?.includes('websocket') && headers.get('sec-websocket-version')?.includes('13')) {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      return;
    }
    socket.write(answerOf(text, method === 'HEAD'), 'latin1');
  }
}

/** As an engine answers, so that all relays take it. */
function answerOf(text: string, isToHead = false): string {
  const message = { role: 'assistant', content: text };
  const body = JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] });
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return isToHead ? head : head + body;
}
