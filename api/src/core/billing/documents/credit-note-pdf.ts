// A credit note as PDF, and the cancellation of one.
import type { Language } from '@gantry/contract/fields/language.ts';
import { type CreditNote, creditNoteNumber } from './credit-notes.ts';
import { dateText } from './papers.ts';
import { newPaper } from './pdf-paper.ts';
import { type Word, word } from './words.ts';

const TEXTS = {
  refund: { title: 'creditNote', at: 'refundedOn', text: 'creditNoteText' },
  cancellation: { title: 'cancellation', at: 'cameBackOn', text: 'cancellationText' },
} as const satisfies Record<CreditNote['kind'], Record<'title' | 'at' | 'text', Word>>;

/** A stream of the file's bytes: the caller reads it to the end, or destroys it. */
export function creditNotePdf(note: CreditNote, language: Language): PDFKit.PDFDocument {
  const { title, at, text } = TEXTS[note.kind];
  const number = creditNoteNumber(note.number);
  const { pdf, paper } = newPaper(`${word(title, language)} ${number}`, note.issuedAt, language);
  paper.head(
    title,
    [
      ['number', number],
      ...(note.cancels === null ? [] : [['cancels', creditNoteNumber(note.cancels)] as const]),
      ['issued', dateText(note.issuedAt.toISOString())],
      ['transactionId', note.billId],
      ['paidOn', dateText(note.paidAt.toISOString())],
      [at, dateText(note.at.toISOString())],
      ['currency', note.currency],
    ],
    note,
  );
  paper.note(word(text, language));
  paper.totals([['total', note.amount]], note.currency);
  paper.numberPages(number);
  pdf.end();
  return pdf;
}
