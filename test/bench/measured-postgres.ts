// A PostgreSQL that keeps what it acknowledges (fsync on), whose CPU is counted, and which runs no background work meanwhile.
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { startPostgres } from '../support/postgres-server.ts';

export interface MeasuredPostgres {
  createDatabase(name: string): Promise<string>;
  /** The CPU cost including this process's share, and the duration. Earlier writes are flushed to disk first. */
  cost(work: () => Promise<void>): Promise<Cost>;
  end(): Promise<void>;
}

export interface Cost {
  readonly cpuMs: number;
  readonly serverMs: number;
  readonly ms: number;
}

export async function startMeasuredPostgres(): Promise<MeasuredPostgres> {
  const server = await startPostgres({ fsync: true });
  const admin = new pg.Client({ connectionString: await server.createDatabase('admin') });
  await admin.connect();
  // Vacuum and checkpoints start on their own and would distort whichever run is being measured.
  for (const setting of ['autovacuum = off', "max_wal_size = '8GB'", "checkpoint_timeout = '1h'"])
    await admin.query(`ALTER SYSTEM SET ${setting}`);
  await admin.query('SELECT pg_reload_conf()');
  const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = Number((await statOf(`${rows[0]?.pid}`))[1]);
  return {
    createDatabase: server.createDatabase,
    cost: async (work) => {
      await admin.query('CHECKPOINT');
      const [before, own, began] = [await cpuOf(postmaster), process.cpuUsage(), performance.now()];
      await work();
      const ms = performance.now() - began;
      const { user, system } = process.cpuUsage(own);
      const after = await cpuOf(postmaster);
      // Processes that ended meanwhile, such as connections of a finished client, are in the sum of ended ones with all their
      // time.
      const gone = [...before.running].map(([pid, ns]) => (after.running.has(pid) ? 0 : ns));
      const spent = [...after.running].map(([pid, ns]) => ns - (before.running.get(pid) ?? 0));
      const serverMs = (sumOf(spent) + Math.max(0, after.ended - before.ended - sumOf(gone))) / 1e6;
      return { cpuMs: serverMs + (user + system) / 1_000, serverMs, ms };
    },
    end: async () => {
      await admin.end();
      await server.end();
    },
  };
}

/** After the program's name, which may hold blanks: state, parent, … */
const statOf = async (pid: string): Promise<string[]> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');

interface Cpu {
  /** By process. */
  readonly running: ReadonlyMap<string, number>;
  /** Together; the kernel tells it in hundredths of a second. */
  readonly ended: number;
}

/** Nanoseconds of the server and of whatever it runs, or ran: each is one process with one thread. */
async function cpuOf(postmaster: number): Promise<Cpu> {
  const ended = await endedOf(postmaster);
  const running = new Map<string, number>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      if (Number(pid) !== postmaster && Number((await statOf(pid))[1]) !== postmaster) continue;
      running.set(pid, Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]));
    } catch {
      // It ended while it was looked at.
    }
  }
  // A process that ended meanwhile would be counted twice, or not at all.
  return (await endedOf(postmaster)) === ended ? { running, ended } : cpuOf(postmaster);
}

/** The CPU of a process's ended children, in user mode and in the kernel. */
const endedOf = async (pid: number): Promise<number> => {
  const stat = await statOf(`${pid}`);
  return 1e7 * (Number(stat[13]) + Number(stat[14]));
};

const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);
