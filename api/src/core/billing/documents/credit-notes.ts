// Credit notes: one for each finished refund, and one that cancels it if the money came back later. They are derived from the
// current refunds, so repeating the call writes nothing more. Numbered without a gap, in their own series.
import type { Words } from '@gantry/contract/define-kind.ts';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import { shownMoney } from '@gantry/contract/fields/shown-money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { PAYERS } from '@gantry/contract/roles.ts';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type CursorPage, cursorPage } from '../../../platform/db/key-pages.ts';
import type { Sql } from '../../../platform/db/open.ts';
import { rowsOf } from '../../../platform/db/rows-of.ts';
import { creditNotes } from '../../../platform/db/schema/invoices.ts';
import { payments, refunds } from '../../../platform/db/schema/payments.ts';
import { newId } from '../../../platform/ids.ts';
import type { InvoicesParts } from './invoices.ts';
import { recipientOf } from './profiles.ts';

export type CreditNote = typeof creditNotes.$inferSelect;
export type CreditNoteHead = Omit<CreditNote, 'recipient' | 'issuer'>;
export type CreditNotesParts = Pick<InvoicesParts, 'db' | 'clock' | 'log' | 'tell' | 'onNotified' | 'issuer'>;

interface Due {
  refundId: string;
  kind: CreditNote['kind'];
}

/** "crdn" as a number among the advisory locks: its holder draws the next number. */
const LOCK = 1_668_441_198;

export const creditNoteNumber = (number: number): string => `CN-${`${number}`.padStart(8, '0')}`;

export class CreditNotes {
  readonly #parts: CreditNotesParts;

  constructor(parts: CreditNotesParts) {
    this.#parts = parts;
  }

  /** Several processes at once write each note only once. Missing data of one refund delays no other. */
  async issueDue(): Promise<CreditNote[]> {
    const { db, log } = this.#parts;
    const issued: CreditNote[] = [];
    for (const due of await dueNotes(db.sql)) {
      try {
        const note = await this.#issue(due);
        if (note) issued.push(note);
      } catch (error) {
        log.error({ err: error, refund: due.refundId }, 'a credit note could not be issued');
      }
    }
    return issued;
  }

  /** Newest first. */
  list(organizationId: string, asked: CursorPage) {
    const db = this.#parts.db.sql;
    const own = eq(creditNotes.organizationId, organizationId);
    return cursorPage(
      db,
      { table: creditNotes, columns: COLUMNS, own, sort: ['id', 'DESC'] },
      asked,
      db.select(HEAD).from(creditNotes).$dynamic(),
      ({ number }) => number,
    );
  }

  /** Throws not_found, even for another organisation's note. Undefined: staff read any. */
  async get(organizationId: string | undefined, id: string): Promise<CreditNote> {
    const [found] = await this.#parts.db.sql
      .select()
      .from(creditNotes)
      .where(
        and(
          eq(creditNotes.id, id),
          organizationId === undefined ? undefined : eq(creditNotes.organizationId, organizationId),
        ),
      );
    if (!found) throw problem('not_found', { what: id });
    return found;
  }

