// Papers without a database: cells that no spreadsheet runs, lines that add up whatever is corrected, and PDFs.
import { buffer } from 'node:stream/consumers';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { micros, moneyText, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { describe, expect, jest, test } from '@jest/globals';
import PDFDocument from 'pdfkit';
import { fc } from '../../../../../test/support/seeded-fast-check.ts';
import { csvOf, guarded } from '../../../platform/csv.ts';
import type { InvoiceLine } from '../../../platform/db/schema/invoices.ts';
import { correctionsOf, type Group, inOrder, lineOf, totalsOf } from './invoice-lines.ts';
import { invoicePdf, MOST_LINES } from './invoice-pdf.ts';
import type { Invoice } from './invoices.ts';
import { lineView, shownQuantity, transactionsCsv } from './papers.ts';
import { FONTS } from './pdf-paper.ts';
import type { Transaction } from './transactions.ts';
import { hoursText } from './usage.ts';
import { skuText, unitText, WORDS } from './words.ts';

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1 555', "'+1 555"],
    ['-1+cmd', "'-1+cmd"],
    ['@sum', "'@sum"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['-12.50', '-12.50'],
    ['12', '12'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('%j becomes %j', (cell, shown) => expect(guarded(cell)).toBe(shown));
});

test('a file has its mark, CRLF, and quotes what has to be', async () => {
  const file = await buffer(csvOf(['名', 'b'], [['x,"y"', 'z\nw']]));
  expect(`${file}`).toBe('\uFEFF名,b\r\n"x,""y""","z\nw"\r\n');
});

test('a file whose rows fail is cut off', async () => {
  async function* rows() {
    yield ['one'];
    throw new Error('the database is away');
  }
  await expect(buffer(csvOf(['head'], rows()))).rejects.toThrow('the database is away');
});

test.each([
  ['called off', 'given_up', ['Cancelled', 'The payment was cancelled.']],
  ['declined', 'card_declined', ['Payment failed', 'The card was declined.']],
  ['too late', 'timed_out', ['Payment failed', 'Nobody confirmed the payment in time.']],
])('a payment that was %s says so in the file of transactions', async (_, detail, expected) => {
  const one = {
    ...{ id: 'pay-1', at: new Date(0), type: 'recharge', total: micros(1), paid: micros(0), creditUsed: micros(0) },
    ...{ refunded: micros(0), chargedBack: micros(0), owed: micros(0) },
    ...{ currency: 'USD', channel: 'card', status: 'paid_failed', operator: 'ann', source: null, reference: 'pay-1' },
    detail,
  } as Transaction;
  async function* all() {
    yield one;
  }
  const [, row = ''] = `${await buffer(transactionsCsv(all(), 'en'))}`.split('\r\n');
  const cells = row.split(',');
  expect([cells[10], cells.at(-1)]).toEqual(expected);
});

test.each([
  ['an hour of a card', 3_600_000_000n, 1n, '1'],
  ['a second of a quarter of it', 250_000n, 1n, '0.000069'],
  ['given back', -1_800_000_000n, 1n, '-0.5'],
  ['a month of 730 hours', 730n * 3_600_000_000n, 730n, '1'],
  ['nothing', 0n, 1n, '0'],
])('%s', (_title, quantity, hours, shown) => expect(hoursText(quantity, hours)).toBe(shown));

const group = (changes: Partial<Group>): Group => ({
  type: 'usage',
  sku: 'gpu/NVIDIA-H200',
  reference: 'GpuInstance/ins-1',
  name: 'ins-1',
  account: 'ann',
  run: null,
  parts: null,
  quantity: 3_600_000_500n,
  begins: new Date('2026-01-10T00:00:00Z'),
  ends: new Date('2026-01-10T01:00:00Z'),
  price: micros(3_600_000),
  basisPoints: 1_250,
  list: micros(3_600_000),
  net: micros(3_150_000),
  ...changes,
});

describe('a line', () => {
  test('says what was used, at which price and less what', () => {
    expect(lineOf(group({}))).toMatchObject({
      quantity: '3600000.5',
      price: '3.60',
      list: '3.60',
      discount: '0.45',
      net: '3.15',
    });
  });

  test.each([
    ['en', 'gpu/NVIDIA-H200', 'GPU NVIDIA H200'],
    ['zh', 'memory', '内存'],
    ['ja', 'host/NVIDIA-H200', 'ホスト NVIDIA H200'],
  ] as const)('names in %s what its SKU %s is', (language, sku, item) => {
    expect(lineView(lineOf(group({ sku })), language)).toMatchObject({ sku, item });
  });

  test('comes to as much as the books hold', () => {
    const most = micros(2n ** 63n - 1n);
    expect(totalsOf([lineOf(group({ list: most, net: most }))]).total).toBe(most);
  });

  test.each([
    ['of use in hours of a card', 'gpu/X', 'usage', '7200000', '2', 'GPU × hour'],
    ['of a disk in months of 730 hours', 'disk', 'usage', `${50_000 * 730 * 3600}`, '50', 'GiB × month'],
    ['of an order in pieces', 'host/X', 'order', '2000', '2', 'node × month'],
    ['of which only an amount is known', 'gpu/X', 'correction', '', '', 'GPU × hour'],
  ] as const)('%s', (_title, sku, type, quantity, shown, unit) => {
    expect([shownQuantity({ type, sku, quantity }), unitText(sku, 'en')]).toEqual([shown, unit]);
  });
});

const groups = fc.array(
  fc.record({
    sku: fc.constantFrom('a', 'b'),
    reference: fc.constantFrom('x', 'y'),
    net: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
  }),
  { maxLength: 12 },
);

test('however often a month is corrected, its lines of all invoices are what it comes to', () => {
  fc.assert(
    fc.property(fc.array(groups, { minLength: 1, maxLength: 5 }), (states) => {
      const written: InvoiceLine[] = [];
      for (const state of states) {
        const now = state.map(({ net, ...one }) => group({ ...one, list: micros(net * 2n), net: micros(net) }));
        written.push(...correctionsOf(now, written));
        const { list, discount, total } = totalsOf(written);
        expect(total).toBe(sumOf(now.map(({ net }) => net)));
        expect(list).toBe(total + discount);
        expect(correctionsOf(now, written)).toEqual([]);
        expect(totalsOf(inOrder(written))).toEqual(totalsOf(written));
      }
    }),
  );
});

describe('a PDF', () => {
  const invoice = (count: number, changes: Partial<Invoice> = {}): Invoice => {
    const lines = Array.from({ length: count }, (_, at) =>
      lineOf(group({ reference: `GpuInstance/ins-${at}`, name: `ins-${at}`, account: '张伟' })),
    );
    const { list, discount, total } = totalsOf(lines);
    return {
      id: 'inv-1',
      number: 42,
      organizationId: 'acme',
      month: '2026-01',
      zone: 'Asia/Kolkata',
      from: new Date('2025-12-31T18:30:00Z'),
      to: new Date('2026-01-31T18:30:00Z'),
      currency: 'USD',
      lines,
      list,
      discount,
      total,
      creditUsed: micros(1_000_000),
      paid: micros(2_000_000),
      recipient: { name: 'acme', legalName: '株式会社アクメ', address: '東京都千代田区\n100-0001', taxId: 'T123' },
      issuer: { legalName: 'Gantry Cloud Ltd', address: '1 Way\nTown', taxId: 'GB 42' },
      issuedAt: new Date('2026-02-01T02:00:00Z'),
      ...changes,
    };
  };
  const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b/g)?.length;

  const fontsOf = (file: Buffer) =>
    [
      ...new Set(
        (file.toString('latin1').match(/\/BaseFont \/\S+/g) ?? []).map((font) => font.replace(/^.*\/[A-Z]{6}\+/, '')),
      ),
    ].toSorted();

  test.each([
    ['nothing', 0, 1],
    ['one page', 10, 1],
    ['three pages', 70, 3],
  ])('of %s', async (_title, count, pages) => {
    const file = await buffer(invoicePdf(invoice(count), 'ja'));
    expect(pagesOf(file)).toBe(pages);
    // Only the glyphs in use, and none of the machine's fonts.
    expect(fontsOf(file)).toEqual([
      ...(count > 0 ? ['NotoSansHans-Regular'] : []),
      'NotoSansJP-Bold',
      'NotoSansJP-Regular',
    ]);
    expect(file.length).toBeLessThan(400_000);
  });

  test.each<[Language, string, string[]]>([
    ['zh', '张伟', ['NotoSansHans-Bold', 'NotoSansHans-Regular']],
    ['zh', 'パート'.repeat(2), ['NotoSansHans-Bold', 'NotoSansHans-Regular']],
    ['ja', '株式会社', ['NotoSansJP-Bold', 'NotoSansJP-Regular']],
    // A letter that Japan does not write.
    ['ja', '张伟', ['NotoSansHans-Bold', 'NotoSansJP-Bold', 'NotoSansJP-Regular']],
  ])('in %s with the name %s is written in the letters of its readers', async (language, legalName, fonts) => {
    const party = { legalName };
    expect(fontsOf(await buffer(invoicePdf(invoice(0, { issuer: party, recipient: party }), language)))).toEqual(fonts);
  });

  test('names who issues it and who pays, however long their addresses are, on one page', async () => {
    const address = Array.from({ length: 400 }, (_, at) => `${at}`).join('\n');
    const party = { legalName: 'Long Ltd', address, taxId: 'L 1' };
    const shown = jest.spyOn(PDFDocument.prototype, 'text');
    try {
      const file = await buffer(invoicePdf(invoice(1, { recipient: party }), 'en'));
      expect(pagesOf(file)).toBe(1);
      expect(pagesOf(await buffer(invoicePdf(invoice(1, { issuer: party, recipient: party }), 'en')))).toBe(1);
      const texts = shown.mock.calls.map(([text]) => text);
      expect(texts).toEqual(expect.arrayContaining(['Issued by', 'Gantry Cloud Ltd', 'Tax ID: GB 42', 'Long Ltd']));
    } finally {
      shown.mockRestore();
    }
  });

  test('sums its lines by item when there are too many to read', async () => {
    expect(pagesOf(await buffer(invoicePdf(invoice(MOST_LINES + 1), 'zh')))).toBe(1);
  });

  test.each(LANGUAGES)('has a letter for all that may stand on it in %s', (language) => {
    const texts = [
      ...Object.values(WORDS).map((words) => words[language]),
      ...['gpu/any', 'cpu', 'memory', 'disk', 'snapshot', 'host/x', 'plan/standard', 'model-storage'].flatMap((sku) => [
        skuText(sku, language),
        unitText(sku, language),
      ]),
    ].join('');
    for (const weight of ['Regular', 'Bold'] as const) {
      const file = FONTS[language === 'ja' ? 'japanese' : 'chinese'][weight];
      const pdf = new PDFDocument().font(file) as unknown as {
        _font: { font: { hasGlyphForCodePoint(point: number): boolean } };
      };
      expect([...texts].filter((letter) => !pdf._font.font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))).toEqual(
        [],
      );
    }
  });
});

