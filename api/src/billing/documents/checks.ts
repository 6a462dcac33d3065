// What always holds of invoices beside their sums: each check is one statement, whose rows are the sentences of what does not.
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
} satisfies Record<string, () => SQL>;