  /** Undefined where another process was first. */
  async #issue({ refundId, kind }: Due): Promise<CreditNote | undefined> {
    const { db, log, onNotified } = this.#parts;
    const note = await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
      if (!(await dueNotes(tx, refundId)).some((due) => due.kind === kind)) return undefined;
      const row = await this.#write(tx, { refundId, kind });
      if (row.cancels !== null) await this.#tell(tx, row);
      return row;
    });
    if (!note) return undefined;
    onNotified?.();
    const { id, number, organizationId } = note;
    log.info({ creditNote: id, number, organizationId, refund: refundId, kind }, 'a credit note was issued');
    return note;
  }

  /** Throws where the books say another amount than the refund. */
  async #write(tx: Sql, { refundId, kind }: Due): Promise<CreditNote> {
    const [found] = await tx
      .select({ refund: refunds, payment: payments })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .where(eq(refunds.id, refundId));
    if (!found) throw new Error(`${refundId}: there is no such refund`);
    const { refund, payment } = found;
    const booked = await bookedOf(tx, kind === 'refund' ? `refund/${refundId}` : `refund/${refundId}/returned`);
    if (booked !== refund.amount)
      throw new Error(`${refundId}: the refund is of ${refund.amount}, and the books say ${booked}`);
    const isOfRefund = and(eq(creditNotes.refundId, refundId), eq(creditNotes.kind, 'refund'));
    const [cancelled] = await tx.select({ number: creditNotes.number }).from(creditNotes).where(isOfRefund);
    const { organizationId, amount, changedAt } = refund;
    const [last] = await tx
      .select({ number: creditNotes.number })
      .from(creditNotes)
      .orderBy(desc(creditNotes.number))
      .limit(1);
    const [row] = await tx
      .insert(creditNotes)
      .values({
        id: newId('crn'),
        // The lock is held: nobody draws the same number, and one that was drawn and not written is drawn again.
        number: (last?.number ?? 0) + 1,
        kind,
        cancels: kind === 'cancellation' ? (cancelled?.number ?? null) : null,
        organizationId,
        refundId,
        billId: payment.billId,
        paidAt: payment.paidAt ?? payment.createdAt,
        currency: payment.currency,
        amount: kind === 'refund' ? amount : micros(-amount),
        at: changedAt,
        recipient: await recipientOf(tx, organizationId),
        issuer: { ...this.#parts.issuer },
        issuedAt: new Date(this.#parts.clock.now()),
      })
      .returning();
    return row as CreditNote;
  }

  async #tell(tx: Sql, { id, organizationId, number, cancels, currency, amount }: CreditNote): Promise<void> {
    await this.#parts.tell(
      {
        key: `credit-note/${id}`,
        ...CANCELLED,
        args: {
          number: creditNoteNumber(number),
          cancelled: creditNoteNumber(cancels ?? 0),
          amount: shownMoney(moneyText(micros(-amount)), currency),
        },
      },
      { organization: organizationId, roles: PAYERS },
      tx,
    );
  }
}

/** Payments itself reports that a refund is done. */
const CANCELLED = {
  title: {
    en: 'Credit note %{cancelled} is cancelled',
    zh: '贷项通知单 %{cancelled} 已作废',
    ja: 'クレジットノート %{cancelled} が取り消されました',
  },
  content: {
    en: 'The refund of %{amount} was returned and is back in the balance. Credit note %{number} cancels %{cancelled}.',
    zh: '退款 %{amount} 被退回，已重新计入余额。贷项通知单 %{number} 作废 %{cancelled}。',
    ja: '%{amount} の返金が差し戻され、残高に戻りました。クレジットノート %{number} は %{cancelled} を取り消します。',
  },
} as const satisfies Record<string, Words>;

const { recipient: _recipient, issuer: _issuer, ...HEAD } = getTableColumns(creditNotes);
/** A number orders what has the same date, and names the row. */
const COLUMNS = { id: creditNotes.number };

/** A refund that came back before it had a note gets none. Refunds in the order in which they were done. */
async function dueNotes(connection: Sql, refundId?: string): Promise<Due[]> {
  const isAsked = refundId === undefined ? sql`true` : sql`r.id = ${refundId}`;
  const rows = await rowsOf<{ refund: string; kind: CreditNote['kind'] }>(
    connection,
    sql`select r.id as refund, case r.state when 'done' then 'refund' else 'cancellation' end as kind
      from refunds r
      where ${isAsked} and (
        r.state = 'done' and not exists (${noteOf('refund')})
        or r.state = 'failed' and exists (${noteOf('refund')}) and not exists (${noteOf('cancellation')})
      )
      order by r.changed_at, r.id`,
  );
  return rows.map(({ refund, kind }) => ({ refundId: refund, kind }));
}

const noteOf = (kind: CreditNote['kind']): SQL =>
  sql`select from credit_notes n where n.refund_id = r.id and n.kind = ${kind}`;

async function bookedOf(tx: Sql, key: string): Promise<bigint> {
  const [row] = await rowsOf<{ amount: string }>(
    tx,
    sql`select coalesce(sum(p.amount), 0)::text as amount
      from transfers t join postings p on p.transfer_id = t.id where t.key = ${key}`,
  );
  return BigInt(row?.amount ?? 0);
}
