// Facts that a source gives of its files, used where people gave none.
import { type Column, type SQL, sql } from 'drizzle-orm';
import type { SourcePlan } from '../source.ts';

/** As an update sets it: what people wrote stays. */
export function offered(
  { license, language, tags }: Pick<SourcePlan, 'license' | 'language' | 'tags'>,
  to: { license: Column; language: Column; tags: Column },
): { license: SQL; language: SQL; tags: SQL } {
  const orWritten = (words: readonly string[], column: Column) =>
    sql`case when ${column} = '{}' then ${sql.param([...words], column)} else ${column} end`;
  return {
    license: sql`coalesce(${to.license}, ${license})`,
    language: orWritten(language, to.language),
    tags: orWritten(tags, to.tags),
  };
}
