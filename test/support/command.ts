// Runs a command to its end and says how it ended; a failing command is an answer here, not an error.
import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its output goes straight to the terminal; then `stdout` and `stderr` are ''. */
  readonly shown?: boolean;
  /** Called with each piece of its output, of either stream, as it comes. */
  readonly heard?: (text: string) => void;
  /** SIGTERM after this long. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Ended early, it ends with all that it has started: SIGTERM, and SIGKILL so much later to what ignores that. */
  readonly killAfterMs?: number;
}

export interface Ended {
  /** 127 when it could not be started, 128 and the signal's number (as shells have it) when it was killed. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const SIGNALLED: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };

export function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const { input, env, cwd, shown = false, heard, limitMs, signal, killAfterMs } = options;
  const isGroup = killAfterMs !== undefined;
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = spawn(file, args, {
    stdio: ['pipe', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
    env: { ...process.env, ...env },
    detached: isGroup,
    ...(cwd === undefined ? {} : { cwd }),
    ...(limitMs === undefined || isGroup ? {} : { timeout: limitMs }),
    ...(signal === undefined || isGroup ? {} : { signal }),
  });
  if (isGroup) endGroupEarly(child, options);
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      heard?.(chunk);
    });
  }
  // A command that ends without reading its input is not an error of ours.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input ?? '');
  // An aborted child reports an error first and is gone only at its close; one that never started has no close.
  child.once('error', (error) => {
    if (child.pid === undefined) resolve({ ...text, code: 127, stderr: `${file}: ${error.message}` });
  });
  child.once('close', (code, name) => resolve({ ...text, code: code ?? SIGNALLED[name ?? 'SIGTERM'] ?? 128 }));
  return promise;
}

/** Ends a child that leads a process group. */
function endGroupEarly(child: ChildProcess, { limitMs, signal, killAfterMs }: CommandOptions): void {
  const send = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Nobody is left in the group.
    }
  };
  let killing: NodeJS.Timeout | undefined;
  const kill = () => {
    send('SIGKILL');
    // A process that has left the group may still hold the other end of the pipe.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const end = () => {
    send('SIGTERM');
    killing ??= setTimeout(kill, killAfterMs);
  };
  const limit = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  child.once('close', () => {
    signal?.removeEventListener('abort', end);
    clearTimeout(limit);
    clearTimeout(killing);
    if (killing) kill();
  });
}
