// How two versions differ, by the paths and digests of their files. The database compares them, because each may have 20,000.
import { MOST_DIFFERENCES } from '@gantry/contract/areas/datasets/datasets.ts';
import { sql } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { files } from '../../platform/db/schema/files.ts';

/** How many, and the first ones by their names. */
interface Paths {
  count: number;
  paths: string[];
}

interface Difference {
  added: Paths;
  removed: Paths;
  changed: Paths;
  unchanged: number;
  sizeBytes: number;
}

type Kind = 'added' | 'removed' | 'changed' | 'unchanged';

/** The files that `id` has added, lacks or has changed, compared with `baseId`. */
export async function compareFiles(db: Sql, id: string, baseId: string): Promise<Difference> {
  const of = (version: string) =>
    sql`(select path, digest, size_bytes from ${files} where owner_kind = 'dataset' and owner_id = ${version})`;
  const rows = await rowsOf<{ kind: Kind; count: number; bytes: number; paths: string[] | null }>(
    db,
    sql`
      with differing as (
        select path, coalesce(now.size_bytes, 0) - coalesce(base.size_bytes, 0) as bytes,
          case when base.path is null then 'added' when now.path is null then 'removed'
            when now.digest is distinct from base.digest then 'changed' else 'unchanged' end as kind
        from ${of(id)} as now full join ${of(baseId)} as base using (path)
      )
      select kind, count(*)::integer as count, sum(bytes)::double precision as bytes,
        case when kind <> 'unchanged' then array(
          select path from differing as named where named.kind = differing.kind
          order by path collate "C" limit ${MOST_DIFFERENCES}
        ) end as paths
      from differing group by kind`,
  );
  const found = new Map(rows.map((row) => [row.kind, row]));
  const named = (kind: Kind): Paths => ({ count: found.get(kind)?.count ?? 0, paths: found.get(kind)?.paths ?? [] });
  return {
    ...{ added: named('added'), removed: named('removed'), changed: named('changed') },
    unchanged: named('unchanged').count,
    sizeBytes: rows.reduce((all, { bytes }) => all + bytes, 0),
  };
}
