// A rented host's orders, holds and charges: whole months from its first Active, paid in advance. Pure. A month is charged once
// for each number of nodes that it reaches; a node added within it costs the rest of the month.

import { addMonths } from '@gantry/contract/billing/add-months.ts';
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import { dividedRounded, type Micros, micros, sumOf, ZERO } from '@gantry/contract/fields/money.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type Said, said } from '@gantry/contract/said.ts';

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

/** The price of one node for one month. */
export interface NodeMonth {
  list: Micros;
  net: Micros;
}

export interface RentalPlan {
  /** Active and not charged yet. */
  orders: readonly Order[];
  /** The amount for requested months that do not count yet. */
  hold: Micros;
  /** The purpose of `hold`: "for 2 more months". */
  what: Said;
  /** Until then all is paid; absent before the first Active. */
  paidUntil: number | undefined;
  /** The hold is for a month that autoRenew adds: without it the host runs to the end of its term. */
  isRenewal: boolean;
  /** The parts of `hold`; undefined if nothing is held. */
  steps?: Steps | undefined;
}

/** First the nodes that are added, for the rest of the term, then months, one by one. */
interface Steps {
  /** How many of the requested months count. */
  counted: number;
  wished: number;
  nodes: number;
  nodesHold: Micros;
  months: number;
  /** Nodes of each month. */
  ofNodes: number;
  monthHold: Micros;
}

/** As much of a wish as there is money for. */
export interface Covered {
  hold: Micros;
  /** Months that are held with it. */
  months: number;
  /** With those that count. */
  total: number;
  /** The amount for the other months, and what they are: "for 2 months". */
  rest: Micros;
  what: Said;
}

const UNSAID: Said = { message: '', args: {} };
const NOTHING = { orders: [], hold: ZERO, what: UNSAID, paidUntil: undefined, isRenewal: false };

export function planRental(host: GpuHost, paid: readonly Paid[], price: NodeMonth, now: number): RentalPlan {
  const { spec, status = {}, metadata } = host;
  const isOver = metadata.deletionTimestamp !== undefined || status.returnedAt !== undefined;
  if (status.startedAt === undefined) {
    if (isOver) return NOTHING;
    return { ...NOTHING, ...held(stepsOf(host, price, { counted: 0, months: spec.months })) };
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

  const { counted } = term;
  const nodes = Math.max(0, spec.nodes - term.nodes);
  const nodesHold = restOfTerm(term, price, nodes, now);
  const moreMonths = Math.max(0, spec.months - counted);
  // Even while it waits for a node: a host with credit at the end of its term is renewed.
  const isRenewal = moreMonths === 0 && spec.autoRenew && paidUntil - now <= RENEW_AHEAD_MS;
  const steps = stepsOf(host, price, { counted, months: isRenewal ? 1 : moreMonths, nodes, nodesHold });
  return { orders, ...held(steps), paidUntil, isRenewal };
}

const stepsOf = (
  { spec }: GpuHost,
  price: NodeMonth,
  own: Pick<Steps, 'counted' | 'months'> & Partial<Steps>,
): Steps => ({
  wished: spec.months,
  nodes: 0,
  nodesHold: ZERO,
  ofNodes: spec.nodes,
  monthHold: times(price.net, spec.nodes),
  ...own,
});

const held = (steps: Steps): Pick<RentalPlan, 'hold' | 'what' | 'steps'> => ({
  hold: micros(steps.nodesHold + times(steps.monthHold, steps.months)),
  what: termText(steps.months, steps.ofNodes, steps.nodes),
  steps,
});

/** Undefined: not even the first step is covered; without a paid term that is a month. */
export function coveredBy({ steps, paidUntil }: RentalPlan, room: Micros, now: number): Covered | undefined {
  if (!steps || room < steps.nodesHold) return undefined;
  const { counted, ofNodes, nodesHold, monthHold } = steps;
  const free = room - nodesHold;
  const months = monthHold > 0n && free < monthHold * BigInt(steps.months) ? Number(free / monthHold) : steps.months;
  if (months === 0 && steps.months > 0 && !(paidUntil !== undefined && paidUntil > now)) return undefined;
  const others = steps.months - months;
  return {
    hold: micros(nodesHold + times(monthHold, months)),
    months,
    total: counted + months,
    rest: times(monthHold, others),
    what: termText(others, ofNodes),
  };
}

interface Term {
  start: number;
  /** Requested months that count. */
  counted: number;
  /** With those that autoRenew added. */
  months: number;
  /** How many of the requested nodes are rented. */
  nodes: number;
}

/** A node that was lost is replaced or comes back: rented is what there was once. */
function rentedNodes({ spec, status }: GpuHost, paid: readonly Paid[]): number {
  const joined = status?.nodes?.length ?? 0;
  // It began with all its nodes or none: nodes requested since then are missing, and are held for first.
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
    // Past months stay as they were charged; only a month that was never charged still is.
    if (before >= nodes || (before > 0 && to <= now)) continue;
    const isRest = before > 0 && from < now;
    const quantity = nodes - before;
    const amountOf = (amount: Micros) =>
      isRest ? partOf(times(amount, quantity), to - now, to - from) : times(amount, quantity);
    orders.push({
      id: `${identityOf(host)}/${month}/${nodes}`,
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

/** The price of additional nodes from now to the end of the months that count. */
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

/** Names the number of nodes unless it is one and stays one. */
function termText(months: number, nodes: number, more = 0): Said {
  const term = () =>
    nodes === 1 && more <= 0
      ? said(CREDIT_SENTENCES.months, { months: `${months}` })
      : said(CREDIT_SENTENCES.monthsOfNodes, { months: `${months}`, nodes: `${nodes}` });
  const added = () => said(CREDIT_SENTENCES.moreNodes, { more: `${more}` });
  if (more <= 0) return months <= 0 ? UNSAID : term();
  return months <= 0 ? added() : said(CREDIT_SENTENCES.monthsAndMoreNodes, { term: term(), added: added() });
}
