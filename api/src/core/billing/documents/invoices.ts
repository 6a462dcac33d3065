// Invoices: a month of an organisation, written once all of it is settled, numbered without a gap, and never changed. What comes
// later for a closed month stands on the next invoice. An invoice whose lines are not what the books say is not written.
import { type Month, monthAt, nextMonth } from '@gantry/contract/billing/months.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { type Micros, micros, roundedText } from '@gantry/contract/fields/money.ts';
import { shownMoney } from '@gantry/contract/fields/shown-money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type OrgRole, PAYERS } from '@gantry/contract/roles.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type CursorPage, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Database, Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { closedMonths, type InvoiceLine, invoices } from '../../../platform/db/schema/invoices.ts';
import { organizations } from '../../../platform/db/schema/people.ts';
import { newId } from '../../../platform/ids.ts';
import { charged, chargedKeys, type Range, revenueOf } from './charged.ts';
import { correctionsOf, type Group, inOrder, lineOf, totalsOf } from './invoice-lines.ts';
import { recipientOf } from './profiles.ts';

export type Invoice = typeof invoices.$inferSelect;
export type InvoiceHead = Omit<Invoice, 'lines' | 'recipient' | 'issuer'>;
type ClosedMonth = typeof closedMonths.$inferSelect;

export interface Issuer {
  legalName: string;
  address: string;
  taxId: string;
}

export interface InvoicesParts {
  db: Database;
  clock: Clock;
  log: { info(facts: object, text: string): void; error(facts: object, text: string): void };
  /** Whether metering has posted all that was used before the moment. */
  isSettled(organizationId: string, until: number): Promise<boolean>;
  /** Tells those of its members who have one of the roles; within the transaction, as its last statement. */
  tell(
    notice: { key: string; title: Words; content: Words; args: Record<string, string> },
    audience: { organization: string; roles: readonly OrgRole[] },
    within: Sql,
  ): Promise<unknown>;
  /** Called after a transaction that notified somebody has committed. */
  onNotified?(): void;
  /** The issuer: each invoice keeps the value of its time. */
  issuer: Issuer;
  /** How long after its end a month is closed at the earliest: usage reported late within this time is still in its invoice. */
  graceMs?: number;
}

export interface Closing {
  issued: InvoiceHead[];
  /** Organisations whose month is over, and waits for metering. */
  waiting: string[];
  /** Organisations whose lines differ from the books: nothing was written. */
  faulty: string[];
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
const GRACE_MS = 2 * 3_600_000;
/** "invo" as a number among the advisory locks: its holder draws the next number. */
const LOCK = 1_768_846_959;

export class Invoices {
  readonly #parts: InvoicesParts;

  constructor(parts: InvoicesParts) {
    this.#parts = parts;
  }

  /**
   * Closes every month that is over and settled, the oldest first. Asked again it does nothing more; several processes at once
   * do it once.
   */
  async closeDue(now: number): Promise<Closing> {
    const closing: Closing = { issued: [], waiting: [], faulty: [] };
    const { db, log, graceMs = GRACE_MS } = this.#parts;
    for (const { id, month } of await dueMonths(db.sql)) {
      if (month.to + graceMs > now) continue;
      try {
        await this.#closeMonthsOf(id, now, closing);
      } catch (error) {
        closing.faulty.push(id);
        log.error({ err: error, organizationId: id }, 'a month could not be closed');
      }
    }
    return closing;
  }

  list(organizationId: string, asked: CursorPage) {
    const db = this.#parts.db.sql;
    const own = eq(invoices.organizationId, organizationId);
    return cursorPage(
      db,
      { table: invoices, columns: COLUMNS, own, sort: ['from', 'DESC'] },
      asked,
      db.select(HEAD).from(invoices).$dynamic(),
      ({ number }) => number,
    );
  }

  /** Throws not_found, even for another organisation's invoice. Undefined: staff read any. */
  async get(organizationId: string | undefined, id: string): Promise<Invoice> {
    const [found] = await this.#parts.db.sql
      .select()
      .from(invoices)
      .where(
        and(
          eq(invoices.id, id),
          organizationId === undefined ? undefined : eq(invoices.organizationId, organizationId),
        ),
      );
    if (!found) throw problem('not_found', { what: id });
    return found;
  }

