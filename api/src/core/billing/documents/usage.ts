// Totals of charges by resource, object, member, UTC day or source. Exact: whole micro-units, and quantities as fractions of
// hours that are rounded once, at the end.
import { dividedRounded, type Micros, micros } from '@gantry/contract/fields/money.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { charged, type Range } from './charged.ts';

export type GroupedBy = 'resource' | 'object' | 'member' | 'day' | 'source';

export interface UsageRow {
  key: string;
  name: string;
  list: Micros;
  net: Micros;
  /** Thousandths of the unit times ms. Of GPUs: whole cards and shares, those of rented hosts too. */
  gpu: bigint;
  cores: bigint;
  memory: bigint;
  storage: bigint;
}

interface Grouping {
  key: SQL;
  name: SQL;
}

const GROUPINGS: Readonly<Record<GroupedBy, Grouping>> = {
  /** Included use has no SKU. */
  resource: { key: sql`coalesce(nullif(c.sku, ''), c.resource)`, name: sql`max(c.resource)` },
  /** An order says more than a name. */
  object: { key: sql`c.reference`, name: sql`coalesce(max(c.name) filter (where c.type = 'usage'), max(c.name))` },
  member: { key: sql`c.account`, name: sql`coalesce((select a.name from accounts a where a.id = c.account), '')` },
  day: { key: sql`to_char(c.begins at time zone 'UTC', 'YYYY-MM-DD')`, name: sql`''` },
  source: { key: sql`c.source`, name: sql`c.source` },
};

export class Usage {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  /** The most expensive first; days in order. */
  async rows(organizationId: string, by: GroupedBy, range: Range): Promise<UsageRow[]> {
    return usageRows(this.#db.sql, organizationId, by, range);
  }
}

async function usageRows(connection: Sql, organizationId: string, by: GroupedBy, range: Range): Promise<UsageRow[]> {
  const { key, name } = GROUPINGS[by];
  const quantity = (which: SQL) =>
    sql`round(coalesce(sum(c.quantity) filter (where c.type = 'usage' and (${which})), 0))::text`;
  const found = await rowsOf<Record<keyof UsageRow, string>>(
    connection,
    sql`select ${key} as key, ${name} as name, sum(c.list)::text as list, sum(c.net)::text as net,
        ${quantity(sql`c.resource in ('gpu', 'hosted-gpu')`)} as gpu,
        ${quantity(sql`c.resource in ('cpu', 'hosted-cpu')`)} as cores,
        ${quantity(sql`c.resource in ('memory', 'hosted-memory')`)} as memory,
        ${quantity(sql`c.resource in ('disk', 'snapshot')`)} as storage
      from ${charged(organizationId, range)} c group by ${key}${by === 'member' ? sql`, c.account` : sql``}
      order by ${by === 'day' ? sql`1` : sql`sum(c.net) desc, 1`}`,
  );
  return found.map((row) => ({
    key: row.key,
    name: row.name,
    list: micros(BigInt(row.list)),
    net: micros(BigInt(row.net)),
    gpu: BigInt(row.gpu),
    cores: BigInt(row.cores),
    memory: BigInt(row.memory),
    storage: BigInt(row.storage),
  }));
}

const MILLI_MS_PER_HOUR = 3_600_000_000n;
/** Hours, or periods of so many hours, to six decimals, halves up, without zeros at the end: "1.5". */
export function hoursText(quantity: bigint, hours = 1n): string {
  const millionths = dividedRounded(quantity * 1_000_000n, MILLI_MS_PER_HOUR * hours);
  const size = millionths < 0n ? -millionths : millionths;
  const part = `${size % 1_000_000n}`.padStart(6, '0').replace(/0+$/, '');
  return `${millionths < 0n ? '-' : ''}${size / 1_000_000n}${part && `.${part}`}`;
}
