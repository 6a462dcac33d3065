// A shell in an instance: `agent shell`, executed in its main container. What is sent and what comes are the frames that
// agent/ssh/shell.go describes, so that keys, sizes and signs of life share one stream, and its end ends the shell.
import type WebSocket from 'ws';
import { openPodSocket, type PodName, PodUnreachable, type SocketSource } from './pod-socket.ts';

const DATA = 0;
const RESIZE = 1;
const ALIVE = 2;
const TAKEN = 3;
const EXIT = 4;
const HEADER = 5;
const MOST_FRAME = 64 * 1024;
/** So much input may be under way: the agent refuses more. */
const INPUT_WINDOW = 256 * 1024;

/** Channels of v5.channel.k8s.io: the first byte of every message. */
const STDIN = 0;
const STDOUT = 1;
const STATUS = 3;

export interface Size {
  cols: number;
  rows: number;
}

export interface ShellEvents {
  onData(bytes: Buffer): void;
  /** There is room again: `room` is larger than it was. */
  onRoom(): void;
  /** Once. `exitCode` is absent where the shell did not end by itself. */
  onEnd(exitCode: number | undefined, why: string): void;
}

export class PodShell {
  readonly #socket: WebSocket;
  readonly #events: ShellEvents;
  #underWay = 0;
  #rest: Buffer = Buffer.alloc(0);
  #exitCode: number | undefined;
  #why = '';
  #ended = false;

  private constructor(socket: WebSocket, events: ShellEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', (_code, reason: Buffer) => this.#end(reason.toString('utf8')));
    socket.resume();
  }

  /** Resolves once the container runs it. Throws PodUnreachable. */
  static async open(source: SocketSource, at: PodName, { cols, rows }: Size, events: ShellEvents): Promise<PodShell> {
    const command = ['/gantry/bin/agent', 'shell', '--columns', `${cols}`, '--rows', `${rows}`];
    const query = [
      ['container', 'main'],
      ['stdin', 'true'],
      ['stdout', 'true'],
      ...command.map((word) => ['command', word] as const),
    ] as const;
    const socket = await openPodSocket(source, at, 'exec', query, 'v5.channel.k8s.io');
    if (socket.protocol !== 'v5.channel.k8s.io') {
      socket.terminate();
      throw new PodUnreachable(0, `the API server speaks "${socket.protocol}"`);
    }
    return new PodShell(socket, events);
  }

  /** Bytes that may be written now. */
  get room(): number {
    return INPUT_WINDOW - this.#underWay;
  }

  /** At most `room` bytes. */
  write(bytes: Buffer): void {
    this.#underWay += bytes.length;
    for (let at = 0; at < bytes.length; at += MOST_FRAME) this.#send(DATA, bytes.subarray(at, at + MOST_FRAME));
  }

  resize({ cols, rows }: Size): void {
    const size = Buffer.alloc(4);
    size.writeUInt16BE(cols, 0);
    size.writeUInt16BE(rows, 2);
    this.#send(RESIZE, size);
  }

  /** Says that somebody is here. */
  alive(): void {
    this.#send(ALIVE, Buffer.alloc(0));
  }

  /** Nothing more is read until `resume`: what the shell shows waits there. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** The shell is hung up. */
  close(): void {
    this.#socket.terminate();
  }

  #send(kind: number, payload: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const head = Buffer.alloc(1 + HEADER);
    head[0] = STDIN;
    head[1] = kind;
    head.writeUInt32BE(payload.length, 2);
    this.#socket.send(Buffer.concat([head, payload]));
  }

  #take(message: Buffer): void {
    const payload = message.subarray(1);
    if (message[0] === STDOUT) this.#unframe(payload);
    else if (message[0] === STATUS) this.#hear(payload);
  }

  #unframe(payload: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, payload]) : payload;
    while (bytes.length >= HEADER) {
      const end = HEADER + bytes.readUInt32BE(1);
      if (end > HEADER + MOST_FRAME) {
        this.#why = 'what came is not what the agent says';
        this.#socket.terminate();
        return;
      }
      if (bytes.length < end) break;
      this.#frame(bytes[0] ?? 0, bytes.subarray(HEADER, end));
      bytes = bytes.subarray(end);
    }
    // A copy: the rest of a small frame must not keep the whole message.
    this.#rest = Buffer.from(bytes);
  }

  #frame(kind: number, payload: Buffer): void {
    if (kind === DATA && payload.length > 0) this.#events.onData(payload);
    else if (kind === EXIT) this.#exitCode = payload.readUInt32BE(0);
    else if (kind === TAKEN) {
      this.#underWay -= payload.readUInt32BE(0);
      this.#events.onRoom();
    }
  }

  /** How the runtime says it ended; the agent's own word comes first. */
  #hear(payload: Buffer): void {
    const { status, message, details } = JSON.parse(payload.toString('utf8')) as ExecStatus;
    const said = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    const code = status === 'Success' ? 0 : said === undefined ? undefined : Number(said);
    this.#exitCode ??= code;
    this.#why ||= message ?? '';
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.onEnd(this.#exitCode, this.#why || reason);
  }
}

interface ExecStatus {
  status?: string;
  message?: string;
  details?: { causes?: { reason?: string; message?: string }[] };
}
