// The ledger's entries for staff: both sides of each transfer, and the document behind it. Newest first or oldest first: any other
// order would read all of the ledger.

import type { BillingRow } from '@gantry/contract/areas/billing/admin-billing.ts';
import {
  DOCUMENT_OF,
  type EntryAccount,
  type EntryDocument,
  type LedgerTransferType,
  TRANSFER_TYPES,
} from '@gantry/contract/billing/ledger-entries.ts';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Page } from '../../../platform/db/list-pages.ts';
import type { Database } from '../../../platform/db/open.ts';
import { isoOf, rowsOf } from '../../../platform/db/rows-of.ts';
import { instant } from './charged.ts';

type Entry = BillingRow<'ledger-entries'>;

/** A dispute that went back and forth more often shows the rest under its payment's bill. */
const MOST_MOVES = 50;
/** The ledger is the largest table: beyond so many, nobody turns pages. */
const MOST_COUNTED = 10_000;
const USAGE = sql.raw(`'consumption', 'order_consumption'`);

const TABLES = sql`from postings p join transfers t on t.id = p.transfer_id`;

export async function entryRows(
  { sql: connection }: Pick<Database, 'sql'>,
  { sort: [, order], range: [first, last], filter, after }: AdminQuery,
): Promise<Page<Entry>> {
  const where = and(sql`true`, ...Object.entries(filter).map(([name, wanted]) => clauseOf(name, wanted)));
  const direction = sql.raw(order === 'DESC' ? 'desc' : 'asc');
  // Legs are in their order within each transfer, whichever way transfers go.
  const [, transfer = '0', leg = '0'] = /^(\d{1,18})\.(\d{1,4})$/.exec(after?.id ?? '') ?? [];
  const beyond = after
    ? sql`(t.id = ${transfer}::bigint and p.leg > ${leg}::int or t.id ${sql.raw(order === 'DESC' ? '<' : '>')} ${transfer}::bigint)`
    : sql`true`;
  const found = await rowsOf<Found>(
    connection,
    sql`select t.id::text as transfer, p.leg, t.key, t.type, t.org_id as organization, coalesce(o.name, '') as name,
        ${isoOf(sql`t.at`)} as at, ${isoOf(sql`t.posted_at`)} as posted, p.debit, p.credit, t.currency, p.amount::text as amount,
        t.bill_id as bill, b.type in (${USAGE}) as is_use, i.id as invoice, coalesce(a.name, t.memo ->> 'by', '') as by,
        coalesce(t.memo ->> 'reason', '') as reason, t.memo ->> 'approval' as approval
      ${TABLES}
      left join organizations o on o.id = t.org_id
      left join bills b on b.id = t.bill_id
      left join accounts a on a.id = t.memo ->> 'by'
      left join lateral (
        select i.id from invoices i where b.type in (${USAGE}) and i.org_id = t.org_id and t.at >= i."from" and t.at < i."to" limit 1
      ) i on true
      where ${where} and ${beyond}
      order by t.id ${direction}, p.leg offset ${after ? 0 : first} limit ${last - first + 1}`,
  );
  const items = found.map(entryOf);
  const id = items.at(-1)?.id;
  const page = { items, last: id === undefined ? undefined : { value: id, id } };
  if (after) return { ...page, total: 0 };
  const [counted] = await rowsOf<{ total: string }>(
    connection,
    sql`select count(*)::text as total from (select ${TABLES} where ${where} limit ${MOST_COUNTED + 1}) as counted`,
  );
  const total = Number(counted?.total ?? 0);
  return { ...page, total, ...(total > MOST_COUNTED && { isTotalMore: true as const }) };
}

interface Found {
  transfer: string;
  leg: number;
  key: string;
  type: LedgerTransferType;
  organization: string;
  name: string;
  at: string;
  posted: string;
  debit: string;
  credit: string;
  currency: string;
  amount: string;
  bill: string | null;
  is_use: boolean | null;
  invoice: string | null;
  by: string;
  reason: string;
  approval: string | null;
}

function entryOf(found: Found): Entry {
  const { key, type, bill } = found;
  const document = DOCUMENT_OF[type];
  const [, second = ''] = key.split('/');
  return {
    id: `${found.transfer}.${found.leg}`,
    transfer: key,
    type,
    organization_id: found.organization,
    organization_name: found.name,
    date: found.at,
    posted_at: found.posted,
    debit: found.debit,
    credit: found.credit,
    currency: found.currency,
    amount: moneyText(micros(BigInt(found.amount))),
    document,
    bill_id: found.is_use ? bill : null,
    transaction_id: bill,
    payment_id: document === 'payment' && key.startsWith('payment/') ? second : null,
    refund_id: document === 'refund' && key.startsWith('refund/') ? second : null,
    chargeback_id: document === 'chargeback' ? key.split('/').slice(1, -1).join('/') : null,
    invoice_id: found.invoice,
    approval_id: found.approval,
    by: found.by,
    reason: found.reason,
  };
}

function clauseOf(name: string, wanted: unknown): SQL | undefined {
  if (wanted === undefined) return undefined;
  const all = [wanted].flat().map(String);
  const keyed = (keysOf: (id: string) => readonly string[]) => sql`t.key in ${listOf(all.flatMap(keysOf))}`;
  switch (name) {
    case 'id':
      return sql`(t.id || '.' || p.leg) in ${listOf(all)} and t.id in ${listOf(all.map(transferOf))}`;
    case 'organization_id':
      return sql`t.org_id in ${listOf(all)}`;
    case 'type':
      return sql`t.type in ${listOf(all)}`;
    case 'document':
      return sql`t.type in ${listOf(TRANSFER_TYPES.filter((type) => all.includes(DOCUMENT_OF[type] satisfies EntryDocument)))}`;
    case 'account': {
      const of = (side: string) =>
        sql`split_part(split_part(${sql.raw(side)}, '/', 2), '.', 1) in ${listOf(all as EntryAccount[])}`;
      return sql`(${of('p.debit')} or ${of('p.credit')})`;
    }
    // The organisation narrows it down to an index.
    case 'bill_id':
    case 'transaction_id':
      return sql`t.bill_id in ${listOf(all)} and t.org_id in (select org_id from bills where id in ${listOf(all)})`;
    case 'payment_id':
      return keyed((id) => [`payment/${id}`]);
    case 'refund_id':
      return keyed((id) => [`refund/${id}`, `refund/${id}/back`, `refund/${id}/returned`]);
    case 'chargeback_id':
      return keyed((id) => Array.from({ length: MOST_MOVES }, (_, move) => `dispute/${id}/${move}`));
    case 'from':
      return sql`t.at >= ${instant(new Date(`${wanted}`))}`;
    case 'to':
      return sql`t.at < ${instant(new Date(`${wanted}`))}`;
    default:
      throw new Error(`no clause for ${name}`);
  }
}

/** The transfer number of an entry `<transfer>.<leg>`; anything that is no number matches nothing. */
function transferOf(id: string): string {
  const [, number = '-1'] = /^(\d{1,18})\.\d+$/.exec(id) ?? [];
  return number;
}

const listOf = (values: readonly string[]): SQL =>
  values.length === 0
    ? sql`(null)`
    : sql`(${sql.join(
        values.map((value) => sql`${value}`),
        sql`, `,
      )})`;

/** As JavaScript writes it, whichever driver reads. */
