// Money in the operators' console: what staff move, approve, prove, price and take off. Lists are among `admin-routes.ts`.
import { pipeline } from 'node:stream/promises';
import type { AdminResourceName, AdminRow } from '@gantry/contract/http/admin.ts';
import { BILLING_COMMANDS as B } from '@gantry/contract/http/admin-billing.ts';
import { DISCOUNT_COMMANDS as D } from '@gantry/contract/http/admin-discount.ts';
import { PRICE_COMMANDS as P } from '@gantry/contract/http/admin-prices.ts';
import type { Documents } from '../billing/documents/open-documents.ts';
import type { Proofs } from '../billing/ledger/proofs.ts';
import type { Prices } from '../billing/prices/open-prices.ts';
import { type Call, type Served, serve } from './serve.ts';

export interface AdminBillingParts {
  documents: Pick<Documents, 'rows' | 'entries' | 'approvals' | 'invoices' | 'creditNotes' | 'papers' | 'facts'>;
  proofs: Pick<Proofs, 'rows' | 'start'>;
  prices: Pick<Prices, 'rows' | 'discounts' | 'simulate' | 'useOf'>;
}

export interface OneRow {
  /** The row as it is now. Throws not_found. */
  one<Name extends AdminResourceName>(name: Name, id: string): Promise<AdminRow<Name>>;
}

export function adminBillingRoutes({ documents, proofs, prices, one }: AdminBillingParts & OneRow): Served[] {
  const { approvals, invoices, creditNotes, papers, facts } = documents;
  return [
    serve(B.adminTransfer, async ({ caller, params: { id }, body, audit, idempotencyKey: key }) => {
      const { kind, amount, of, reason } = body;
      const what = `${kind} ${amount} (${kind === 'grant' ? 'credits' : of})`;
      Object.assign(audit, { object: `Wallet/${id}`, reason: `${what}: ${reason}` });
      // Its wallet may come with this.
      await one('organizations', id);
      const wish = { key, organizationId: id, kind, amount, of, by: caller.account.id, reason };
      const approvalId = await approvals.request(wish);
      if (approvalId !== undefined)
        Object.assign(audit, { object: `Approval/${approvalId}`, reason: `asked for ${what} of ${id}: ${reason}` });
      return { ...(await one('wallets', id)), approval_id: approvalId ?? null };
    }),
    serve(B.adminApprove, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Approval/${id}`, reason: body.reason });
      await approvals.approve(id, caller.account.id, body.reason);
      const row = await one('approvals', id);
      audit.reason = `approved ${row.kind} ${row.amount} ${row.currency} of ${row.organization_id}: ${body.reason}`;
      return row;
    }),
    serve(B.adminReject, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Approval/${id}`, reason: body.reason });
      await approvals.reject(id, caller.account.id, body.reason);
      const row = await one('approvals', id);
      audit.reason = `rejected ${row.kind} ${row.amount} ${row.currency} of ${row.organization_id}: ${body.reason}`;
      return row;
    }),
    serve(B.adminVerifyBooks, async ({ caller, body, audit }) => {
      audit.reason = body.reason;
      const id = await proofs.start(caller.account.id, body.reason);
      audit.object = `Proof/${id}`;
      return one('proofs', id);
    }),
    serve(B.adminGetInvoicePdf, async (call) => {
      const invoice = await invoices.get(undefined, call.params.id);
      const name = `invoice-${facts.numberText(invoice.number)}-${invoice.month}.pdf`;
      await sendPdf(call, name, papers.invoicePdf(invoice, call.language));
    }),
    serve(B.adminGetCreditNotePdf, async (call) => {
      const note = await creditNotes.get(undefined, call.params.id);
      await sendPdf(
        call,
        `credit-note-${facts.creditNoteNumber(note.number)}.pdf`,
        papers.creditNotePdf(note, call.language),
      );
    }),
    serve(P.adminSetPrice, async ({ caller, body, audit }) => {
      const row = await prices.rows.setPrice(body, caller.account.id);
      Object.assign(audit, { object: `Price/${row.id}`, reason: body.reason });
      return row;
    }),
    serve(P.adminSimulatePrices, ({ body, audit }) => {
      Object.assign(audit, {
        object: 'Price/simulation',
        reason: body.prices
          .map(({ sku }) => sku)
          .join(', ')
          .slice(0, 1000),
      });
      return prices.simulate(body.prices);
    }),
    serve(P.adminGivePlan, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Plan/${id}`, reason: body.reason });
      return prices.rows.givePlan(id, body.plan, caller.account.id);
    }),
    serve(D.adminSetDiscount, async ({ caller, body, audit }) => {
      const row = await prices.discounts.set(body, caller.account.id);
      Object.assign(audit, { object: `Discount/${row.id}`, reason: body.reason });
      return row;
    }),
    serve(D.adminGetDiscountUse, ({ params: { id } }) => prices.useOf(id)),
  ];
}

/** What fails on the way cuts the answer off: half a file must not look like a whole one. */
async function sendPdf({ res, signal }: Pick<Call, 'res' | 'signal'>, name: string, file: NodeJS.ReadableStream) {
  res.setHeader('content-type', 'application/pdf');
  res.setHeader('content-disposition', `attachment; filename="${name}"`);
  res.setHeader('cache-control', 'private, no-cache');
  await pipeline(file, res, { signal });
}
