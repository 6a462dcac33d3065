// A timeline of instances' lives from a seed, the reports of an operator that is sometimes away, and the cost: counted second by
// second in whole numbers, without any product code.

export interface Use {
  resource: string;
  model?: string;
  quantity: number;
}

/** Seconds since the timeline's beginning. */
interface Stretch {
  from: number;
  to: number;
  uses: Use[];
  /** When the operator writes down that it began, and that it ended. */
  openReportedAt: number;
  endReportedAt: number;
  /** The use belongs to several workers together. */
  ofWorkers?: true;
}

export interface Life {
  uid: string;
  organization: number;
  stretches: Stretch[];
  /** The part of workers, counted by worker and not by interval. */
  workerGpuMilliSeconds: bigint;
}

/** From `second` on a unit costs `amount` micros for `perSeconds` of use. */
export interface PriceChange {
  sku: string;
  second: number;
  amount: number;
  perSeconds: number;
}

export interface DiscountChange {
  organization: number;
  second: number;
  basisPoints: number;
}

interface Window {
  from: number;
  to: number;
}

export interface Timeline {
  seconds: number;
  organizations: number;
  lives: Life[];
  prices: PriceChange[];
  discounts: DiscountChange[];
  gatewayAway: Window[];
}

const HOUR = 3600;
const PER_HOUR = HOUR;
const PER_MONTH = 730 * HOUR;
const ORGANIZATIONS = 12;

