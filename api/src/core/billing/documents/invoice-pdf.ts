// An invoice as PDF.
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { InvoiceLine } from '../../../platform/db/schema/invoices.ts';
import { type Invoice, numberText } from './invoices.ts';
import { lineName } from './line-name.ts';
import { dateText, percentText, shownQuantity } from './papers.ts';
import { type Column, newPaper, WIDTH } from './pdf-paper.ts';
import { skuText, unitText, WORDS, word } from './words.ts';

/** Beyond, a paper sums them by item: nobody reads a hundred pages, and the CSV file has every line. */
export const MOST_LINES = 1_500;

const COLUMNS: readonly Column<InvoiceLine>[] = [
  {
    head: 'item',
    width: 178,
    cell: (line, language) => [
      [line.type === 'usage' ? '' : word(line.type, language), skuText(line.sku, language)].filter(Boolean).join(': '),
      [lineName(line, language), line.account].filter(Boolean).join(' · '),
    ],
  },
  { head: 'period', width: 92, cell: ({ from, to }) => [dateText(from), dateText(to)] },
  {
    head: 'quantity',
    width: 82,
    right: true,
    cell: (line, language) => [shownQuantity(line), line.quantity && unitText(line.sku, language)],
  },
  { head: 'price', width: 55, right: true, cell: ({ price }) => [price, ''] },
  {
    head: 'discount',
    width: 48,
    right: true,
    cell: ({ discountBasisPoints }) => [discountBasisPoints === 0 ? '' : `${percentText(discountBasisPoints)} %`, ''],
  },
  { head: 'amount', width: WIDTH - 455, right: true, cell: ({ net }) => [net, ''] },
];

/** A stream of the file's bytes: the caller reads it to the end, or destroys it. */
export function invoicePdf(invoice: Invoice, language: Language): PDFKit.PDFDocument {
  const { lines, currency, total, creditUsed, paid } = invoice;
  const number = numberText(invoice.number);
  const { pdf, paper } = newPaper(`${word('invoice', language)} ${number}`, invoice.issuedAt, language);
  paper.head(
    'invoice',
    [
      ['number', number],
      ['month', `${invoice.month} (${invoice.zone})`],
      ['from', dateText(invoice.from.toISOString())],
      ['to', dateText(invoice.to.toISOString())],
      ['issued', dateText(invoice.issuedAt.toISOString())],
      ['currency', currency],
    ],
    invoice,
  );
  paper.table(COLUMNS, lines.length > MOST_LINES ? summed(lines) : lines);
  if (lines.length > MOST_LINES) paper.note(sentence(WORDS.summed, language, { lines: `${lines.length}` }));
  paper.totals(
    [
      ['list', invoice.list],
      ['discount', micros(-invoice.discount)],
      ['total', total],
      ['paidByCredits', creditUsed],
      ['paidByBalance', paid],
      ['owed', micros(total - creditUsed - paid)],
    ],
    currency,
  );
  paper.numberPages(number);
  pdf.end();
  return pdf;
}

/** One line per item and type. */
function summed(lines: readonly InvoiceLine[]): InvoiceLine[] {
  const groups = Map.groupBy(lines, ({ type, sku }) => `${type} ${sku}`);
  return [...groups.values()].map((group) => {
    const [first] = group as [InvoiceLine, ...InvoiceLine[]];
    const sum = (field: 'list' | 'discount' | 'net') =>
      moneyText(micros(group.reduce((all, line) => all + parseMoney(line[field]), 0n)));
    const times = group.flatMap(({ from, to }) => [from, to]).sort();
    return {
      ...first,
      name: '',
      account: '',
      quantity: '',
      price: '',
      discountBasisPoints: 0,
      from: times[0] ?? first.from,
      to: times.at(-1) ?? first.to,
      list: sum('list'),
      discount: sum('discount'),
      net: sum('net'),
    };
  });
}
