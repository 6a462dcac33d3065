// Transactions and invoices as files, in one language.
import type { Readable } from 'node:stream';
import { isResource, RESOURCES } from '@gantry/contract/billing/resources.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { moneyText } from '@gantry/contract/fields/money.ts';
import { csvOf } from '../../../platform/csv.ts';
import type { InvoiceLine } from '../../../platform/db/schema/invoices.ts';
import type { Invoice } from './invoices.ts';
import { lineName } from './line-name.ts';
import type { Transaction } from './transactions.ts';
import { hoursText } from './usage.ts';
import {
  channelText,
  detailText,
  skuText,
  sourceText,
  statusText,
  typeText,
  unitText,
  type Word,
  word,
} from './words.ts';

const TRANSACTION_HEAD = [
  'transactionId',
  'date',
  'type',
  'totalAmount',
  'payAmount',
  'creditUsed',
  'refundedAmount',
  'chargedBackAmount',
  'currency',
  'channel',
  'status',
  'operator',
  'source',
  'reference',
  'detail',
] as const satisfies readonly Word[];

export function transactionsCsv(transactions: AsyncIterable<Transaction>, language: Language): Readable {
  async function* rows() {
    for await (const one of transactions)
      yield [
        one.id,
        dateText(one.at.toISOString()),
        typeText(one.type, language),
        moneyText(one.total),
        moneyText(one.paid),
        moneyText(one.creditUsed),
        moneyText(one.refunded),
        moneyText(one.chargedBack),
        one.currency,
        channelText(one.channel, language),
        statusText(one.status, one.detail, language),
        one.operator ?? one.accountId ?? '',
        sourceText(one.source, language),
        one.reference,
        detailText(one.detail, language),
      ];
  }
  return csvOf(headOf(TRANSACTION_HEAD, language), rows());
}

const INVOICE_HEAD = [
  'type',
  'item',
  'sku',
  'reference',
  'object',
  'member',
  'from',
  'to',
  'quantity',
  'unit',
  'price',
  'discountPercent',
  'list',
  'discount',
  'amount',
  'currency',
] as const satisfies readonly Word[];

export function invoiceCsv({ lines, currency }: Pick<Invoice, 'lines' | 'currency'>, language: Language): Readable {
  function* rows() {
    for (const line of lines)
      yield [
        word(line.type, language),
        skuText(line.sku, language),
        line.sku,
        line.reference,
        lineName(line, language),
        line.account,
        dateText(line.from),
        dateText(line.to),
        shownQuantity(line),
        unitText(line.sku, language),
        line.price,
        percentText(line.discountBasisPoints),
        line.list,
        line.discount,
        line.net,
        currency,
      ];
  }
  return csvOf(headOf(INVOICE_HEAD, language), rows());
}

const headOf = (names: readonly Word[], language: Language) => names.map((name) => word(name, language));

const HOURS_PER_MONTH = 730n;

/** For use: the unit times hours, or months of 730 hours, like its price; for orders: pieces. */
export function shownQuantity({ type, sku, quantity }: Pick<InvoiceLine, 'type' | 'sku' | 'quantity'>): string {
  if (quantity === '') return '';
  const [whole = '0', part = ''] = quantity.split('.');
  const sign = quantity.startsWith('-') ? -1n : 1n;
  const [resource = ''] = sku.split('/');
  const isMonthly = isResource(resource) && RESOURCES[resource].per === 'month';
  const exact = BigInt(whole) * 1000n + sign * BigInt(part.padEnd(3, '0'));
  if (type === 'usage') return hoursText(exact, isMonthly ? HOURS_PER_MONTH : 1n);
  return `${Number(quantity) / 1000}`;
}

/** 1250: "12.5". */
export const percentText = (basisPoints: number): string => (basisPoints === 0 ? '' : `${basisPoints / 100}`);

/** YYYY-MM-DD HH:MM:SS, UTC. */
export const dateText = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

/** A line as the API shows it. */
export const lineView = (line: InvoiceLine, language: Language) => ({
  type: line.type,
  sku: line.sku,
  item: skuText(line.sku, language),
  reference: line.reference,
  name: lineName(line, language),
  account: line.account,
  quantity: shownQuantity(line),
  unit: unitText(line.sku, language),
  from: line.from,
  to: line.to,
  price: line.price,
  discount_percent: percentText(line.discountBasisPoints),
  list: line.list,
  discount: line.discount,
  total: line.net,
});
