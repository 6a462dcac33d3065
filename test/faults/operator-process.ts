// The operator as a child process that tests may kill, freeze and restart. Ended by real signals: a thrown error or a
// polite stop would run code that a crash does not.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endingWithUs } from '../support/ending-with-us.ts';
import { freePorts } from '../support/free-ports.ts';
import { waitUntil } from './wait-until.ts';

/** The inputs of a launch: a kubeconfig on disk, and a free loopback port for /readyz. */
export interface LaunchPlace {
  readonly kubeconfigPath: string;
  readonly healthPort: number;
}

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface OperatorOptions {
  /** The kubeconfig's text, from `proxy.kubeconfig(…)`. */
  readonly kubeconfig: string;
  /** How it is started; `launchOperator()` by default. */
  readonly launch?: (place: LaunchPlace) => Launch;
  /** The limit for getting ready after each start; default 120,000. */
  readonly readyLimitMs?: number;
  /** How many of the latest log lines are kept; default 2,000. */
  readonly keepLines?: number;
}

export interface OperatorProcess {
  /** The pid of the running process; undefined if none runs. */
  pid(): number | undefined;
  /** Latest lines of stdout and stderr, over restarts. */
  logs(): readonly string[];
  /** SIGKILL, sent before this returns; nothing more is read of its sockets. */
  kill(): void;
  /** SIGSTOP: it keeps its connections and does nothing. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** SIGTERM; resolves with the exit code. Rejects when it has not ended after `limitMs`. */
  terminate(limitMs: number): Promise<number | null>;
  /** Resolves once no process is left, with the exit code of the last. */
  exited(): Promise<number | null>;
  /** Waits for the process that was killed or terminated to be gone, starts another and waits for its /readyz. */
  restart(): Promise<void>;
  /** SIGKILL; also removes the files it wrote to disk. */
  close(): Promise<void>;
}

/** The operator of this repository, with flags added to the two that every start needs. */
export function launchOperator(...flags: string[]): (place: LaunchPlace) => Launch {
  return ({ kubeconfigPath, healthPort }) => ({
    file: process.execPath,
    args: ['operator/src/main.ts', `--health-port=${healthPort}`, ...flags],
    // Any file is long enough for a key; flags may name the cluster's own.
    env: { KUBECONFIG: kubeconfigPath, GANTRY_PLATFORM_KEY_FILE: 'package.json' },
  });
}

/** Starts it and waits for its /readyz. Rejects, with its latest log lines, when it ends or is not ready in time. */
export async function startOperator(options: OperatorOptions): Promise<OperatorProcess> {
  const { launch = launchOperator(), readyLimitMs = 120_000, keepLines = 2_000 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'gantry-operator-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  await writeFile(kubeconfigPath, options.kubeconfig, { mode: 0o600 });
  const [healthPort = 0] = await freePorts(1);
  const lines: string[] = [];
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const { file, args, env } = launch({ kubeconfigPath, healthPort });
    const started = spawn(...endingWithUs(file, args), {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    started.once('error', (error) => lines.push(`cannot start ${file}: ${error.message}`));
    for (const stream of [started.stdout, started.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (lines.length > keepLines) lines.shift();
      });
    }
    const latestLines = () => lines.slice(-20).join('\n');
    const fate = await waitUntil('the operator is ready', () => (hasEnded(started) ? 'ended' : isReady(healthPort)), {
      limitMs: readyLimitMs,
      context: latestLines,
    });
    if (fate === 'ended') throw new Error(`the operator ended before it was ready\n${latestLines()}`);
  }

  const signal = (name: NodeJS.Signals) => void child?.kill(name);
  const exited = async () => {
    if (child && !hasEnded(child)) await once(child, 'exit');
    return child?.exitCode ?? null;
  };

  const operator: OperatorProcess = {
    pid: () => (child && !hasEnded(child) ? child.pid : undefined),
    logs: () => [...lines],
    kill: () => signal('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    terminate: async (limitMs) => {
      signal('SIGTERM');
      await waitUntil('the operator ends after SIGTERM', () => !child || hasEnded(child), { limitMs });
      return child?.exitCode ?? null;
    },
    exited,
    restart: async () => {
      await exited();
      await start();
    },
    close: async () => {
      signal('SIGKILL');
      await exited();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await operator.close();
    throw error;
  }
  return operator;
}

// `pid` is undefined when the program could not be started at all; then no exit is reported either.
const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

async function isReady(port: number): Promise<'ready' | undefined> {
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) });
  await reply.body?.cancel();
  return reply.ok ? 'ready' : undefined;
}
