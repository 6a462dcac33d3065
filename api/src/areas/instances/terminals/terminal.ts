// One open terminal: input goes in, output comes out, neither faster than the other side reads. Every end has a reason, which the
// browser and the audit log each get once.

import { type TerminalRequest, terminalRequest } from '@gantry/contract/areas/instances/terminal.ts';
import {
  TERMINAL_ENDS,
  TERMINAL_WORDS,
  type TerminalEnd,
  type TerminalStatus,
} from '@gantry/contract/areas/instances/terminal-status.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type WebSocket from 'ws';
import { parseJson } from '../../../platform/json-size.ts';
import { type ShellEnd, type ShellEvents, ShellGone, type Size } from '../../../platform/pods/pod-shell.ts';

/** A shell as `PodShell` is one. */
export interface Shell {
  readonly room: number;
  write(bytes: Buffer): void;
  resize(size: Size): void;
  alive(): void;
  pause(): void;
  resume(): void;
  /** Asks for the end of a kept shell. */
  end(): void;
  /** Ends a plain shell, and leaves a kept one. */
  close(): void;
}
export type OpenShell = (size: Size, events: ShellEvents) => Promise<Shell>;

export interface TerminalLimits {
  idleMs: number;
  openMs: number;
}
export const LIMITS: TerminalLimits = { idleMs: 30 * 60_000, openMs: 12 * 3_600_000 };

export interface Ending {
  end: TerminalEnd;
  exitCode?: number;
  /** For the log. */
  why?: string;
  /** The shell goes on without anybody attached. */
  isLeft?: boolean;
}

/** The ends of a terminal that leave a kept shell alone. */
const LEAVES: Readonly<Record<TerminalEnd, boolean>> = {
  left: true,
  restart: true,
  lost: true,
  unreachable: true,
  failed: true,
  misused: true,
  moved: true,
  gatewayLost: true,
  exited: false,
  gone: false,
  badOutput: false,
  noShell: false,
  idle: false,
  tooLong: false,
  signedOut: false,
};

export interface TerminalParts {
  browser: WebSocket;
  openShell: OpenShell;
  /** The kept shell that `openShell` opens; `isNew` where it does not exist before. */
  session?: { id: string; isNew: boolean };
  language: Language;
  clock: Clock;
  limits: TerminalLimits;
}

const START: Size = { cols: 80, rows: 24 };
/** Bounds on output that the browser has not read: beyond the first, the shell is not read; below the second it is read again. */
const MOST_SHOWN = 512 * 1024;
const FEW_SHOWN = 128 * 1024;
const RESIZE_MS = 50;
/** The heartbeat interval in both directions. */
const BEAT_MS = 10_000;
const MISSED_BEATS = 3;
/** A browser that does not answer the closing of its socket is cut off. */
const FAREWELL_MS = 2_000;

const CLOSED_NORMALLY = 1000;
const CLOSED_MISUSED = 1008;

export class Terminal {
  readonly #browser: WebSocket;
  readonly #clock: Clock;
  readonly #language: Language;
  readonly #limits: TerminalLimits;
  readonly #session: TerminalParts['session'];
  readonly #openedAt: number;
  readonly #finish: (ending: Ending) => void;
  /** Resolves when it has come to its end, and nothing of it is left but a browser that says goodbye. */
  readonly ended: Promise<Ending>;

  #shell: Shell | undefined;
  #ending: Ending | undefined;
  #isKept = false;
  /** Typed, and not yet let through to the shell. At most one message of the browser's. */
  #typed: Buffer[] = [];
  #activeAt: number;
  #unanswered = 0;
  /** The network has not accepted the output. */
  #isBehind = false;
  /** The browser has more than it can draw: its socket takes whatever comes, so that it has to say so itself. */
  #isHeld = false;
  #size: Size = START;
  #sentSize: Size = START;
  #cancelResize: (() => void) | undefined;
  #cancelBeat: () => void;