  async #closeMonthsOf(organizationId: string, now: number, closing: Closing): Promise<void> {
    for (;;) {
      const { db, isSettled, graceMs = GRACE_MS } = this.#parts;
      const [due] = await dueMonths(db.sql, organizationId);
      if (!due || due.month.to + graceMs > now) return;
      if (!(await isSettled(organizationId, due.month.to))) {
        closing.waiting.push(organizationId);
        return;
      }
      const issued = await this.#close(organizationId, due);
      if (issued) closing.issued.push(issued);
    }
  }

  /** Undefined if there is nothing to write, or another process was first. */
  async #close(organizationId: string, due: DueMonth): Promise<InvoiceHead | undefined> {
    const { db, log, onNotified } = this.#parts;
    const issued = await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
      const [again] = await dueMonths(tx, organizationId);
      if (again?.month.from !== due.month.from || again.zone !== due.zone) return undefined;
      const draft = await this.#draft(tx, organizationId, due);
      const row = draft && (await write(tx, draft));
      const { name: month, from, to } = due.month;
      await tx.insert(closedMonths).values({
        organizationId,
        month,
        zone: due.zone,
        from: new Date(from),
        to: new Date(to),
        invoiceId: row?.id ?? null,
        closedAt: new Date(this.#parts.clock.now()),
      });
      if (row) await this.#tell(tx, row);
      return row;
    });
    if (!issued) return undefined;
    onNotified?.();
    const { lines: _, recipient: _recipient, issuer: _issuer, ...head } = issued;
    log.info({ invoice: head.id, number: head.number, organizationId, month: head.month }, 'an invoice was issued');
    return head;
  }

  /** Undefined if there are no lines. Throws if the lines differ from the books. */
  async #draft(tx: Sql, organizationId: string, due: DueMonth): Promise<Omit<Invoice, 'number'> | undefined> {
    const { month, zone } = due;
    const groups = await groupsOf(tx, organizationId, month);
    const corrections = await this.#corrections(tx, organizationId);
    const lines = inOrder([...groups.map(lineOf), ...corrections]);
    const cover = await this.#cover(tx, organizationId, month, corrections.length > 0);
    const totals = totalsOf(lines);
    if (cover.list !== totals.list || cover.net !== totals.total)
      throw new Error(
        `${organizationId} ${month.name}: the lines come to ${totals.list} and ${totals.total}, the books to ${cover.list} and ${cover.net}`,
      );
    if (lines.length === 0) return undefined;
    const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId));
    return {
      id: newId('inv'),
      organizationId,
      month: month.name,
      zone,
      from: new Date(month.from),
      to: new Date(month.to),
      currency: organization?.currency ?? '',
      lines,
      ...totals,
      creditUsed: cover.credits,
      paid: cover.cash,
      recipient: await recipientOf(tx, organizationId),
      issuer: { ...this.#parts.issuer },
      issuedAt: new Date(this.#parts.clock.now()),
    };
  }

  /** Changes to closed months since their invoices were written. */
  async #corrections(tx: Sql, organizationId: string): Promise<InvoiceLine[]> {
    const closed = await tx.select().from(closedMonths).where(eq(closedMonths.organizationId, organizationId));
    if (closed.length === 0) return [];
    const written = await tx
      .select({ lines: invoices.lines })
      .from(invoices)
      .where(eq(invoices.organizationId, organizationId));
    const lines = written.flatMap((one) => one.lines);
    const sums = await sumsOf(tx, organizationId, closed);
    const corrections: InvoiceLine[] = [];
    for (const month of closed) {
      const range = { from: month.from.getTime(), to: month.to.getTime() };
      const theirs = lines.filter(({ from }) => Date.parse(from) >= range.from && Date.parse(from) < range.to);
      const { list, total } = totalsOf(theirs);
      const now = sums.get(month.month) ?? { list: 0n, net: 0n };
      // Only a month that differs is read line by line. What cancels out within a month changes nothing that is owed.
      if (now.list === list && now.net === total) continue;
      corrections.push(...correctionsOf(await groupsOf(tx, organizationId, range), theirs));
    }
    return corrections;
  }

  /** The books' totals and what paid them: for the month; with corrections, for everything up to its end less what is written. */
  async #cover(tx: Sql, organizationId: string, month: Month, isCorrecting: boolean) {
    if (!isCorrecting) return coverOf(tx, organizationId, month);
    const all = await coverOf(tx, organizationId, { to: month.to });
    const [before] = await rowsOf<Record<'list' | 'net' | 'credits' | 'cash', string>>(
      tx,
      sql`select coalesce(sum(list), 0)::text as list, coalesce(sum(total), 0)::text as net,
          coalesce(sum(credit_used), 0)::text as credits, coalesce(sum(paid), 0)::text as cash
        from invoices where org_id = ${organizationId}`,
    );
    const less = (name: keyof Cover) => micros(all[name] - BigInt(before?.[name] ?? 0));
    return { list: less('list'), net: less('net'), credits: less('credits'), cash: less('cash') };
  }

  async #tell(tx: Sql, { id, organizationId, number, month, currency, total }: Invoice): Promise<void> {
    await this.#parts.tell(
      {
        key: `invoice/${id}`,
        title: ISSUED.title,
        content: ISSUED.content,
        args: { number: numberText(number), month, total: shownMoney(roundedText(total), currency) },
      },
      { organization: organizationId, roles: PAYERS },
      tx,
    );
  }
}

