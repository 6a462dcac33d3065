// An organisation's documents over HTTP: payments and usage, its invoices and credit notes, and their recipient.
import { pipeline } from 'node:stream/promises';
import { DOCUMENT_ROUTES as R } from '@gantry/contract/areas/billing/documents.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, micros, moneyText, sumOf } from '@gantry/contract/fields/money.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import type { CreditNoteHead } from './documents/credit-notes.ts';
import { invoiceView } from './documents/invoice-view.ts';
import type { InvoiceHead } from './documents/invoices.ts';
import type { Documents } from './documents/open-documents.ts';
import type { Transaction, TransactionFilter } from './documents/transactions.ts';
import type { UsageRow } from './documents/usage.ts';

export interface DocumentRoutesParts {
  documents: Pick<Documents, 'transactions' | 'usage' | 'invoices' | 'creditNotes' | 'profiles' | 'papers' | 'facts'>;
  clock: Clock;
}

const DAY_MS = 86_400_000;
/** A leap year, and a day for zones. */
const MOST_DAYS = 367;
const USUAL_DAYS = 30;

export function documentRoutes({ documents, clock }: DocumentRoutesParts): Served[] {
  const { transactions, usage, invoices, creditNotes, profiles, papers, facts } = documents;
  return [
    serve(R.listTransactions, async ({ caller, query }) => {
      const order = { by: query.order_by, descending: query.order_type === 'desc' };
      const { items, total, ...extra } = await transactions.page(caller.organization.id, filterOf(query), order, query);
      return { items: items.map(transactionView), total, extra };
    }),
    serve(R.exportTransactions, async (call) => {
      const { caller, query, language } = call;
      const order = { by: query.order_by, descending: query.order_type === 'desc' };
      const all = transactions.all(caller.organization.id, filterOf(query), order);
      await send(call, 'text/csv; charset=utf-8', 'transactions.csv', papers.transactionsCsv(all, language));
    }),
    serve(R.summarizePayments, async ({ caller, query, language }) => {
      const rows = await usage.rows(caller.organization.id, query.by, spanOf(query, clock.now()));
      return {
        items: rows.map((row) => ({ key: row.key, name: nameOf(row, query.by, language), ...amountsOf(row) })),
        total: rows.length,
        extra: amountsOf(allOf(rows)),
      };
    }),
    serve(R.showUsage, async ({ caller, query, language }) => {
      const rows = await usage.rows(caller.organization.id, query.by, spanOf(query, clock.now()));
      const from = (query.page - 1) * query.size;
      return {
        items: rows.slice(from, from + query.size).map((row) => usageView(row, nameOf(row, query.by, language))),
        total: rows.length,
        extra: usageView(allOf(rows), ''),
      };
    }),
    serve(R.listInvoices, async ({ caller, query }) => {
      const { items, total, ...extra } = await invoices.list(caller.organization.id, query);
      return { items: items.map(headView), total, extra };
    }),
    serve(R.getInvoice, async ({ caller, params, language }) => {
      const invoice = await invoices.get(caller.organization.id, params.id);
      return {
        ...headView(invoice),
        recipient: partyView(invoice.recipient),
        issuer: partyView(invoice.issuer),
        lines: invoice.lines.map((line) => facts.lineView(line, language)),
      };
    }),
    serve(R.getInvoiceCsv, async (call) => {
      const invoice = await invoices.get(call.caller.organization.id, call.params.id);
      await send(
        call,
        'text/csv; charset=utf-8',
        `${nameOfFile(invoice)}.csv`,
        papers.invoiceCsv(invoice, call.language),
      );
    }),
    serve(R.getInvoicePdf, async (call) => {
      const invoice = await invoices.get(call.caller.organization.id, call.params.id);
      await send(call, 'application/pdf', `${nameOfFile(invoice)}.pdf`, papers.invoicePdf(invoice, call.language));
    }),
    serve(R.listCreditNotes, async ({ caller, query }) => {
      const { items, total, ...extra } = await creditNotes.list(caller.organization.id, query);
      return { items: items.map(noteView), total, extra };
    }),
    serve(R.getCreditNote, async ({ caller, params }) => {
      const note = await creditNotes.get(caller.organization.id, params.id);
      return { ...noteView(note), recipient: partyView(note.recipient), issuer: partyView(note.issuer) };
    }),
    serve(R.getCreditNotePdf, async (call) => {
      const note = await creditNotes.get(call.caller.organization.id, call.params.id);
      const name = `credit-note-${facts.creditNoteNumber(note.number)}.pdf`;
      await send(call, 'application/pdf', name, papers.creditNotePdf(note, call.language));
    }),
    serve(R.getBillingProfile, async ({ caller }) => profileView(await profiles.get(caller.organization.id))),
    serve(R.setBillingProfile, async ({ caller, body, audit }) => {
      audit.object = `Organization/${caller.organization.id}`;
      const { zone, legal_name: legalName, address, tax_id: taxId } = body;
      return profileView(await profiles.set(caller.organization.id, { zone, legalName, address, taxId }));
    }),
  ];

  function nameOf(row: UsageRow, by: string, language: Language): string {
    if (by === 'resource') return facts.skuText(row.key, language);
    return by === 'source' ? facts.sourceText(row.key as 'host_rent', language) : row.name;
  }

  function headView(invoice: InvoiceHead) {
    return {
      id: invoice.id,
      number: facts.numberText(invoice.number),
      ...invoiceView(invoice),
      owed: moneyText(micros(invoice.total - invoice.creditUsed - invoice.paid)),
    };
  }

  function noteView(note: CreditNoteHead) {
    return {
      id: note.id,
      number: facts.creditNoteNumber(note.number),
      kind: note.kind,
      cancels: note.cancels === null ? null : facts.creditNoteNumber(note.cancels),
      transaction_id: note.billId,
      paid_at: note.paidAt.toISOString(),
      currency: note.currency,
      amount: moneyText(note.amount),
      date: note.at.toISOString(),
      issued_at: note.issuedAt.toISOString(),
    };
  }

  function usageView(row: UsageRow, name: string) {
    return {
      key: row.key,
      name,
      gpu_hours: facts.hoursText(row.gpu),
      core_hours: facts.hoursText(row.cores),
      memory_gib_hours: facts.hoursText(row.memory),
      storage_gib_hours: facts.hoursText(row.storage),
      ...amountsOf(row),
    };
  }

  function nameOfFile(invoice: InvoiceHead): string {
    return `invoice-${facts.numberText(invoice.number)}-${invoice.month}`;
  }
}

