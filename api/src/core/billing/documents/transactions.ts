// Bills as a person sees them: filtered, ordered, a page at a time; or all of them, one after the other, for a file.
import {
  type BillStatus,
  type PaymentChannel,
  TRANSACTION_TYPES,
  type TransactionType,
} from '@gantry/contract/billing/bill.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import type { AdminQuery, PageKey } from '@gantry/contract/http/admin.ts';
import { and, count, eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import {
  type CursorPage,
  type CursorRows,
  cursorAfter,
  cursorOrder,
  type KeyOrder,
  keyOrder,
  lastKey,
} from '../../../platform/db/key-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { bills } from '../../../platform/db/schema/ledger.ts';
import { accounts } from '../../../platform/db/schema/people.ts';
import { billsWhere } from '../ledger/bills.ts';

export interface TransactionFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  type?: TransactionType | 'top-up' | 'usage' | undefined;
  status?: BillStatus | undefined;
  source?: SourceType | undefined;
  channel?: PaymentChannel | undefined;
  search?: string | undefined;
}

export interface TransactionOrder {
  by: Exclude<keyof typeof COLUMNS, 'id'>;
  descending: boolean;
}

export type Transaction = typeof bills.$inferSelect & { operator: string | null };

const COLUMNS = {
  id: bills.id,
  date: bills.at,
  total_amount: bills.total,
  pay_amount: bills.paid,
  credit_used: bills.creditUsed,
  status: bills.status,
  type: bills.type,
} as const satisfies Record<string, PgColumn>;

const AT_ONCE = 500;

export class Transactions {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  async page(
    organizationId: string,
    filter: TransactionFilter,
    order: TransactionOrder,
    asked: CursorPage,
  ): Promise<CursorRows<Transaction>> {
    const where = whereOf(organizationId, filter);
    const [counted] = await this.#db.sql
      .select({ total: count() })
      .from(bills)
      .leftJoin(accounts, eq(accounts.id, bills.accountId))
      .where(where);
    const list = { table: bills, columns: COLUMNS, own: eq(bills.organizationId, organizationId) };
    const rows = await this.#select(where, await cursorOrder(this.#db.sql, list, sortOf(order), asked));
    const items = rows.map(shown);
    return {
      items,
      total: counted?.total ?? 0,
      cursor: cursorAfter(
        items.map(({ id }) => id),
        asked,
      ),
    };
  }

  /**
   * All of them, with some hundred in memory at a time. Others may write between two statements: a row that does not change
   * meanwhile appears exactly once.
   */
  async *all(
    organizationId: string,
    filter: TransactionFilter,
    order: TransactionOrder,
    atOnce = AT_ONCE,
  ): AsyncGenerator<Transaction> {
    const where = whereOf(organizationId, filter);
    for (let after: PageKey | undefined; ; ) {
      const place = keyOrder(COLUMNS, { sort: sortOf(order), ...(after && { after }) });
      const found = await this.#select(where, { ...place, limit: atOnce, offset: 0 });
      yield* found.map(shown);
      if (found.length < atOnce) return;
      after = lastKey(found.map(({ key, bill }) => ({ key, id: bill.id })));
    }
  }

  #select(where: SQL | undefined, { order, beyond, key, limit, offset }: KeyOrder & { limit: number; offset: number }) {
    return this.#db.sql
      .select({ bill: bills, operator: accounts.name, key })
      .from(bills)
      .leftJoin(accounts, eq(accounts.id, bills.accountId))
      .where(and(where, beyond))
      .orderBy(...order)
      .limit(limit)
      .offset(offset);
  }
}

const shown = ({ bill, operator }: { bill: typeof bills.$inferSelect; operator: string | null }): Transaction => ({
  ...bill,
  operator,
});

const sortOf = ({ by, descending }: TransactionOrder): AdminQuery['sort'] => [by, descending ? 'DESC' : 'ASC'];

const typesOf = (wanted: TransactionFilter['type']): readonly TransactionType[] | undefined => {
  if (wanted === undefined) return undefined;
  return (Object.keys(TRANSACTION_TYPES) as TransactionType[]).filter(
    (type) => type === wanted || TRANSACTION_TYPES[type].side === wanted,
  );
};

function whereOf(organizationId: string, filter: TransactionFilter): SQL | undefined {
  const { from, to, type, status, source, channel, search } = filter;
  return and(
    billsWhere({
      organizationId,
      from,
      to,
      types: typesOf(type),
      statuses: status && [status],
      sources: source && [source],
      channels: channel && [channel],
    }),
    search === undefined
      ? undefined
      : or(
          ...[bills.id, bills.reference, bills.detail, accounts.name].map(
            (column) => sql`strpos(lower(${column}), lower(${search})) > 0`,
          ),
        ),
  );
}