const ISSUED = {
  title: { en: 'Invoice %{number} for %{month}', zh: '%{month} 账单 %{number}', ja: '%{month} の請求書 %{number}' },
  content: {
    en: 'The invoice for %{month} comes to %{total}. It is on the billing page, as PDF and CSV.',
    zh: '%{month} 的账单总额为 %{total}，可在账单页面下载 PDF 和 CSV。',
    ja: '%{month} の請求書の合計は %{total} です。請求ページから PDF と CSV をダウンロードできます。',
  },
} as const satisfies Record<string, Words>;

export const numberText = (number: number): string => `${number}`.padStart(8, '0');

const { lines: _lines, recipient: _recipient, issuer: _issuer, ...HEAD } = getTableColumns(invoices);
/** A number orders what has the same date, and names the row. */
const COLUMNS = { id: invoices.number, from: invoices.from };

interface DueMonth {
  id: string;
  month: Month;
  zone: string;
}

/**
 * The first month that is not closed, for each organisation or for one: it begins where the last closed one ended, even if the
 * time zone has changed. A deleted organisation has none once charges can no longer arrive late.
 */
async function dueMonths(connection: Sql, organizationId?: string): Promise<DueMonth[]> {
  const rows = await rowsOf<{ id: string; created: string; zone: string; month: string | null; to: string | null }>(
    connection,
    sql`select o.id, ${textOf(sql`o.created_at`)} as created, coalesce(p.zone, 'UTC') as zone, c.month, ${textOf(sql`c."to"`)} as to
      from wallets w join organizations o on o.id = w.org_id left join billing_profiles p on p.org_id = o.id
      left join lateral (
        select month, "to" from closed_months where org_id = o.id order by "from" desc limit 1
      ) c on true
      where (o.deleted_at is null or c."to" is null or c."to" < o.deleted_at + interval '62 days')
        ${organizationId === undefined ? sql`` : sql`and o.id = ${organizationId}`} order by o.id`,
  );
  return rows.map(({ id, created, zone, month, to }) => {
    if (month === null || to === null) return { id, zone, month: monthAt(zone, Date.parse(created)) };
    const next = nextMonth(zone, { name: month, from: 0, to: 0 });
    return { id, zone, month: { ...next, from: Date.parse(to) } };
  });
}

const textOf = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', ${ISO})`;

