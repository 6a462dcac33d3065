// Processes that outlive the command that started them. One is known by its pid and its start time together, so that
// a pid the kernel gave to somebody else is never signalled.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { Layout } from './layout.ts';
import { PATIENCE_MS, waitFor } from './wait-for.ts';

export interface ProcessSpec {
  /** Unique in its cluster; names the pid file and the log. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** A network namespace's path, to start inside it. */
  readonly netnsPath?: string;
}

export interface Running {
  readonly name: string;
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat: clock ticks since boot. */
  readonly startTime: string;
}

// The process writes its own pid file before it becomes the command: a caller killed between two lines leaves no
// stranger behind. `exec` keeps both the pid and the start time; so does nsenter without a pid namespace.
const REGISTER = `
read -r stat < /proc/$$/stat
file=$1; shift
echo "$$ $(set -- \${stat##*) }; echo \${20})" > "$file.new" && mv "$file.new" "$file" && exec "$@"
`;

/** In the environment of whatever we start; its children inherit it, containerd's shims too. */
const MARK = 'GANTRY_STARTED_FOR';

const pidFile = (cluster: Layout, name: string) => `${cluster.pidDir}/${name}`;
const logFile = (cluster: Layout, name: string) => `${cluster.logDir}/${name}.log`;

/** `{ a: 1 }` as `--a=1`: a command line as a table. */
export const flags = (table: Readonly<Record<string, string | number | boolean>>): string[] =>
  Object.entries(table).map(([name, value]) => `--${name}=${value}`);

/** Starts it unless it runs already; says which. */
export async function startProcess(cluster: Layout, spec: ProcessSpec): Promise<'started' | 'running'> {
  if (await findProcess(cluster, spec.name)) return 'running';
  mkdirSync(cluster.pidDir, { recursive: true });
  mkdirSync(cluster.logDir, { recursive: true });
  await rm(pidFile(cluster, spec.name), { force: true });
  const log = openSync(logFile(cluster, spec.name), 'a');
  const inside = spec.netnsPath === undefined ? [] : ['nsenter', `--net=${spec.netnsPath}`];
  const child = spawn('/bin/sh', ['-c', REGISTER, 'sh', pidFile(cluster, spec.name), ...inside, ...spec.command], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...spec.env, [MARK]: cluster.name },
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', resolve);
  });
  child.unref();
  await waitFor(`pid file of ${spec.name}`, () => readPidFile(cluster, spec.name), { everyMs: 5 });
  return 'started';
}

/** The process of that name, if the one we started still runs. */
export async function findProcess(cluster: Layout, name: string): Promise<Running | undefined> {
  const noted = await readPidFile(cluster, name);
  return noted !== undefined && (await startTimeOf(noted.pid)) === noted.startTime ? noted : undefined;
}

/** Every process this cluster ever noted, dead ones with `alive: false`. */
export async function listProcesses(cluster: Layout): Promise<(Running & { alive: boolean })[]> {
  const names = await readdir(cluster.pidDir).catch(() => []);
  const noted = await Promise.all(
    names.filter((name) => !name.endsWith('.new')).map((name) => readPidFile(cluster, name)),
  );
  return Promise.all(
    noted
      .filter((running) => running !== undefined)
      .map(async (running) => ({ ...running, alive: (await startTimeOf(running.pid)) === running.startTime })),
  );
}

/** Makes this very process one of the cluster's, so that a second is refused and `down` ends it. */
export async function registerSelf(cluster: Layout, name: string): Promise<void> {
  const other = await findProcess(cluster, name);
  if (other) throw new Error(`another \`${name}\` of ${cluster.name} is at work (pid ${other.pid})`);
  mkdirSync(cluster.pidDir, { recursive: true });
  await rm(pidFile(cluster, name), { force: true });
  // `wx`: of two that came this far, one fails.
  await writeFile(pidFile(cluster, name), `${process.pid} ${await startTimeOf(process.pid)}\n`, { flag: 'wx' });
  // Marks its children too, so that they can be found if it is killed.
  process.env[MARK] = cluster.name;
}

export async function unregisterSelf(cluster: Layout, name: string): Promise<void> {
  await rm(pidFile(cluster, name), { force: true });
}

/** Processes that the cluster's processes started and may have left behind: mainly shims. */
export async function listDescendants(cluster: Layout): Promise<Running[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (!environment.split('\0').includes(`${MARK}=${cluster.name}`)) return undefined;
      const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '?')).trim();
      const startTime = await startTimeOf(pid);
      return startTime === undefined ? undefined : { name, pid, startTime };
    }),
  );
  return found.filter((running) => running !== undefined);
}

/** SIGTERM, then SIGKILL after `graceMs`; returns when the process is gone. */
export async function stopProcess(cluster: Layout, name: string, graceMs = 5_000): Promise<void> {
  const running = await findProcess(cluster, name);
  if (running) await endProcess(running, graceMs);
  await rm(pidFile(cluster, name), { force: true });
}

export async function endProcess({ name, pid, startTime }: Running, graceMs: number): Promise<void> {
  const gone = async () => (await startTimeOf(pid)) !== startTime;
  for (const [signal, limitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', PATIENCE_MS],
  ] as const) {
    if (limitMs === 0) continue;
    if (await gone()) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const ended = await waitFor(`${name} to end`, gone, { limitMs, everyMs: 20 }).catch(() => false);
    if (ended) return;
  }
  throw new Error(`${name} (pid ${pid}) does not end`);
}

/** Ready when `look` says so; ends at once, with the log's last lines, when the process dies first. */
export async function waitReady(cluster: Layout, name: string, look: () => Promise<unknown>): Promise<void> {
  await waitFor(`${name} to be ready`, async () => ((await look()) === false ? undefined : true), {
    givenUp: async () =>
      (await findProcess(cluster, name)) ? undefined : `it ended; ${await lastLines(cluster, name)}`,
  }).catch(async (error: Error) => {
    throw new Error(`${error.message}\n  log: ${logFile(cluster, name)}`);
  });
}

async function lastLines(cluster: Layout, name: string): Promise<string> {
  const log = await readFile(logFile(cluster, name), 'utf8').catch(() => '');
  return `its last words:\n${log.trimEnd().split('\n').slice(-8).join('\n')}`;
}

async function readPidFile(cluster: Layout, name: string): Promise<Running | undefined> {
  const text = await readFile(pidFile(cluster, name), 'utf8').catch(() => '');
  const [pid, startTime] = text.trim().split(' ');
  return pid && startTime ? { name, pid: Number(pid), startTime } : undefined;
}

/**
 * undefined if there is no such process, or only its unreaped remains. A dead first thread whose siblings are still ending keeps
 * files and ports open.
 */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The command's name may hold spaces and brackets; fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, startTime] = [fields[0], Number(fields[17]), fields[19]];
  return state === 'Z' && threads <= 1 ? undefined : startTime;
}