  constructor(parts: TerminalParts) {
    this.#browser = parts.browser;
    this.#clock = parts.clock;
    this.#language = parts.language;
    this.#session = parts.session;
    this.#limits = parts.limits;
    this.#openedAt = this.#activeAt = parts.clock.monotonic();
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#finish = resolve;
    this.#cancelBeat = this.#after(BEAT_MS, () => this.#beat());
    const { browser } = parts;
    browser.on('message', (message: Buffer, isBinary: boolean) => this.#guard(() => this.#hear(message, isBinary)));
    browser.on('pong', () => {
      this.#unanswered = 0;
    });
    browser.on('error', () => {});
    browser.on('close', () => this.end({ end: 'left' }));
    void this.#open(parts.openShell);
  }

  /** Whatever comes first is how it ended. */
  end(how: Ending): void {
    if (this.#ending) return;
    // One that is not new is there, whether we reached it or not.
    const isLeft = LEAVES[how.end] && (this.#isKept || this.#session?.isNew === false);
    const ending = { ...how, ...(isLeft && { isLeft }) };
    this.#ending = ending;
    this.#cancelBeat();
    this.#cancelResize?.();
    this.#typed = [];
    if (this.#shell) this.#letGo(this.#shell, isLeft);
    const isStillThere = this.#browser.readyState === this.#browser.OPEN;
    if (isStillThere) {
      this.#browser.resume();
      this.#say(ending.end === 'unreachable' ? 'failed' : 'closed', ending);
      this.#browser.close(ending.end === 'misused' ? CLOSED_MISUSED : CLOSED_NORMALLY);
      const cancel = this.#after(FAREWELL_MS, () => this.#browser.terminate());
      this.#browser.once('close', cancel);
    }
    this.#finish(ending);
  }

  /** A kept shell that is to end hears so first, and needs the connection to hear it. */
  #letGo(shell: Shell, isLeft: boolean): void {
    if (this.#isKept && !isLeft) {
      shell.end();
      this.#after(FAREWELL_MS, () => shell.close());
    } else shell.close();
  }

  async #open(openShell: OpenShell): Promise<void> {
    const events: ShellEvents = {
      onHello: (shownBefore) =>
        this.#guard(() => {
          this.#isKept = true;
          if (!this.#ending && this.#session) {
            this.#say('connected', undefined, { session: this.#session.id, shown_before: shownBefore });
          }
        }),
      onData: (bytes) => this.#guard(() => this.#show(bytes)),
      onRoom: () => this.#guard(() => this.#pour()),
      onEnd: (ended) => this.end(endingOf(ended)),
    };
    try {
      const shell = await openShell(START, events);
      this.#shell = shell;
      if (this.#ending) return this.#letGo(shell, this.#ending.isLeft ?? false);
      if (!this.#isKept) this.#say('connected');
      this.#sendSize();
      this.#readShell();
      this.#pour();
    } catch (error) {
      this.end({ end: error instanceof ShellGone ? 'gone' : 'unreachable' });
    }
  }

  #say(
    status: TerminalStatus['status'],
    ending?: Ending,
    kept?: Pick<TerminalStatus, 'session' | 'shown_before'>,
  ): void {
    const args = {
      code: `${ending?.exitCode}`,
      minutes: `${Math.round(this.#limits.idleMs / 60_000)}`,
      hours: `${Math.round(this.#limits.openMs / 3_600_000)}`,
    };
    const said: TerminalStatus = {
      type: 'status',
      status,
      message: TERMINAL_WORDS[status][this.#language],
      ...kept,
      ...(ending && { reason: ending.end, detail: sentence(TERMINAL_ENDS[ending.end], this.#language, args) }),
      ...(ending?.exitCode !== undefined && { exit_code: ending.exitCode }),
    };
    this.#browser.send(JSON.stringify(said));
  }

  #hear(message: Buffer, isBinary: boolean): void {
    if (this.#ending) return;
    this.#activeAt = this.#clock.monotonic();
    if (isBinary) {
      if (message.length > 0) this.#typed.push(message);
      this.#pour();
      return;
    }
    const asked = parseRequest(message);
    if (!asked) this.end({ end: 'misused' });
    else if (asked.type === 'resize') this.#wish(asked);
    else this.#hold(asked.type === 'pause');
  }

  #hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#readShell();
  }

  #readShell(): void {
    if (this.#isBehind || this.#isHeld) this.#shell?.pause();
    else this.#shell?.resume();
  }

  /** However many come, the shell hears of the first at once and then of the latest. */
  #wish(size: Size): void {
    this.#size = size;
    if (this.#cancelResize) return;
    this.#sendSize();
    this.#cancelResize = this.#after(RESIZE_MS, () => {
      this.#cancelResize = undefined;
      this.#sendSize();
    });
  }

  #sendSize(): void {
    const { cols, rows } = this.#size;
    if (!this.#shell || (cols === this.#sentSize.cols && rows === this.#sentSize.rows)) return;
    this.#sentSize = this.#size;
    this.#shell.resize(this.#size);
  }

  /** Writes as much as the shell accepts. While something waits, the browser is not read: pasted text stays with it. */
  #pour(): void {
    const shell = this.#shell;
    while (shell && shell.room > 0) {
      const next = this.#typed.shift();
      if (!next) break;
      const { room } = shell;
      shell.write(next.subarray(0, room));
      if (next.length > room) this.#typed.unshift(next.subarray(room));
    }
    if (this.#typed.length > 0) this.#browser.pause();
    else this.#browser.resume();
  }

  #show(bytes: Buffer): void {
    if (this.#ending) return;
    this.#activeAt = this.#clock.monotonic();
    this.#browser.send(bytes, { binary: true }, () => this.#guard(() => this.#shown()));
    if (this.#isBehind || this.#browser.bufferedAmount <= MOST_SHOWN) return;
    this.#isBehind = true;
    this.#readShell();
  }

  #shown(): void {
    if (!this.#isBehind || this.#browser.bufferedAmount > FEW_SHOWN) return;
    this.#isBehind = false;
    this.#readShell();
  }

  /** Around every event: what one terminal stumbles over ends that one, and not the process with all the others. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.end({ end: 'failed', why: (error as Error).message });
    }
  }

  #after(ms: number, run: () => void): () => void {
    return this.#clock.after(ms, () => this.#guard(run));
  }

  #beat(): void {
    const now = this.#clock.monotonic();
    const isTooOld = now - this.#openedAt >= this.#limits.openMs;
    if (isTooOld || now - this.#activeAt >= this.#limits.idleMs) {
      this.end({ end: isTooOld ? 'tooLong' : 'idle' });
      return;
    }
    // A browser that is not read cannot be heard to answer.
    this.#unanswered = this.#browser.isPaused ? 0 : this.#unanswered + 1;
    if (this.#unanswered > MISSED_BEATS) this.#browser.terminate();
    else if (this.#browser.readyState === this.#browser.OPEN) this.#browser.ping();
    this.#shell?.alive();
    this.#cancelBeat = this.#after(BEAT_MS, () => this.#beat());
  }
}

const endingOf = ({ exitCode, violation, isMoved, hasNoShell }: ShellEnd): Ending => {
  if (hasNoShell) return { end: 'noShell' };
  if (violation !== undefined) return { end: 'badOutput', why: violation };
  if (isMoved) return { end: 'moved' };
  return exitCode === undefined ? { end: 'lost' } : { end: 'exited', exitCode };
};

function parseRequest(message: Buffer): TerminalRequest | undefined {
  try {
    return terminalRequest.parse(parseJson(message.toString('utf8')));
  } catch {
    return undefined;
  }
}
