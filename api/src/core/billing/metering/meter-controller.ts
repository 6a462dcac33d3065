// Follows all billable objects: records their intervals, posts ended ones, hours and changed prices, tells the operator what is
// posted, and releases an object once nothing of it is left to bill. Level-triggered: a start looks at everything, so it catches
// up with whatever happened while no gateway ran.

import { costText } from '@gantry/contract/fields/money.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import type { Meter, Settled } from './meter.ts';
import type { Posted } from './meter-rows.ts';
import { intervalsOf, isLeft, type MeteredObject, type Seen, seenOf } from './seen.ts';

/** The cluster, as far as metering needs it. */
export interface MeteredObjects<One extends MeteredObject = MeteredObject> {
  /** Those that are followed: what is missing there is gone. */
  readonly regions: readonly string[];
  /** Those out of reach: what runs there is billed once they are heard again. */
  readonly silentRegions?: readonly string[];
  list(): readonly One[];
  on(listener: (change: { readonly before?: One; readonly after?: One }) => void): () => void;
  /** With what it has cost so far. */
  writePosted(one: One, postedSeq: number, cost?: string): Promise<unknown>;
  dropFinalizer(one: One): Promise<void>;
}

export interface MeterControllerParts<One extends MeteredObject> {
  readonly objects: MeteredObjects<One>;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Calls back when another price or discount takes effect. */
  readonly onPrices?: (listener: () => void) => () => void;
  /** Since when the cluster has been silent: nothing is known about running objects from then on. */
  readonly staleSince?: () => number | undefined;
  /** Up to when all prices are known; the meter posts nothing beyond. */
  readonly knownTo?: () => number;
  /** Whether orders by the month are charged as well: only then may an object go. */
  readonly isCharged?: (one: One) => Promise<boolean>;
}

const HOUR_MS = 3_600_000;
/** Settlement stays behind every clock and every price that is being written. */
const LAG_MS = 2_000;
const LOOK_MS = 1_000;
const SIGN_MS = 10_000;
/** Not in the caches for so long, an object is gone: another gateway may have seen it before we did. */
const GONE_MS = 60_000;
/** Changes of so long are looked at together. */
const TOGETHER_MS = 200;
const AGAIN_MS = 5_000;
const WAITING_MS = 30_000;
const MOST_OBJECTS = 500;
const FEW = 3;

export class MeterController<One extends MeteredObject = MeteredObject> {
  readonly #parts: MeterControllerParts<One>;
  /** By uid: objects to look at, and when at the earliest. */
  readonly #due = new Map<string, number>();
  readonly #objects = new Map<string, One>();
  /** As they were when they went. */
  readonly #gone = new Map<string, One>();
  /** By uid: since when the operator is done with an object whose end it has not reported. */
  readonly #left = new Map<string, number>();
  /** By uid: since when an object with an open interval is missing. */
  readonly #missing = new Map<string, number>();
  /** Data centres that are no longer configured, and that the log knows of. */
  readonly #abandoned = new Set<string>();
  #settleAt = 0;
  #signAt = 0;
  #lookAt = 0;
  #wake: () => void = () => undefined;

  constructor(parts: MeterControllerParts<One>) {
    this.#parts = parts;
  }

