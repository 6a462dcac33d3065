// Whether metering has posted all that it knows of before a moment: then a month that ends there can be closed.
import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { instant } from './charged.ts';

/** Usage that waits for a price, or is to be given back, is not settled. */
export const isSettledIn =
  (db: Database) =>
  async (organizationId: string, until: number): Promise<boolean> => {
    const open = await rowsOf(
      db.sql,
      sql`select 1 from meters where org_id = ${organizationId} and "from" < ${instant(until)}
          and (settled_to < least(coalesce("to", 'infinity'), ${instant(until)}) or "to" < settled_to) limit 1`,
    );
    return open.length === 0;
  };
