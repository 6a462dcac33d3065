// A shell in an instance: `agent shell`, executed in its main container. Both directions use the frames that agent/ssh/shell.go
// describes, so that keys, sizes and heartbeats share one stream, and its end ends the shell. The tenant is root in that
// container: everything from there is checked, and a violation ends only this shell.
import type { Clock } from '@gantry/kube/clock.ts';
import type WebSocket from 'ws';
import * as z from 'zod';
import { parseJson } from '../json-size.ts';
import { openPodSocket, type PodName, PodUnreachable, type SocketSource } from './pod-socket.ts';
import { BadFrame, DATA, HEADER_BYTES, MOST_EXIT_CODE, MOST_FRAME_BYTES, ShellFrames } from './shell-frames.ts';

const RESIZE = 1;
const ALIVE = 2;
const END = 6;
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
  /** For a kept shell, before everything else: so many of the bytes that follow were shown before. */
  onHello?(shownBefore: number): void;
  onData(bytes: Buffer): void;
  /** There is room again: `room` is larger than it was. */
  onRoom(): void;
  /** Once, and nothing comes after it. */
  onEnd(end: ShellEnd): void;
}

export interface ShellEnd {
  /** Undefined if the shell did not end on its own. */
  exitCode?: number;
  /** For a kept shell: somebody else attached. */
  isMoved?: true;
  /** A message of the other side that no agent sends. */
  violation?: string;
  /** The image has none. */
  hasNoShell?: true;
}

/** A shell that outlives its connections, by its name. */
export interface KeptShell {
  session: string;
  /** Starts it, and keeps it for so long while nobody is attached; without it, it is there. */
  startMs?: number;
  clock: Clock;
}

/** There is no kept shell of that name. */
export class ShellGone extends Error {
  override readonly name = 'ShellGone';
}
/** The agent is from before there were kept shells: the instance started with it. */
export class OldAgent extends Error {
  override readonly name = 'OldAgent';
}

