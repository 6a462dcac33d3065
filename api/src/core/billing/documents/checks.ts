// Invariants of invoices beyond their totals, and of credit notes: each check is one statement that returns a sentence per
// violation.
import { type SQL, sql } from 'drizzle-orm';

const MOST_SENTENCES = sql`limit 20`;

export const DOCUMENT_CHECKS = {
  invoices_are_numbered_without_a_gap: () => sql`select 'invoice number ' || n || ' is missing' as fault
      from generate_series(1, (select max(number) from invoices)) n
      where not exists (select from invoices where number = n) ${MOST_SENTENCES}`,
  months_follow_each_other:
    () => sql`select 'organisation ' || org_id || ': ' || month || ' ends ' || "to" || ', and what follows begins ' || next as fault
      from (
        select org_id, month, "to", lead("from") over (partition by org_id order by "from") as next from closed_months
      ) m where next <> "to" ${MOST_SENTENCES}`,
  months_have_their_invoice: () => sql`select 'invoice ' || i.id || ' is of no closed month' as fault from invoices i
      where not exists (
        select from closed_months m where m.invoice_id = i.id and m.org_id = i.org_id and m.month = i.month
          and m."from" = i."from" and m."to" = i."to"
      ) ${MOST_SENTENCES}`,
  credit_notes_are_numbered_without_a_gap: () => sql`select 'credit note number ' || n || ' is missing' as fault
      from generate_series(1, (select max(number) from credit_notes)) n
      where not exists (select from credit_notes where number = n) ${MOST_SENTENCES}`,
  credit_notes_are_booked:
    () => sql`select 'credit note ' || n.id || ' is of ' || n.amount || ', and its transfer of ' || b.amount as fault
      from credit_notes n, lateral (
        select coalesce(sum(p.amount), 0) * (case when n.amount < 0 then -1 else 1 end) as amount from transfers t join postings p on p.transfer_id = t.id
        where t.key = 'refund/' || n.refund_id || case n.kind when 'refund' then '' else '/returned' end
      ) b where b.amount <> n.amount ${MOST_SENTENCES}`,
  credit_notes_cancel_their_own: () => sql`select 'credit note ' || c.id || ' cancels no note of its refund' as fault
      from credit_notes c where c.kind = 'cancellation' and not exists (
        select from credit_notes n where n.number = c.cancels and n.kind = 'refund' and n.refund_id = c.refund_id
          and n.org_id = c.org_id and n.amount = -c.amount
      ) ${MOST_SENTENCES}`,
} satisfies Record<string, () => SQL>;
