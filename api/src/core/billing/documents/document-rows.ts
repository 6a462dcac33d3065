// The operators' lists of money: transactions, bills and invoices of all organisations, each one's balance, and the books.

import type { BillingRow } from '@gantry/contract/areas/billing/admin-billing.ts';
import { micros, moneyText, ZERO } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { count, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import {
  inOrderOf,
  type Listed,
  type ListedTable,
  ofNamed,
  type Page,
  pageOfIds,
  pageOfRows,
  placeOf,
} from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { creditNotes, invoices } from '../../../platform/db/schema/invoices.ts';
import { bills, wallets } from '../../../platform/db/schema/ledger.ts';
import { accounts, organizations } from '../../../platform/db/schema/people.ts';
import { creditNoteNumber } from './credit-notes.ts';
import { invoiceView } from './invoice-view.ts';
import { numberText } from './invoices.ts';

/** Staff's note on their transfer, which has the bill's id as its key. */
const noted = (what: 'by' | 'reason'): SQL<string> =>
  sql`coalesce((select t.memo ->> ${sql.raw(`'${what}'`)} from transfers t where t.key = ${bills.id}), '')`;

/** The bills of transfers whose note holds the text: only staff's own have one. */
const notedWith = (text: unknown): SQL =>
  sql`${bills.id} in (select t.key from transfers t where t.type in ('grant', 'adjust') and strpos(lower(t.memo ->> 'reason'), lower(${text})) > 0)`;

const TRANSACTIONS: ListedTable = {
  table: bills,
  columns: {
    id: bills.id,
    organization_id: bills.organizationId,
    date: bills.at,
    type: bills.type,
    status: bills.status,
    total_amount: bills.total,
    payment_channel: bills.channel,
    source_type: bills.source,
    reference: bills.reference,
  },
  searched: [bills.id, bills.reference, bills.detail],
  found: (text) => [ofNamed(bills.organizationId, text), notedWith(text)],
};

/** The usage side of the transactions: amounts owed or paid. */
const USAGE = ['consumption', 'order_consumption'] as const;
const BILLS: ListedTable = {
  table: bills,
  columns: TRANSACTIONS.columns,
  searched: [bills.id, bills.reference, bills.detail],
  found: (text) => [ofNamed(bills.organizationId, text)],
  only: inArray(bills.type, [...USAGE]),
};

const INVOICES: ListedTable = {
  table: invoices,
  columns: {
    id: invoices.id,
    number: invoices.number,
    organization_id: invoices.organizationId,
    month: invoices.month,
    currency: invoices.currency,
    total: invoices.total,
    issued_at: invoices.issuedAt,
  },
  searched: [invoices.id, invoices.organizationId, invoices.month],
  found: (text) => [ofNamed(invoices.organizationId, text)],
};

/** As the books count debt. */
const IS_OWED: ReadonlySet<string> = new Set(['unpaid', 'partially_paid']);

const CREDIT_NOTES: ListedTable = {
  table: creditNotes,
  columns: {
    id: creditNotes.id,
    number: creditNotes.number,
    kind: creditNotes.kind,
    organization_id: creditNotes.organizationId,
    transaction_id: creditNotes.billId,
    amount: creditNotes.amount,
    date: creditNotes.at,
    issued_at: creditNotes.issuedAt,
  },
  searched: [creditNotes.id, creditNotes.refundId, creditNotes.billId],
  found: (text) => [ofNamed(creditNotes.organizationId, text)],
};

const WALLETS: Listed = {
  columns: {
    id: wallets.organizationId,
    name: organizations.name,
    currency: wallets.currency,
    cash: wallets.cash,
    credits: wallets.credits,
    debt: wallets.debt,
  },
  searched: [wallets.organizationId, organizations.name],
};

export class DocumentRows {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  async transactions(query: AdminQuery): Promise<Page<BillingRow<'transactions'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#db.sql, TRANSACTIONS, query);
    const found = await this.#db.sql
      .select({
        bill: bills,
        organization: organizations.name,
        operator: accounts.name,
        by: noted('by'),
        reason: noted('reason'),
      })
      .from(bills)
      .leftJoin(organizations, eq(organizations.id, bills.organizationId))
      .leftJoin(accounts, eq(accounts.id, sql`coalesce(${bills.accountId}, ${noted('by')})`))
      .where(inArray(bills.id, ids));
    const items = inOrderOf(ids, found, ({ bill }) => bill.id).map(({ bill, organization, operator, by, reason }) => ({
      id: bill.id,
      organization_id: bill.organizationId,
      organization_name: organization ?? '',
      date: bill.at.toISOString(),
      type: bill.type,
      status: bill.status,
      currency: bill.currency,
      total_amount: moneyText(bill.total),
      pay_amount: moneyText(bill.paid),
      credit_used: moneyText(bill.creditUsed),
      refunded_amount: moneyText(bill.refunded),
      charged_back_amount: moneyText(bill.chargedBack),
      payment_channel: bill.channel,
      source_type: bill.source,
      operator: operator ?? bill.accountId ?? by,
      reference: bill.reference,
      detail: reason || bill.detail,
    }));
    return { ...page, items };
  }

  async bills(query: AdminQuery): Promise<Page<BillingRow<'bills'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#db.sql, BILLS, query);
    const found = await this.#db.sql
      .select({ bill: bills, organization: organizations.name })
      .from(bills)
      .leftJoin(organizations, eq(organizations.id, bills.organizationId))
      .where(inArray(bills.id, ids));
    const items = inOrderOf(ids, found, ({ bill }) => bill.id).map(({ bill, organization }) => ({
      id: bill.id,
      organization_id: bill.organizationId,
      organization_name: organization ?? '',
      date: bill.at.toISOString(),
      type: bill.type as (typeof USAGE)[number],
      status: bill.status,
      currency: bill.currency,
      total_amount: moneyText(bill.total),
      pay_amount: moneyText(bill.paid),
      credit_used: moneyText(bill.creditUsed),
      owed_amount: moneyText(IS_OWED.has(bill.status) ? micros(bill.total - bill.paid - bill.creditUsed) : ZERO),
      source_type: bill.source,
      reference: bill.reference,
      detail: bill.detail,
    }));
    return { ...page, items };
  }

  async invoices(query: AdminQuery): Promise<Page<BillingRow<'invoices'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#db.sql, INVOICES, query);
    const { lines: _, ...columns } = getTableColumns(invoices);
    const found = await this.#db.sql
      .select({ invoice: columns, organization: organizations.name })
      .from(invoices)
      .leftJoin(organizations, eq(organizations.id, invoices.organizationId))
      .where(inArray(invoices.id, ids));
    const items = inOrderOf(ids, found, ({ invoice }) => invoice.id).map(({ invoice, organization }) => ({
      id: invoice.id,
      number: numberText(invoice.number),
      organization_id: invoice.organizationId,
      organization_name: organization ?? '',
      ...invoiceView(invoice),
    }));
    return { ...page, items };
  }

  async creditNotes(query: AdminQuery): Promise<Page<BillingRow<'credit-notes'>>> {
    const { items: ids, ...page } = await pageOfIds(this.#db.sql, CREDIT_NOTES, query);
    const found = await this.#db.sql
      .select({ note: creditNotes, organization: organizations.name })
      .from(creditNotes)
      .leftJoin(organizations, eq(organizations.id, creditNotes.organizationId))
      .where(inArray(creditNotes.id, ids));
    const items = inOrderOf(ids, found, ({ note }) => note.id).map(({ note, organization }) => ({
      id: note.id,
      number: creditNoteNumber(note.number),
      kind: note.kind,
      cancels: note.cancels === null ? null : creditNoteNumber(note.cancels),
      organization_id: note.organizationId,
      organization_name: organization ?? '',
      refund_id: note.refundId,
      transaction_id: note.billId,
      currency: note.currency,
      amount: moneyText(note.amount),
      date: note.at.toISOString(),
      issued_at: note.issuedAt.toISOString(),
    }));
    return { ...page, items };
  }

  async wallets(query: AdminQuery): Promise<Page<BillingRow<'wallets'>>> {
    const { items: found, ...page } = await pageOfRows(
      placeOf(WALLETS, query),
      query,
      (key) =>
        this.#db.sql
          .select({
            id: wallets.organizationId,
            key,
            wallet: wallets,
            organization: organizations.name,
            held: sql<string>`(select coalesce(sum(amount), 0)::text from holds h where h.org_id = ${wallets.organizationId} and h.until > now())`,
          })
          .from(wallets)
          .leftJoin(organizations, eq(organizations.id, wallets.organizationId))
          .$dynamic(),
      this.#db.sql
        .select({ total: count() })
        .from(wallets)
        .leftJoin(organizations, eq(organizations.id, wallets.organizationId))
        .$dynamic(),
    );
    const items = found.map(({ wallet, organization, held }) => ({
      id: wallet.organizationId,
      name: organization ?? '',
      currency: wallet.currency,
      cash: moneyText(wallet.cash),
      credits: moneyText(wallet.credits),
      debt: moneyText(wallet.debt),
      balance: moneyText(micros(wallet.cash + wallet.credits - wallet.debt)),
      held: moneyText(micros(BigInt(held))),
      overdraft: moneyText(wallet.overdraft),
    }));
    return { ...page, items };
  }

  /** The balance sheet, folded from the postings: what each type of account comes to. All of a currency's rows sum to zero. */
  async books({ sort: [field, order], range: [first, last], filter }: AdminQuery): Promise<Page<BillingRow<'books'>>> {
    const found = await rowsOf<Record<'owner' | 'type' | 'currency' | 'accounts' | 'debits' | 'credits', string>>(
      this.#db.sql,
      sql`select case when a.org_id is null then 'platform' else 'organizations' end as owner, a.type, a.currency,
          count(distinct a.id)::text as accounts, coalesce(sum(s.debits), 0)::text as debits,
          coalesce(sum(s.credits), 0)::text as credits
        from ledger_accounts a left join (
          select account, sum(debits) as debits, sum(credits) as credits from (
            select debit as account, sum(amount) as debits, 0 as credits from postings group by debit
            union all select credit, 0, sum(amount) from postings group by credit
          ) sides group by account
        ) s on s.account = a.id
        group by 1, 2, 3`,
    );
    const rows = found
      .map(({ owner, type, currency, accounts: counted, debits, credits }) => ({
        id: `${owner}.${type}.${currency}`,
        owner: owner as 'platform' | 'organizations',
        type,
        currency,
        accounts: Number(counted),
        debits: moneyText(micros(BigInt(debits))),
        credits: moneyText(micros(BigInt(credits))),
        balance: moneyText(micros(BigInt(credits) - BigInt(debits))),
      }))
      .filter((row) => Object.entries(filter).every(([name, wanted]) => fits(row, name, wanted)));
    const by = field as 'id';
    const direction = order === 'DESC' ? -1 : 1;
    rows.sort((a, b) => direction * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0) || (a.id < b.id ? -1 : 1));
    return { items: rows.slice(first, last + 1), total: rows.length, last: undefined };
  }
}

const fits = (row: object, name: string, wanted: unknown): boolean =>
  wanted === undefined || [wanted].flat().includes(row[name as keyof typeof row]);
