// Bills as a person sees them: filtered, ordered, a page at a time; or all of them, one after the other, for a file.
import {
  type BillStatus,
  type PaymentChannel,
  TRANSACTION_TYPES,
  type TransactionType,
} from '@gantry/contract/billing/bill.ts';
import type { SourceType } from '@gantry/contract/billing/resources.ts';
import { and, asc, count, desc, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/open.ts';
import { bills } from '../../db/schema/ledger.ts';
import { accounts } from '../../db/schema/people.ts';
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
  by: keyof typeof COLUMNS;
  descending: boolean;
}

export type Transaction = typeof bills.$inferSelect & { operator: string | null };

const COLUMNS = {
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

  /** `page` counts from 1. */
  async page(
    organizationId: string,
    filter: TransactionFilter,
    order: TransactionOrder,
    { page, size }: { page: number; size: number },
  ): Promise<{ items: Transaction[]; total: number }> {
    const where = whereOf(organizationId, filter);
    const [counted] = await this.#db.sql
      .select({ total: count() })
      .from(bills)
      .leftJoin(accounts, eq(accounts.id, bills.accountId))
      .where(where);
    const items = await this.#select(where, order, size, (page - 1) * size);
    return { items, total: counted?.total ?? 0 };
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
    for (let last: Transaction | undefined; ; ) {
      const found = await this.#select(last ? and(where, after(order, last)) : where, order, atOnce, 0);
      yield* found;
      if (found.length < atOnce) return;
      last = found.at(-1);
    }
  }

  async #select(where: SQL | undefined, { by, descending }: TransactionOrder, limit: number, offset: number) {
    const direction = descending ? desc : asc;
    const rows = await this.#db.sql
      .select({ bill: bills, operator: accounts.name })
      .from(bills)
      .leftJoin(accounts, eq(accounts.id, bills.accountId))
      .where(where)
      .orderBy(direction(COLUMNS[by]), direction(bills.id))
      .limit(limit)
      .offset(offset);
    return rows.map(({ bill, operator }): Transaction => ({ ...bill, operator }));
  }
}

function after({ by, descending }: TransactionOrder, last: Transaction): SQL | undefined {
  const column = COLUMNS[by];
  const beyond = descending ? lt : gt;
  const value =
    last[
      ({ date: 'at', total_amount: 'total', pay_amount: 'paid', credit_used: 'creditUsed' } as const)[by as 'date'] ??
        (by as 'status')
    ];
  return or(beyond(column, value), and(eq(column, value), beyond(bills.id, last.id)));
}

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
