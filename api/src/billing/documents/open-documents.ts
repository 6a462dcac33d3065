// The documents' parts, joined.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../db/open.ts';
import type { Wallets } from '../ledger/wallets.ts';
import { DocumentRows } from './document-rows.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { Invoices, type InvoicesParts, numberText } from './invoices.ts';
import { invoiceCsv, lineView, transactionsCsv } from './papers.ts';
import { Profiles } from './profiles.ts';
import { Transactions } from './transactions.ts';
import { Transfers } from './transfers.ts';
import { hoursText, Usage } from './usage.ts';
import { skuText, sourceText } from './words.ts';

export interface DocumentsParts extends InvoicesParts {
  db: Database;
  clock: Clock;
  wallets: Pick<Wallets, 'grant' | 'adjust'>;
}

export interface Documents {
  transactions: Transactions;
  usage: Usage;
  invoices: Invoices;
  profiles: Profiles;
  rows: DocumentRows;
  transfers: Transfers;
  /** How things are called and written. */
  facts: typeof FACTS;
  papers: { transactionsCsv: typeof transactionsCsv; invoiceCsv: typeof invoiceCsv; invoicePdf: typeof invoicePdf };
}

const FACTS = { lineView, numberText, hoursText, skuText, sourceText };

export const openDocuments = (parts: DocumentsParts): Documents => ({
  transactions: new Transactions(parts),
  usage: new Usage(parts),
  invoices: new Invoices(parts),
  profiles: new Profiles(parts),
  rows: new DocumentRows(parts),
  transfers: new Transfers(parts),
  facts: FACTS,
  papers: { transactionsCsv, invoiceCsv, invoicePdf },
});