/** Ends with the caller. What fails on the way cuts the answer off: half a file must not look like a whole one. */
async function send(
  { res, signal }: Call<never> | Pick<Call, 'res' | 'signal'>,
  type: string,
  name: string,
  file: NodeJS.ReadableStream,
) {
  res.setHeader('content-type', type);
  res.setHeader('content-disposition', `attachment; filename="${name}"`);
  res.setHeader('cache-control', 'private, no-cache');
  await pipeline(file, res, { signal });
}

interface AskedFilter {
  start?: string | undefined;
  end?: string | undefined;
  type?: TransactionFilter['type'];
  status?: TransactionFilter['status'];
  source_type?: TransactionFilter['source'];
  payment_channel?: TransactionFilter['channel'];
  search?: string | undefined;
}

function filterOf({ start, end, type, status, source_type, payment_channel, search }: AskedFilter): TransactionFilter {
  const [from, to] = [start, end].map((text) => (text === undefined ? undefined : new Date(text)));
  if (from && to && from >= to) throw problem('range_order', {}, { field: 'end' });
  return { from, to, type, status, source: source_type, channel: payment_channel, search };
}

/** The last thirty days by default. */
function spanOf({ start, end }: Pick<AskedFilter, 'start' | 'end'>, now: number): { from: number; to: number } {
  const to = end === undefined ? Math.max(now + 1, start === undefined ? 0 : Date.parse(start) + 1) : Date.parse(end);
  const from = start === undefined ? to - USUAL_DAYS * DAY_MS : Date.parse(start);
  if (from >= to || to - from > MOST_DAYS * DAY_MS) throw problem('range_rule', { most: MOST_DAYS }, { field: 'end' });
  return { from, to };
}

const partyView = ({ legalName = '', address = '', taxId = '' }: Record<string, string>) => ({
  legal_name: legalName,
  address,
  tax_id: taxId,
});

const transactionView = (one: Transaction) => ({
  transaction_id: one.id,
  date: one.at.toISOString(),
  type: one.type,
  total_amount: moneyText(one.total),
  pay_amount: moneyText(one.paid),
  credit_used: moneyText(one.creditUsed),
  refunded_amount: moneyText(one.refunded),
  charged_back_amount: moneyText(one.chargedBack),
  currency: one.currency,
  payment_channel: one.channel,
  status: one.status,
  operator: one.operator ?? '',
  operator_id: one.accountId,
  source_type: one.source,
  reference: one.reference,
  detail: one.detail,
});

const amountsOf = ({ list, net }: { list: Micros; net: Micros }) => ({
  list: moneyText(list),
  discount: moneyText(micros(list - net)),
  total: moneyText(net),
});

const allOf = (rows: readonly UsageRow[]): UsageRow => ({
  key: '',
  name: '',
  list: sumOf(rows.map(({ list }) => list)),
  net: sumOf(rows.map(({ net }) => net)),
  gpu: rows.reduce((sum, { gpu }) => sum + gpu, 0n),
  cores: rows.reduce((sum, { cores }) => sum + cores, 0n),
  memory: rows.reduce((sum, { memory }) => sum + memory, 0n),
  storage: rows.reduce((sum, { storage }) => sum + storage, 0n),
});

const profileView = ({
  zone,
  legalName,
  address,
  taxId,
}: {
  zone: string;
  legalName: string;
  address: string;
  taxId: string;
}) => ({
  zone,
  legal_name: legalName,
  address,
  tax_id: taxId,
});