  /** Works until the signal: while it is this process's turn. The caches are filled by then. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    const end = this.follow();
    try {
      while (!signal.aborted) {
        try {
          await this.step();
        } catch (error) {
          log.warn({ err: error }, 'metering stands still for the moment');
          await this.#pause(AGAIN_MS, signal);
        }
        await this.#pause(this.#nextAt() - clock.now(), signal);
      }
    } finally {
      end();
    }
  }

  #nextAt(): number {
    let next = this.#parts.clock.now() + LOOK_MS;
    for (const at of this.#due.values()) next = Math.min(next, at);
    return next;
  }

  /** Looks at everything, then at changes; returns a function that stops it. */
  follow(): () => void {
    const { objects, onPrices, clock } = this.#parts;
    for (const one of [this.#due, this.#objects, this.#gone, this.#left, this.#missing]) one.clear();
    this.#signBefore.clear();
    [this.#settleAt, this.#signAt, this.#lookAt] = [0, 0, 0];
    const off = [objects.on(this.#changed), onPrices?.(() => this.#settleBy(clock.now() + LAG_MS))];
    for (const one of objects.list()) this.#note(one);
    return () => {
      for (const one of off) one?.();
    };
  }

  /** Does everything that is due now. */
  async step(): Promise<void> {
    const { clock } = this.#parts;
    const now = clock.now();
    for (;;) {
      const uids = [...this.#due]
        .filter(([, at]) => at <= now)
        .map(([uid]) => uid)
        .slice(0, MOST_OBJECTS);
      if (uids.length === 0) break;
      for (const uid of uids) this.#due.delete(uid);
      await this.#follow(uids).catch((error: unknown) => {
        for (const uid of uids) this.#later(uid, AGAIN_MS);
        throw error;
      });
    }
    if (now >= this.#lookAt) await this.#lookForGone(now);
    if (now >= this.#settleAt) await this.#settleAll(now);
    if (now >= this.#signAt) await this.#sign(now);
  }

  /** Known up to here: running objects may have ended since. */
  #until(): number {
    const { clock, staleSince, knownTo } = this.#parts;
    return Math.min(
      clock.now() - LAG_MS,
      staleSince?.() ?? Number.POSITIVE_INFINITY,
      knownTo?.() ?? Number.POSITIVE_INFINITY,
    );
  }

  async #settleAll(now: number): Promise<void> {
    const until = this.#until();
    const hour = Math.floor((now - LAG_MS) / HOUR_MS) * HOUR_MS;
    // Set first: a price that arrives during settlement makes it due again.
    this.#settleAt = hour + HOUR_MS + LAG_MS;
    // When those ended is found out first.
    const except = [...this.#missing.keys(), ...(await this.#silent())];
    const { failed }: Settled = await this.#parts.meter.settle(until, { except }).catch((error: unknown) => {
      this.#settleBy(now);
      throw error;
    });
    if (failed > 0) this.#settleBy(now + AGAIN_MS);
    // Data about the past hour are incomplete.
    else if (until < hour) this.#settleBy(now + WAITING_MS);
  }

  /**
   * Objects with something open that may have ended since: in regions out of reach, or that are no longer configured. One that is
   * seen all the same is in a region of another name by now.
   */
  async #silent(): Promise<string[]> {
    const { objects, meter } = this.#parts;
    const outside = await meter.openOutside(objects.regions);
    const isSilent = ({ region }: { region: string }) => objects.silentRegions?.includes(region) ?? false;
    const unknown = outside.filter((one) => isSilent(one) || !this.#objects.has(one.uid));
    for (const { region } of unknown.filter((one) => !isSilent(one))) this.#tellAbandoned(region);
    return unknown.map(({ uid }) => uid);
  }

  /** Once. */
  #tellAbandoned(region: string): void {
    if (this.#abandoned.has(region)) return;
    this.#abandoned.add(region);
    this.#parts.log.warn(
      { region },
      'a data centre in which something is in use is no longer configured: it counts up to when it was last seen there',
    );
  }

  #settleBy(at: number): void {
    this.#settleAt = Math.min(this.#settleAt, at);
  }

  async #follow(uids: readonly string[]): Promise<void> {
    const { meter, clock, objects } = this.#parts;
    const seen = uids.flatMap((uid) => this.#objects.get(uid) ?? []);
    const isSilent = ({ region }: One) => objects.silentRegions?.includes(region) ?? false;
    for (const one of seen.filter(isSilent)) this.#later(one.uid, WAITING_MS);
    const found = seen.filter((one) => !isSilent(one));
    const gone = uids.filter((uid) => !this.#objects.has(uid));
    const last = gone.flatMap((uid) => this.#gone.get(uid) ?? []);
    const refused = Map.groupBy(await this.#record([...found, ...last]), ({ uid }) => uid);
    for (const { uid } of last) if ((await meter.closeOpen(uid, clock.now(), 'vanished')) > 0) this.#later(uid, LAG_MS);
    for (const one of found) await this.#closeForgotten(one);
    const until = this.#until();
    // A use that has just begun has nothing to post before the hour is over, so a hundred starts ask for nothing.
    const hour = Math.floor(until / HOUR_MS) * HOUR_MS;
    const ended = found.filter((one) => !hasOnlyBegun(one, hour));
    const asked = [...ended.map(({ uid }) => uid), ...gone];
    if (asked.length === 0) return;
    await meter.settle(until, { uids: asked });
    const posted = await meter.posted(asked);
    for (const one of ended) await this.#answer(one, posted.get(one.uid), refused.get(one.uid) ?? [], until);
    for (const uid of gone) {
      if (!refused.has(uid) && (await meter.isAllPosted(uid))) this.#gone.delete(uid);
      else this.#later(uid, this.#waitOf(this.#gone.get(uid), until));
    }
  }

  /** All at once; one by one if that fails, so that an unacceptable report of one object delays no other. */
  async #record(those: readonly One[]): Promise<readonly Seen[]> {
    const { meter, log } = this.#parts;
    try {
      return await meter.record(those.flatMap(seenOf));
    } catch (error) {
      if (those.length < 2) throw error;
      const refused: Seen[] = [];
      let failed = 0;
      for (const [at, one] of those.entries()) {
        try {
          refused.push(...(await meter.record(seenOf(one))));
        } catch (reason) {
          failed += 1;
          // It is not the objects.
          if (failed > at && failed >= FEW) throw reason;
          log.warn({ err: reason, kind: one.facts.kind, uid: one.uid }, 'what was used could not be written down');
          refused.push(...seenOf(one));
          this.#later(one.uid, AGAIN_MS);
        }
      }
      return refused;
    }
  }

  /** Intervals that the object has dropped without an end, and those that nobody will end any more. */
  async #closeForgotten(one: One): Promise<void> {
    const { meter, clock } = this.#parts;
    const intervals = intervalsOf(one);
    const { credit } = one.object.status ?? {};
    const lowest = Math.min(...intervals.map(({ seq }) => seq), Number.POSITIVE_INFINITY);
    // The operator keeps intervals that are not acknowledged: anything below its list was dropped, and is over.
    if (lowest > (credit?.postedSeq ?? 0) + 1 && Number.isFinite(lowest))
      await meter.closeOpen(one.uid, clock.now(), 'neverClosed', lowest);
    if (!isLeft(one) || intervals.every(({ to }) => to !== undefined)) return void this.#left.delete(one.uid);
    // The operator holds no finalizer on some kinds, and tells their end when it sees that they are deleted.
    const since = this.#left.get(one.uid) ?? clock.now();
    this.#left.set(one.uid, since);
    if (clock.now() - since < GONE_MS) return;
    await meter.closeOpen(one.uid, since, 'vanished');
    this.#left.delete(one.uid);
  }

  async #answer(
    one: One,
    posted: Posted | undefined,
    refused: readonly { seq: number }[],
    until: number,
  ): Promise<void> {
    const { meter, objects, log, isCharged } = this.#parts;
    const { metadata, status } = one.object;
    const upTo = Math.min(posted?.seq ?? 0, ...refused.map(({ seq }) => seq - 1));
    try {
      if (isLeft(one) && refused.length === 0 && (await meter.isAllPosted(one.uid))) {
        if (!metadata.finalizers?.includes(FINALIZER.billing)) return;
        if (!isCharged || (await isCharged(one))) await objects.dropFinalizer(one);
        else this.#later(one.uid, AGAIN_MS);
        return;
      }
      if (posted && upTo > (status?.credit?.postedSeq ?? 0) && !isLeft(one))
        await objects.writePosted(one, upTo, costText(posted.net, meter.currencyOf(one.organizationId)));
    } catch (error) {
      log.warn({ err: error, kind: one.facts.kind, name: metadata.name }, 'what is posted could not be told');
      this.#later(one.uid, AGAIN_MS);
      return;
    }
    const last = Math.max(
      0,
      ...intervalsOf(one)
        .filter(({ to }) => to !== undefined)
        .map(({ seq }) => seq),
    );
    if (upTo < last || isLeft(one)) this.#later(one.uid, this.#waitOf(one, until));
  }

  /** A new end is settled in a moment; refused reports and missing prices are checked periodically. */
  #waitOf(one: One | undefined, until: number): number {
    const isFresh = one && intervalsOf(one).some(({ to }) => to !== undefined && Date.parse(to) > until);
    return isFresh ? LAG_MS : WAITING_MS;
  }

  /** Objects with something open that are in no cache: they went while nobody looked. */
  async #lookForGone(now: number): Promise<void> {
    const { meter, objects, staleSince } = this.#parts;
    this.#lookAt = now + GONE_MS / 2;
    if (staleSince?.() !== undefined) return;
    const absent = new Map<string, string>();
    for (const region of objects.regions)
      for (const uid of await meter.openUids(region)) if (!this.#objects.has(uid)) absent.set(uid, region);
    for (const uid of this.#missing.keys()) if (!absent.has(uid)) this.#missing.delete(uid);
    for (const [uid, region] of absent) {
      const known = this.#missing.get(uid) ?? now;
      this.#missing.set(uid, known);
      if (now - known < GONE_MS) continue;
      // A clock that was ahead may have left a sign that is still to come.
      await meter.closeOpen(uid, Math.min(this.#signBefore.get(region) ?? known, now), 'vanished');
      this.#missing.delete(uid);
      this.#later(uid, 0);
    }
  }

  /** By region, the last sign that was there when this began to run: whatever was missing then vanished after it. */
  readonly #signBefore = new Map<string, number | undefined>();

  async #sign(now: number): Promise<void> {
    const { meter, objects, staleSince } = this.#parts;
    this.#signAt = now + SIGN_MS;
    if (staleSince?.() !== undefined) return;
    for (const region of objects.regions) {
      if (!this.#signBefore.has(region)) this.#signBefore.set(region, await meter.lastSign(region));
      if (this.#missing.size === 0) await meter.sign(region, now);
    }
  }

  readonly #changed = ({ before, after }: { readonly before?: One; readonly after?: One }): void => {
    if (before && before.uid !== after?.uid) {
      this.#objects.delete(before.uid);
      this.#left.delete(before.uid);
      this.#gone.set(before.uid, before);
      this.#later(before.uid, 0);
    }
    if (after) this.#note(after);
    this.#wake();
  };

  #note(one: One): void {
    const known = this.#objects.get(one.uid);
    this.#objects.set(one.uid, one);
    if (known && !concerns(known, one)) return;
    this.#later(one.uid, known ? TOGETHER_MS : 0);
  }

  #later(uid: string, ms: number): void {
    const at = this.#parts.clock.now() + ms;
    this.#due.set(uid, Math.min(at, this.#due.get(uid) ?? at));
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        cancel();
        this.#wake = () => undefined;
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#parts.clock.after(Math.max(0, ms), done);
      this.#wake = done;
      signal.addEventListener('abort', done);
    });
  }
}

/** Everything before is posted, and nothing of it is over. */
function hasOnlyBegun(one: MeteredObject, hour: number): boolean {
  const intervals = intervalsOf(one);
  const posted = one.object.status?.credit?.postedSeq ?? 0;
  const isFollowedUp = intervals.every(({ seq }, at) => at > 0 || seq <= posted + 1);
  const hasBegun = intervals.every(({ from, to }) => to === undefined && Date.parse(from) >= hour);
  return !isLeft(one) && isFollowedUp && hasBegun;
}

/** The changes to an object that concern metering. */
const concerns = (before: MeteredObject, after: MeteredObject): boolean =>
  JSON.stringify(before.object.status?.intervals) !== JSON.stringify(after.object.status?.intervals) ||
  isLeft(before) !== isLeft(after);