test.each([
  ['gpu/NVIDIA-H200', { en: 'GPU NVIDIA H200', zh: 'GPU NVIDIA H200', ja: 'GPU NVIDIA H200' }],
  ['plan/standard', { en: 'Plan Standard', zh: '套餐 标准版', ja: 'プラン スタンダード' }],
  ['gpu', { en: 'GPU', zh: 'GPU', ja: 'GPU' }],
  ['host/any', { en: 'Host (every other model)', zh: '主机（其他所有型号）', ja: 'ホスト（その他すべてのモデル）' }],
  ['prompt-tokens/chat', { en: 'Prompt tokens chat', zh: '输入 token chat', ja: '入力トークン chat' }],
  ['plan/unknown', { en: 'plan/unknown', zh: 'plan/unknown', ja: 'plan/unknown' }],
])('the item %s is named in each language', (sku, names) => {
  expect(Object.fromEntries(LANGUAGES.map((language) => [language, skuText(sku, language)]))).toEqual(names);
});

test('Chinese and Japanese papers have full-width parentheses', () => {
  const texts = Object.values(WORDS).flatMap(({ zh, ja }) => [zh, ja]);
  expect(texts.filter((text) => /[()]/.test(text))).toEqual([]);
});

test('amounts of lines are read as they were written', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (amount) => {
      expect(parseMoney(moneyText(micros(amount)))).toBe(amount);
    }),
  );
});

test.each([
  ['no run', {}, 'train'],
  ['a run and workers', { reference: 'Job/train', run: 2, parts: '0-3, 5' }, 'train, run 2, workers 0-3, 5'],
  ['replicas', { reference: 'ContainerService/train', parts: '2' }, 'train, replicas 2'],
  [
    'parts that speak for themselves',
    { reference: 'Job/train', run: 1, parts: 'workers 0-3' },
    'train, run 1, workers 0-3',
  ],
  ['what an older version did not write', { reference: 'Job/train' }, 'train'],
])('a line of %s names it', (_title, changes, name) => {
  const line = lineOf(group({ name: 'train', ...changes }));
  expect(lineView(line, 'en').name).toBe(name);
});

test('a correction names no run: it is of all', () => {
  const [line] = correctionsOf([group({ reference: 'Job/train', run: 2, parts: '0' })], []);
  expect(line && [line.run, line.parts]).toEqual([undefined, undefined]);
});
