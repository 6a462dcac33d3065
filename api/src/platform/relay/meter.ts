// Counts one service's requests in this gateway: steps of the last hour for statistics, the last seconds for autoscaling, and the
// last requests one by one. Nothing of a request is kept that may be a secret: no query, no header, no body.

export const STEP_MS = 15_000;
/** An hour. */
export const STEPS = 240;
export const MOST_RECENT = 50;
/** The unit of flows. */
export const MINUTE_MS = 60_000;
export const FLOW_MINUTES = 5;
/** The most flows of one minute; those beyond are counted without their replica. */
const MOST_FLOWS = 200;
/** The most flows of one minute, including those without a replica; those beyond are counted without their alias, too. */
const MOST_WITH_ALIASES = 250;
const MOST_PATH_LETTERS = 200;
const MOST_METHOD_LETTERS = 16;
/** The rate is that of so many whole seconds. */
const RATE_SECONDS = 10;

/** Places in `Counts`; a histogram of times follows them. */
export const AT = {
  requests: 0,
  ok: 1,
  clientErrors: 2,
  serverErrors: 3,
  bytesIn: 4,
  bytesOut: 5,
  checks: 6,
  wakes: 7,
} as const;
const FIRST_BUCKET = 8;
/** Half a millisecond, and √2 times more for each further one: the last is from about six hours on. */
const BUCKETS = 52;
const LEAST_MS = 0.5;
export const COUNTS = FIRST_BUCKET + BUCKETS;
export type Counts = Float64Array;

export interface RecentRequest {
  /** Milliseconds since 1970. */
  at: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  bytes: number;
  replica: string | null;
  isCheck: boolean;
}

/** Requests of one minute since 1970 that went the same way, those that ended with 5xx among them. */
export type Flow = [minute: number, replica: string, via: string, requests: number, errors: number];

const bucketOf = (ms: number): number =>
  ms < LEAST_MS ? 0 : Math.min(BUCKETS - 1, 1 + Math.floor(2 * Math.log2(ms / LEAST_MS)));

/** The upper end of the bucket that holds this share of all requests; null where there are none. */
export function percentileOf(counts: ArrayLike<number>, share: number): number | null {
  let all = 0;
  for (let at = FIRST_BUCKET; at < COUNTS; at++) all += counts[at] ?? 0;
  if (all === 0) return null;
  let left = all * share;
  for (let at = 0; at < BUCKETS; at++) {
    left -= counts[FIRST_BUCKET + at] ?? 0;
    if (left <= 0) return Math.round(LEAST_MS * 2 ** (at / 2) * 10) / 10;
  }
  return Math.round(LEAST_MS * 2 ** (BUCKETS / 2) * 10) / 10;
}

/** Undefined for a new one where there are so many already. */
function flowIn(
  flows: Map<string, Flow>,
  [minute, replica, via]: readonly [minute: number, replica: string, via: string],
  most: number,
): Flow | undefined {
  const key = via === '' ? replica : `${replica} ${via}`;
  const known = flows.get(key);
  if (known || flows.size >= most) return known;
  const flow: Flow = [minute, replica, via, 0, 0];
  flows.set(key, flow);
  return flow;
}

export class Meter {
  /** Health checks and robots apart, those that wait among them. */
  inFlight = 0;
  waiting = 0;
  /** Milliseconds since 1970; 0: none came yet. */
  lastActiveAt = 0;
  /** Something has changed since the last call of `take`. */
  isChanged = false;
  readonly #steps = new Map<number, Counts>();
  readonly #seconds = new Float64Array(RATE_SECONDS + 1);
  #second = 0;
  readonly #flows = new Map<number, Map<string, Flow>>();
  readonly #recent: RecentRequest[] = [];
  #next = 0;

  /** A request that counts as activity has come. */
  begin(now: number): void {
    this.inFlight++;
    this.lastActiveAt = now;
    this.isChanged = true;
    this.#turn(now);
    const at = this.#second % this.#seconds.length;
    this.#seconds[at] = (this.#seconds[at] ?? 0) + 1;
  }

  /** It has been answered, or its client has left. */
  end(now: number): void {
    this.inFlight--;
    // While a long answer goes on it is in use.
    this.lastActiveAt = now;
    this.isChanged = true;
  }

  wake(now: number): void {
    this.#add(this.#at(now), AT.wakes, 1);
  }

