// A document as PDF: A4, one head, a table over as many pages as it needs with the column names on each. The fonts' glyphs in use
// are embedded, so that Chinese and Japanese look the same everywhere.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { type Micros, moneyText, roundedText } from '@gantry/contract/fields/money.ts';
import PDFDocument from 'pdfkit';
import { WORDS, type Word, word } from './words.ts';

const { resolve } = createRequire(import.meta.url);
const facesOf = (from: string, family: string) => {
  const face = (weight: Weight) => join(dirname(resolve(from)), `../fonts/${family}-${weight}.otf`);
  return { Regular: face('Regular'), Bold: face('Bold') };
};
/** Files, by script and weight. Many letters are drawn otherwise in Japan than in China. */
export const FONTS = {
  chinese: facesOf('@embedpdf/fonts-sc', 'NotoSansHans'),
  japanese: facesOf('@embedpdf/fonts-jp', 'NotoSansJP'),
};
type Script = keyof typeof FONTS;
type Weight = 'Regular' | 'Bold';

/** A text that the first one lacks a letter of, such as a name, stands in the second. */
const SCRIPTS: Readonly<Record<Language, readonly [Script, Script]>> = {
  en: ['chinese', 'japanese'],
  zh: ['chinese', 'japanese'],
  ja: ['japanese', 'chinese'],
};

const INK = '#1d2129';
const GREY = '#6b7280';
const RULE = '#d1d5db';
const SHADE = '#f3f4f6';

const MARGIN = 40;
export const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - 60;
const ROW = 25;
const HEAD_ROW = 20;
/** How much of the first page an address may take: the rest is cut off. */
const MOST_ADDRESS = 110;

export interface Column<Row> {
  head: Word;
  width: number;
  right?: true;
  /** The second of both is small and grey. */
  cell(row: Row, language: Language): [string, string];
}
export type Fact = readonly [name: Word, value: string];
export type Parties = Readonly<Record<'recipient' | 'issuer', Record<string, string>>>;

/** Drawing on `paper` produces the bytes of `pdf`; the caller ends it. */
export function newPaper(title: string, at: Date, language: Language): { pdf: PDFKit.PDFDocument; paper: Paper } {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: { en: 'en', zh: 'zh-CN', ja: 'ja' }[language],
    info: { Title: title, CreationDate: at, Producer: 'Gantry', Creator: 'Gantry' },
  });
  return { pdf, paper: new Paper(pdf, language) };
}

export class Paper {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #language: Language;
  #y = MARGIN;

  constructor(pdf: PDFKit.PDFDocument, language: Language) {
    this.#pdf = pdf;
    this.#language = language;
  }

  head(title: Word, facts: readonly Fact[], { recipient, issuer }: Parties): void {
    this.#text(this.#word(title), MARGIN, this.#y, { size: 22, font: 'Bold' });
    this.#y += 44;
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
    this.#font('Bold', name).fontSize(11).fillColor(INK);
    pdf.text(name, MARGIN, this.#y + 13, { ...within, height: 40 });
    for (const text of [address, taxId && `${this.#word('taxId')}: ${taxId}`])
      if (text)
        this.#font('Regular', text)
          .fontSize(8)
          .text(text, MARGIN, pdf.y + 3, { ...within, height: MOST_ADDRESS });
    this.#y = pdf.y + 12;
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    this.#tableHead(columns);
    for (const row of rows) {
      if (this.#y + ROW > BOTTOM) {
        this.#newPage();
        this.#tableHead(columns);
      }
      let x = MARGIN;
      for (const { width, right, cell } of columns) {
        const [first, second] = cell(row, this.#language);
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

  totals(rows: readonly [Word, Micros][], currency: string): void {
    if (this.#y + 16 * rows.length + 20 > BOTTOM) this.#newPage();
    this.#y += 12;
    for (const [name, amount] of rows) {
      const isTotal = name === 'total';
      if (isTotal) this.#pdf.rect(330, this.#y - 3, MARGIN + WIDTH - 330, 18).fill(SHADE);
      const look = { size: isTotal ? 10 : 8, font: isTotal ? ('Bold' as const) : ('Regular' as const) };
      this.#text(this.#word(name), 336, this.#y, look);
      const text = isTotal ? `${roundedText(amount)} ${currency}` : moneyText(amount);
      this.#text(text, MARGIN, this.#y, { ...look, right: WIDTH - 4 });
      this.#y += isTotal ? 20 : 15;
    }
  }

  /** Once all pages are there. */
  numberPages(number: string): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      this.#pdf.switchToPage(start + at);
      const page = sentence(WORDS.page, this.#language, { page: `${at + 1}`, pages: `${count}` });
      const y = 841.89 - 40;
      this.#text(number, MARGIN, y, { size: 7, color: GREY });
      this.#text(page, MARGIN, y, { size: 7, color: GREY, right: WIDTH });
    }
  }

  #tableHead(columns: readonly Column<never>[]): void {
    this.#pdf.rect(MARGIN, this.#y, WIDTH, HEAD_ROW).fill(SHADE);
    let x = MARGIN;
    for (const { head, width, right } of columns) {
      const at = right ? { right: width - 4 } : { most: width - 6 };
      this.#text(this.#word(head), x + (x === MARGIN ? 4 : 0), this.#y + 5, { size: 8, font: 'Bold', ...at });
      x += width;
    }
    this.#y += HEAD_ROW;
  }

  #newPage(): void {
    this.#pdf.addPage();
    this.#y = MARGIN;
  }

  /** One line, truncated if it is too long; `right` aligns its end there. */
  #text(
    text: string,
    x: number,
    y: number,
    {
      size,
      font = 'Regular',
      color = INK,
      right,
      most = right,
    }: { size: number; font?: Weight; color?: string; right?: number; most?: number },
  ): void {
    if (text === '') return;
    const pdf = this.#font(font, text).fontSize(size).fillColor(color);
    const shown = most === undefined ? text : this.#cut(text, most);
    const left = right === undefined ? x : x + right - pdf.widthOfString(shown);
    // This file manages the bottom margin itself: otherwise a line in it would start a new page.
    const { bottom } = pdf.page.margins;
    pdf.page.margins.bottom = 0;
    pdf.text(shown, left, y, { lineBreak: false });
    pdf.page.margins.bottom = bottom;
  }

  #font(weight: Weight, text: string): PDFKit.PDFDocument {
    const pdf = this.#pdf;
    const scripts = SCRIPTS[this.#language];
    const script = scripts.find((one) => hasAll(pdf.font(FONTS[one][weight]), text)) ?? scripts[0];
    return pdf.font(FONTS[script][weight]);
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

/** Whether its present font has each letter of the text; types of pdfkit leave fonts out. */
function hasAll(pdf: PDFKit.PDFDocument, text: string): boolean {
  const { font } = (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } })._font;
  return [...text].every((letter) => letter < ' ' || font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
}
