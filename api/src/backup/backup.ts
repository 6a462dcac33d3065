// Writes a backup of the database and of the organisations' wishes into one archive, and restores it into an empty database
// and a cluster that may be empty.
import type { Writable } from 'node:stream';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Database } from '../db/open.ts';
import { type Counts, FORMAT, type Line, readArchive, writeArchive } from './archive.ts';
import { type Restored, readObjects, restoreObject } from './objects.ts';
import { migrationsOf, readTables, TableWriter, whyNotInto } from './tables.ts';

export interface BackupParts {
  readonly db: Database;
  readonly cluster: Pick<KubeClient, 'list' | 'create'>;
  /** The product's version. */
  readonly version: string;
}

/**
 * The tables are one snapshot; the cluster is read right after, so that no organisation in the tables lacks its objects. The
 * archive holds hashes of passwords and tokens, and encrypted secrets: it is a secret.
 */
export async function backUp({ db, cluster, version }: BackupParts, out: Writable): Promise<Counts> {
  const counts: Counts = { rows: 0, objects: 0 };
  await writeArchive(out, async (write) => {
    const at = new Date().toISOString();
    await write({ header: { gantryBackup: FORMAT, version, migrations: await migrationsOf(db.sql), at } });
    await readTables(db, async (line) => {
      await write(line);
      counts.rows++;
    });
    for await (const object of readObjects(cluster)) {
      await write({ object });
      counts.objects++;
    }
    await write({ end: counts });
  });
  return counts;
}

/**
 * The tables all or not at all; then the objects, those that are there already left as they are. Rejects with a sentence,
 * before anything is written, where the database is not empty or the file is not a whole backup of these tables.
 */
export async function restore({ db, cluster }: Omit<BackupParts, 'version'>, file: string): Promise<Restored & Counts> {
  const rows = await db.transaction((tx) => restoreTables(new TableWriter(tx), file, (found) => whyNotInto(tx, found)));
  const restored: Restored = { made: 0, alreadyThere: 0 };
  for await (const line of readArchive(file)) {
    if ('object' in line) await restoreObject(cluster, line.object as KubeObject, restored);
  }
  return { ...restored, rows, objects: restored.made + restored.alreadyThere };
}

async function restoreTables(
  tables: TableWriter,
  file: string,
  whyNot: (migrations: readonly string[]) => Promise<string | undefined>,
): Promise<number> {
  let rows = 0;
  for await (const line of readArchive(file)) {
    if ('header' in line) {
      const why = await whyNot(line.header.migrations);
      if (why) throw new Error(why);
    } else if ('row' in line) {
      await tables.add(line.table, line.row);
      rows++;
    } else if ('end' in line) checkCount(line, rows);
  }
  await tables.end();
  return rows;
}

function checkCount({ end }: Extract<Line, { end: Counts }>, rows: number): void {
  if (end.rows !== rows) throw new Error(`the backup holds ${rows} rows where ${end.rows} were written: it is damaged`);
}
