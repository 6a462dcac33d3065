// Turns charges into an invoice's lines: pure. Lines add up to the total by construction, and nothing written is rewritten: for a
// closed month only the difference appears, as a line of its own.
import { type Micros, micros, moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import type { InvoiceLine } from '../../../platform/db/schema/invoices.ts';

/** The charges for one thing at one price, within one month. */
export interface Group {
  type: 'usage' | 'order' | 'plan';
  sku: string;
  reference: string;
  name: string;
  account: string;
  run: number | null;
  parts: string | null;
  /** Thousandths of the unit times ms; of orders thousandths of the unit. */
  quantity: bigint;
  begins: Date;
  ends: Date;
  /** The price of one unit, if one price applies to all of it. */
  price: Micros | undefined;
  /** −1: its amounts say it. */
  basisPoints: number;
  list: Micros;
  net: Micros;
}

export interface Totals {
  list: Micros;
  discount: Micros;
  total: Micros;
}

export const lineOf = (group: Group): InvoiceLine => ({
  type: group.type,
  sku: group.sku,
  reference: group.reference,
  name: group.name,
  account: group.account,
  ...(group.run !== null && { run: group.run }),
  ...(group.parts !== null && { parts: group.parts }),
  quantity: quantityText(group),
  from: group.begins.toISOString(),
  to: group.ends.toISOString(),
  price: group.price === undefined ? '' : moneyText(group.price),
  discountBasisPoints: group.basisPoints < 0 ? shareOff(group) : group.basisPoints,
  list: moneyText(group.list),
  discount: moneyText(micros(group.list - group.net)),
  net: moneyText(group.net),
});

/** Thousandths of the unit times seconds, with the decimals of a millisecond if there are any. */
function quantityText({ type, quantity }: Group): string {
  if (type !== 'usage') return quantity === 0n ? '' : `${quantity}`;
  const size = quantity < 0n ? -quantity : quantity;
  const part = `${size % 1000n}`.padStart(3, '0').replace(/0+$/, '');
  return `${quantity < 0n ? '-' : ''}${size / 1000n}${part && `.${part}`}`;
}

const shareOff = ({ list, net }: Group): number => (list === 0n ? 0 : Number(((list - net) * 10_000n) / list));

export function totalsOf(lines: readonly Pick<InvoiceLine, 'list' | 'discount' | 'net'>[]): Totals {
  const sum = (field: 'list' | 'discount' | 'net') =>
    micros(lines.reduce((all, line) => all + parseMoney(line[field]), 0n));
  return { list: sum('list'), discount: sum('discount'), total: sum('net') };
}

/**
 * The difference for a closed month: its groups now, less what invoices already contain. One line per thing, without a quantity,
 * because times and prices of the two may differ.
 */
export function correctionsOf(now: readonly Group[], written: readonly InvoiceLine[]): InvoiceLine[] {
  const sums = new Map<string, { group: InvoiceLine; list: bigint; net: bigint }>();
  const add = (line: InvoiceLine, sign: bigint) => {
    const key = JSON.stringify([line.sku, line.reference]);
    const sum = sums.get(key) ?? { group: line, list: 0n, net: 0n };
    sum.list += sign * parseMoney(line.list);
    sum.net += sign * parseMoney(line.net);
    sums.set(key, sum);
  };
  for (const group of now) add(lineOf(group), 1n);
  for (const line of written) add(line, -1n);
  return [...sums.values()]
    .filter(({ list, net }) => list !== 0n || net !== 0n)
    .map(({ group: { run: _run, parts: _parts, ...group }, list, net }) => ({
      ...group,
      type: 'correction',
      quantity: '',
      price: '',
      discountBasisPoints: 0,
      list: moneyText(micros(list)),
      discount: moneyText(micros(list - net)),
      net: moneyText(micros(net)),
    }));
}

/** Sorts by kind, then by start. */
export const inOrder = (lines: readonly InvoiceLine[]): InvoiceLine[] =>
  [...lines].sort(
    (a, b) =>
      ORDER[a.type] - ORDER[b.type] ||
      compare(a.reference, b.reference) ||
      (a.run ?? 0) - (b.run ?? 0) ||
      compare(a.sku, b.sku) ||
      compare(a.from, b.from),
  );

const ORDER = { usage: 0, order: 1, plan: 2, correction: 3 } as const;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
