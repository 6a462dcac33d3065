// The documents' parts, joined.
import type { AdminQuery } from '@gantry/contract/http/admin.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Database } from '../../../platform/db/open.ts';
import { creditNotePdf } from './credit-note-pdf.ts';
import { CreditNotes, creditNoteNumber } from './credit-notes.ts';
import { DocumentRows } from './document-rows.ts';
import { entryRows } from './entry-rows.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { Invoices, type InvoicesParts, numberText } from './invoices.ts';
import { invoiceCsv, lineView, transactionsCsv } from './papers.ts';
import { Profiles } from './profiles.ts';
import { Transactions } from './transactions.ts';
import { hoursText, Usage } from './usage.ts';
import { skuText, sourceText } from './words.ts';

export interface DocumentsParts extends InvoicesParts {
  db: Database;
  clock: Clock;
}

export interface Documents {
  transactions: Transactions;
  usage: Usage;
  invoices: Invoices;
  creditNotes: CreditNotes;
  profiles: Profiles;
  rows: DocumentRows;
  entries(query: AdminQuery): ReturnType<typeof entryRows>;
  /** How things are called and written. */
  facts: typeof FACTS;
  papers: typeof PAPERS;
}

const FACTS = { lineView, numberText, creditNoteNumber, hoursText, skuText, sourceText };
const PAPERS = { transactionsCsv, invoiceCsv, invoicePdf, creditNotePdf };

export function openDocuments(parts: DocumentsParts): Documents {
  return {
    transactions: new Transactions(parts),
    usage: new Usage(parts),
    invoices: new Invoices(parts),
    creditNotes: new CreditNotes(parts),
    profiles: new Profiles(parts),
    rows: new DocumentRows(parts),
    entries: (query) => entryRows(parts.db, query),
    facts: FACTS,
    papers: PAPERS,
  };
}
