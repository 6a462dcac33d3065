// Files that the restored tables name and the object store lacks: their bytes are in no backup.
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';

/** Whether the store has as many bytes of a blob; undefined where it does not say, or there is none. */
export type HasBlob = (
  blob: { digest: string; object: string | null },
  sizeBytes: number,
) => Promise<boolean | undefined>;

interface KeptFile {
  organization: string;
  owner: string;
  path: string;
  digest: string;
  object: string | null;
  bytes: string | number;
}

/** `<organisation>/<model> <version>: <path>` each. A digest that several files have is asked for once. */
export async function lostFiles(db: Database, hasBlob: HasBlob): Promise<string[]> {
  const files = await rowsOf<KeptFile>(
    db.sql,
    sql`select f.org_id as organization, coalesce(m.name || ' ' || v.name, f.owner_kind || ' ' || f.owner_id) as owner, f.path, f.digest, b.object, b.size_bytes as bytes
      from files f
      join blobs b on b.digest = f.digest
      left join model_versions v on f.owner_kind = 'model' and v.id = f.owner_id
      left join models m on m.id = v.model_id
      where f.kept_at is not null
      order by 1, 2, 3`,
  );
  const has = new Map<string, boolean | undefined>();
  const lost: string[] = [];
  for (const { organization, owner, path, digest, object, bytes } of files) {
    if (!has.has(digest)) has.set(digest, await hasBlob({ digest, object }, Number(bytes)));
    if (has.get(digest) === false) lost.push(`${organization}/${owner}: ${path}`);
  }
  return lost;
}
