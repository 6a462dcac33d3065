// A PostgreSQL that keeps what it acknowledges (fsync on), whose CPU is counted, and which does nothing by itself meanwhile.
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { startPostgres } from '../support/postgres-server.ts';

export interface MeasuredPostgres {
  createDatabase(name: string): Promise<string>;
  /** What it took of CPU, this process's part with it, and how long. What was written before is on the disk first. */
  cost(work: () => Promise<void>): Promise<Cost>;
  end(): Promise<void>;
}

export interface Cost {
  readonly cpuMs: number;
  /** Of it, the server's. */
  readonly serverMs: number;
  readonly ms: number;
}

export async function startMeasuredPostgres(): Promise<MeasuredPostgres> {
  const server = await startPostgres({ fsync: true });
  const admin = new pg.Client({ connectionString: await server.createDatabase('admin') });
  await admin.connect();
  // Vacuum and checkpoints come when they like: they would be on whoever is measured just then.
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
      // What has ended meanwhile was idle: a connection is closed when it was not used for a while.
      const spent = [...(await cpuOf(postmaster))].map(([pid, ns]) => ns - (before.get(pid) ?? 0));
      const serverMs = spent.reduce((sum, ns) => sum + ns, 0) / 1e6;
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

/** Nanoseconds of the server and of whatever it runs: each is one process with one thread. */
async function cpuOf(postmaster: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      if (Number(pid) !== postmaster && Number((await statOf(pid))[1]) !== postmaster) continue;
      found.set(pid, Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]));
    } catch {
      // It ended while it was looked at.
    }
  }
  return found;
}
