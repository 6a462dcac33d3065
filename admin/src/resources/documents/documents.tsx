// Documents of money that staff read and do not change: one function makes the pages of each.
import { DocumentBody } from '../../parts/document-body.tsx';
import { drawerPages } from '../../parts/drawer-pages.tsx';
import { PdfButton } from '../../parts/pdf-button.tsx';

/** Every bill of every organisation, top-ups too. */
export const transactions = drawerPages({
  Body: () => <DocumentBody name="transactions" entries="transaction_id" />,
});

/** Documents of usage or orders, with the amount still owed. */
export const bills = drawerPages({ Body: () => <DocumentBody name="bills" entries="bill_id" /> });

/** Money on its way back, or back in the wallet. */
export const refunds = drawerPages({ Body: () => <DocumentBody name="refunds" entries="refund_id" /> });

/** Payments that banks took back, and the provider's fee. */
export const chargebacks = drawerPages({ Body: () => <DocumentBody name="chargebacks" entries="chargeback_id" /> });

export const invoices = drawerPages({
  Body: () => <DocumentBody name="invoices" />,
  Commands: () => <PdfButton name="invoices" route="adminGetInvoicePdf" />,
});

export const creditNotes = drawerPages({
  Body: () => <DocumentBody name="credit-notes" />,
  Commands: () => <PdfButton name="credit-notes" route="adminGetCreditNotePdf" />,
});
