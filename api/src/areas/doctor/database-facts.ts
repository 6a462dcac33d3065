// How safe and how fast the database's commits are. Nothing of ours is written: a message in the log of the database makes a commit.
import type { Clock } from '@gantry/kube/clock.ts';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';

export interface DatabaseFacts {
  kind: Database['kind'];
  version: string;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  /** The times of commits one after the other. */
  commitMs: number[];
}

const COMMITS = 20;

export async function readDatabaseFacts(
  db: Pick<Database, 'sql' | 'kind'>,
  clock: Pick<Clock, 'monotonic'>,
): Promise<DatabaseFacts> {
  const [said] = await rowsOf<Record<'version' | 'fsync' | 'full_page_writes' | 'synchronous_commit', string>>(
    db.sql,
    sql`select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit`,
  );
  if (!said) throw new Error('the database says nothing of its settings');
  const commitMs: number[] = [];
  for (let commit = 0; commit < COMMITS; commit++) {
    const startedAt = clock.monotonic();
    await db.sql.execute(sql`select pg_logical_emit_message(true, 'gantry-doctor', 'commit')`);
    commitMs.push(clock.monotonic() - startedAt);
  }
  return {
    kind: db.kind,
    version: said.version,
    fsync: said.fsync,
    fullPageWrites: said.full_page_writes,
    synchronousCommit: said.synchronous_commit,
    commitMs,
  };
}