/** The processes in the container are the tenant's, who may stop them. */
const GREETING_MS = 10_000;
/** Exit codes of an agent that attaches nobody: it does not know the arguments; nobody is called so. */
const USAGE = 2;
const NO_SESSION = 69;

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
  readonly #isKept: boolean;
  /** The bytes that the frames of a message show: there may be thousands of frames, of a byte each. */
  #shown: Buffer[] = [];
  #underWay = 0;
  #exitCode: number | undefined;
  #isMoved = false;
  #ended = false;
  /** Set for a kept shell that has sent its first frame. */
  #isGreeted = false;
  readonly #greeting = Promise.withResolvers<void>();

  private constructor(socket: WebSocket, events: ShellEvents, isKept: boolean) {
    this.#socket = socket;
    this.#events = events;
    this.#isKept = isKept;
    this.#frames = new ShellFrames({
      onData: (bytes) => this.#shown.push(bytes),
      onTaken: (bytes) => this.#taken(bytes),
      onExit: (code) => {
        this.#exitCode = code;
      },
      ...(isKept && {
        onHello: (bytes) => {
          this.#isGreeted = true;
          events.onHello?.(bytes);
          this.#greeting.resolve();
        },
        onMoved: () => {
          this.#isMoved = true;
        },
      }),
    });
    socket.on('message', (message: Buffer) => this.#take(message));
    socket.on('close', () =>
      this.#end({
        ...(this.#exitCode !== undefined && { exitCode: this.#exitCode }),
        ...(this.#isMoved && { isMoved: true }),
      }),
    );
    socket.resume();
  }

  /** Resolves once the container runs it. Throws PodUnreachable; for a kept one also ShellGone and OldAgent. */
  static async open(
    source: SocketSource,
    at: PodName,
    { cols, rows }: Size,
    events: ShellEvents,
    kept?: KeptShell,
  ): Promise<PodShell> {
    const shell = await PodShell.#run(source, at, events, kept !== undefined, [
      ...['--columns', `${cols}`, '--rows', `${rows}`],
      ...(kept ? ['--session', kept.session] : []),
      ...(kept?.startMs === undefined ? [] : ['--keep', `${kept.startMs}ms`]),
    ]);
    if (!kept) return shell;
    const cancel = kept.clock.after(GREETING_MS, () => shell.close());
    await shell.#greeting.promise.finally(cancel);
    return shell;
  }

  /** Ends a kept shell, whoever is attached; resolves once it has ended. Throws PodUnreachable where that is not certain. */
  static async endKept(source: SocketSource, at: PodName, session: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<ShellEnd>();
    const events = { onData() {}, onRoom() {}, onEnd: resolve };
    const shell = await PodShell.#run(source, at, events, false, ['--session', session, '--end']);
    // It may have come while the socket opened.
    if (signal.aborted) shell.close();
    else signal.addEventListener('abort', () => shell.close(), { once: true });
    const { exitCode } = await promise;
    if (exitCode !== 0 && exitCode !== NO_SESSION) throw new PodUnreachable(0, 'no word of its end');
  }

  static async #run(
    source: SocketSource,
    at: PodName,
    events: ShellEvents,
    isKept: boolean,
    options: readonly string[],
  ): Promise<PodShell> {
    const command = ['/gantry/bin/agent', 'shell', ...options];
    const query = [
      ['container', 'main'],
      ['stdin', 'true'],
      ['stdout', 'true'],
      ...command.map((word) => ['command', word] as const),
    ] as const;
    const socket = await openPodSocket(source, at, 'exec', query, 'v5.channel.k8s.io', { isOneAtATime: true });
    if (socket.protocol !== 'v5.channel.k8s.io') {
      socket.terminate();
      throw new PodUnreachable(0, `the API server speaks "${socket.protocol}"`);
    }
    return new PodShell(socket, events, isKept);
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

  /** Asks for the end of a kept shell; a plain one ends with its connection. */
  end(): void {
    if (this.#isKept) this.#send(END, Buffer.alloc(0));
    else this.close();
  }

  /** A plain shell is hung up; a kept one stays. */
  close(): void {
    // The last typed bytes are still under way to a shell that goes on.
    if (this.#isGreeted) {
      this.#socket.resume();
      this.#socket.close();
    } else this.#socket.terminate();
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
      if (message[0] === STDOUT) this.#takeFrames(payload);
      // After the greeting this is the end of the process that attached us, and not the shell's.
      else if (message[0] === STATUS && !this.#isGreeted) this.#exitCode ??= exitCodeIn(payload);
    } catch (error) {
      this.#end({ violation: (error as Error).message });
      this.#socket.terminate();
    }
  }

  /** Throws BadFrame; what came before is shown. */
  #takeFrames(bytes: Buffer): void {
    try {
      this.#frames.take(bytes);
    } finally {
      const shown = this.#shown;
      this.#shown = [];
      if (shown.length > 0) this.#events.onData(Buffer.concat(shown));
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
    if (!this.#isKept || this.#isGreeted) this.#events.onEnd(end);
    else this.#greeting.reject(refusalIn(end));
  }
}

function refusalIn({ exitCode, violation }: ShellEnd): Error {
  if (exitCode === USAGE) return new OldAgent('the agent knows no sessions');
  if (exitCode === NO_SESSION) return new ShellGone('the session has ended');
  return new PodUnreachable(0, violation ?? 'the agent attached nobody');
}

/** The runtime's exit code; the agent's own message precedes it. Undefined if there is none. */
export function exitCodeIn(payload: Buffer): number | undefined {
  let said: unknown;
  try {
    said = parseJson(payload.toString('utf8'));
  } catch {
    return undefined;
  }
  const { data } = execStatus.safeParse(said);
  if (data?.status === 'Success') return 0;
  const code = data?.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  return /^\d{1,3}$/.test(code) && Number(code) <= MOST_EXIT_CODE ? Number(code) : undefined;
}
