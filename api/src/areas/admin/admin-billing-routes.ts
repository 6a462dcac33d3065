// Money in the operators' console: what staff move, approve, prove, price and take off. Lists are among `admin-routes.ts`.
import { pipeline } from 'node:stream/promises';
import { BILLING_COMMANDS as B } from '@gantry/contract/areas/billing/admin-billing.ts';
import { DISCOUNT_COMMANDS as D } from '@gantry/contract/areas/billing/admin-discount.ts';
import { PRICE_COMMANDS as P } from '@gantry/contract/areas/billing/admin-prices.ts';
import type { AdminResourceName, AdminRow } from '@gantry/contract/http/admin.ts';
import type { Documents } from '../../core/billing/documents/open-documents.ts';
import { asked, giverOf, noteAsked } from '../../core/billing/giver-of.ts';
import type { Approvals } from '../../core/billing/giving/approvals.ts';
import type { Proofs } from '../../core/billing/ledger/proofs.ts';
import type { Prices } from '../../core/billing/prices/open-prices.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';

export interface AdminBillingParts {
  documents: Pick<Documents, 'rows' | 'entries' | 'invoices' | 'creditNotes' | 'papers' | 'facts'>;
  approvals: Pick<Approvals, 'rows' | 'give' | 'approve' | 'reject'>;
  proofs: Pick<Proofs, 'rows' | 'start'>;
  prices: Pick<Prices, 'rows' | 'discounts' | 'items' | 'simulate' | 'useOf'>;
}

export interface OneRow {
  /** The row as it is now. Throws not_found. */
  one<Name extends AdminResourceName>(name: Name, id: string): Promise<AdminRow<Name>>;
}

export function adminBillingRoutes({
  documents,
  approvals,
  proofs,
  prices,
  one,
}: AdminBillingParts & OneRow): Served[] {
  const { invoices, creditNotes, papers, facts } = documents;
  return [
    serve(B.adminTransfer, async (call) => {
      const { params, body, audit } = call;
      const { kind, amount, of, reason } = body;
      const { id } = params;
      Object.assign(audit, {
        object: `Wallet/${id}`,
        reason: `${kind} ${amount} (${kind === 'grant' ? 'credits' : of}): ${reason}`,
      });
      // Its wallet may come with this.
      await one('organizations', id);
      const wish = { organizationId: id, amount, of: kind === 'grant' ? ('credits' as const) : of };
      const { approvalId } = await approvals.give(kind, wish, giverOf(call, reason));
      if (approvalId !== null) noteAsked(audit, approvalId);
      return { ...(await one('wallets', id)), approval_id: approvalId };
    }),
    serve(B.adminApprove, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Approval/${id}`, reason: body.reason });
      await approvals.approve(id, caller.account.id, body.reason);
      const row = await one('approvals', id);
      audit.reason = `approved ${whatOf(row)}: ${body.reason}`;
      return row;
    }),
    serve(B.adminReject, async ({ caller, params: { id }, body, audit }) => {
      Object.assign(audit, { object: `Approval/${id}`, reason: body.reason });
      await approvals.reject(id, caller.account.id, body.reason);
      const row = await one('approvals', id);
      audit.reason = `rejected ${whatOf(row)}: ${body.reason}`;
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
    serve(P.adminListPriceItems, ({ language }) => prices.items.view(language)),
    serve(P.adminSetPrice, async (call) => {
      const { body, audit } = call;
      Object.assign(audit, { object: 'Price', reason: body.reason });
      const { approvalId, made } = await approvals.give('price', body, giverOf(call, body.reason));
      if (approvalId !== null) return asked(audit, approvalId);
      audit.object = `Price/${made.id}`;
      return { ...made, approval_id: null };
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
    serve(P.adminGivePlan, async (call) => {
      const { params, body, audit } = call;
      Object.assign(audit, { object: `Plan/${params.id}`, reason: body.reason });
      await one('plans', params.id);
      const wish = { organizationId: params.id, plan: body.plan };
      const { approvalId } = await approvals.give('plan', wish, giverOf(call, body.reason));
      if (approvalId !== null) noteAsked(audit, approvalId);
      return { ...(await one('plans', params.id)), approval_id: approvalId };
    }),
    serve(D.adminSetDiscount, async (call) => {
      const { body, audit } = call;
      Object.assign(audit, { object: 'Discount', reason: body.reason });
      const { approvalId, made } = await approvals.give('discount', body, giverOf(call, body.reason));
      if (approvalId !== null) return asked(audit, approvalId);
      audit.object = `Discount/${made.id}`;
      return { ...made, approval_id: null };
    }),
    serve(D.adminGetDiscountUse, ({ params: { id } }) => prices.useOf(id)),
  ];
}

/** The requested gift, for the audit log. */
const whatOf = ({ kind, amount, currency, detail, organization_id }: AdminRow<'approvals'>): string =>
  [kind, amount, currency, detail, organization_id && `of ${organization_id}`].filter((part) => part).join(' ');

/** A failure on the way cuts the answer off: half a file must not look like a whole one. */
async function sendPdf({ res, signal }: Pick<Call, 'res' | 'signal'>, name: string, file: NodeJS.ReadableStream) {
  res.setHeader('content-type', 'application/pdf');
  res.setHeader('content-disposition', `attachment; filename="${name}"`);
  res.setHeader('cache-control', 'private, no-cache');
  await pipeline(file, res, { signal });
}
