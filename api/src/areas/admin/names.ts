// The names of accounts and organisations, for screens that have their ids. Staff of every role see these names, and nothing else by them.
import type { Names } from '@gantry/contract/areas/admin/admin-home.ts';
import { inArray } from 'drizzle-orm';
import type { Sql } from '../../platform/db/open.ts';
import { accounts, organizations } from '../../platform/db/schema/people.ts';

/** An id that there is not has no name. */
export async function namesOf(
  sql: Sql,
  accountIds: readonly string[],
  organizationIds: readonly string[],
): Promise<Names> {
  return {
    accounts: await namesIn(sql, accounts, accountIds),
    organizations: await namesIn(sql, organizations, organizationIds),
  };
}

async function namesIn(
  sql: Sql,
  table: typeof accounts | typeof organizations,
  ids: readonly string[],
): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const rows = await sql
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(inArray(table.id, [...ids]));
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
