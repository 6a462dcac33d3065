// Invariants between the books and everything derived from them. Each check is one statement that returns a sentence per
// violation.
import { type SQL, sql } from 'drizzle-orm';
import { DOCUMENT_CHECKS } from '../documents/checks.ts';

/** Enough to see the fault; a broken rule breaks a thousand rows. */
const MOST_SENTENCES = sql`limit 20`;

/** Each account's balance. */
const FOLDED = sql`select account, sum(amount) as balance from (
    select credit as account, amount from postings union all select debit, -amount from postings
  ) as entries group by account`;

const IS_USE = sql`b.type in ('consumption', 'order_consumption')`;

/** Refunds that came back used to be recharges: their key names the refund. */
const CAME_BACK = sql`(t.type = 'refund_return' or t.type = 'recharge' and t.key like 'refund/%')`;

/**
 * Totals of each bill's transfers. A top-up's `paid` is what arrived, and never falls; what went back is a separate amount.
 * `owed` is the organisation's receivable for the bill, of either type.
 */
const BILLED = sql`select t.bill_id as id,
    sum(case when p.credit like 'platform/revenue/%' and p.debit not like 'platform/%' then p.amount
      when p.debit like 'platform/revenue/%' and p.credit not like 'platform/%' then -p.amount else 0 end) as total,
    sum(case when ${CAME_BACK} or t.type in ('refund', 'chargeback', 'chargeback_return') then 0
      when t.type in ('recharge', 'grant') then p.amount
      when t.type = 'adjust' then case when p.debit like 'platform/%' then p.amount else -p.amount end
      when t.type = 'settle' and not ${IS_USE} then 0
      when p.debit like '%/cash/%' then p.amount when p.credit like '%/cash/%' then -p.amount else 0 end) as paid,
    sum(case when t.type in ('grant', 'adjust') or not ${IS_USE} then 0
      when p.debit like '%/credits/%' then p.amount when p.credit like '%/credits/%' then -p.amount else 0 end) as used,
    sum(case when t.type = 'refund' then p.amount when ${CAME_BACK} then -p.amount else 0 end) as refunded,
    sum(case t.type when 'chargeback' then p.amount when 'chargeback_return' then -p.amount else 0 end) as charged_back,
    sum(case when p.debit like '%/receivable/%' then p.amount
      when p.credit like '%/receivable/%' then -p.amount else 0 end) as owed
  from transfers t join bills b on b.id = t.bill_id join postings p on p.transfer_id = t.id group by t.bill_id`;

const HELD = sql`select org_id, sum(amount) as held from holds group by org_id`;

/** Cheap enough for every minute: they read open rows, not history. */
export const OPEN_CHECKS = {
  /** A debtor has nothing: incoming money pays debt. */
  owes_while_it_has:
    () => sql`select 'organisation ' || org_id || ' owes ' || debt || ' and has ' || (cash + credits) as fault
    from wallets where debt > 0 and cash + credits > 0 ${MOST_SENTENCES}`,
  /** An organisation owes what its bills lack. */
  debt_is_what_bills_lack:
    () => sql`select 'organisation ' || org_id || ' owes ' || coalesce(w.debt, 0) || ', and its bills lack ' || coalesce(b.short, 0) as fault
    from (select org_id, debt from wallets where debt > 0) w full join (
      select org_id, sum(short) as short from (
        select org_id, total - paid - credit_used as short from bills b where ${IS_USE} and status in ('unpaid', 'partially_paid')
        union all select org_id, owed from bills where owed > 0
      ) lacks group by org_id
    ) b using (org_id) where coalesce(w.debt, 0) <> coalesce(b.short, 0) ${MOST_SENTENCES}`,
  /** No hold beyond balance and overdraft. */
  holds_have_cover: (
    _now: Date,
  ) => sql`select 'organisation ' || org_id || ' has ' || held || ' held, and ' || (cash + credits - debt + overdraft) || ' to hold' as fault
    from (${HELD}) h join wallets using (org_id)
    where held > greatest(0, cash + credits - debt + overdraft) ${MOST_SENTENCES}`,
  holds_have_wallets:
    () => sql`select 'hold ' || subject || ' is of organisation ' || org_id || ', which has no wallet' as fault
    from holds where not exists (select from wallets w where w.org_id = holds.org_id) ${MOST_SENTENCES}`,
} satisfies Record<string, (now: Date) => SQL>;

