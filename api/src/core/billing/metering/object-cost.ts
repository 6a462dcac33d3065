// The use and cost of one object so far, for the operators' console.

import type { KindAbout } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { Use } from '@gantry/contract/billing/resources.ts';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import { sql } from 'drizzle-orm';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';

const MOST_INTERVALS = 100;

interface Row {
  seq: number;
  run: number | null;
  parts: string | null;
  uses: Use[];
  from: string;
  to: string | null;
  settled: string;
  list: string;
  net: string;
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::bigint`);
const iso = (at: string | number): string => new Date(Number(at)).toISOString();

/** The newest intervals, and the sum of all. `cost` is null if nothing was ever billed. */
export async function costOf(connection: Sql, uid: string): Promise<Pick<KindAbout, 'intervals' | 'cost'>> {
  const rows = await rowsOf<Row>(
    connection,
    sql`select m.seq, m.run, m.parts, m.uses, ${ms('m."from"')} as "from", ${ms('m."to"')} as "to", ${ms('m.settled_to')} as settled,
        coalesce(s.list, 0)::text as list, coalesce(s.net, 0)::text as net
      from meters m
      left join lateral (select sum(list) as list, sum(net) as net from slices where uid = m.uid and seq = m.seq) s on true
      where m.uid = ${uid} order by m.seq desc limit ${MOST_INTERVALS}`,
  );
  const [sum] = await rowsOf<{ list: string | null; net: string | null; currency: string | null }>(
    connection,
    sql`select sum(list)::text as list, sum(net)::text as net,
        (select o.currency from organizations o join meters m on m.org_id = o.id where m.uid = ${uid} limit 1) as currency
      from slices where uid = ${uid}`,
  );
  return {
    intervals: rows.map(({ seq, run, parts, uses, from, to, settled, list, net }) => ({
      seq: Number(seq),
      run,
      parts,
      from: iso(from),
      to: to === null ? null : iso(to),
      billed_to: iso(settled),
      uses: uses.map(({ resource, model = null, quantity }) => ({ resource, model, quantity })),
      list: moneyText(micros(BigInt(list))),
      net: moneyText(micros(BigInt(net))),
    })),
    cost:
      sum && sum.net !== null && sum.currency !== null
        ? {
            currency: sum.currency,
            list: moneyText(micros(BigInt(sum.list ?? 0))),
            net: moneyText(micros(BigInt(sum.net))),
          }
        : null,
  };
}