  /** `via`: the alias by which it came. */
  record(
    request: Omit<RecentRequest, 'path' | 'method'> & { method: string; url: string; bytesIn: number; via?: string },
  ): void {
    const { at, method, url, status, ms, bytes, bytesIn, replica, isCheck } = request;
    const counts = this.#at(at);
    this.#add(counts, AT.requests, 1);
    this.#add(counts, status < 400 ? AT.ok : status < 500 ? AT.clientErrors : AT.serverErrors, 1);
    this.#add(counts, AT.bytesIn, bytesIn);
    this.#add(counts, AT.bytesOut, bytes);
    if (isCheck) this.#add(counts, AT.checks, 1);
    else this.#flow(at, replica ?? '', request.via ?? '', status >= 500);
    this.#add(counts, FIRST_BUCKET + bucketOf(ms), 1);
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    this.#recent[this.#next++ % MOST_RECENT] = {
      at,
      method: method.slice(0, MOST_METHOD_LETTERS),
      path: path.length > MOST_PATH_LETTERS ? path.slice(0, MOST_PATH_LETTERS) : path,
      status,
      ms,
      bytes,
      replica,
      isCheck,
    };
  }

  /** Requests a second. */
  rate(now: number): number {
    this.#turn(now);
    let sum = 0;
    for (let back = 1; back <= RATE_SECONDS; back++) {
      sum += this.#seconds[(this.#second - back + this.#seconds.length * 2) % this.#seconds.length] ?? 0;
    }
    return sum / RATE_SECONDS;
  }

  /** The flows of this minute and the ones before it. */
  flows(now: number): Flow[] {
    const oldest = Math.floor(now / MINUTE_MS) - FLOW_MINUTES;
    for (const minute of this.#flows.keys()) if (minute <= oldest) this.#flows.delete(minute);
    return [...this.#flows.values()].flatMap((flows) => [...flows.values()]);
  }

  /** Newest first. */
  recent(): RecentRequest[] {
    const oldest = this.#next % Math.max(1, this.#recent.length);
    // Those of one millisecond stay in their order.
    return [...this.#recent.slice(oldest), ...this.#recent.slice(0, oldest)].reverse().sort((a, b) => b.at - a.at);
  }

  /** Steps that may have changed since the last call; the last one goes on. */
  take(now: number): [step: number, counts: Counts][] {
    this.isChanged = false;
    const taken = [...this.#steps];
    const present = Math.floor(now / STEP_MS);
    for (const step of this.#steps.keys()) if (step < present) this.#steps.delete(step);
    return taken;
  }

  /** The steps could not be written: they are there at the next call again. */
  giveBack(steps: readonly [step: number, counts: Counts][], now: number): void {
    this.isChanged = true;
    const oldest = Math.floor(now / STEP_MS) - STEPS;
    for (const [step, counts] of steps) if (step > oldest && !this.#steps.has(step)) this.#steps.set(step, counts);
  }

  #flow(at: number, replica: string, via: string, isError: boolean): void {
    const minute = Math.floor(at / MINUTE_MS);
    let flows = this.#flows.get(minute);
    if (!flows) {
      flows = new Map();
      this.#flows.set(minute, flows);
    }
    const flow =
      flowIn(flows, [minute, replica, via], MOST_FLOWS) ??
      flowIn(flows, [minute, '', via], MOST_WITH_ALIASES) ??
      flowIn(flows, [minute, '', ''], Number.POSITIVE_INFINITY);
    if (!flow) return;
    flow[3]++;
    if (isError) flow[4]++;
  }

  #at(now: number): Counts {
    this.isChanged = true;
    const step = Math.floor(now / STEP_MS);
    let counts = this.#steps.get(step);
    if (!counts) {
      counts = new Float64Array(COUNTS);
      this.#steps.set(step, counts);
    }
    return counts;
  }

  #add(counts: Counts, at: number, more: number): void {
    counts[at] = (counts[at] ?? 0) + more;
  }

  #turn(now: number): void {
    const second = Math.floor(now / 1000);
    // A clock that was set back goes on in the newest second.
    const steps = Math.min(second - this.#second, this.#seconds.length);
    for (let more = 1; more <= steps; more++) this.#seconds[(second - steps + more) % this.#seconds.length] = 0;
    if (second > this.#second) this.#second = second;
  }
}
