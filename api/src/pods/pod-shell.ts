// A shell in an instance: `agent shell`, executed in its main container. Both directions use the frames that agent/ssh/shell.go
// describes, so that keys, sizes and heartbeats share one stream, and its end ends the shell. The tenant is root in that
// container: everything from there is checked, and a violation ends only this shell.
import type WebSocket from 'ws';
import * as z from 'zod';
import { openPodSocket, type PodName, PodUnreachable, type SocketSource } from './pod-socket.ts';
import { BadFrame, DATA, HEADER_BYTES, MOST_EXIT_CODE, MOST_FRAME_BYTES, ShellFrames } from './shell-frames.ts';

const RESIZE = 1;
const ALIVE = 2;
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
  /** Once, and nothing comes after it. */
  onEnd(end: ShellEnd): void;
}

export interface ShellEnd {
  /** Undefined if the shell did not end on its own. */
  exitCode?: number;
  /** What the other side sent that no agent sends. */
  violation?: string;
}

/** v1.Status, as the runtime says how a command ended. */
const execStatus = z.object({
  status: z.string().optional(),
  details: z
    .object({
      causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional() })).optional(),
    })
    .optional(),
});

export class PodShell {
  readonly #socket: WebSocket;
  readonly #events: ShellEvents;
  readonly #frames: ShellFrames;
  #underWay = 0;
  #exitCode: number | undefined;
  #ended = false;

  private constructor(socket: WebSocket, events: ShellEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#frames = new ShellFrames({
      onData: (bytes) => events.onData(bytes),
      onTaken: (bytes) => this.#taken(bytes),
      onExit: (code) => {
        this.#exitCode = code;
      },
    });
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', () => this.#end(this.#exitCode === undefined ? {} : { exitCode: this.#exitCode }));
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
    for (let at = 0; at < bytes.length; at += MOST_FRAME_BYTES)
      this.#send(DATA, bytes.subarray(at, at + MOST_FRAME_BYTES));
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
    const head = Buffer.alloc(1 + HEADER_BYTES);
    head[0] = STDIN;
    head[1] = kind;
    head.writeUInt32BE(payload.length, 2);
    this.#socket.send(Buffer.concat([head, payload]));
  }

  /** An exception here would end the process, and with it every tenant's terminal. */
  #take(message: Buffer): void {
    // Data received before the socket was cut off still arrives.
    if (this.#ended) return;
    try {
      const payload = message.subarray(1);
      if (message[0] === STDOUT) this.#frames.take(payload);
      else if (message[0] === STATUS) this.#exitCode ??= exitCodeIn(payload);
    } catch (error) {
      this.#end({ violation: (error as Error).message });
      this.#socket.terminate();
    }
  }

  #taken(bytes: number): void {
    if (bytes > this.#underWay) throw new BadFrame(`${bytes} bytes taken, with ${this.#underWay} under way`);
    this.#underWay -= bytes;
    this.#events.onRoom();
  }

  #end(end: ShellEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.onEnd(end);
  }
}

/** The runtime's exit code; the agent's own message precedes it. Undefined if there is none. */
function exitCodeIn(payload: Buffer): number | undefined {
  let said: unknown;
  try {
    said = JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
  const { data } = execStatus.safeParse(said);
  if (data?.status === 'Success') return 0;
  const code = data?.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  return /^\d{1,3}$/.test(code) && Number(code) <= MOST_EXIT_CODE ? Number(code) : undefined;
}
