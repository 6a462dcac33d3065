// A PostgreSQL server of a test's own, from Debian's package: its own port and folder, gone with the test run.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runCommand } from './command.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const VERSIONS = '/usr/lib/postgresql';
const OLDEST = 15;
const SECOND = 1_000;
const LOOPBACK = '127.0.0.1';

export interface PostgresServer {
  /** Its data; to be copied only while it is stopped. */
  readonly data: string;
  /** The URL of a database that is there. */
  url(name: string): string;
  /** A new, empty database; its URL. */
  createDatabase(name: string): Promise<string>;
  /** The server's, and those of all it runs. */
  pids(): readonly number[];
  /** SIGKILL to the server and all it runs, as when the machine's memory is out; its folder stays. */
  kill(): Promise<void>;
  /** In good order; its folder stays. */
  stop(): Promise<void>;
  /** Again, on the same port and folder. */
  start(): Promise<void>;
  /** At once, and its folder is removed. */
  end(): Promise<void>;
}

/**
 * `bin`: the programs of another PostgreSQL than Debian's. `from`: a prepared one's data, which saves the seconds of making it. `fsync` only where what survives a crash of the machine
 * matters: everything else survives the server's death anyway. At another `address` than loopback it asks for a password.
 */
export async function startPostgres({
  bin = programs(),
  from,
  fsync = false,
  address = LOOPBACK,
}: {
  bin?: string;
  from?: string;
  fsync?: boolean;
  address?: string;
} = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-postgres-'));
  const [port = 0] = await freePorts(1);
  const data = join(folder, 'data');
  const password = randomUUID();
  await writeFile(join(folder, 'password'), password);
  await handOver(folder);
  if (from !== undefined) await copyPostgres(from, data);
  else
    await succeed(`${bin}/initdb`, [
      `--pgdata=${data}`,
      `--pwfile=${join(folder, 'password')}`,
      '--no-sync',
      '--auth=trust',
      '--username=gantry',
      '--encoding=UTF8',
      '--lc-messages=C',
    ]);

  if (address !== LOOPBACK) await appendFile(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  const url = (name: string) => `postgres://gantry:${password}@${address}:${port}/${name}`;
  let server: ReturnType<typeof spawn> | undefined;
  const isOver = () => server === undefined || server.exitCode !== null || server.signalCode !== null;
  const logFile = join(folder, 'log');

  /** Returns where in the log its lines begin. */
  const launch = (): number => {
    const settings = [
      `port=${port}`,
      `listen_addresses=${address}`,
      'unix_socket_directories=',
      `fsync=${fsync ? 'on' : 'off'}`,
    ];
    const log = openSync(logFile, 'a');
    const [file, ...args] = asServer(`${bin}/postgres`, ['-D', data, ...settings.flatMap((text) => ['-c', text])]);
    server = spawn(file, args, { stdio: ['ignore', log, log], cwd: folder });
    const { size } = fstatSync(log);
    closeSync(log);
    server.once('error', () => undefined);
    return size;
  };
  const start = async () => {
    let from = launch();
    const fate = await eventually(
      'PostgreSQL answers',
      async () => {
        if (!isOver()) return ask(url('postgres'), 'select 1', SECOND).then(() => 'answers');
        // A killed one's processes end by themselves, and hold its memory until then.
        const said = (await readFile(logFile)).subarray(from).toString();
        if (!said.includes('pre-existing shared memory block')) return 'over';
        from = launch();
        return undefined;
      },
      60 * SECOND,
    );
    if (fate === 'over') throw new Error(`PostgreSQL did not start:\n${await readFile(logFile, 'utf8')}`);
  };
  const signalled = async (send: (pid: number) => void) => {
    if (server?.pid === undefined || isOver()) return;
    const ended = once(server, 'exit');
    send(server.pid);
    await ended;
  };

  await start();
  return {
    data,
    url,
    createDatabase: async (name) => {
      await ask(url('postgres'), `create database "${name}"`, 20 * SECOND);
      return url(name);
    },
    pids: () => (server?.pid === undefined || isOver() ? [] : withChildren(server.pid)),
    kill: () => signalled(killWithChildren),
    // "Fast": connections end, and what they wrote is kept.
    stop: () => signalled((pid) => process.kill(pid, 'SIGINT')),
    start,
    end: async () => {
      // "Immediate": its processes end, and its shared memory is given back.
      await signalled((pid) => process.kill(pid, 'SIGQUIT'));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** With its owner, whom PostgreSQL insists on. */
export async function copyPostgres(from: string, to: string): Promise<void> {
  const { code, stderr } = await runCommand('cp', ['-a', from, to]);
  if (code !== 0) throw new Error(stderr);
}

/** A connection's process outlives the server's until it looks up, and may run one more statement. */
function killWithChildren(pid: number): void {
  for (const each of withChildren(pid)) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

const withChildren = (pid: number): readonly number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
];

async function ask(url: string, statement: string, connectionTimeoutMillis: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The oldest that is installed and that the gateway runs on. */
export function postgresVersion(): number {
  const found = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const [version] = found.filter((number) => number >= OLDEST).sort((a, b) => a - b);
  if (version === undefined)
    throw new Error(`there is no PostgreSQL ${OLDEST} or newer in ${VERSIONS}: apt-get install postgresql`);
  return version;
}

const programs = () => `${VERSIONS}/${postgresVersion()}/bin`;

const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses root: then it is Debian's user `postgres`. It ends with the process that started it, however that ends. */
const asServer = (file: string, args: readonly string[]): [string, ...string[]] => [
  'setpriv',
  ...(isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []),
  '--pdeathsig=QUIT',
  file,
  ...args,
];

async function handOver(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (!isRoot) return;
  const row = (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith('postgres:'));
  const [, , uid, gid] = row?.split(':') ?? [];
  if (uid === undefined) throw new Error('there is no user "postgres", which a server started by root runs as');
  chownSync(folder, Number(uid), Number(gid));
}

async function succeed(program: string, programArgs: readonly string[]): Promise<void> {
  const [file, ...args] = asServer(program, programArgs);
  const { code, stderr } = await runCommand(file, args, { cwd: tmpdir() });
  if (code !== 0) throw new Error(stderr);
}