export type Random = () => number;

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function timelineOf(seed: number, lives: number, days = 3): Timeline {
  const random = randomOf(seed);
  const seconds = days * 24 * HOUR;
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const pick = <T>(...choices: [T, ...T[]]): T => choices[between(0, choices.length - 1)] as T;
  const windows = (count: number, longest: number): Window[] =>
    Array.from({ length: count }, () => between(HOUR, seconds - longest)).map((from) => ({
      from,
      to: from + between(60, longest),
    }));
  const operatorAway = windows(days * 2, 2 * HOUR);
  const reportedAt = (at: number): number => {
    const late = at + between(0, 5);
    const away = operatorAway.find(({ from, to }) => from <= late && late < to);
    // Two windows may follow each other.
    return away ? reportedAt(away.to) : late;
  };

  const size = (disk: Use): Use[] => [
    ...(random() < 0.85 ? [{ resource: 'gpu', model: pick('A', 'B', 'C'), quantity: pick(0.25, 1, 1, 2, 8) }] : []),
    { resource: 'cpu', quantity: pick(0.5, 4, 16) },
    { resource: 'memory', quantity: pick(7.5, 32, 0.977) },
    disk,
  ];
  /** Some runs are over at once, many are short. */
  const length = () => (random() < 0.03 ? 0 : random() < 0.3 ? between(1, 90) : between(60, 5 * HOUR));
  const live = (index: number): Life => {
    const stretches: Stretch[] = [];
    /** `lostFor`: its end is reported that much later, and the part posted meanwhile is given back. */
    const add = (from: number, to: number, uses: Use[], lostFor = 0) => {
      const openReportedAt = Math.max(reportedAt(from), stretches.at(-1)?.endReportedAt ?? 0);
      stretches.push({
        from,
        to,
        uses,
        openReportedAt,
        endReportedAt: Math.max(reportedAt(to + lostFor), openReportedAt),
      });
    };
    const disk = { resource: 'disk', quantity: between(10, 200) };
    const atRest = [disk, { resource: 'snapshot', quantity: between(1, 40_000) / 1000 }];
    const rest = (from: number, longest: number): number => {
      const to = Math.min(from + between(10, longest), Math.floor(seconds * 0.96));
      add(from, to, atRest);
      return to;
    };
    /** Workers come, end and are preempted one by one; another run follows. Intervals end where their number changes. */
    const job = (from: number, end: number): number => {
      const each = size(disk).filter(({ resource }) => resource !== 'disk');
      const own = Array.from({ length: between(2, 6) }, () => {
        const start = Math.min(end, from + between(0, 20));
        return { from: start, to: between(start, end) };
      });
      const moments = [...new Set(own.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
      for (const [index, moment] of moments.entries()) {
        const next = moments[index + 1];
        const count = own.filter((one) => one.from <= moment && moment < one.to).length;
        if (next === undefined || count === 0) continue;
        add(moment, next, [
          ...each.map((use) => ({ ...use, quantity: Math.round(use.quantity * count * 1000) / 1000 })),
          disk,
        ]);
        const last = stretches.at(-1);
        if (last) last.ofWorkers = true;
      }
      const [gpu] = each;
      const seconds = own.reduce((sum, { from, to }) => sum + to - from, 0);
      if (gpu?.resource === 'gpu') workerGpuMilliSeconds += BigInt(Math.round(gpu.quantity * 1000)) * BigInt(seconds);
      return Math.max(end, ...moments);
    };
    let workerGpuMilliSeconds = 0n;
    let uses = size(disk);
    /** Returns when the next one begins. */
    const turn = (from: number): number => {
      const end = Math.min(from + length(), Math.floor(seconds * 0.95));
      const how = pick('stop', 'stop', 'crash', 'lost', 'resize', 'hosted', 'workers', 'workers');
      if (how === 'workers') return rest(job(from, end), 300);
      add(from, end, how === 'hosted' ? uses.map(hosted) : uses, how === 'lost' ? between(40, 4 * HOUR) : 0);
      if (how === 'lost') return end + between(60, HOUR);
      if (how !== 'resize') return rest(end, how === 'crash' ? 300 : 6 * HOUR);
      uses = size(disk);
      return end;
    };
    let at = between(0, Math.floor(seconds * 0.8));
    for (let turns = between(1, 6); turns > 0 && at < seconds * 0.9; turns--) at = turn(at);
    const organization = between(0, ORGANIZATIONS - 1);
    return { uid: `life-${index}`, organization, stretches, workerGpuMilliSeconds };
  };

  return {
    seconds,
    organizations: ORGANIZATIONS,
    lives: Array.from({ length: lives }, (_one, index) => live(index)),
    prices: [
      ...['gpu/A', 'gpu/any', 'cpu', 'memory', 'disk', 'snapshot'].flatMap((sku) => {
        const perSeconds = ['disk', 'snapshot'].includes(sku) ? PER_MONTH : PER_HOUR;
        const changes = [0, ...Array.from({ length: between(0, 3) }, () => between(HOUR, seconds))];
        return [...new Set(changes)].map((second) => ({ sku, second, perSeconds, amount: between(1, 4_000_000) }));
      }),
    ],
    discounts: Array.from({ length: ORGANIZATIONS }, (_one, organization) => ({
      organization,
      second: between(0, seconds),
      basisPoints: between(0, 10_000),
    })),
    gatewayAway: windows(days, 9 * HOUR),
  };
}

const hosted = ({ resource, ...use }: Use): Use =>
  resource === 'disk' ? { resource, ...use } : { resource: `hosted-${resource}`, ...use };

export interface Reported {
  seq: number;
  from: number;
  to?: number;
  uses: Use[];
}

/** An object's status at a moment. */
export const statusAt = ({ stretches }: Life, at: number): Reported[] =>
  stretches.flatMap(({ from, to, uses, openReportedAt, endReportedAt }, index) =>
    openReportedAt > at ? [] : [{ seq: index + 1, from, ...(endReportedAt <= at && { to }), uses }],
  );

/** When it says something else. */
export const momentsOf = ({ stretches }: Life): number[] =>
  stretches.flatMap(({ openReportedAt, endReportedAt }) => [openReportedAt, endReportedAt]);

export interface Expected {
  net: bigint;
  list: bigint;
  /** Whole cards and shares that are paid by use, in thousandths. */
  gpuMilliSeconds: bigint;
}

/** Goes through every second of every stretch. */
export function expectedOf({ seconds, organizations, lives, prices, discounts }: Timeline): Expected[] {
  const skus = [...new Set(prices.map(({ sku }) => sku))];
  /** By SKU and second: which of its changes holds. */
  const holding = new Map(
    skus.map((sku) => {
      const own = changesOf(prices, sku);
      const of = new Uint8Array(seconds + 1);
      for (let second = 0; second <= seconds; second++) of[second] = own.findLastIndex((one) => one.second <= second);
      return [sku, of] as const;
    }),
  );
  const discounted = Array.from({ length: organizations }, (_one, organization) => {
    const of = new Uint16Array(seconds + 1);
    for (const change of discounts)
      if (change.organization === organization) of.fill(change.basisPoints, change.second);
    return of;
  });
  const costOf = (use: Use, { from, to }: Stretch, organization: number): Expected => {
    const sku = skuFor(use, skus);
    if (sku === undefined) return { list: 0n, net: 0n, gpuMilliSeconds: 0n };
    const milli = BigInt(Math.round(use.quantity * 1000));
    const own = changesOf(prices, sku);
    const counts = secondsUnder(from, to, holding.get(sku) as Uint8Array, discounted[organization] as Uint16Array);
    let [list, net] = [0n, 0n];
    for (const [under, count] of counts) {
      const cost = milli * BigInt(count) * BigInt(own[Math.floor(under / DISCOUNTS)]?.amount ?? 0);
      list += cost;
      net += cost * BigInt(10_000 - (under % DISCOUNTS));
    }
    const per = BigInt(own[0]?.perSeconds ?? 1) * 1000n;
    const gpuMilliSeconds = sku.startsWith('gpu/') ? milli * BigInt(to - from) : 0n;
    const paid = nearest(net, per * 10_000n);
    const letOff = nearestBelow(list * 10_000n - net, per * 10_000n);
    return { list: paid + letOff, net: paid, gpuMilliSeconds };
  };
  return lives.map(({ organization, stretches }) =>
    stretches
      .flatMap((stretch) => stretch.uses.map((use) => costOf(use, stretch, organization)))
      .reduce((sum, one) => ({
        list: sum.list + one.list,
        net: sum.net + one.net,
        gpuMilliSeconds: sum.gpuMilliSeconds + one.gpuMilliSeconds,
      })),
  );
}

const DISCOUNTS = 20_000;

/** How many seconds there are under each price and discount: price × DISCOUNTS + discount. */
function secondsUnder(from: number, to: number, price: Uint8Array, off: Uint16Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let second = from; second < to; second++) {
    const under = (price[second] as number) * DISCOUNTS + (off[second] as number);
    counts.set(under, (counts.get(under) ?? 0) + 1);
  }
  return counts;
}

const changesOf = (prices: readonly PriceChange[], sku: string): PriceChange[] =>
  prices.filter((one) => one.sku === sku).sort((a, b) => a.second - b.second);

function skuFor({ resource, model }: Use, skus: readonly string[]): string | undefined {
  if (resource.startsWith('hosted-')) return undefined;
  if (resource !== 'gpu') return resource;
  return skus.includes(`gpu/${model}`) ? `gpu/${model}` : 'gpu/any';
}

const nearest = (dividend: bigint, divisor: bigint): bigint => {
  const rest = dividend % divisor;
  return dividend / divisor + (2n * rest >= divisor ? 1n : 0n);
};

/** Halves down. */
const nearestBelow = (dividend: bigint, divisor: bigint): bigint => {
  const rest = dividend % divisor;
  return dividend / divisor + (2n * rest > divisor ? 1n : 0n);
};
