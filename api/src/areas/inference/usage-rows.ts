// Tokens that models have used, in the operators' console: by UTC month, organisation and deployment.
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { sql } from 'drizzle-orm';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';
import type { Database } from '../../platform/db/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { tokenTotals } from '../../platform/db/schema/tokens.ts';

type Row = AdminRow<'token-usage'>;

/** So many months are shown: older ones are in each organisation's bills. */
const MONTHS = 13;

export class TokenUsageRows {
  readonly #parts: { db: Database; currencyOf: (organizationId: string) => string };

  constructor(parts: { db: Database; currencyOf: (organizationId: string) => string }) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const { db, currencyOf } = this.#parts;
    const rows = await rowsOf<Omit<Row, 'id' | 'currency'>>(
      db.sql,
      sql`select t.*, coalesce(o.name, t.organization_id) as organization_name from (
        select to_char(${tokenTotals.day}, 'YYYY-MM') as month, ${tokenTotals.organizationId} as organization_id,
          ${tokenTotals.modelUid} as deployment_uid, max(${tokenTotals.model}) as deployment,
          sum(${tokenTotals.requests})::float8 as requests, sum(${tokenTotals.prompt})::float8 as prompt_tokens,
          sum(${tokenTotals.cached})::float8 as cached_tokens, sum(${tokenTotals.completion})::float8 as completion_tokens,
          sum(${tokenTotals.doubtful})::float8 as estimated_requests,
          sum(${tokenTotals.net})::text as amount
        from ${tokenTotals}
        where ${tokenTotals.day} >= date_trunc('month', (select max(${tokenTotals.day}) from ${tokenTotals}))
          - make_interval(months => ${MONTHS - 1})
        group by 1, 2, 3
      ) t left join ${organizations} o on o.id = t.organization_id`,
    );
    return pageInMemory(
      rows.map(
        (row): Row => ({
          ...row,
          id: idOf(row),
          amount: moneyText(micros(BigInt(row.amount))),
          currency: currencyOf(row.organization_id),
        }),
      ),
      query,
      {
        field: (row, name) => (name === 'amount' ? Number(row.amount) : row[name as keyof Row]),
        isSought: (row, sought) =>
          [row.deployment, row.organization_id, row.organization_name].some((name) =>
            name.toLowerCase().includes(sought),
          ),
      },
      (row) => row,
    );
  }
}

const idOf = ({ month, organization_id, deployment_uid }: Omit<Row, 'id' | 'currency'>): string =>
  `${month}.${organization_id}.${deployment_uid}`;
