// A shell in a container without our agent: whichever shell the image has, on a terminal of the runtime's. It ends with its connection.
import type WebSocket from 'ws';
import type { ShellEvents, Size } from './pod-shell.ts';
import { exitCodeIn } from './pod-shell.ts';
import { openPodSocket, type PodName, PodUnreachable, type SocketSource } from './pod-socket.ts';

/** Channels of v5.channel.k8s.io: the first byte of every message. */
const STDIN = 0;
const STDOUT = 1;
const STATUS = 3;
const RESIZE = 4;
/** Says that the channel in its second byte is closed. */
const CLOSE = 255;

const PROTOCOL = 'v5.channel.k8s.io';
const INPUT_WINDOW = 256 * 1024;
const COMMAND = ['sh', '-c', 'export TERM=xterm-256color; command -v bash >/dev/null 2>&1 && exec bash; exec sh'];
/** The line is given up, and there is no more: a shell that waits for input ends. The runtime does not hang it up. */
const FAREWELL = Buffer.from([STDIN, 0x03, 0x04]);
/** As runtimes say that there is no such program. */
const NO_PROGRAM = /executable file not found|no such file or directory/i;

export class TtyShell {
  readonly #socket: WebSocket;
  readonly #events: ShellEvents;
  #exitCode: number | undefined;
  #hasShown = false;
  #isMissing = false;
  #isEnded = false;

  private constructor(socket: WebSocket, events: ShellEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', () => this.#end());
    socket.resume();
  }

  /** Resolves once the runtime was asked for it. Throws PodUnreachable. */
  static async open(source: SocketSource, at: PodName, size: Size, events: ShellEvents): Promise<TtyShell> {
    const query = [
      ['container', 'main'],
      ['stdin', 'true'],
      ['stdout', 'true'],
      ['tty', 'true'],
      ...COMMAND.map((word) => ['command', word] as const),
    ] as const;
    const socket = await openPodSocket(source, at, 'exec', query, PROTOCOL);
    if (socket.protocol !== PROTOCOL) {
      socket.terminate();
      throw new PodUnreachable(0, `the API server speaks "${socket.protocol}"`);
    }
    const shell = new TtyShell(socket, events);
    shell.resize(size);
    return shell;
  }

  /** Bytes that may be written now. */
  get room(): number {
    return Math.max(0, INPUT_WINDOW - this.#socket.bufferedAmount);
  }

  write(bytes: Buffer): void {
    this.#send(Buffer.concat([Buffer.from([STDIN]), bytes]), () => this.#events.onRoom());
  }

  resize({ cols, rows }: Size): void {
    const said = JSON.stringify({ Width: cols, Height: rows });
    this.#send(Buffer.concat([Buffer.from([RESIZE]), Buffer.from(said)]));
  }

  /** The connection's own pings keep it. */
  alive(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    this.close();
  }

  close(): void {
    this.#send(FAREWELL);
    this.#send(Buffer.from([CLOSE, STDIN]));
    // Or its close is never read.
    this.#socket.resume();
    this.#socket.close();
  }

  #send(message: Buffer, sent?: () => void): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message, () => sent?.());
  }

  #take(message: Buffer): void {
    if (this.#isEnded) return;
    const payload = message.subarray(1);
    if (message[0] === STDOUT && payload.length > 0) {
      this.#hasShown = true;
      this.#events.onData(payload);
    } else if (message[0] === STATUS) {
      this.#exitCode ??= exitCodeIn(payload);
      this.#isMissing ||= !this.#hasShown && NO_PROGRAM.test(payload.toString('utf8'));
    }
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#isMissing) this.#events.onEnd({ hasNoShell: true });
    else this.#events.onEnd(this.#exitCode === undefined ? {} : { exitCode: this.#exitCode });
  }
}
