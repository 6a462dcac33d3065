// Writes a backup of the cluster and the database into one sealed file.
import type { Writable } from 'node:stream';
import type { Database } from '../../platform/db/open.ts';
import { type Counts, countOf, FORMAT, type Line, writeArchive } from './archive.ts';
import { clusterLines, ours, type Reads } from './cluster.ts';
import type { Keys } from './sealed.ts';
import { migrationsOf, readTables } from './tables.ts';

export interface BackupParts {
  readonly db: Database;
  /** With the right to read Secrets in the namespaces of organisations. */
  readonly cluster: Reads;
  /** The product's version. */
  readonly version: string;
  /** The key from which passwords of the platform derive; empty if it has none. */
  readonly platformKey: Buffer;
}

/** Sorts by time; the letters keep two of one second apart. */
export const newId = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z-${crypto.randomUUID().slice(0, 4)}`;
export const BACKUP_ID = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{4}$/;

/**
 * The cluster first and the tables, which are one snapshot, after it: what is billed is never older than what the objects say of
 * it. What was deleted in between the tables know to be gone, so the list of those is read again at the end.
 */
export async function backUp(
  { db, cluster, version, platformKey }: BackupParts,
  { id, at, keys }: { id: string; at: number; keys: Keys },
  out: Writable,
): Promise<Counts> {
  const counts: Counts = { rows: 0, objects: 0, companions: 0, references: 0 };
  await writeArchive(out, keys, async (write) => {
    const migrations = await migrationsOf(db.sql);
    await write({ header: { gantryBackup: FORMAT, id, version, migrations, at: new Date(at).toISOString() } });
    const known = new Set<string>();
    const counted = async (line: Line) => {
      await write(line);
      const count = countOf(line);
      if (count) counts[count]++;
    };
    for await (const line of clusterLines(cluster)) {
      await counted(line);
      if ('object' in line) known.add(line.object.metadata.uid ?? '');
    }
    await write({ platformKey: platformKey.toString('base64') });
    await readTables(db, counted);
    for await (const { metadata } of ours(cluster)) known.delete(metadata.uid ?? '');
    await write({ gone: [...known] });
    await write({ end: counts });
  });
  return counts;
}