/** One group per thing, member and price. */
async function groupsOf(tx: Sql, organizationId: string, range: Range): Promise<Group[]> {
  const rows = await rowsOf<{
    type: Group['type'];
    sku: string;
    reference: string;
    name: string;
    account: string;
    run: number | null;
    parts: string | null;
    quantity: string;
    begins: string;
    ends: string;
    price: string | null;
    basis_points: number;
    list: string;
    net: string;
  }>(
    tx,
    sql`select c.type, c.sku, c.reference, max(c.name) as name, coalesce(max(a.name), c.account) as account, c.run, c.parts,
        sum(c.quantity)::numeric(40,0)::text as quantity,
        ${textOf(sql`min(c.begins)`)} as begins, ${textOf(sql`max(c.ends)`)} as ends,
        max(p.amount)::text as price, c.basis_points, sum(c.list)::text as list, sum(c.net)::text as net
      from ${charged(organizationId, range)} c
      left join accounts a on a.id = c.account
      left join prices p on p.id::text = c.price
      where c.type <> 'usage' or c.sku <> ''
      group by c.type, c.sku, c.reference, c.account, c.run, c.parts, c.price, c.basis_points
      having sum(c.list) <> 0 or sum(c.net) <> 0`,
  );
  return rows.map((row) => ({
    ...row,
    quantity: BigInt(row.quantity),
    begins: new Date(row.begins),
    ends: new Date(row.ends),
    price: row.price === null ? undefined : micros(BigInt(row.price)),
    basisPoints: row.basis_points,
    list: micros(BigInt(row.list)),
    net: micros(BigInt(row.net)),
  }));
}

async function sumsOf(tx: Sql, organizationId: string, closed: readonly ClosedMonth[]) {
  const to = Math.max(...closed.map((month) => month.to.getTime()));
  const rows = await rowsOf<{ month: string; list: string; net: string }>(
    tx,
    sql`select m.month, sum(c.list)::text as list, sum(c.net)::text as net
      from ${charged(organizationId, { to })} c
      join closed_months m on m.org_id = ${organizationId} and m."from" <= c.begins and c.begins < m."to"
      group by m.month`,
  );
  return new Map(rows.map(({ month, list, net }) => [month, { list: BigInt(list), net: BigInt(net) }]));
}

interface Cover {
  list: Micros;
  net: Micros;
  credits: Micros;
  cash: Micros;
}

/** From the postings alone: the revenue, and which of the organisation's accounts paid it. */
async function coverOf(tx: Sql, organizationId: string, range: Range): Promise<Cover> {
  const [row] = await rowsOf<Record<'list' | 'discount' | 'credits' | 'cash', string>>(
    tx,
    sql`with mine as materialized (
        select p.* from ${chargedKeys(organizationId, range)} k
        join transfers t on t.key = k.key join postings p on p.transfer_id = t.id
      )
      select r.list::text, r.discount::text, g.credits::text, g.cash::text
      from (${revenueOf(sql`true`, sql`mine`)}) r, (
        select coalesce(sum(case when p.debit like ${`${organizationId}/credits/%`} then p.amount
            when p.credit like ${`${organizationId}/credits/%`} then -p.amount else 0 end), 0) as credits,
          coalesce(sum(case when p.debit like ${`${organizationId}/cash/%`} then p.amount
            when p.credit like ${`${organizationId}/cash/%`} then -p.amount else 0 end), 0) as cash
        from mine p
      ) g`,
  );
  const of = (name: keyof NonNullable<typeof row>) => micros(BigInt(row?.[name] ?? 0));
  return { list: of('list'), net: micros(of('list') - of('discount')), credits: of('credits'), cash: of('cash') };
}

/** The lock is held: nobody draws the same number, and one that was drawn and not written is drawn again. */
async function write(tx: Sql, draft: Omit<Invoice, 'number'>): Promise<Invoice> {
  const [last] = await tx.select({ number: invoices.number }).from(invoices).orderBy(desc(invoices.number)).limit(1);
  const [row] = await tx
    .insert(invoices)
    .values({ ...draft, number: (last?.number ?? 0) + 1 })
    .returning();
  return row as Invoice;
}
