// The documents' parts, joined.
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../db/open.ts';
import type { Wallets } from '../ledger/wallets.ts';
import { creditNotePdf } from './credit-note-pdf.ts';
import { CreditNotes, creditNoteNumber } from './credit-notes.ts';
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
  creditNotes: CreditNotes;
  profiles: Profiles;
  rows: DocumentRows;
  transfers: Transfers;
  /** How things are called and written. */
  facts: typeof FACTS;
  papers: typeof PAPERS;
}

const FACTS = { lineView, numberText, creditNoteNumber, hoursText, skuText, sourceText };
const PAPERS = { transactionsCsv, invoiceCsv, invoicePdf, creditNotePdf };

export const openDocuments = (parts: DocumentsParts): Documents => ({
  transactions: new Transactions(parts),
  usage: new Usage(parts),
  invoices: new Invoices(parts),
  creditNotes: new CreditNotes(parts),
  profiles: new Profiles(parts),
  rows: new DocumentRows(parts),
  transfers: new Transfers(parts),
  facts: FACTS,
  papers: PAPERS,
});
