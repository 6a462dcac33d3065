// Files of models that the restored tables name and the object store lacks: their bytes are in no backup.
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';

/** Whether the store has as many bytes by this SHA-256; undefined where it does not say, or there is none. */
export type HasBlob = (digest: string, sizeBytes: number) => Promise<boolean | undefined>;

interface KeptFile {
  organization: string;
  model: string;
  version: string;
  path: string;
  digest: string;
  bytes: string | number;
}

/** `<organisation>/<model> <version>: <path>` each. A digest that several files have is asked for once. */
export async function lostFiles(db: Database, hasBlob: HasBlob): Promise<string[]> {
  const files = await rowsOf<KeptFile>(
    db.sql,
    sql`select m.organization_id as organization, m.name as model, v.name as version, f.path, f.digest, b.size_bytes as bytes
      from model_files f
      join blobs b on b.digest = f.digest
      join model_versions v on v.id = f.version_id
      join models m on m.id = v.model_id
      where f.kept_at is not null
      order by 1, 2, 3, 4`,
  );
  const has = new Map<string, boolean | undefined>();
  const lost: string[] = [];
  for (const { organization, model, version, path, digest, bytes } of files) {
    if (!has.has(digest)) has.set(digest, await hasBlob(digest, Number(bytes)));
    if (has.get(digest) === false) lost.push(`${organization}/${model} ${version}: ${path}`);
  }
  return lost;
}
