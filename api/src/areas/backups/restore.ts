// Restores a backup: everything is read and proved before anything is written; then the tables, all or none of them; then the
// cluster, object by object. Where that ends half-way, the same restore goes on from there.
import { sql } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { type Counts, countOf, type Header, type Line, readArchive } from './archive.ts';
import { type HasBlob, lostFiles } from './lost-files.ts';
import { type Findings, noFindings } from './report.ts';
import { type Cluster, ClusterRestore, tenantsObjects, whyOperatorIsInTheWay } from './restore-cluster.ts';
import { Unreadable } from './sealed.ts';
import { emptyTables, firstFilled, hasRunningGateway, TableWriter, whyNotOfThese } from './tables.ts';

export interface Archive {
  readonly file: string;
  readonly secrets: readonly string[];
}

export interface Proved {
  readonly header: Header;
  readonly counts: Counts;
  readonly gone: ReadonlySet<string>;
  readonly platformKey: Buffer;
}

/** Reads all of it. Rejects with Unreadable. */
export async function prove({ file, secrets }: Archive): Promise<Proved> {
  const seen: Counts = { rows: 0, objects: 0, companions: 0, references: 0 };
  const found: { header?: Header; end?: Counts; gone?: readonly string[]; platformKey?: string } = {};
  for await (const line of readArchive(file, secrets)) {
    const counted = countOf(line);
    if (counted) seen[counted]++;
    else Object.assign(found, line);
  }
  const { header, end: counts, gone = [], platformKey = '' } = found;
  if (!header || !counts) throw new Unreadable(`${file} ends early: it is not a whole backup`);
  for (const name of Object.keys(seen) as (keyof Counts)[])
    if (seen[name] !== counts[name])
      throw new Unreadable(`${file} holds ${seen[name]} ${name} where ${counts[name]} were written: it is damaged`);
  return { header, counts, gone: new Set(gone), platformKey: Buffer.from(platformKey, 'base64') };
}

export interface RestoreParts {
  readonly db: Database;
  /** A cluster administrator's. */
  readonly cluster: Cluster;
  /** Whether tables that have rows are replaced, and a cluster that has objects is restored into. */
  readonly intoExisting: boolean;
  readonly now: number;
  /** Whether the registry has this image: `<registry>/<repository>@<digest>`; undefined where nobody can say. */
  readonly hasImage?: (image: string) => Promise<boolean | undefined>;
  /** Whether the object store has a model's file. */
  readonly hasBlob?: HasBlob;
}

/** As `operation/health.ts` takes a gateway for gone. */
const GATEWAY_SILENT_MS = 40_000;
const SHOWN = 3;

/** Somebody works on what is to be restored. It helps to try again when they have ended. */
export class InTheWay extends Error {}

/** Rejects with a sentence, before anything is written. */
export async function restore(parts: RestoreParts, archive: Archive, proved: Proved): Promise<Findings> {
  const { db, cluster, intoExisting, now } = parts;
  const { id } = proved.header;
  const why = await whyOperatorIsInTheWay(cluster, now);
  if (why) throw new InTheWay(why);
  const findings = noFindings();
  findings.rows = await db.transaction(async (tx) => {
    const unlike = await whyNotOfThese(tx, proved.header.migrations);
    if (unlike) throw new Error(unlike);
    if (await isUnfinished(tx, id)) return proved.counts.rows;
    // An embedded database has one process, and that is this one.
    if (db.kind === 'postgres' && (await hasRunningGateway(tx, GATEWAY_SILENT_MS)))
      throw new InTheWay('a gateway runs on this database: stop all of them until the restore is over');
    const filled = await firstFilled(tx);
    const there = await tenantsObjects(cluster, SHOWN);
    if (!intoExisting && (filled || there.length > 0)) throw new Error(notEmpty(filled, there));
    if (filled) await emptyTables(tx);
    await writeTables(tx, archive);
    await tx.execute(sql`delete from restores`);
    await tx.execute(sql`insert into restores (backup_id, begun_at) values (${id}, ${new Date(now).toISOString()})`);
    return proved.counts.rows;
  });
  await restoreCluster(cluster, archive, proved, findings);
  for await (const line of readArchive(archive.file, archive.secrets)) {
    if ('row' in line) break;
    if ('image' in line && (await parts.hasImage?.(line.image)) === false) findings.lostImages.push(line.image);
  }
  if (parts.hasBlob) findings.lostFiles.push(...(await lostFiles(db, parts.hasBlob)));
  await db.sql.execute(sql`update restores set ended_at = now(), findings = ${JSON.stringify(findings)}::jsonb`);
  return findings;
}

function notEmpty(table: string | undefined, objects: readonly string[]): string {
  const found = [
    ...(table ? [`the database has rows in "${table}"`] : []),
    ...(objects.length > 0 ? [`the cluster has ${objects.join(', ')}${objects.length < SHOWN ? '' : ', …'}`] : []),
  ];
  return `this platform is not empty: ${found.join(', and ')}. With --into-existing=true the tables are replaced by those of the backup, and objects that are there stay as they are`;
}

/** Whether the tables are those of this backup, and the objects were still being restored. */
async function isUnfinished(tx: Sql, id: string): Promise<boolean> {
  return (await rowsOf(tx, sql`select from restores where backup_id = ${id} and ended_at is null`)).length > 0;
}

/** The backup whose restore has begun and not ended. A gateway would bill what is not there yet. */
export async function unfinishedRestore(db: Database): Promise<string | undefined> {
  const [found] = await rowsOf<{ id: string }>(
    db.sql,
    sql`select backup_id as id from restores where ended_at is null`,
  );
  return found?.id;
}

async function writeTables(tx: Sql, { file, secrets }: Archive): Promise<void> {
  const tables = new TableWriter(tx);
  for await (const line of readArchive(file, secrets)) if ('row' in line) await tables.add(line.table, line.row);
  await tables.end();
}

type Step = (line: Line) => Promise<void> | void;

/** Each pass reads the cluster's part of the file again: nothing has to fit into memory. */
async function restoreCluster(
  cluster: Cluster,
  { file, secrets }: Archive,
  { gone }: Proved,
  findings: Findings,
): Promise<void> {
  const into = new ClusterRestore(cluster, findings);
  const objects =
    (isWanted: (object: Extract<Line, { object: unknown }>['object']) => boolean): Step =>
    (line) =>
      'object' in line && isWanted(line.object) && !gone.has(line.object.metadata.uid ?? '')
        ? into.object(line.object)
        : undefined;
  const companions =
    (isWanted: (kind: string) => boolean): Step =>
    (line) =>
      'companion' in line && isWanted(line.companion.kind) ? into.companion(line.companion) : undefined;
  const steps: readonly Step[] = [
    objects(({ kind }) => kind === 'Organization'),
    companions((kind) => kind === 'Namespace'),
    objects(({ kind, metadata }) => kind !== 'Organization' && !metadata.ownerReferences),
    objects(({ kind, metadata }) => kind !== 'Organization' && metadata.ownerReferences !== undefined),
    companions((kind) => kind === 'Secret'),
    // Last: they would keep out what was there before they were as low.
    companions((kind) => kind === 'ResourceQuota'),
    (line) => ('child' in line ? into.child(line.child) : undefined),
  ];
  for (const step of steps) {
    for await (const line of readArchive(file, secrets)) {
      if ('row' in line) break;
      await step(line);
    }
  }
  await into.adopt();
  await into.tellNewer();
}
