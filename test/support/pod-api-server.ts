// An API server at the wire: it runs shells as `agent shell` would, played by the test, and forwards ports of Pods to ports
// of this machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** The inside of one shell. */
export interface FakeShell {
  command: readonly string[];
  user: string | undefined;
  readonly typed: Buffer;
  readonly typedBytes: number;
  /** `cols x rows`, in order of arrival. */
  sizes: string[];
  alive: number;
  /** Whether the stream is open: killing a gateway closes it. */
  isOpen: boolean;
  /** Nothing more reaches the terminal until `takes`. */
  stops(): void;
  takes(): void;
  shows(bytes: Buffer): void;
  /** Any message at all, its channel first, as a tenant's own program in the agent's place may send it. */
  sends(message: Buffer): void;
  exits(code: number): void;
  /** A kept shell says first how much was shown before. */
  greets(shownBefore: Buffer): void;
  /** Somebody else attached. */
  moves(): void;
  /** Whether the gateway has asked for the end of a kept shell. */
  isAskedToEnd: boolean;
  /** The container is gone. */
  breaks(): void;
  /** Output that the gateway has not read. */
  bufferedAmount(): number;
}

const frame = (kind: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(6);
  head[0] = 1;
  head[1] = kind;
  head.writeUInt32BE(payload.length, 2);
  return Buffer.concat([head, payload]);
};
const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export class PodApiServer {
  readonly shells: FakeShell[] = [];
  /** HTTP status of refusals; 0 lets everybody in. */
  refuses = 0;
  /** The targets of Pods' ports: the port of this machine by that of the Pod. */
  readonly ports = new Map<number, number>();
  /** The target of input and output of programs that are no shells: a port of this machine; without one they end as unknown. */
  program: number | undefined;
  /** Those programs: who executed them where, and what. */
  readonly executed: { path: string; user: string | undefined; command: readonly string[] }[] = [];
  readonly #server: Server = createServer();
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });

  static async start(): Promise<PodApiServer> {
    const fake = new PodApiServer();
    fake.#server.on('upgrade', (req, socket, head) => {
      if (fake.refuses) return void socket.end(`HTTP/1.1 ${fake.refuses} No\r\nContent-Length: 2\r\n\r\nno`);
      fake.#sockets.handleUpgrade(req, socket, head, (ws) => {
        if (req.url?.includes('/exec?') && req.url.includes('command=disk-server')) fake.#execute(ws, req);
        else if (req.url?.includes('/exec?')) fake.#exec(ws, req);
        else fake.#forward(ws, req);
      });
    });
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  /** As `KubeClient.as` does. */
  as = (user: string) => ({
    socketTarget: async (path: string) => ({
      url: `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`,
      headers: { 'impersonate-user': user },
      agent: undefined as never,
    }),
  });

  async stop(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #exec(ws: WebSocket, req: IncomingMessage): void {
    const query = new URL(req.url ?? '', 'http://x').searchParams;
    const typed: Buffer[] = [];
    let typedBytes = 0;
    let isTaking = true;
    let reported = 0;
    const tell = () => {
      ws.send(frame(3, number32(typedBytes - reported)));
      reported = typedBytes;
    };
    const shell: FakeShell = {
      command: query.getAll('command'),
      user: req.headers['impersonate-user'] as string | undefined,
      get typed() {
        return Buffer.concat(typed);
      },
      get typedBytes() {
        return typedBytes;
      },
      sizes: [],
      alive: 0,
      isOpen: true,
      stops() {
        isTaking = false;
      },
      takes() {
        isTaking = true;
        tell();
      },
      shows: (bytes) => ws.send(frame(0, bytes)),
      sends: (message) => ws.send(message),
      exits(code) {
        ws.send(frame(4, number32(code)));
        ws.close(1000);
      },
      greets(shownBefore) {
        ws.send(
          Buffer.concat([
            frame(5, number32(shownBefore.length)),
            ...(shownBefore.length > 0 ? [frame(0, shownBefore).subarray(1)] : []),
          ]),
        );
      },
      moves() {
        ws.send(frame(7, Buffer.alloc(0)));
        ws.close(1000);
      },
      isAskedToEnd: false,
      breaks: () => ws.terminate(),
      bufferedAmount: () => ws.bufferedAmount,
    };
    this.shells.push(shell);
    ws.on('message', (message: Buffer) => {
      const payload = message.subarray(6);
      if (message[1] === 0) {
        typed.push(payload);
        typedBytes += payload.length;
        if (isTaking) tell();
      } else if (message[1] === 1) shell.sizes.push(`${payload.readUInt16BE(0)}x${payload.readUInt16BE(2)}`);
      else if (message[1] === 2) shell.alive++;
      else if (message[1] === 6) shell.isAskedToEnd = true;
    });
    ws.on('close', () => {
      shell.isOpen = false;
    });
  }

  #execute(ws: WebSocket, req: IncomingMessage): void {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
    const user = req.headers['impersonate-user'] as string | undefined;
    this.executed.push({ path: pathname, user, command: searchParams.getAll('command') });
    const ends = (said: object) => {
      ws.send(Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(said))]));
      ws.close();
    };
    if (this.program === undefined) {
      ends({ status: 'Failure', details: { causes: [{ reason: 'ExitCode', message: '2' }] } });
      return;
    }
    const inside = connect(this.program, '127.0.0.1');
    inside.on('data', (bytes) => ws.send(Buffer.concat([Buffer.of(1), bytes])));
    inside.on('close', () => ends({ status: 'Success' }));
    inside.on('error', () => {});
    ws.on('message', (message: Buffer) => inside.write(message.subarray(1)));
    ws.on('close', () => inside.destroy());
  }

  #forward(ws: WebSocket, req: IncomingMessage): void {
    const asked = Number(new URL(req.url ?? '', 'http://x').searchParams.get('ports'));
    const number = Buffer.from([asked & 255, asked >> 8]);
    for (const channel of [0, 1]) ws.send(Buffer.concat([Buffer.of(channel), number]));
    const port = this.ports.get(asked);
    if (port === undefined) {
      ws.send(Buffer.concat([Buffer.of(1), Buffer.from(`nothing listens at ${asked}`)]));
      ws.close();
      return;
    }
    const inside = connect(port, '127.0.0.1');
    inside.on('data', (bytes) => ws.send(Buffer.concat([Buffer.of(0), bytes])));
    inside.on('close', () => ws.close());
    inside.on('error', () => ws.close());
    ws.on('message', (message: Buffer) => inside.write(message.subarray(1)));
    ws.on('close', () => inside.destroy());
  }
}
