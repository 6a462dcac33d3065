// What is ordered, held and charged for a rented host: whole months from its first Active, paid ahead. Pure. A month is charged
// once for each number of nodes that it comes to; a node that is added within it costs the rest of it.

import { addMonths } from '@gantry/contract/billing/add-months.ts';
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import { dividedRounded, type Micros, micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';

/** So long before the end of a term the next month of autoRenew is held. */
export const RENEW_AHEAD_MS = 24 * 3_600_000;

/** A charge that was made: `nodes` is what the month had come to with it. */
export interface Paid {
  month: number;
  nodes: number;
}

export interface Order {
  /** `<host uid>/<month>/<nodes>`. */
  id: string;
  /** Counted from 0, from the day of the first Active. */
  month: number;
  nodes: number;
  /** Nodes that it adds. */
  quantity: number;
  from: number;
  to: number;
  list: Micros;
  net: Micros;
}

/** Of one node for one month. */
export interface NodeMonth {
  list: Micros;
  net: Micros;
}

export interface RentalPlan {
  /** Active and not charged yet. */
  orders: readonly Order[];
  /** For what is wished for and does not count yet. */
  hold: Micros;
  /** What `hold` is for: "for 2 more months". */
  what: string;
  /** Until then all is paid; absent before the first Active. */
  paidUntil: number | undefined;
  /** The hold is for a month that autoRenew adds by itself: without it the host goes on to the end of its term. */
  isRenewal: boolean;
}

const NOTHING = { orders: [], hold: ZERO, what: '', paidUntil: undefined, isRenewal: false };

export function planRental(host: GpuHost, paid: readonly Paid[], price: NodeMonth, now: number): RentalPlan {
  const { spec, status = {}, metadata } = host;
  const isOver = metadata.deletionTimestamp !== undefined || status.returnedAt !== undefined;
  if (status.startedAt === undefined) {
    if (isOver) return NOTHING;
    return { ...NOTHING, hold: times(price.net, spec.nodes * spec.months), what: termText(spec.months, spec.nodes) };
  }
  const term: Term = {
    start: Date.parse(status.startedAt),
    counted: status.countedMonths ?? 1,
    months: (status.countedMonths ?? 1) + (status.renewedMonths ?? 0),
    nodes: rentedNodes(host, paid),
  };
  const orders = ordersOf(host, term, paid, price, now);
  const paidUntil = addMonths(term.start, term.months);
  if (isOver) return { ...NOTHING, orders, paidUntil };

  const moreMonths = Math.max(0, spec.months - term.counted);
  const moreNodes = spec.nodes - term.nodes;
  const hold = micros(restOfTerm(term, price, moreNodes, now) + times(price.net, moreMonths * spec.nodes));
  if (hold === 0n && spec.autoRenew && paidUntil - now <= RENEW_AHEAD_MS)
    return { orders, hold: times(price.net, term.nodes), what: termText(1, term.nodes), paidUntil, isRenewal: true };
  return { orders, hold, what: termText(moreMonths, spec.nodes, moreNodes), paidUntil, isRenewal: false };
}

interface Term {
  start: number;
  /** Months that were wished for and count. */
  counted: number;
  /** With those that autoRenew added. */
  months: number;
  /** Rented, of those wished for. */
  nodes: number;
}

/** A node that was lost is replaced or comes back: rented is what there was once. */
function rentedNodes({ spec, status }: GpuHost, paid: readonly Paid[]): number {
  const joined = status?.nodes?.length ?? 0;
  // It began with all its nodes or none: what is wished for since then is not there, and is held for first.
  const most = paid.length === 0 ? joined || spec.nodes : Math.max(...paid.map(({ nodes }) => nodes));
  return Math.min(spec.nodes, Math.max(joined, most));
}

const monthOf = ({ start }: Term, month: number) => ({
  from: addMonths(start, month),
  to: addMonths(start, month + 1),
});

function ordersOf(host: GpuHost, term: Term, paid: readonly Paid[], price: NodeMonth, now: number): Order[] {
  const orders: Order[] = [];
  const { nodes } = term;
  for (let month = 0; month < term.months; month++) {
    const before = Math.max(0, ...paid.filter((one) => one.month === month).map((one) => one.nodes));
    const { from, to } = monthOf(term, month);
    // What is over stays as it was charged; only a month that was never charged still is.
    if (before >= nodes || (before > 0 && to <= now)) continue;
    const isRest = before > 0 && from < now;
    const quantity = nodes - before;
    const amountOf = (amount: Micros) =>
      isRest ? partOf(times(amount, quantity), to - now, to - from) : times(amount, quantity);
    orders.push({
      id: `${host.metadata.uid}/${month}/${nodes}`,
      month,
      nodes,
      quantity,
      from: isRest ? now : from,
      to,
      list: amountOf(price.list),
      net: amountOf(price.net),
    });
  }
  return orders;
}

/** What more nodes cost from now to the end of the months that count. */
function restOfTerm(term: Term, price: NodeMonth, nodes: number, now: number): Micros {
  if (nodes <= 0) return ZERO;
  const months = Array.from({ length: term.months }, (_, month) => monthOf(term, month)).filter(({ to }) => to > now);
  return sumOf(months.map(({ from, to }) => partOf(times(price.net, nodes), to - Math.max(from, now), to - from)));
}

/** How many hosts come before this one where a plan has room for so many: those that began, and of either those asked for first. */
export function hostsBefore(hosts: readonly GpuHost[], one: GpuHost): number {
  const rank = ({ status, metadata }: GpuHost) =>
    `${status?.startedAt === undefined ? 1 : 0} ${metadata.creationTimestamp ?? ''} ${metadata.uid ?? ''}`;
  return hosts.filter(({ metadata }) => metadata.uid !== one.metadata.uid).filter((other) => rank(other) < rank(one))
    .length;
}

const partOf = (amount: Micros, ms: number, ofMs: number): Micros =>
  micros(dividedRounded(amount * BigInt(ms), BigInt(ofMs)));
const times = (amount: Micros, count: number): Micros => micros(amount * BigInt(count));

/** More nodes than one are there, or wished for, where some are added: their months always name how many. */
function termText(months: number, nodes: number, more = 0): string {
  const { months: ofOne, monthsOfNodes, moreNodes, monthsAndMoreNodes } = CREDIT_SENTENCES;
  if (months <= 0 && more <= 0) return '';
  const words = more <= 0 ? (nodes === 1 ? ofOne : monthsOfNodes) : months <= 0 ? moreNodes : monthsAndMoreNodes;
  return sentence(words, 'en', { months: `${months}`, nodes: `${nodes}`, more: `${more}` });
}
