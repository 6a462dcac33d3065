// An invoice as PDF: A4, its head once, its table over as many pages as it needs with the columns' names on each. The font is
// embedded, as much of it as is used, so that Chinese and Japanese look the same everywhere.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, micros, moneyText, parseMoney, roundedText } from '@gantry/contract/fields/money.ts';
import PDFDocument from 'pdfkit';
import type { InvoiceLine } from '../../db/schema/invoices.ts';
import { type Invoice, numberText } from './invoices.ts';
import { dateText, percentText, shownQuantity } from './papers.ts';
import { skuText, unitText, WORDS, type Word, word } from './words.ts';

const FONTS = join(dirname(createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')), '../fonts');
export const REGULAR = join(FONTS, 'NotoSansHans-Regular.otf');
export const BOLD = join(FONTS, 'NotoSansHans-Bold.otf');

const INK = '#1d2129';
const GREY = '#6b7280';
const RULE = '#d1d5db';
const SHADE = '#f3f4f6';

const MARGIN = 40;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - 60;
const ROW = 25;
const HEAD_ROW = 20;
/** What an address may take of the first page: beyond, it is cut. */
const MOST_ADDRESS = 110;
/** Beyond, a paper sums them by item: nobody reads a hundred pages, and the CSV file has every line. */
export const MOST_LINES = 1_500;

interface Column {
  head: Word;
  width: number;
  right?: true;
  /** The second of both is small and grey. */
  cell(line: InvoiceLine, language: Language): [string, string];
}

const COLUMNS: readonly Column[] = [
  {
    head: 'item',
    width: 178,
    cell: (line, language) => [
      [line.type === 'usage' ? '' : word(line.type, language), skuText(line.sku, language)].filter(Boolean).join(': '),
      [line.name, line.account].filter(Boolean).join(' · '),
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

/** A stream of the file's bytes: whoever has it reads it to the end, or destroys it. */
export function invoicePdf(invoice: Invoice, language: Language): PDFKit.PDFDocument {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: { en: 'en', zh: 'zh-CN', ja: 'ja' }[language],
    info: {
      Title: `${word('invoice', language)} ${numberText(invoice.number)}`,
      CreationDate: invoice.issuedAt,
      Producer: 'Gantry',
      Creator: 'Gantry',
    },
  });
  pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD);
  const paper = new Paper(pdf, language);
  paper.head(invoice);
  paper.table(invoice.lines.length > MOST_LINES ? summed(invoice.lines) : invoice.lines);
  if (invoice.lines.length > MOST_LINES)
    paper.note(sentence(WORDS.summed, language, { lines: `${invoice.lines.length}` }));
  paper.totals(invoice);
  paper.numberPages(invoice);
  pdf.end();
  return pdf;
}

class Paper {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #language: Language;
  #y = MARGIN;

  constructor(pdf: PDFKit.PDFDocument, language: Language) {
    this.#pdf = pdf;
    this.#language = language;
  }

  head(invoice: Invoice): void {
    this.#text(this.#word('invoice'), MARGIN, this.#y, { size: 22, font: 'bold' });
    this.#y += 44;
    const { recipient, issuer } = invoice;
    const facts: [Word, string][] = [
      ['number', numberText(invoice.number)],
      ['month', `${invoice.month} (${invoice.zone})`],
      ['from', dateText(invoice.from.toISOString())],
      ['to', dateText(invoice.to.toISOString())],
      ['issued', dateText(invoice.issuedAt.toISOString())],
      ['currency', invoice.currency],
    ];
    let right = this.#y;
    for (const [name, value] of facts) {
      this.#text(this.#word(name), 330, right, { size: 8, color: GREY });
      this.#text(value, 420, right, { size: 8, most: MARGIN + WIDTH - 420 });
      right += 13;
    }
    if (issuer.legalName) this.#party('issuedBy', issuer.legalName, issuer);
    this.#party('billedTo', recipient.legalName || recipient.name || '', recipient);
    this.#y = Math.max(right, this.#y) + 4;
  }

  #party(title: Word, name: string, { address, taxId }: Record<string, string>): void {
    const pdf = this.#pdf;
    const within = { width: 270, ellipsis: true };
    this.#text(this.#word(title), MARGIN, this.#y, { size: 8, color: GREY });
    pdf.font('bold').fontSize(11).fillColor(INK);
    pdf.text(name, MARGIN, this.#y + 13, { ...within, height: 40 });
    pdf.font('regular').fontSize(8);
    for (const text of [address, taxId && `${this.#word('taxId')}: ${taxId}`])
      if (text) pdf.text(text, MARGIN, pdf.y + 3, { ...within, height: MOST_ADDRESS });
    this.#y = pdf.y + 12;
  }

  table(lines: readonly InvoiceLine[]): void {
    this.#tableHead();
    for (const line of lines) {
      if (this.#y + ROW > BOTTOM) {
        this.#newPage();
        this.#tableHead();
      }
      let x = MARGIN;
      for (const { width, right, cell } of COLUMNS) {
        const [first, second] = cell(line, this.#language);
        const at = right ? { right: width - 4 } : { most: width - 6 };
        const left = x === MARGIN ? x + 4 : x;
        this.#text(first, left, this.#y + 3, { size: 8, ...at });
        this.#text(second, left, this.#y + 13, { size: 6.5, color: GREY, ...at });
        x += width;
      }
      this.#y += ROW;
      this.#pdf
        .moveTo(MARGIN, this.#y)
        .lineTo(MARGIN + WIDTH, this.#y)
        .lineWidth(0.4)
        .strokeColor(RULE)
        .stroke();
    }
  }

  note(text: string): void {
    this.#text(text, MARGIN, this.#y + 6, { size: 7.5, color: GREY, most: WIDTH });
    this.#y += 18;
  }

  totals(invoice: Invoice): void {
    const rows: [Word, Micros][] = [
      ['list', invoice.list],
      ['discount', micros(-invoice.discount)],
      ['total', invoice.total],
      ['paidByCredits', invoice.creditUsed],
      ['paidByBalance', invoice.paid],
      ['owed', micros(invoice.total - invoice.creditUsed - invoice.paid)],
    ];
    if (this.#y + 16 * rows.length + 20 > BOTTOM) this.#newPage();
    this.#y += 12;
    for (const [name, amount] of rows) {
      const isTotal = name === 'total';
      if (isTotal) this.#pdf.rect(330, this.#y - 3, MARGIN + WIDTH - 330, 18).fill(SHADE);
      const look = { size: isTotal ? 10 : 8, font: isTotal ? ('bold' as const) : ('regular' as const) };
      this.#text(this.#word(name), 336, this.#y, look);
      const text = isTotal ? `${roundedText(amount)} ${invoice.currency}` : moneyText(amount);
      this.#text(text, MARGIN, this.#y, { ...look, right: WIDTH - 4 });
      this.#y += isTotal ? 20 : 15;
    }
  }

  /** Once all pages are there. */
  numberPages(invoice: Invoice): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      this.#pdf.switchToPage(start + at);
      const page = sentence(WORDS.page, this.#language, { page: `${at + 1}`, pages: `${count}` });
      const y = 841.89 - 40;
      this.#text(numberText(invoice.number), MARGIN, y, { size: 7, color: GREY });
      this.#text(page, MARGIN, y, { size: 7, color: GREY, right: WIDTH });
    }
  }

  #tableHead(): void {
    this.#pdf.rect(MARGIN, this.#y, WIDTH, HEAD_ROW).fill(SHADE);
    let x = MARGIN;
    for (const { head, width, right } of COLUMNS) {
      const at = right ? { right: width - 4 } : { most: width - 6 };
      this.#text(this.#word(head), x + (x === MARGIN ? 4 : 0), this.#y + 5, { size: 8, font: 'bold', ...at });
      x += width;
    }
    this.#y += HEAD_ROW;
  }

  #newPage(): void {
    this.#pdf.addPage();
    this.#y = MARGIN;
  }

  /** One line, cut where it is too long; `right` ends it there. */
  #text(
    text: string,
    x: number,
    y: number,
    {
      size,
      font = 'regular',
      color = INK,
      right,
      most = right,
    }: { size: number; font?: 'regular' | 'bold'; color?: string; right?: number; most?: number },
  ): void {
    if (text === '') return;
    const pdf = this.#pdf.font(font).fontSize(size).fillColor(color);
    const shown = most === undefined ? text : this.#cut(text, most);
    const left = right === undefined ? x : x + right - pdf.widthOfString(shown);
    // The margin at the bottom is this file's business: else a line in it would begin a page.
    const { bottom } = pdf.page.margins;
    pdf.page.margins.bottom = 0;
    pdf.text(shown, left, y, { lineBreak: false });
    pdf.page.margins.bottom = bottom;
  }

  #cut(text: string, most: number): string {
    const pdf = this.#pdf;
    if (pdf.widthOfString(text) <= most) return text;
    const letters = [...text];
    while (letters.length > 1 && pdf.widthOfString(`${letters.join('')}…`) > most) letters.pop();
    return `${letters.join('')}…`;
  }

  #word(name: Word): string {
    return word(name, this.#language);
  }
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