/** These read all there is. */
export const WHOLE_CHECKS = {
  wallets_are_what_was_posted:
    () => sql`select 'organisation ' || coalesce(w.org_id, f.org_id) || ' has ' || coalesce(w.balance, 0) || ' in its wallet as '
      || coalesce(w.type, f.type) || ', and ' || coalesce(f.balance, 0) || ' in the books' as fault
    from (
      select org_id, type, currency, balance from wallets, lateral (values ('cash', cash), ('credits', credits), ('receivable', -debt)) as v(type, balance)
    ) w full join (
      select split_part(account, '/', 1) as org_id, split_part(account, '/', 2) as type, split_part(account, '/', 3) as currency, balance
      from (${FOLDED}) as folded where account not like 'platform/%'
    ) f using (org_id, type, currency) where coalesce(w.balance, 0) <> coalesce(f.balance, 0) ${MOST_SENTENCES}`,
  bills_are_what_was_posted:
    () => sql`select 'bill ' || b.id || ' says ' || b.total || ', ' || b.paid || ' paid and ' || b.credit_used || ' of credits; the books say '
      || coalesce(f.total, 0) || ', ' || coalesce(f.paid, 0) || ' and ' || coalesce(f.used, 0) as fault
    from bills b left join (${BILLED}) f on f.id = b.id
    where b.paid <> coalesce(f.paid, 0) or b.credit_used <> coalesce(f.used, 0)
      or (${IS_USE} and b.status not in ('prepaying', 'paiding', 'paid_failed') and b.total <> coalesce(f.total, 0))
    ${MOST_SENTENCES}`,
  top_ups_went_back_as_posted:
    () => sql`select 'bill ' || b.id || ' says ' || b.refunded || ' refunded, ' || b.charged_back || ' charged back and ' || b.owed
      || ' of it owed; the books say ' || coalesce(f.refunded, 0) || ', ' || coalesce(f.charged_back, 0) || ' and ' || coalesce(f.owed, 0) as fault
    from bills b left join (${BILLED}) f on f.id = b.id
    where b.refunded <> coalesce(f.refunded, 0) or b.charged_back <> coalesce(f.charged_back, 0)
      or (${IS_USE} and b.owed <> 0) or (not ${IS_USE} and b.owed <> coalesce(f.owed, 0))
    ${MOST_SENTENCES}`,
  /** A refund's money leaves the wallet before its row says so, and is back before the row says that it failed. */
  refunds_are_posted:
    () => sql`select 'refund ' || r.id || ' of ' || r.amount || ' is ' || r.state || '; the books have ' || coalesce(f.out, 0) as fault
    from refunds r left join (
      select split_part(t.key, '/', 2) as id, sum(case when ${CAME_BACK} then -p.amount else p.amount end) as out
      from transfers t join postings p on p.transfer_id = t.id where t.key like 'refund/%' and t.type <> 'settle' group by 1
    ) f on f.id = r.id
    where r.state in ('taken', 'sent', 'done') and coalesce(f.out, 0) <> r.amount
      and not exists (select from transfers t where t.key in ('refund/' || r.id || '/back', 'refund/' || r.id || '/returned'))
      or r.state = 'failed' and coalesce(f.out, 0) <> 0
    ${MOST_SENTENCES}`,
  transfers_have_their_bill:
    () => sql`select 'transfer ' || key || ' is of bill ' || bill_id || ', which is not there' as fault
    from transfers where bill_id is not null and not exists (select from bills b where b.id = bill_id and b.org_id = transfers.org_id) ${MOST_SENTENCES}`,
  statuses_are_what_amounts_say:
    () => sql`select 'bill ' || id || ' is ' || status || ' with ' || (paid + credit_used) || ' of ' || total
      || case when refunded > 0 then ', ' || refunded || ' refunded' else '' end as fault
    from bills b where not ${IS_USE} and status in ('partially_paid', 'paid', 'refunded') and total > 0
      and status <> case when paid > 0 and refunded >= paid then 'refunded'
        when paid + credit_used >= total then 'paid' else 'partially_paid' end
      or type in ('consumption', 'order_consumption') and status in ('unpaid', 'partially_paid', 'paid')
      and status <> case when paid + credit_used >= total then 'paid' when paid + credit_used > 0 then 'partially_paid' else 'unpaid' end
    ${MOST_SENTENCES}`,
  postings_have_their_transfer:
    () => sql`select 'posting ' || transfer_id || '/' || leg || ' is of no transfer' as fault
    from postings where not exists (select from transfers t where t.id = transfer_id) ${MOST_SENTENCES}`,
  accounts_are_open: () => sql`select 'account ' || account || ' was posted to and never opened' as fault
    from (select debit as account from postings union select credit from postings) used
    where not exists (select from ledger_accounts a where a.id = account) order by account ${MOST_SENTENCES}`,
  /** Each slice is in one transfer of its amount, and metered usage is in the books only through slices. */
  usage_is_what_slices_say:
    () => sql`select 'transfer ' || coalesce(s.key, t.key) || ' is of ' || coalesce(t.list, 0) || ', less ' || coalesce(t.discount, 0)
      || ', and its slices of ' || coalesce(s.list, 0) || ', less ' || coalesce(s.list - s.net, 0) as fault
    from (
      select transfer_key as key, sum(list) as list, sum(net) as net from slices where transfer_key is not null group by transfer_key
    ) s full join (
      select t.key,
        coalesce(sum(case when p.credit like 'platform/revenue/%' then p.amount else -p.amount end), 0) as list,
        coalesce(sum(case when p.debit like 'platform/discounts/%' then p.amount when p.credit like 'platform/discounts/%' then -p.amount else 0 end), 0) as discount
      from transfers t join bills b on b.id = t.bill_id and b.type = 'consumption' left join postings p on p.transfer_id = t.id
      where t.type in ('charge', 'correction') and t.key like 'use/%' group by t.key
    ) t using (key)
    where t.key is null or s.key is null or s.list <> t.list or s.list - s.net <> t.discount ${MOST_SENTENCES}`,
  /** Requests to models cost what is in the books for them. Rows of old ones are gone, all of a transfer at about the same time. */
  tokens_are_what_requests_say:
    () => sql`select 'transfer ' || u.key || ' is of ' || coalesce(t.list, 0) || ', and its requests to models of ' || u.list as fault
    from (
      select transfer_key as key, sum(list) as list, min(at) as at from token_usage where transfer_key is not null group by transfer_key
    ) u left join (
      select t.key, sum(case when p.credit like 'platform/revenue/%' then p.amount else -p.amount end) as list
      from transfers t join postings p on p.transfer_id = t.id where t.key like 'tokens/%' group by t.key
    ) t using (key)
    where coalesce(t.list, 0) <> u.list and u.at > now() - interval '30 days' ${MOST_SENTENCES}`,
  /** Keeping files costs what is in the books for it. */
  storage_is_what_hours_say:
    () => sql`select 'transfer ' || coalesce(s.key, t.key) || ' is of ' || coalesce(t.list, 0) || ', and its hour of stored data of ' || coalesce(s.list, 0) as fault
    from (select transfer_key as key, list from stored_hours where transfer_key is not null) s full join (
      select t.key, sum(case when p.credit like 'platform/revenue/%' then p.amount else -p.amount end) as list
      from transfers t join postings p on p.transfer_id = t.id where t.key ~ '^[a-z]+-storage/' group by t.key
    ) t using (key)
    where coalesce(t.list, 0) <> coalesce(s.list, 0) ${MOST_SENTENCES}`,
  /** No moment of an interval's use is billed twice. */
  slices_do_not_overlap:
    () => sql`select 'interval ' || uid || '/' || seq || ' use ' || use || ' is billed twice at ' || "from" as fault
    from (
      select uid, seq, use, "from", lag("to") over (partition by uid, seq, use order by "from", "to") as before from slices where not is_correction
    ) placed where before > "from" ${MOST_SENTENCES}`,
  intervals_do_not_overlap: () => sql`select 'intervals of ' || uid || ' overlap at ' || "from" as fault
    from (
      select uid, "from", lag("to") over (partition by uid order by seq) as before from meters
    ) placed where before > "from" ${MOST_SENTENCES}`,
  invoices_add_up:
    () => sql`select 'invoice ' || id || ' says ' || list || ' less ' || discount || ', ' || total || ' to pay, and its lines '
      || line_list || ' less ' || line_discount || ', ' || line_net as fault
    from invoices, lateral (
      select coalesce(sum((line->>'list')::numeric), 0) * 1000000 as line_list,
        coalesce(sum((line->>'discount')::numeric), 0) * 1000000 as line_discount,
        coalesce(sum((line->>'net')::numeric), 0) * 1000000 as line_net from jsonb_array_elements(invoices.lines) as line
    ) as summed where line_list <> list or line_discount <> discount or line_net <> total ${MOST_SENTENCES}`,
  ...DOCUMENT_CHECKS,
} satisfies Record<string, (now: Date) => SQL>;
