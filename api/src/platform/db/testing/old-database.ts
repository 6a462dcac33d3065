// A database as an earlier version of Gantry left it: made by that version's migrations, with rows in it.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'migrations');

/** SQL that makes it, up to and with `newest`, for an empty database. */
export async function oldDatabase(newest: `${string}.sql`, rows: string): Promise<string> {
  const { entries }: { entries: { tag: string; when: number }[] } = JSON.parse(
    await readFile(join(FOLDER, 'meta/_journal.json'), 'utf8'),
  );
  const until = entries.findIndex(({ tag }) => `${tag}.sql` === newest) + 1;
  const statements = [
    'create table gantry_migrations (at bigint primary key, hash text not null, applied_at timestamptz not null default now())',
  ];
  for (const { tag, when } of entries.slice(0, until)) {
    const text = await readFile(join(FOLDER, `${tag}.sql`), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    statements.push(text, `insert into gantry_migrations (at, hash) values (${when}, '${hash}')`);
  }
  return [...statements, rows].join(';\n');
}
